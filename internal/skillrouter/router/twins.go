package router

import (
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Twins are the skills of a view that say what a better one says: a cosine of
// at least the threshold between names and descriptions. Better is the state,
// then how often it helped, then the newer file.
func (r *Router) Twins(v *View, threshold float64) (twins []evidence.Twin) {
	r.mu.Lock()
	defer r.mu.Unlock()
	best := make([]*skill.Skill, len(v.Catalogue.Skills))
	for i := range best {
		best[i] = &v.Catalogue.Skills[i]
	}
	slices.SortStableFunc(best, betterTwin)
	gone := make([]bool, len(best))
	for i, k := range best {
		c := r.index.Of(k)
		if gone[i] || c == nil || c.Head.Empty() {
			continue
		}
		for j := i + 1; j < len(best); j++ {
			d := r.index.Of(best[j])
			if gone[j] || d == nil {
				continue
			}
			if cosine := c.Head.Cosine(d.Head); cosine >= threshold {
				gone[j] = true
				twins = append(twins, evidence.Twin{Skill: best[j].Name, Of: k.Name, Cosine: cosine})
			}
		}
	}
	return twins
}

func betterTwin(a, b *skill.Skill) int {
	rank := map[skill.Status]int{skill.Active: 0, "": 0, skill.Suspect: 1, skill.Archived: 2}
	switch {
	case rank[a.Meta.Status] != rank[b.Meta.Status]:
		return rank[a.Meta.Status] - rank[b.Meta.Status]
	case a.Meta.Helpful-a.Meta.Harmful != b.Meta.Helpful-b.Meta.Harmful:
		return (b.Meta.Helpful - b.Meta.Harmful) - (a.Meta.Helpful - a.Meta.Harmful)
	}
	return b.ModTime.Compare(a.ModTime)
}
