package rank

import (
	"cmp"
	"math"
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Past is the evidence of earlier turns. The zero value is none.
type Past struct {
	Verdicts []Verdict                      // with their reasons' vectors
	Reason   func(text string) index.Vector // vector of a reason in a frontmatter, empty when it has none; nil: none has
	Surfaced map[string]int                 // by skill: how often it was shown
}

// A Verdict is what a session said of a skill.
type Verdict struct {
	Skill   string
	Helpful bool // else harmful; neutral ones are left out
	Reason  index.Vector
}

// nearVerdicts is how many verdicts have a say, the nearest of all skills.
const nearVerdicts = 40

// related is, by skill, the cosine of its nearest helpful reason less that of
// its nearest harmful one.
func (p Past) related(q index.Vector) map[string]float64 {
	type near struct {
		v      Verdict
		cosine float64
	}
	var list []near
	if q.Empty() {
		return nil
	}
	for _, v := range p.Verdicts {
		if c := q.Cosine(v.Reason); c > 0 {
			list = append(list, near{v, c})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(b.cosine, a.cosine) })
	helped, harmed := map[string]float64{}, map[string]float64{}
	for _, n := range list[:min(len(list), nearVerdicts)] {
		best := harmed
		if n.v.Helpful {
			best = helped
		}
		best[n.v.Skill] = max(best[n.v.Skill], n.cosine)
	}
	for name, c := range harmed {
		helped[name] -= c
	}
	return helped
}

// context is the cosine of the nearest helpful reason in the frontmatter less
// harm times that of the nearest harmful one; a side without reasons is 0.
func (p Past) context(q index.Vector, m skill.Meta, harm float64) float64 {
	return p.nearest(q, m.HelpfulContexts) - harm*p.nearest(q, m.HarmfulContexts)
}

func (p Past) nearest(q index.Vector, reasons []string) float64 {
	if p.Reason == nil || q.Empty() {
		return 0
	}
	best, found := 0.0, false
	for _, r := range reasons {
		v := p.Reason(r)
		if v.Empty() {
			continue
		}
		if c := q.Cosine(v); !found || c > best {
			best, found = c, true
		}
	}
	return best
}

// silence is the penalty of a skill that was shown often and never judged.
func (p Past) silence(name string, m skill.Meta, alpha float64) float64 {
	shown := float64(p.Surfaced[name])
	judged := float64(m.Helpful + m.Harmful)
	return alpha * math.Log1p(shown) * max(0, 1-judged/max(1, shown))
}
