package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
)

// home is a person with some skills; the socket's directory is short, for the
// system bounds its length.
type home struct {
	dir, sockets string
	config       *config.Config
}

func newHome(t *testing.T) *home {
	t.Helper()
	sockets, err := os.MkdirTemp("", "mt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	h := &home{dir: t.TempDir(), sockets: sockets}
	env := map[string]string{"HOME": h.dir, "USERPROFILE": h.dir, "XDG_RUNTIME_DIR": sockets}
	if h.config, err = config.Load(func(name string) string { return env[name] }); err != nil {
		t.Fatal(err)
	}
	h.skill(t, ".claude/skills", "webhook-signer", "Sign and verify webhook payloads.")
	h.skill(t, ".codex/skills", "release-notes", "Write the changelog of a release.")
	return h
}

func (h *home) skill(t *testing.T, root, name, description string) {
	t.Helper()
	d := filepath.Join(h.dir, filepath.FromSlash(root), name)
	if err := os.MkdirAll(d, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d, "SKILL.md"), []byte("---\nname: "+name+"\ndescription: "+description+"\n---\nBody.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// slow is a model that takes its time.
type slow struct{ each time.Duration }

func (slow) ID() string { return "slow" }
func (m slow) Embed(ctx context.Context, texts []string, prompts bool) ([][]float32, error) {
	var out [][]float32
	for _, s := range texts {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(m.each):
		}
		out = append(out, []float32{float32(len(s) % 7), float32(strings.Count(s, "e")), 1})
	}
	return out, nil
}

// start runs a server until the test ends, and returns its directory.
func (h *home) start(t *testing.T, s *Server) (dir string, ended chan error) {
	t.Helper()
	if s.Config = h.config; s.Router == nil {
		s.Router = router.Open(h.config, nil, "")
	}
	dir, err := Place(h.config)
	if err != nil {
		t.Fatal(err)
	}
	ended = make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- s.Serve(ctx, dir); close(ended) }()
	t.Cleanup(func() {
		cancel()
		for range ended {
		}
	})
	for range 500 {
		if _, err := Ask(t.Context(), dir, Request{Op: "ping"}); err == nil {
			return dir, ended
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the daemon does not answer")
	return "", nil
}

func TestOperations(t *testing.T) {
	h := newHome(t)
	dir, ended := h.start(t, &Server{Version: "v1", Build: "b1"})
	ask := func(r Request) (Response, error) { return Ask(t.Context(), dir, r) }
	if a, err := ask(Request{Op: "ping"}); err != nil || a.Version != "v1" || a.PID != os.Getpid() {
		t.Errorf("ping: %+v, %v", a, err)
	}
	a, err := ask(Request{Op: "rank", Prompt: "verify the webhook payloads", Target: "claude"})
	if err != nil || !slices.Equal(a.Skills, []string{"webhook-signer"}) || !strings.Contains(a.Context, "- /webhook-signer\n  path: ") || !strings.Contains(a.Context, "/webhook-signer.") {
		t.Errorf("rank: %+v, %v", a, err)
	}
	if a, err := ask(Request{Op: "rank", Prompt: "verify the webhook payloads", Emit: "catalog_only"}); err != nil || a.Context != "" {
		t.Errorf("catalog_only: %+v, %v", a, err)
	}
	if a, err := ask(Request{Op: "agentic_rank", Prompt: "who painted the Mona Lisa"}); err != nil || a.Show != 0 || a.Context != "" {
		t.Errorf("nothing fits: %+v, %v", a, err)
	}
	if a, err := ask(Request{Op: "find", Prompt: "write the changelog of the release"}); err != nil || len(a.Bodies) != 1 || !strings.Contains(a.Bodies[0].Content, "Body.") {
		t.Errorf("find: %+v, %v", a, err)
	}
	if a, err := ask(Request{Op: "wisdom_ignite", Prompt: "x"}); err != nil || a.Status != "skipped" {
		t.Errorf("wisdom_ignite: %+v, %v", a, err)
	}
	for _, r := range []Request{{Op: "rank", Prompt: " "}, {Op: "query"}, {}, {Op: "rank", Prompt: "x", Model: "another"}} {
		if _, err := ask(r); err == nil {
			t.Errorf("%+v is answered", r)
		}
	}
	if a, err := ask(Request{Op: "shutdown"}); err != nil || !a.Shutdown {
		t.Errorf("shutdown: %+v, %v", a, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestProjectSkillsOfTheCaller(t *testing.T) {
	h := newHome(t)
	dir, _ := h.start(t, &Server{})
	h.skill(t, "work/.git/..", "x", "Not a skill root.")
	h.skill(t, "work/.claude/skills", "quagga-deploy", "Deploy the quagga to its stable.")
	a, err := Ask(t.Context(), dir, Request{Op: "rank", Prompt: "deploy the quagga to its stable", Dir: filepath.Join(h.dir, "work")})
	if err != nil || !slices.Equal(a.Skills, []string{"quagga-deploy"}) {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := Ask(t.Context(), dir, Request{Op: "rank", Prompt: "deploy the quagga to its stable"}); err != nil || len(a.Skills) != 0 {
		t.Errorf("elsewhere: %+v, %v", a, err)
	}
}

func TestNewAndDeletedSkills(t *testing.T) {
	h := newHome(t)
	dir, _ := h.start(t, &Server{})
	find := func() []string {
		a, err := Ask(t.Context(), dir, Request{Op: "rank", Prompt: "fill the forms of a PDF"})
		if err != nil {
			t.Fatal(err)
		}
		return a.Skills
	}
	if got := find(); len(got) != 0 {
		t.Errorf("before: %q", got)
	}
	h.skill(t, ".claude/skills", "pdf-forms", "Fill forms of PDF files.")
	time.Sleep(fresh + 50*time.Millisecond)
	if got := find(); !slices.Equal(got, []string{"pdf-forms"}) {
		t.Errorf("after: %q", got)
	}
	if err := os.RemoveAll(filepath.Join(h.dir, ".claude", "skills", "pdf-forms")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(fresh + 50*time.Millisecond)
	if got := find(); len(got) != 0 {
		t.Errorf("deleted: %q", got)
	}
}

func TestOneAtATime(t *testing.T) {
	h := newHome(t)
	dir, _ := h.start(t, &Server{})
	second := &Server{Config: h.config, Router: router.Open(h.config, nil, "")}
	if err := second.Serve(t.Context(), dir); !errors.Is(err, ErrRunning) {
		t.Errorf("a second one: %v", err)
	}
	if _, err := Ask(t.Context(), dir, Request{Op: "ping"}); err != nil {
		t.Errorf("the first: %v", err)
	}
}

func TestStaleSocket(t *testing.T) {
	h := newHome(t)
	dir, err := Place(h.config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, socketName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.start(t, &Server{})
}

func TestAnotherBuildEnds(t *testing.T) {
	h := newHome(t)
	dir, ended := h.start(t, &Server{Build: "old"})
	if _, err := Ask(t.Context(), dir, Request{Op: "rank", Prompt: "x", Build: "new"}); err == nil || !strings.Contains(err.Error(), "another build") {
		t.Errorf("%v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestIdleEnd(t *testing.T) {
	h := newHome(t)
	_, ended := h.start(t, &Server{Idle: 300 * time.Millisecond})
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it stays")
	}
}

func TestPrivateDirectory(t *testing.T) {
	h := newHome(t)
	dir, err := Place(h.config)
	if err != nil {
		t.Fatal(err)
	}
	h.start(t, &Server{})
	st, err := os.Stat(filepath.Join(dir, socketName))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", st.Mode(), err)
	}
	other := newHome(t)
	open := filepath.Join(other.sockets, config.Name)
	if err := errors.Join(os.Mkdir(open, 0o755), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, err := Place(other.config); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a directory that is open to all: %v", err)
	}
	third := newHome(t)
	if err := os.Symlink(dir, filepath.Join(third.sockets, config.Name)); err != nil {
		t.Fatal(err)
	}
	if _, err := Place(third.config); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a link: %v", err)
	}
}

// send writes raw bytes to the socket and returns what comes back.
func send(t testing.TB, dir string, data []byte) string {
	c, err := net.Dial("unix", filepath.Join(dir, socketName))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = c.Write(data)
	_ = c.(*net.UnixConn).CloseWrite()
	answer, _ := io.ReadAll(c)
	return string(answer)
}

func TestHostileRequests(t *testing.T) {
	h := newHome(t)
	dir, _ := h.start(t, &Server{})
	for name, data := range map[string]string{"nothing": "", "no line end": `{"op":"ping"}`, "too long": strings.Repeat("x", maxRequest+10) + "\n"} {
		if got := send(t, dir, []byte(data)); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, data := range map[string]string{"no JSON": "hello\n", "a list": "[]\n", "a number for a prompt": `{"op":"rank","prompt":7}` + "\n",
		"deep": strings.Repeat("[", 100000) + "\n", "no such operation": `{"op":"exec"}` + "\n"} {
		if got := send(t, dir, []byte(data)); !strings.HasPrefix(got, `{"ok":false,"error":`) {
			t.Errorf("%s: %.100q", name, got)
		}
	}
	if got := send(t, dir, []byte(`{"op":"rank","prompt":"x","skills_dir":"relative,/nowhere"}`+"\n")); !strings.Contains(got, `"ok":true`) {
		t.Errorf("strange directories: %q", got)
	}
	start := time.Now()
	c, err := net.Dial("unix", filepath.Join(dir, socketName))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.ReadAll(c); err != nil && !errors.Is(err, io.EOF) {
		t.Log(err)
	}
	if took := time.Since(start); took > 10*readTimeout {
		t.Errorf("one that says nothing holds a connection for %v", took)
	}
}

func TestManyClients(t *testing.T) {
	h := newHome(t)
	dir, _ := h.start(t, &Server{Router: router.Open(h.config, slow{time.Millisecond}, "")})
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			for range 3 {
				a, err := Ask(t.Context(), dir, Request{Op: "rank", Prompt: fmt.Sprint("verify the webhook payloads ", i)})
				if err != nil || len(a.Skills) == 0 {
					t.Errorf("%+v, %v", a, err)
				}
			}
		})
	}
	group.Wait()
}

func TestLearnsBehindTheAnswer(t *testing.T) {
	h := newHome(t)
	r := router.Open(h.config, slow{20 * time.Millisecond}, "")
	var log bytes.Buffer
	dir, ended := h.start(t, &Server{Router: r, Log: &log})
	if _, err := Ask(t.Context(), dir, Request{Op: "rank", Prompt: "verify the webhook payloads"}); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		v, err := r.Look(t.Context(), h.config.Places("").Roots(), router.Work{})
		if err != nil {
			t.Fatal(err)
		}
		if v.Heads == 0 && v.Bodies == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := Ask(t.Context(), dir, Request{Op: "shutdown"}); err != nil {
		t.Fatal(err)
	}
	<-ended
	again := router.Open(h.config, slow{}, "")
	if v, err := again.Look(t.Context(), h.config.Places("").Roots(), router.Work{}); err != nil || v.Heads != 0 || v.Bodies != 0 {
		t.Errorf("what was learnt is not kept: %+v, %v", v, err)
	}
	if log.Len() > 0 {
		t.Errorf("log: %s", log.String())
	}
}

func TestAskWithoutADaemon(t *testing.T) {
	h := newHome(t)
	dir, err := Place(h.config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Ask(t.Context(), dir, Request{Op: "ping"}); err == nil {
		t.Error("somebody answers")
	}
}

func FuzzRequest(f *testing.F) {
	h := &home{dir: f.TempDir()}
	c, err := config.Load(func(name string) string { return map[string]string{"HOME": h.dir}[name] })
	if err != nil {
		f.Fatal(err)
	}
	s := &Server{Config: c, Router: router.Open(c, nil, ""), views: map[string]*cached{}}
	for _, seed := range []string{`{"op":"ping"}`, `{"op":"rank","prompt":"x","cwd":"/tmp","top_k":-5,"options":{"TopK":-1}}`, `{"op":"find","prompt":"x","roots":[{"dir":"../.."}]}`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			s.reply(context.Background(), server, data)
		}()
		_ = client.SetDeadline(time.Now().Add(20 * time.Second))
		if answer, err := io.ReadAll(client); err != nil || !bytes.HasPrefix(answer, []byte(`{"ok":`)) {
			t.Errorf("%q: %q, %v", data, answer, err)
		}
	})
}
