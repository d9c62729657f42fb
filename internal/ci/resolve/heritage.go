package resolve

import (
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A heritage knows what each class of a family extends.
type heritage struct {
	w      *workspace
	stated map[Ref][]*extract.Reference
	find   func(class Ref, base *extract.Reference) (Ref, bool)
	known  map[Ref][]Ref
}

// newHeritage reads what classes say that they extend; find looks one such
// name up, as seen from where the class stands.
func newHeritage(w *workspace, speaks func(string) bool, find func(Ref, *extract.Reference) (Ref, bool)) heritage {
	h := heritage{w: w, stated: make(map[Ref][]*extract.Reference), find: find, known: make(map[Ref][]Ref)}
	for u := range w.units {
		f := w.file(u)
		if !speaks(f.Lang) {
			continue
		}
		for i := range f.References {
			r := &f.References[i]
			if (r.Relation == extract.Inherits || r.Relation == extract.Implements) && r.From >= 0 && r.From < len(f.Definitions) {
				from := Ref{u, r.From}
				h.stated[from] = append(h.stated[from], r)
			}
		}
	}
	return h
}

// of gives what a class extends directly, as far as it is of the workspace.
// While a class is being looked up it extends nothing, so that a class that
// stands in its own heritage is no trap.
func (h heritage) of(class Ref) []Ref {
	if up, done := h.known[class]; done {
		return up
	}
	h.known[class] = nil
	var up []Ref
	for _, b := range h.stated[class] {
		if r, ok := h.find(class, b); ok && r != class {
			up = append(up, r)
		}
	}
	h.known[class] = up
	return up
}

// member finds the definitions of a name in a class, trait, object or
// namespace, or else in what it extends, the first in order of writing and
// the deeper ones before the next. above leaves the class itself out.
func (h heritage) member(class Ref, name string, above bool) []Ref {
	return h.search(class, name, above, nil, make(map[Ref]bool))
}

// among is member for definitions of some kind only: a field does not hide
// the method of its name.
func (h heritage) among(class Ref, name string, above bool, keep func(Ref) bool) []Ref {
	return h.search(class, name, above, keep, make(map[Ref]bool))
}

// every finds the definitions of a name in a class and in all that it
// extends, the nearer ones first.
func (h heritage) every(class Ref, name string, above bool, keep func(Ref) bool) []Ref {
	var out []Ref
	seen := make(map[Ref]bool)
	var look func(c Ref, above bool)
	look = func(c Ref, above bool) {
		if seen[c] || isCallable(h.w.def(c).Kind) {
			return
		}
		seen[c] = true
		if !above {
			for _, r := range h.w.members(c, name) {
				if keep(r) {
					out = append(out, r)
				}
			}
		}
		for _, up := range h.of(c) {
			look(up, false)
		}
	}
	look(class, above)
	return out
}

// extends reports whether a class is another one or extends it.
func (h heritage) extends(class, base Ref) bool {
	seen := make(map[Ref]bool)
	var look func(Ref) bool
	look = func(c Ref) bool {
		if c == base {
			return true
		}
		if seen[c] {
			return false
		}
		seen[c] = true
		return slices.ContainsFunc(h.of(c), look)
	}
	return look(class)
}

// partly reports whether a class extends, itself or further up, something
// that is not of the workspace.
func (h heritage) partly(class Ref) bool {
	seen := make(map[Ref]bool)
	var look func(Ref) bool
	look = func(c Ref) bool {
		if seen[c] {
			return false
		}
		seen[c] = true
		up := h.of(c)
		return len(up) < len(h.stated[c]) || slices.ContainsFunc(up, look)
	}
	return look(class)
}

func (h heritage) search(class Ref, name string, above bool, keep func(Ref) bool, seen map[Ref]bool) []Ref {
	if seen[class] || isCallable(h.w.def(class).Kind) {
		return nil
	}
	seen[class] = true
	if !above {
		own := h.w.members(class, name)
		if keep != nil {
			own = slices.DeleteFunc(own, func(r Ref) bool { return !keep(r) })
		}
		if len(own) > 0 {
			return own
		}
	}
	for _, up := range h.of(class) {
		if found := h.search(up, name, false, keep, seen); len(found) > 0 {
			return found
		}
	}
	return nil
}
