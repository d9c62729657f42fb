package resolve

import "slices"

// Bounds of what is put in order; what passes them is looked through
// depth first, as written.
const (
	maxPyBases = 32  // classes that one class extends
	maxPyOrder = 256 // classes in one order
)

// inherited finds the definitions of a name in a class or, in the order that
// Python looks through them, in what it extends. above leaves the class
// itself out.
func (p *pyFamily) inherited(class Ref, name string, above bool) []Ref {
	order := p.order(class)
	if order == nil {
		return p.heritage.member(class, name, above)
	}
	if above {
		order = order[1:]
	}
	for _, c := range order {
		if isCallable(p.w.def(c).Kind) {
			continue
		}
		if own := p.w.members(c, name); len(own) > 0 {
			return own
		}
	}
	return nil
}

// order is a class and what it extends in Python's order: a class stands
// before its bases, and bases stand as they are written, also where two of
// them share one. It is nil when there is no such order, or a bound is passed.
func (p *pyFamily) order(class Ref) []Ref {
	if o, done := p.orders[class]; done {
		return o
	}
	p.orders[class] = nil // of a circle: none
	bases := p.heritage.of(class)
	if len(bases) > maxPyBases {
		return nil
	}
	var lists [][]Ref
	for _, b := range bases {
		above := p.order(b)
		if above == nil {
			return nil
		}
		lists = append(lists, above)
	}
	lists = append(lists, bases)
	order := []Ref{class}
	for len(order) <= maxPyOrder {
		lists = slices.DeleteFunc(lists, func(l []Ref) bool { return len(l) == 0 })
		if len(lists) == 0 {
			p.orders[class] = order
			return order
		}
		next, ok := nextInOrder(lists)
		if !ok {
			return nil
		}
		order = append(order, next)
		for i, l := range lists {
			if l[0] == next {
				lists[i] = l[1:]
			}
		}
	}
	return nil
}

// nextInOrder is the first class that begins a list and stands in none behind
// another.
func nextInOrder(lists [][]Ref) (Ref, bool) {
	for _, l := range lists {
		if !slices.ContainsFunc(lists, func(other []Ref) bool { return slices.Contains(other[1:], l[0]) }) {
			return l[0], true
		}
	}
	return Ref{}, false
}
