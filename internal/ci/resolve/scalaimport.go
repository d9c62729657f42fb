package resolve

// A valueImport is `import x.*`, where x is a value: a parameter or a member
// of what stands around the import. It counts there only.
type valueImport struct {
	of  scalaMeaning
	end int // last line where it counts
}

type unitImport struct{ unit, at int }

// brought finds what the imports of everything that values have make of a
// name at a line: the last such import, when it has the name.
func (s *scalaFamily) brought(u int, name string, line, steps int) scalaMeaning {
	for k := len(s.wild[u]) - 1; k >= 0 && steps > 0; k-- {
		i := s.wild[u][k]
		if s.w.file(u).Imports[i].Line > line {
			continue
		}
		v := s.valueImport(u, i, steps-1)
		if v.end < line || v.of.kind != scalaInstance {
			continue
		}
		if m := s.attribute(v.of, name, u, steps-1); m.kind == scalaDef {
			return m
		}
	}
	return scalaMeaning{}
}

// valueImport reads an import once. What is asked of it while it is being
// read finds nothing, so that imports that lead to each other come to an end.
func (s *scalaFamily) valueImport(u, i, steps int) valueImport {
	key := unitImport{u, i}
	if v, known := s.values[key]; known {
		return v
	}
	s.values[key] = valueImport{}
	im := s.w.file(u).Imports[i]
	around := s.innermost(u, im.Line)
	if around.Def < 0 || s.path(u, scalaTarget(im), im.Line-1, steps).kind != scalaUnknown {
		return valueImport{}
	}
	links, ok := chain(scalaTarget(im))
	if !ok {
		return valueImport{}
	}
	v := valueImport{of: s.bound(u, around, links[0].name, im.Line-1, steps-1), end: s.w.def(around).EndLine}
	for _, l := range links[1:] {
		v.of = s.applied(s.attribute(v.of, l.name, u, steps-1), l, steps-1)
	}
	s.values[key] = v
	return v
}

// bound is the value that a definition around a place has under a name.
func (s *scalaFamily) bound(u int, from Ref, name string, line, steps int) scalaMeaning {
	for r := range s.w.enclosing(from) {
		d := s.w.def(r)
		if own := s.w.members(r, name); len(own) > 0 {
			return s.applied(scalaMeaning{kind: scalaDef, refs: own}, step{}, steps-1)
		}
		if typ, ok := annotation(d.Signature, name); ok {
			return s.typed(u, Ref{u, s.w.parent(r)}, typ, line, steps-1)
		}
		if isType(d.Kind) {
			if refs := s.heritage.member(r, name, true); len(refs) > 0 {
				return s.applied(scalaMeaning{kind: scalaDef, refs: refs}, step{}, steps-1)
			}
		}
	}
	return scalaMeaning{}
}

// innermost is the definition around a line of a file.
func (s *scalaFamily) innermost(u, line int) Ref {
	best := Ref{u, -1}
	for i, d := range s.w.file(u).Definitions {
		if d.Line < line && line <= d.EndLine && (isType(d.Kind) || isCallable(d.Kind)) {
			best.Def = i
		}
	}
	return best
}
