// Package router answers a prompt with skills: it joins what is on the disk,
// what the index remembers and what the model says. Search, hooks and the
// daemon are its callers, so that they rank alike.
package router

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A Model makes vectors, all of one kind.
type Model interface {
	index.Embedder
	ID() string // what stands for its weights and settings: vectors of two models with one ID can be compared
}

// noModel is the index's name for a router that has words alone.
const noModel = "words"

// A Router is safe for concurrent use.
type Router struct {
	config *config.Config
	model  Model // nil: words alone
	path   string

	mu     sync.Mutex
	index  *index.Index
	notice error // why the index was made anew
	memory *memory
	forgot error // why there is no evidence
}

// Open makes a router. Model may be nil. Path is the index's file; "" is the
// usual place.
func Open(c *config.Config, m Model, path string) *Router {
	r := &Router{config: c, model: m, path: path}
	id := noModel
	if m != nil {
		id = m.ID()
	}
	if r.path == "" {
		r.path = filepath.Join(c.CacheDir(), "index-"+fileName(id)+".bin")
	}
	r.index, r.notice = index.Load(r.path, id)
	return r
}

// fileName is a name without what a path may not have.
func fileName(id string) string {
	id = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, id)
	return id[:min(len(id), 80)]
}

// Learner takes the right to embed behind others' backs, which one process
// has at a time.
func (r *Router) Learner() (done func(), ok bool) {
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return nil, false
	}
	return index.TryLock(r.path + ".learner")
}

// Notice is why the index could not be used, or nil.
func (r *Router) Notice() error { return r.notice }

// Work says what may be embedded before a prompt is answered.
type Work struct {
	Heads    int                              // at most so many names and descriptions; below 0: all
	Bodies   int                              // at most so many bodies; below 0: all
	Progress func(stage string, done, of int) // nil: none
}

// A View is the skills as they were at one moment. It is safe for concurrent
// use.
type View struct {
	Catalogue *skill.Catalogue
	Heads     int // how many skills the model has not seen yet
	Bodies    int // how many bodies
	Reasons   int // how many reasons of verdicts
	pool      *rank.Pool
	vectors   func(text string) index.Vector
	version   int // of the index when the view was made
	memory    *memory
}

// Refresh is the view of the same roots as they are now, and v itself while
// neither they nor the index have changed.
func (r *Router) Refresh(v *View, roots []skill.Root) *View {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := skill.Discover(roots, r.index)
	m := r.remember(context.Background())
	m.apply(c)
	if m == v.memory && r.index.Version() == v.version && slices.EqualFunc(c.Skills, v.Catalogue.Skills, sameFile) {
		return v
	}
	return r.view(c, m)
}

// sameFile reports that two skills are read from one file. What stands in it
// is the index's to know.
func sameFile(a, b skill.Skill) bool { return a.Dir == b.Dir && a.ModTime.Equal(b.ModTime) }

// Look finds the skills of the roots and embeds what work allows. An error of
// the model leaves a view that ranks by what there is, beside the error.
func (r *Router) Look(ctx context.Context, roots []skill.Root, work Work) (*View, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := skill.Discover(roots, r.index)
	m := r.remember(ctx)
	m.apply(c)
	err := r.embed(ctx, c.Skills, work)
	if err == nil && work.Heads != 0 && len(m.lack) > 0 {
		// Verdicts are kept; only their likeness waits for another time.
		if r.forgot = r.learnReasons(ctx, m.lack, reasonsAtOnce); r.forgot == nil {
			m = r.remember(ctx)
			m.apply(c)
		}
	}
	return r.view(c, m), err
}

// view makes a view of what the index and the evidence know. The caller holds
// r.
func (r *Router) view(c *skill.Catalogue, m *memory) *View {
	v := &View{Catalogue: c, memory: m}
	if r.model != nil {
		v.Heads, v.Bodies = r.index.Missing(c.Skills)
		if !r.config.Off("MEGA_VERDICT_EMBED") {
			v.Reasons = len(m.lack)
		}
	}
	v.pool = rank.NewPool(c.Skills, r.index)
	reasons := map[string]index.Vector{}
	for _, s := range c.Skills {
		for _, text := range append(s.Meta.HelpfulContexts, s.Meta.HarmfulContexts...) {
			if reasons[text] = r.index.Text(text, false); reasons[text].Empty() {
				reasons[text] = m.reasons[text]
			}
		}
	}
	v.vectors = func(text string) index.Vector { return reasons[text] }
	v.version = r.index.Version()
	return v
}

