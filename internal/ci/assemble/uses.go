package assemble

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// uses counts how often files, and what they define, are used by other files.
type uses struct {
	files []int32   // by source
	of    [][]int32 // by source and definition; nil where none is used
}

func usesOf(c *collected, edges *resolve.Edges) *uses {
	u := &uses{files: make([]int32, len(c.sources)), of: make([][]int32, len(c.sources))}
	for e := range edges.All() {
		if e.From.Unit == e.To.Unit || e.Relation == extract.Contains {
			continue
		}
		u.files[e.To.Unit]++
		if e.To.Def < 0 {
			continue
		}
		if u.of[e.To.Unit] == nil {
			u.of[e.To.Unit] = make([]int32, len(c.sources[e.To.Unit].file.Definitions))
		}
		u.of[e.To.Unit][e.To.Def]++
	}
	return u
}

// rank is how much a number of uses counts: roughly, so that a few more or less
// move nothing in a text that people compare with the one before.
func rank(n int32) int { return bits.Len32(uint32(n)) }

// order lists the source files among a run of sources, the most used first.
func (u *uses) order(c *collected, first, end int) []int {
	var list []int
	for i := first; i < end; i++ {
		if s := c.sources[i]; s.file.Lang != "" && index.ClassOfPath(s.path) == index.Source {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return rank(u.files[b]) - rank(u.files[a]) })
	return list
}

// qualifies holds the languages in which a name at the top level has a part
// before it that nothing in the file stands for: a schema, the type of a
// resource.
var qualifies = map[string]bool{"hcl": true, "sql": true}

// topLevel lists the names at the top of a file, the most used first, then
// those that other files see.
func (u *uses) topLevel(source int, f *extract.File) []string {
	type named struct {
		name    string
		used    int
		visible int
	}
	var list []named
	for i, d := range f.Definitions {
		qualified := qualifies[f.Lang] && d.Parent < 0
		if d.Container != "" && !qualified || d.Test {
			continue
		}
		n := named{name: d.Name}
		if d.Exported {
			n.name, n.visible = d.Qualified(), 1
		}
		if used := u.of[source]; i < len(used) {
			n.used = rank(used[i])
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b named) int { return cmp.Or(b.used-a.used, b.visible-a.visible) })
	var names []string
	seen := map[string]bool{}
	for _, n := range list {
		if !seen[n.name] {
			seen[n.name] = true
			names = append(names, n.name)
		}
	}
	return names
}
