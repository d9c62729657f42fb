package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
	"github.com/marola-dev/marola-routing/internal/skillrouter/wisdom"
)

// ErrRunning says that another daemon has the directory.
var ErrRunning = errors.New("a daemon is running already")

// Times of a connection.
const (
	readTimeout  = 2 * time.Second
	writeTimeout = 5 * time.Second
)

// maxAtOnce bounds the requests that are answered at the same time; further
// ones wait.
const maxAtOnce = 32

// A Server answers.
type Server struct {
	Config  *config.Config
	Router  *router.Router
	Model   string // stands for the pack in use, "" without one; see [ModelStamp]
	Version string
	Build   string
	Idle    time.Duration // it ends after so long without a request; 0: never
	Log     io.Writer     // one line an error

	mu     sync.Mutex
	views  map[string]*cached
	last   time.Time
	wanted time.Time // when its own model was last asked for
	active int
	stop   context.CancelFunc
	busy   sync.WaitGroup // learning, which nobody waits for
	wisdom wisdom.Pool
}

// cached is a view of one set of roots.
type cached struct {
	mu       sync.Mutex
	view     *router.View
	looked   time.Time
	learning bool
}

// Serve answers until the context ends, a client asks for the end, or nobody
// asked for anything for Idle. It is [ErrRunning] when another one does.
func (s *Server) Serve(ctx context.Context, dir string) error {
	unlock, err := s.take(ctx, dir)
	if err != nil {
		return err
	}
	defer unlock()
	l, err := listen(dir)
	if err != nil {
		return err
	}
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	s.views, s.last, s.wanted = map[string]*cached{}, time.Now(), time.Now()
	s.wisdom.Done = s.curated
	context.AfterFunc(ctx, func() { l.Close() })
	if s.Idle > 0 {
		go s.watchIdle(ctx)
	}
	slots := make(chan struct{}, maxAtOnce)
	var connections sync.WaitGroup
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			s.log("accept: %v", err)
			time.Sleep(10 * time.Millisecond) // out of descriptors: others will end
			continue
		}
		slots <- struct{}{}
		connections.Go(func() {
			defer func() { <-slots }()
			defer c.Close()
			s.answer(ctx, c)
		})
	}
	connections.Wait()
	s.busy.Wait()
	s.wisdom.Wait()
	return s.Router.Save()
}

func (s *Server) log(format string, args ...any) {
	if s.Log != nil {
		fmt.Fprintf(s.Log, "mega-tron daemon: "+format+"\n", args...)
	}
}

// watchIdle ends the server when nothing was asked for Idle.
func (s *Server) watchIdle(ctx context.Context) {
	for {
		s.mu.Lock()
		left := s.Idle - time.Since(s.last)
		if s.active > 0 || s.wisdom.Busy() {
			left = s.Idle
		}
		s.mu.Unlock()
		if left <= 0 {
			s.stop()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(left):
		}
	}
}

// answer reads one request and writes one response.
func (s *Server) answer(ctx context.Context, c net.Conn) {
	if !trusted(c) {
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(readTimeout))
	line, err := bufio.NewReaderSize(io.LimitReader(c, maxRequest), 4096).ReadBytes('\n')
	if err != nil {
		return
	}
	s.mu.Lock()
	s.active++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.active--
		s.last = time.Now()
		s.mu.Unlock()
	}()
	s.reply(ctx, c, line)
}

