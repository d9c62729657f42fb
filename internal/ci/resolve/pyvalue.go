package resolve

import (
	"cmp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// resolve finds what a Python name means.
func (p *pyFamily) resolve(u int, r *extract.Reference) found {
	from := Ref{u, r.From}
	var m, owner pyMeaning
	if r.Qualifier == "" && r.Type == "" && r.Via == "" {
		m = p.scoped(u, from, r.Name, r.Line, maxSteps)
	} else {
		owner = p.owner(u, from, r)
		m = p.attribute(owner, r.Name, maxSteps)
		if m.kind == pyADef && owner.confidence == Inferred {
			m.proof = owner.proof
		}
	}
	switch m.kind {
	case pyADef:
		return one(m.ref, m.proof)
	case pyAModule:
		if m.module.unit >= 0 && r.Relation == extract.References {
			return one(Ref{m.module.unit, -1}, m.proof)
		}
	}
	return found{settled: owner.kind != pyUnknown}
}

// owner is what stands before the dot of a reference.
func (p *pyFamily) owner(u int, from Ref, r *extract.Reference) pyMeaning {
	switch {
	case strings.HasPrefix(r.Qualifier, "super()"):
	case r.Type != "":
		m := p.typed(u, from, r.Type, r.Line, maxSteps)
		m.kind = max(m.kind, pyForeign) // a type, though none of ours
		return m
	case r.Local && !p.w.isParameter(from, cmp.Or(r.Via, r.Qualifier)):
		return pyMeaning{} // of a variable of the function
	case r.Via != "":
		m := p.name(u, from, r.Via+"()", r.Line, maxSteps)
		if m.kind == pyInstance {
			m.proof = likely("result-type", 0.9)
		}
		return m
	}
	return p.name(u, from, r.Qualifier, r.Line, maxSteps)
}

// scoped is what a bare name means inside a definition: a definition of a
// function around it, or a name of the file. Names of a class body are not
// seen by its methods.
func (p *pyFamily) scoped(u int, from Ref, name string, line, steps int) pyMeaning {
	for r := range p.w.enclosing(from) {
		d := p.w.def(r)
		if isType(d.Kind) && r != from {
			continue
		}
		if inner := p.w.members(r, name); len(inner) > 0 {
			return pyMeaning{kind: pyADef, ref: inner[len(inner)-1], proof: certain("same-file")}
		}
		if isCallable(d.Kind) {
			if list := p.inner[pyInner{r, name}]; len(list) > 0 {
				return p.importMeaning(u, list[len(list)-1], steps-1)
			}
			if typ, ok := annotation(d.Signature, name); ok {
				return p.typed(u, Ref{u, p.w.parent(r)}, typ, line, steps-1)
			}
		}
	}
	return p.global(u, name, line, steps)
}

// typed is a value of the type that an annotation names.
func (p *pyFamily) typed(u int, from Ref, typ string, line, steps int) pyMeaning {
	typ = pyTypeName(typ)
	if typ == "" {
		return pyMeaning{}
	}
	m := p.name(u, from, typ, line, steps-1)
	if m.kind != pyADef || !isType(p.w.def(m.ref).Kind) {
		return pyMeaning{}
	}
	m.kind = pyInstance
	return m
}

// pyTypeName takes quotes, None and Optional off an annotation; it is ""
// when what remains is no single class.
func pyTypeName(typ string) string {
	typ = strings.TrimSpace(typ)
	if len(typ) > 1 && (typ[0] == '"' || typ[0] == '\'') {
		typ = strings.Trim(typ, `"'`)
	}
	for _, wrapper := range []string{"Optional[", "typing.Optional[", "Final[", "ClassVar[", "Annotated["} {
		if inner, ok := strings.CutPrefix(typ, wrapper); ok {
			typ = untilTop(strings.TrimSuffix(inner, "]"))
		}
	}
	single := ""
	for part := range strings.SplitSeq(typ, "|") {
		part = strings.TrimSpace(part)
		if part == "None" {
			continue
		}
		if single != "" {
			return ""
		}
		single = part
	}
	if i := strings.IndexByte(single, '['); i > 0 {
		single = single[:i]
	}
	return strings.Trim(single, `"'`)
}

// name is what a chain of names, calls and indices means inside a
// definition.
func (p *pyFamily) name(u int, from Ref, text string, line, steps int) pyMeaning {
	links, ok := chain(text)
	if !ok || steps <= 0 {
		return pyMeaning{}
	}
	m := p.root(u, from, links[0], line, steps)
	if m.kind == pyUnknown && pythonBuiltin[links[0].name] {
		return pyMeaning{kind: pyForeign}
	}
	for _, l := range links[1:] {
		m = p.applied(p.attribute(m, l.name, steps-1), l, steps-1)
	}
	return m
}

func (p *pyFamily) root(u int, from Ref, s step, line, steps int) pyMeaning {
	class, inClass := p.w.holder(from)
	switch {
	case s.name == "super" && s.call:
		if !inClass {
			return pyMeaning{}
		}
		return pyMeaning{kind: pySuper, ref: class, proof: certain("receiver-type")}
	case (s.name == "self" || s.name == "cls") && inClass && !s.call && !s.index:
		return pyMeaning{kind: pyInstance, ref: class, proof: certain("receiver-type")}
	}
	return p.applied(p.scoped(u, from, s.name, line, steps-1), s, steps-1)
}

// pyProperty reports a field that a decorated function gives.
func pyProperty(d *extract.Definition) bool {
	return d.Kind == extract.Field && (strings.HasPrefix(d.Signature, "def ") || strings.HasPrefix(d.Signature, "async def "))
}

// applied is what a thing gives when it is called, or read as a value.
func (p *pyFamily) applied(m pyMeaning, s step, steps int) pyMeaning {
	if s.index && m.kind != pyForeign {
		return pyMeaning{}
	}
	if m.kind != pyADef {
		if s.call && m.kind != pyForeign {
			return pyMeaning{}
		}
		return m
	}
	d := p.w.def(m.ref)
	at := Ref{m.ref.Unit, p.w.parent(m.ref)}
	switch {
	case isType(d.Kind) && s.call:
		m.kind = pyInstance
		return m
	case isType(d.Kind):
		return m
	case isCallable(d.Kind) && (s.call || d.Kind == extract.Method), pyProperty(d) && !s.call: // a method that is read is a property
		typ := d.Result
		if typ == "" {
			_, typ, _ = strings.Cut(d.Signature, "->")
			typ = strings.TrimSuffix(strings.TrimSpace(typ), ":")
		}
		if typ == "Self" || typ == "typing.Self" {
			if class, ok := p.w.holder(m.ref); ok {
				return pyMeaning{kind: pyInstance, ref: class, proof: likely("result-type", 0.9)}
			}
		}
		return p.typed(m.ref.Unit, at, typ, maxLine, steps-1)
	case isCallable(d.Kind) || s.call:
		return pyMeaning{}
	}
	if typ := declaredType(d.Signature, d.Name); typ != "" {
		return p.typed(m.ref.Unit, at, typ, maxLine, steps-1)
	}
	if _, value, ok := strings.Cut(d.Signature, "="); ok { // client = Client()
		if v := p.name(m.ref.Unit, at, strings.TrimSpace(value), maxLine, steps-2); v.kind == pyInstance {
			v.proof = likely("result-type", 0.9)
			return v
		}
	}
	return pyMeaning{}
}
