package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// methods finds the methods of a name in a class and what it extends that a
// call with these arguments may mean, as seen from where the call stands.
// args is as package extract writes it, "" for any.
func (j *javaFamily) methods(from, class Ref, name, args string, above bool) []Ref {
	types, told := arguments(args)
	if !told {
		return j.heritage.among(class, name, above, j.isMethod)
	}
	all := j.heritage.every(class, name, above, j.isMethod)
	if fitting := j.fitting(from, all, types, j.heritage.partly(class)); len(fitting) > 0 {
		return fitting
	}
	if len(types) == 0 && strings.Contains(j.w.def(class).Signature, "record ") { // reads a part
		return slices.DeleteFunc(j.w.members(class, name), func(r Ref) bool { return j.w.def(r).Kind != extract.Field })
	}
	return nil
}

func (j *javaFamily) isMethod(r Ref) bool { return isJavaMethod(j.w.def(r).Kind) }

// arguments splits "(String, ?)".
func arguments(args string) (types []string, told bool) {
	if len(args) < 2 || args[0] != '(' {
		return nil, false
	}
	inner, ok := strings.CutSuffix(args[1:], ")")
	if !ok {
		return nil, false
	}
	if inner == "" {
		return nil, true
	}
	return strings.Split(inner, ", "), true
}

// A candidate is a method that a call may mean.
type candidate struct {
	ref    Ref
	params []javaParam
	phase  int  // of the language's search, the first in which it may apply
	sure   bool // it does apply, as far as the sources tell
}

// fitting chooses among methods of one name, the nearer ones first, as the
// language does: what takes the arguments as they are comes before what takes
// them boxed, that before what takes any number, and the most specific one
// before the others. Where too little is known of the arguments, several are
// left. Of a class that is open, having methods that nobody here knows, the
// only one of its name must fit too.
func (j *javaFamily) fitting(from Ref, refs []Ref, types []string, open bool) []Ref {
	var list []candidate
	for _, r := range refs {
		params, variadic, ok := j.parameters(r)
		if !ok {
			list = append(list, candidate{ref: r, phase: 1})
			continue
		}
		if len(types) != len(params) && !(variadic && len(types) >= len(params)-1) {
			continue
		}
		if !slices.ContainsFunc(list, func(c candidate) bool { return !j.siblings(c.ref, r) && overrides(c.params, params) }) {
			list = append(list, candidate{ref: r, params: params, phase: 1})
		}
	}
	if len(list) > 1 || len(list) == 1 && open {
		list = j.applicable(from, list, types)
	}
	out := make([]Ref, len(list))
	for i, c := range list {
		out[i] = c.ref
	}
	return out
}

// siblings reports whether two methods stand in one class.
func (j *javaFamily) siblings(a, b Ref) bool {
	return a.Unit == b.Unit && j.w.parent(a) == j.w.parent(b)
}

// overrides reports whether a method with the parameters a, of a nearer
// class, takes the place of one with b.
func overrides(a, b []javaParam) bool {
	if len(a) != len(b) {
		return false
	}
	for i, p := range a {
		if p.text != b[i].text && b[i].kind != javaVariable {
			return false
		}
	}
	return true
}

// applicable leaves the candidates that the language's rules leave.
func (j *javaFamily) applicable(from Ref, list []candidate, types []string) []candidate {
	args := make([]javaParam, len(types))
	for i, t := range types {
		args[i] = j.argument(from, t)
	}
	first := variadicPhase
	list = slices.DeleteFunc(list, func(c candidate) bool { return j.match(&c, args) == never })
	for i := range list {
		list[i].sure = j.match(&list[i], args) == always
		if list[i].sure {
			first = min(first, list[i].phase)
		}
	}
	list = slices.DeleteFunc(list, func(c candidate) bool { return c.phase > first })
	return slices.DeleteFunc(slices.Clone(list), func(c candidate) bool {
		return slices.ContainsFunc(list, func(o candidate) bool {
			return o.ref != c.ref && o.sure && j.moreSpecific(o.params, c.params, args) && !j.moreSpecific(c.params, o.params, args)
		})
	})
}

// The phases of the language's search for a method.
const (
	strictPhase = iota + 1
	boxingPhase
	variadicPhase
)

// match says whether a method can take the arguments, and in which phase.
func (j *javaFamily) match(c *candidate, args []javaParam) fitness {
	c.phase = strictPhase
	fit := always
	for i, a := range args {
		p := javaParam{}
		switch {
		case i < len(c.params) && !(c.params[i].variadic && (len(args) != len(c.params) || a.kind != javaArray && a.kind != javaNull)):
			p = c.params[i]
		case len(c.params) > 0: // one of any number
			c.phase = variadicPhase
			p = *c.params[len(c.params)-1].of
		}
		f, boxed := j.fits(a, p)
		if boxed {
			c.phase = max(c.phase, boxingPhase)
		}
		fit = min(fit, f)
	}
	if len(args) < len(c.params) {
		c.phase = variadicPhase
	}
	return fit
}

// moreSpecific reports whether each of the parameters a can be passed as that
// of b, if b can take these arguments at all: what has an argument's very type
// can.
func (j *javaFamily) moreSpecific(a, b, args []javaParam) bool {
	if len(a) != len(b) {
		return false
	}
	for i, p := range a {
		if p.text == b[i].text || len(args) == len(a) && p.kind != javaAny && p.kind == args[i].kind && p.text == args[i].text && p.at == args[i].at {
			continue
		}
		if f, boxed := j.fits(p, b[i]); f != always || boxed {
			return false
		}
	}
	return true
}
