package resolve

import "github.com/marola-dev/marola-routing/internal/ci/extract"

// kin are the definitions of a file that share name and container with one:
// what TypeScript merges with it, itself included.
func (s *jsFamily) kin(r Ref) []Ref {
	name := s.w.def(r).Name
	if p := s.w.parent(r); p >= 0 {
		return s.w.members(Ref{r.Unit, p}, name)
	}
	return s.w.top(r.Unit, name)
}

// typeNamed is the type that shares a value's name, if there is one.
func (s *jsFamily) typeNamed(r Ref) Ref {
	if !isType(s.w.def(r).Kind) {
		for _, o := range s.kin(r) {
			if isType(s.w.def(o).Kind) {
				return o
			}
		}
	}
	return r
}

// valued is the value that shares an interface's name, if there is one.
func (s *jsFamily) valued(r Ref) Ref {
	if k := s.w.def(r).Kind; k != extract.Interface && k != extract.Type {
		return r
	}
	for _, o := range s.kin(r) {
		if k := s.w.def(o).Kind; k != extract.Interface && k != extract.Type {
			return o
		}
	}
	return r
}

// merged is what a name means behind a dot in what shares the name of the
// thing before it: an interface that is written in parts, the namespace of a
// function, the value beside a type.
func (s *jsFamily) merged(of jsMeaning, name string, steps int) jsMeaning {
	for _, o := range s.kin(of.ref) {
		if o == of.ref {
			continue
		}
		d := s.w.def(o)
		switch {
		case isType(d.Kind) || d.Kind == extract.Namespace && of.kind == jsDef:
			if own := s.heritage.member(o, name, of.kind == jsSuper); len(own) > 0 {
				return jsMeaning{kind: jsDef, ref: own[0], proof: certain("receiver-type")}
			}
		case of.kind == jsDef && !isCallable(d.Kind):
			value := s.applied(jsMeaning{kind: jsDef, ref: o, proof: of.proof}, step{name: d.Name}, steps-1)
			if value.ref == o || value.kind != jsInstance {
				continue
			}
			if m := s.attribute(value, name, steps-1); m.kind == jsDef {
				return m
			}
		}
	}
	return jsMeaning{}
}
