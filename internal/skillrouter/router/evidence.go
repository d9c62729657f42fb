package router

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A memory is the evidence as it was read.
type memory struct {
	sign    string // of the store's files
	metas   map[string]skill.Meta
	past    rank.Past
	reasons map[string]index.Vector // by text
	twins   map[string]bool         // skills that are left out
	lack    []evidence.Reasoned     // without vectors
}

// maxVerdicts is how many verdicts have a say in a ranking, the newest.
const maxVerdicts = 4000

// storeTime bounds how long a ranking waits for the store.
const storeTime = 2 * time.Second

// remember reads the store, unless it is as it was. A store that cannot be
// read costs its evidence and not the answer. The caller holds r.
func (r *Router) remember(ctx context.Context) *memory {
	path := evidence.Place(r.config)
	sign := signOf(path)
	if r.memory != nil && r.memory.sign == sign {
		return r.memory
	}
	m := &memory{sign: sign}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	if r.forgot = m.read(ctx, path, r.modelID()); errors.Is(r.forgot, fs.ErrNotExist) {
		r.forgot = nil
	}
	r.memory = m
	return m
}

// signOf changes when a store does.
func signOf(path string) (sign string) {
	for _, p := range []string{path, path + "-wal"} {
		if st, err := os.Stat(p); err == nil {
			sign += fmt.Sprintf("%d %d\n", st.Size(), st.ModTime().UnixNano())
		}
	}
	return sign
}

func (r *Router) modelID() string {
	if r.model == nil {
		return noModel
	}
	return r.model.ID()
}

func (m *memory) read(ctx context.Context, path, model string) error {
	s, err := evidence.Existing(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	records, err := s.Records(ctx)
	if err != nil {
		return err
	}
	verdicts, err := s.Polar(ctx, model, maxVerdicts)
	if err != nil {
		return err
	}
	if m.past.Surfaced, err = s.Surfaced(ctx); err != nil {
		return err
	}
	twins, err := s.Twins(ctx)
	if err != nil {
		return err
	}
	m.twins = map[string]bool{}
	for _, t := range twins {
		m.twins[t.Skill] = true
	}
	m.metas, m.reasons = map[string]skill.Meta{}, map[string]index.Vector{}
	for _, k := range records {
		m.metas[k.Skill] = k.Meta
	}
	for _, v := range verdicts {
		if v.Vector.Empty() {
			m.lack = append(m.lack, v)
			continue
		}
		m.reasons[v.Reason] = v.Vector
		m.past.Verdicts = append(m.past.Verdicts, rank.Verdict{Skill: v.Skill, Helpful: v.Label == evidence.Helpful, Reason: v.Vector})
	}
	return nil
}

// Evidence is why the evidence is left out of rankings, or nil.
func (r *Router) Evidence() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.forgot
}

// apply gives skills what the store says of them, rather than their files: it
// knows also what was not written there. Twins that are left out go.
func (m *memory) apply(c *skill.Catalogue) {
	c.Skills = slices.DeleteFunc(c.Skills, func(k skill.Skill) bool { return m.twins[k.Name] })
	for i := range c.Skills {
		if meta, ok := m.metas[c.Skills[i].Name]; ok {
			c.Skills[i].Meta = meta
		}
	}
}

// reasonsAtOnce is how many reasons are read in one step.
const reasonsAtOnce = 16

// learnReasons makes vectors of at most n reasons that lack them, and keeps
// them in the store. Several processes may do so: the vectors are the same.
func (r *Router) learnReasons(ctx context.Context, lack []evidence.Reasoned, n int) error {
	lack = lack[:min(n, len(lack))]
	if r.model == nil || len(lack) == 0 || r.config.Off("MEGA_VERDICT_EMBED") {
		return nil
	}
	texts := make([]string, len(lack))
	for i, v := range lack {
		texts[i] = v.Reason
	}
	vectors, err := r.model.Embed(ctx, texts, false)
	if err != nil {
		return err
	}
	if len(vectors) != len(texts) {
		return errors.New("the model gave another number of vectors than texts")
	}
	read := make([]evidence.Reasoned, len(lack))
	for i, v := range lack {
		read[i] = v
		read[i].Vector = index.NewVector(vectors[i])
	}
	s, err := evidence.Existing(ctx, evidence.Place(r.config))
	if err != nil {
		return err
	}
	defer s.Close()
	return s.KeepVectors(ctx, r.model.ID(), read)
}

// stepReasons is the step of a router whose skills lack nothing.
func (r *Router) stepReasons(ctx context.Context) (more bool, err error) {
	r.mu.Lock()
	lack := r.remember(ctx).lack
	r.mu.Unlock()
	if len(lack) == 0 || r.config.Off("MEGA_VERDICT_EMBED") {
		return false, nil
	}
	return true, r.learnReasons(ctx, lack, reasonsAtOnce)
}