// reply answers one line.
func (s *Server) reply(ctx context.Context, c net.Conn, line []byte) {
	var r Request
	a := Response{}
	if err := json.Unmarshal(line, &r); err != nil {
		a.Error = "the request is no JSON object of this protocol"
	} else if r.Secret != secret() {
		return
	} else {
		a = s.do(ctx, r)
	}
	data, err := json.Marshal(a)
	if err != nil {
		s.log("%v", err)
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, _ = c.Write(append(data, '\n'))
	if a.Shutdown {
		s.stop()
	}
}

// do answers a request. A fault in one costs that one.
func (s *Server) do(ctx context.Context, r Request) (a Response) {
	defer func() {
		if p := recover(); p != nil {
			s.log("panic: %v", p)
			a = Response{Error: "the daemon failed on this request"}
		}
	}()
	if r.Build != "" && s.Build != "" && r.Build != s.Build && r.Op != "shutdown" && r.Op != "ping" {
		return Response{Error: "this daemon is of another build, and ends", Build: s.Build, Shutdown: true}
	}
	switch r.Op {
	case "ping":
		return Response{OK: true, Version: s.Version, Build: s.Build, PID: os.Getpid()}
	case "shutdown":
		return Response{OK: true, Shutdown: true}
	case "rank", "agentic_rank", "find":
		return s.rank(ctx, r)
	case "wisdom_ignite":
		return s.ignite(ctx, r)
	}
	return Response{Error: fmt.Sprintf("there is no operation %.40q", r.Op)}
}

func failed(err error) Response { return Response{Error: err.Error()} }

// more is how many picks behind those shown a response holds.
const more = 20

func (s *Server) rank(ctx context.Context, r Request) Response {
	if strings.TrimSpace(r.Prompt) == "" {
		return Response{Error: "the prompt is empty"}
	}
	if r.Model != "" && !s.mine(r.Model) {
		return Response{Error: "this daemon has another model", Shutdown: s.unwanted()}
	}
	roots := absolute(r.Roots)
	if roots == nil {
		places := s.Config.Places(cleanDir(r.Dir))
		for d := range strings.SplitSeq(r.Skills, ",") {
			if d = strings.TrimSpace(d); filepath.IsAbs(d) {
				places.Given = append(places.Given, d)
			}
		}
		roots = places.Roots()
	}
	o := router.Options(s.Config)
	if r.Options != nil {
		o = *r.Options
	}
	if r.TopK > 0 {
		o.TopK = r.TopK
	}
	ranking, err := s.answerTo(ctx, roots, r.Prompt, o)
	if err != nil {
		return failed(err)
	}
	a := Response{OK: true, Show: ranking.Show, Reason: ranking.Reason, Total: len(ranking.Picks)}
	prepend := r.Prepend
	if prepend <= 0 {
		prepend = 3
	}
	var shown []*skill.Skill
	for i, k := range ranking.Picks[:min(len(ranking.Picks), max(ranking.Show, more))] {
		if i < ranking.Show {
			shown = append(shown, k.Skill)
			if len(a.Skills) < prepend {
				a.Skills = append(a.Skills, k.Skill.Name)
			}
		} else if r.Roots == nil {
			break
		}
		a.Picks = append(a.Picks, Pick{k.Skill.Name, k.Skill.Dir, k.Skill.Description, k.Score})
	}
	if r.All {
		for _, k := range ranking.Picks[len(a.Picks):] {
			a.Names = append(a.Names, k.Skill.Name)
		}
	}
	if r.Op == "find" {
		return s.withBodies(a, shown)
	}
	if r.Emit != "catalog_only" {
		a.Context = block.Render(block.Target(r.Target), shown, prepend)
	}
	return a
}

// answerTo ranks the skills of the roots. The prompt's vector is made while
// they are looked at.
func (s *Server) answerTo(ctx context.Context, roots []skill.Root, prompt string, o rank.Options) (rank.Ranking, error) {
	type asked struct {
		vector index.Vector
		err    error
	}
	made := make(chan asked, 1)
	go func() {
		a := asked{err: errors.New("the model failed on this prompt")}
		defer func() {
			if p := recover(); p != nil {
				s.log("panic: %v", p)
			}
			made <- a
		}()
		a.vector, a.err = s.Router.Vector(ctx, prompt)
	}()
	v, err := s.look(ctx, roots)
	a := <-made
	if err = errors.Join(err, a.err); err != nil {
		return rank.Ranking{}, err
	}
	return s.Router.RankBy(v, prompt, a.vector, o), nil
}

// absolute are the roots that mean the same to the one who asks and to the
// daemon, which is at home in another directory.
func absolute(roots []skill.Root) []skill.Root {
	return slices.DeleteFunc(roots, func(r skill.Root) bool { return !filepath.IsAbs(r.Dir) })
}

func cleanDir(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Clean(dir)
}

func (s *Server) withBodies(a Response, shown []*skill.Skill) Response {
	left := maxResponse / 2
	for _, k := range shown {
		path := filepath.Join(k.Dir, skill.FileName)
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		data, err := skill.ReadFile(path, info)
		if err != nil || len(data) > left {
			continue
		}
		left -= len(data)
		a.Bodies = append(a.Bodies, Body{k.Name, strings.ToValidUTF8(string(data), "\uFFFD")})
	}
	return a
}

// fresh is how long a view is used without looking at the disk again.
const fresh = time.Second

// maxViews bounds the sets of roots that are remembered.
const maxViews = 64

// look gives the view of roots as of at most fresh ago. What lacks vectors is
// embedded behind the answer.
func (s *Server) look(ctx context.Context, roots []skill.Root) (*router.View, error) {
	key, err := json.Marshal(roots)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	e := s.views[string(key)]
	if e == nil {
		if len(s.views) >= maxViews {
			clear(s.views)
		}
		e = &cached{}
		s.views[string(key)] = e
	}
	s.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.view != nil && time.Since(e.looked) < fresh {
		return e.view, nil
	}
	v := e.view
	if v != nil {
		v = s.Router.Refresh(v, roots)
	} else if v, err = s.Router.Look(ctx, roots, router.Work{}); err != nil {
		return nil, err
	}
	e.view, e.looked = v, time.Now()
	if v.Heads > 0 || v.Bodies > 0 || v.Reasons > 0 {
		s.learn(ctx, e, v)
	}
	return v, nil
}

// savedEvery is how many steps of learning are kept together.
const savedEvery = 50

// learn embeds what lacks vectors behind the answers, once for a set of
// roots. The caller holds e.
func (s *Server) learn(ctx context.Context, e *cached, v *router.View) {
	if e.learning {
		return
	}
	e.learning = true
	s.busy.Go(func() {
		defer func() {
			if err := s.Router.Save(); err != nil {
				s.log("the index is not kept: %v", err)
			}
			e.mu.Lock()
			e.learning, e.looked = false, time.Time{}
			e.mu.Unlock()
		}()
		for n := 1; ctx.Err() == nil; n++ {
			more, err := s.Router.Step(ctx, v)
			if err != nil && ctx.Err() == nil {
				s.log("a skill is not embedded: %v", err)
			}
			if err != nil || !more {
				return
			}
			if n%savedEvery == 0 {
				if err := s.Router.Save(); err != nil {
					s.log("the index is not kept: %v", err)
				}
				e.mu.Lock()
				e.looked = time.Time{} // the next question sees what was learnt
				e.mu.Unlock()
			}
		}
	})
}
