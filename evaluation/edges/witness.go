package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/marola-dev/marola-routing/evaluation/edges/fact"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
)

// A witnessed call is one as the independent source sees it.
type witnessed struct {
	fact.Call

	// Also lists further declarations of the same thing, any of which is as
	// right: those it is merged with, the function that a variable holds.
	Also []place `json:"also,omitempty"`
}

// A witness holds the facts of one tree.
type witness struct {
	facts []witnessed
	by    map[site][]witnessed
	files map[string]bool // those that it read, as far as they call anything
}

type site struct {
	file string
	line int
	name string
}

func readWitness(in io.Reader) (*witness, error) {
	w := &witness{by: make(map[site][]witnessed), files: make(map[string]bool)}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var f witnessed
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if f.File == "" || f.Line < 1 || f.Name == "" {
			return nil, fmt.Errorf("line %d: file, line and name are needed", n)
		}
		w.facts = append(w.facts, f)
		w.files[f.File] = true
		k := site{f.File, f.Line, f.Name}
		w.by[k] = append(w.by[k], f)
	}
	return w, lines.Err()
}

// reach is how many lines away a call may be told by the other side: a call
// that is written over several lines has no one line.
const reach = 5

// about gives the facts on the call of a name at a line: of that line, else
// of the nearest that has one.
func (w *witness) about(file string, line int, name string) []witnessed {
	for d := 0; d <= reach; d++ {
		for _, l := range [...]int{line + d, line - d} {
			if f := w.by[site{file, l, name}]; len(f) > 0 {
				return f
			}
		}
	}
	return nil
}

// is reports whether a definition is what a fact leads to.
func (t *tree) is(r resolve.Ref, f witnessed) bool {
	if t.stands(r, place{f.TargetFile, f.TargetLine}) {
		return true
	}
	return slices.ContainsFunc(f.Also, func(p place) bool { return t.stands(r, p) })
}

// stands reports whether a definition is what stands at a place: its name's
// line, a line of its own, another declaration of the same name (an overload,
// a stub), or a class whose constructor it is, and the reverse. In Java
// overloads are methods of their own.
func (t *tree) stands(r resolve.Ref, p place) bool {
	u := t.units[r.Unit]
	if u.Path != p.File {
		return false
	}
	if t.line(r) == p.Line {
		return true
	}
	there, ok := t.defAt(r.Unit, p.Line)
	if !ok || r.Def < 0 {
		return false
	}
	a, b := t.definition(r), t.definition(there)
	switch {
	case there == r && firstLines(a, p.Line):
		return true
	case a.Qualified() == b.Qualified() && u.File.Lang != "java":
		return true
	}
	return constructs(a, b, b.Parent == r.Def) || constructs(b, a, a.Parent == there.Def)
}

// firstLines allows for decorators and modifiers on lines of their own.
func firstLines(d *extract.Definition, line int) bool { return line-d.Line <= 2 && line >= d.Line }

// constructs reports whether inner makes values of the class outer.
func constructs(outer, inner *extract.Definition, inside bool) bool {
	if !inside {
		return false
	}
	switch inner.Name {
	case "__init__", "__new__", "constructor", "this", "<init>", outer.Name:
		return true
	}
	return false
}

// defAt is the definition whose name stands at a line, else the innermost
// around it.
func (t *tree) defAt(unit, line int) (resolve.Ref, bool) {
	best := -1
	defs := t.units[unit].File.Definitions
	for i, d := range defs {
		if d.Line == line {
			return resolve.Ref{Unit: unit, Def: i}, true
		}
		if d.Line <= line && line <= d.EndLine && (best < 0 || d.Line >= defs[best].Line) {
			best = i
		}
	}
	return resolve.Ref{Unit: unit, Def: best}, best >= 0
}
