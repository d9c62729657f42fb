package resolve

import "slices"

// A star is an import or a re-export of everything that another file has.
type star struct {
	to int
	proof
}

// maxStars bounds how many stars a name is followed through.
const maxStars = maxSteps / 2

// maxStarWork bounds how many stars are followed for all names together. A
// workspace that asks for more is made of nothing else; past it a name is
// looked up in the nearest files only.
const maxStarWork = 100_000_000

// maxStarMemory bounds what is kept of names followed so far, in bytes.
const maxStarMemory = 64 << 20

// A starGraph says through which stars a file sees a name. Files that all
// take everything of each other have a number of ways that nobody can walk;
// so a name is followed from where it is bound, to whoever sees it, once.
type starGraph struct {
	stars   [][]star  // unit → its stars, in the order of the file
	sources [][]int32 // unit → those that have a star to it
	binders map[string][]int32
	names   map[string]*starDistance
	memory  int
	work    int
}

// A starDistance says how far a name is from each file that sees it.
type starDistance struct {
	near   []uint8 // unit → one more than the stars between it and the nearest file that binds the name, itself included; 0: not reached yet
	via    []uint8 // unit → the stars of the shortest way that begins with one; 0: not reached yet
	border []int32 // the units reached last
}

// newStarGraph makes the graph of some units' stars. bound lists the names
// that a unit binds by itself.
func newStarGraph(stars [][]star, bound func(unit int, tell func(name string))) *starGraph {
	g := &starGraph{stars: stars, sources: make([][]int32, len(stars)), binders: make(map[string][]int32), names: make(map[string]*starDistance)}
	for u, list := range stars {
		for _, s := range list {
			g.sources[s.to] = append(g.sources[s.to], int32(u))
		}
	}
	for u := range stars {
		if len(g.sources[u]) == 0 {
			continue // nobody looks here
		}
		bound(u, func(name string) {
			if b := g.binders[name]; len(b) == 0 || b[len(b)-1] != int32(u) {
				g.binders[name] = append(b, int32(u))
			}
		})
	}
	return g
}

// toward lists the stars of a unit that are on a shortest way to a file that
// binds the name, in the order of the unit.
func (g *starGraph) toward(u int, name string) []star {
	if len(g.stars[u]) == 0 || len(g.binders[name]) == 0 {
		return nil
	}
	d := g.names[name]
	if d == nil {
		if g.memory += 2 * len(g.stars); g.memory > maxStarMemory {
			clear(g.names)
			g.memory = 2 * len(g.stars)
		}
		d = &starDistance{near: make([]uint8, len(g.stars)), via: make([]uint8, len(g.stars)), border: slices.Clone(g.binders[name])}
		for _, b := range d.border {
			d.near[b] = 1
		}
		g.names[name] = d
	}
	for d.via[u] == 0 && len(d.border) > 0 {
		g.widen(d)
	}
	var out []star
	for _, s := range g.stars[u] {
		if n := d.near[s.to]; n > 0 && n == d.via[u] {
			out = append(out, s)
		}
	}
	return out
}

// widen goes one star further from the units reached last.
func (g *starGraph) widen(d *starDistance) {
	var next []int32
	for _, t := range d.border {
		n := d.near[t]
		g.work += len(g.sources[t])
		for _, u := range g.sources[t] {
			if d.via[u] == 0 {
				d.via[u] = n
			}
			if d.near[u] == 0 {
				d.near[u] = n + 1
				next = append(next, u)
			}
		}
	}
	if len(next) > 0 && d.near[next[0]] > maxStars || g.work > maxStarWork {
		next = nil
	}
	d.border = next
}