func (r *Router) embed(ctx context.Context, skills []skill.Skill, work Work) error {
	if r.model == nil || work.Heads == 0 && work.Bodies == 0 {
		return nil
	}
	stage := func(name string) func(done, of int) {
		return func(done, of int) {
			if work.Progress != nil {
				work.Progress(name, done, of)
			}
		}
	}
	if err := r.index.Heads(ctx, r.model, skills, work.Heads, stage("reading skills")); err != nil {
		return err
	}
	if err := r.index.Texts(ctx, r.model, rank.Idle, true); err != nil {
		return err
	}
	var reasons []string
	for _, s := range skills {
		reasons = append(append(reasons, s.Meta.HelpfulContexts...), s.Meta.HarmfulContexts...)
	}
	if err := r.index.Texts(ctx, r.model, reasons, false); err != nil {
		return err
	}
	return r.index.Bodies(ctx, r.model, skills, work.Bodies, stage("reading their bodies"))
}

// Step embeds one thing that the view's skills lack, and lets others rank
// meanwhile. It is false when nothing is lacking.
func (r *Router) Step(ctx context.Context, v *View) (more bool, err error) {
	if r.model == nil {
		return false, nil
	}
	r.mu.Lock()
	task := r.index.NextTask(v.Catalogue.Skills)
	r.mu.Unlock()
	if task == nil {
		return r.stepReasons(ctx)
	}
	var vectors [][]float32
	if len(task.Texts) > 0 {
		if vectors, err = r.model.Embed(ctx, task.Texts, false); err != nil {
			return false, err
		}
		if len(vectors) != len(task.Texts) {
			return false, errors.New("the model gave another number of vectors than texts")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	task.Done(vectors)
	return true, nil
}

// Save keeps what was learnt.
func (r *Router) Save() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.index.Save(r.path)
}

// Rank orders the view's skills for a prompt, with the evidence of past turns.
func (r *Router) Rank(ctx context.Context, v *View, prompt string, o rank.Options) (rank.Ranking, error) {
	vector, err := r.Vector(ctx, prompt)
	return r.RankBy(v, prompt, vector, o), err
}

// Vector is the prompt's, which does not depend on the skills: it can be made
// while they are looked at. It is empty without a model.
func (r *Router) Vector(ctx context.Context, prompt string) (v index.Vector, err error) {
	if r.model == nil {
		return v, nil
	}
	vectors, err := r.model.Embed(ctx, []string{clip(prompt)}, true)
	if err == nil && len(vectors) == 1 {
		v = index.NewVector(vectors[0])
	}
	return v, err
}

// RankBy orders the view's skills for a prompt whose vector is known.
func (r *Router) RankBy(v *View, prompt string, vector index.Vector, o rank.Options) rank.Ranking {
	q := rank.Question{Prompt: clip(prompt), Vector: vector, Options: o, Past: v.memory.past}
	q.Past.Reason = v.vectors
	return v.pool.Rank(q)
}

// maxPrompt is how much of a prompt is ranked by, in bytes: what comes later
// is a log or a file, and a model reads 512 tokens.
const maxPrompt = 8 << 10

func clip(prompt string) string {
	if len(prompt) <= maxPrompt {
		return prompt
	}
	return strings.ToValidUTF8(prompt[:maxPrompt], "")
}

// Options are the settings of the environment.
func Options(c *config.Config) rank.Options {
	o := rank.Defaults()
	o.TopK = c.Int("MEGA_TOP_K", o.TopK)
	o.Blend = !c.Off("MEGA_EVAL_BLEND")
	o.Lexical = !c.Off("MEGA_LEXICAL")
	w := &o.Weights
	w.Count = c.Float("MEGA_EVAL_COUNT_W", w.Count)
	w.Context = c.Float("MEGA_EVAL_CONTEXT_W", w.Context)
	w.Harm = c.Float("MEGA_EVAL_HARM_W", w.Harm)
	w.Related = c.Float("MEGA_EVAL_RELATED_W", w.Related)
	w.Silence = c.Float("MEGA_SILENCE_PENALTY_ALPHA", w.Silence)
	return o
}
