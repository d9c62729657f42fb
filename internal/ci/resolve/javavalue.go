package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// resolve finds what a Java name means.
func (j *javaFamily) resolve(u int, r *extract.Reference) found {
	from := Ref{u, r.From}
	switch {
	case r.Relation == extract.Calls && r.Name == "super" && r.Args == "":
		return j.superclass(from)
	case r.Relation == extract.Inherits || r.Relation == extract.Implements || r.Relation == extract.Calls && r.Args == "":
		if r.Relation != extract.Calls && r.From >= 0 { // a class does not inherit from what stands in it
			from.Def = j.w.parent(from)
		}
		return j.class(from, qualified(r.Qualifier, r.Name))
	case r.Relation == extract.Calls:
		return j.call(u, from, r)
	case r.Qualifier == "" && r.Type == "" && r.Via == "":
		return j.mention(from, r.Name)
	}
	owner := j.owner(from, r)
	if owner.kind == javaPackage {
		return j.class(from, qualified(r.Qualifier, r.Name))
	}
	refs := j.values(owner, r.Name)
	return j.result(u, refs, owner)
}

// superclass is the class that the class around extends.
func (j *javaFamily) superclass(from Ref) found {
	if class, ok := j.w.holder(from); ok {
		for _, up := range j.heritage.of(class) {
			if j.w.def(up).Kind == extract.Class {
				return one(up, certain("receiver-type"))
			}
		}
	}
	return found{settled: true}
}

// class finds a class by its name.
func (j *javaFamily) class(from Ref, name string) found {
	if m := j.typed(from, name, maxSteps); m.kind == javaType {
		return one(m.at, m.proof)
	}
	return found{settled: true}
}

// result is what was found behind a dot.
func (j *javaFamily) result(u int, refs []Ref, owner javaMeaning) found {
	if len(refs) == 0 {
		return found{settled: owner.kind != javaUnknown}
	}
	p := certain("receiver-type")
	if owner.confidence == Inferred {
		p = owner.proof
	}
	return among(u, refs, p)
}

func (j *javaFamily) call(u int, from Ref, r *extract.Reference) found {
	if r.Qualifier == "" {
		if r.Type != "" { // in a body without a name, of that class
			if m := j.typed(from, r.Type, maxSteps); m.kind == javaType {
				if refs := j.methods(from, m.at, r.Name, r.Args, false); len(refs) > 0 {
					return among(u, refs, certain("inherited-member"))
				}
			}
		}
		refs, p := j.bareMethods(from, r.Name, r.Args)
		f := among(u, refs, p)
		f.settled = true
		return f
	}
	owner := j.owner(from, r)
	if owner.kind < javaType {
		return found{settled: owner.kind != javaUnknown}
	}
	return j.result(u, j.methods(from, owner.at, r.Name, r.Args, owner.kind == javaSuper), owner)
}

// mention finds what a bare name means that is not called: a class or a
// field.
func (j *javaFamily) mention(from Ref, name string) found {
	m := j.scopedType(from, name)
	switch {
	case m.kind == javaType && isCapital(name):
		return one(m.at, m.proof)
	case m.kind == javaForeign && isCapital(name): // not the constant of that name
		return found{settled: true}
	}
	if refs, p := j.bareFields(from, name); len(refs) > 0 {
		return among(from.Unit, refs, p)
	}
	if m.kind == javaType {
		return one(m.at, m.proof)
	}
	return found{settled: true}
}

func isCapital(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// owner is what stands before the dot of a reference.
func (j *javaFamily) owner(from Ref, r *extract.Reference) javaMeaning {
	switch {
	case r.Type != "":
		m := j.typed(from, r.Type, maxSteps)
		if m.kind == javaType {
			m.kind = javaInstance
		}
		m.kind = max(m.kind, javaForeign) // a type, though none of ours
		return m
	case r.Via != "":
		m := j.value(from, r.Via, maxSteps)
		if m.kind == javaInstance {
			m.proof = likely("result-type", 0.9)
		}
		return m
	case r.Local:
		return javaMeaning{} // of a variable of the method
	}
	return j.value(from, r.Qualifier, maxSteps)
}

func isJavaMethod(k extract.Kind) bool { return isCallable(k) }

func isJavaField(k extract.Kind) bool {
	return k == extract.Field || k == extract.Constant || k == extract.EnumCase
}

// values finds what a name means behind a dot where it is not called: a
// field, a class, or a method that is passed on.
func (j *javaFamily) values(owner javaMeaning, name string) []Ref {
	if owner.kind < javaType {
		return nil
	}
	for _, keep := range [...]func(extract.Kind) bool{isJavaField, isType, isJavaMethod} {
		refs := j.heritage.among(owner.at, name, owner.kind == javaSuper, func(r Ref) bool { return keep(j.w.def(r).Kind) })
		if len(refs) > 0 {
			return refs
		}
	}
	return nil
}

// bareMethods finds the methods that a call without an object means: of the
// classes around it, the innermost first, or imported.
func (j *javaFamily) bareMethods(from Ref, name, args string) ([]Ref, proof) {
	open := false // a class around extends something that nobody here knows
	for r := range j.w.enclosing(from) {
		d := j.w.def(r)
		if !isType(d.Kind) {
			if r == from {
				continue // what is in it stands in a body of its own
			}
			if refs := j.local(from, r, name, args); len(refs) > 0 {
				return refs, certain("same-file")
			}
			continue
		}
		if refs := j.methods(from, r, name, args, false); len(refs) > 0 {
			p := certain("inherited-member")
			if refs[0].Unit == from.Unit {
				p = certain("same-file")
			}
			if open {
				p = likely("enclosing-class", 0.9)
			}
			return refs, p
		}
		open = open || j.heritage.partly(r)
	}
	return j.importedMembers(from.Unit, name, func(class Ref) []Ref { return j.methods(from, class, name, args, false) })
}

// local finds methods of a body without a name inside a method.
func (j *javaFamily) local(from, method Ref, name, args string) []Ref {
	refs := slices.DeleteFunc(j.w.members(method, name), func(r Ref) bool { return !j.isMethod(r) })
	if types, told := arguments(args); told {
		return j.fitting(from, refs, types, true)
	}
	return refs
}

func (j *javaFamily) bareFields(from Ref, name string) ([]Ref, proof) {
	field := func(r Ref) bool { return isJavaField(j.w.def(r).Kind) }
	for r := range j.w.enclosing(from) {
		if !j.isClass(r) {
			continue
		}
		if refs := j.heritage.among(r, name, false, field); len(refs) > 0 {
			if refs[0].Unit == from.Unit {
				return refs, certain("same-file")
			}
			return refs, certain("inherited-member")
		}
	}
	return j.importedMembers(from.Unit, name, func(class Ref) []Ref { return j.heritage.among(class, name, false, field) })
}

// importedMembers finds what static imports make of a bare name.
func (j *javaFamily) importedMembers(u int, name string, in func(class Ref) []Ref) ([]Ref, proof) {
	for _, list := range [...][]int{j.named[u][name], j.wild[u]} {
		for _, i := range list {
			class, static := strings.CutPrefix(j.w.file(u).Imports[i].Path, "static ")
			if m := j.path(u, class); static && m.kind == javaType {
				if refs := in(m.at); len(refs) > 0 {
					return refs, certain("java-import")
				}
			}
		}
		if len(j.named[u][name]) > 0 { // imported from elsewhere
			break
		}
	}
	return nil, proof{}
}

// value is what a chain of names and calls gives inside a definition.
func (j *javaFamily) value(from Ref, text string, steps int) javaMeaning {
	links, ok := chain(strings.TrimPrefix(text, "new "))
	if !ok || steps <= 0 {
		return javaMeaning{}
	}
	m, path := j.root(from, links[0], steps-1), links[0].name
	for _, l := range links[1:] {
		path = dotted(path, l.name)
		switch {
		case m.kind == javaUnknown && !l.call && j.packages[path]:
			m = javaMeaning{kind: javaPackage, path: path}
		case m.kind == javaPackage:
			m = j.path(from.Unit, path)
		default:
			m = j.member(from, m, l, steps-1)
		}
		if l.index {
			return javaMeaning{}
		}
	}
	return m
}

// unknown are the arguments of a call of which only their number is known.
func (s step) unknown() string {
	return "(" + strings.TrimSuffix(strings.Repeat("?, ", s.args), ", ") + ")"
}

func (j *javaFamily) root(from Ref, l step, steps int) javaMeaning {
	if l.index {
		return javaMeaning{}
	}
	if l.name == "this" || l.name == "super" {
		class, ok := j.w.holder(from)
		kind := javaInstance
		if l.name == "super" {
			kind = javaSuper
		}
		if !ok {
			return javaMeaning{}
		}
		return javaMeaning{kind: kind, at: class, proof: certain("receiver-type")}
	}
	if l.call {
		refs, _ := j.bareMethods(from, l.name, l.unknown())
		return j.held(refs, steps)
	}
	if refs, _ := j.bareFields(from, l.name); len(refs) > 0 {
		return j.held(refs, steps)
	}
	if m := j.scopedType(from, l.name); m.kind != javaUnknown {
		return m
	}
	switch {
	case j.packages[l.name]:
		return javaMeaning{kind: javaPackage, path: l.name}
	case isCapital(l.name) && !j.names[l.name]: // a class of elsewhere
		return javaMeaning{kind: javaForeign}
	}
	return javaMeaning{}
}

// member is what a name behind a dot gives.
func (j *javaFamily) member(from Ref, m javaMeaning, l step, steps int) javaMeaning {
	if m.kind < javaType {
		return m
	}
	if l.call {
		return j.held(j.methods(from, m.at, l.name, l.unknown(), m.kind == javaSuper), steps)
	}
	if l.name == "this" { // Outer.this
		return javaMeaning{kind: javaInstance, at: m.at, proof: m.proof}
	}
	refs := j.values(m, l.name)
	if len(refs) == 1 && j.isClass(refs[0]) {
		return javaMeaning{kind: javaType, at: refs[0], proof: m.proof}
	}
	return j.held(refs, steps)
}

// held is a value of the type that these fields or methods all have.
func (j *javaFamily) held(refs []Ref, steps int) javaMeaning {
	var m javaMeaning
	for i, r := range refs {
		d := j.w.def(r)
		next := j.typed(Ref{r.Unit, j.w.parent(r)}, d.Result, steps)
		if d.Result != "" && next.kind <= javaForeign {
			next = javaMeaning{kind: javaForeign, path: d.Result, at: Ref{r.Unit, j.w.parent(r)}}
		}
		if next.kind == javaType {
			next.kind = javaInstance
		}
		if i > 0 && (next.kind != m.kind || next.at != m.at || next.path != m.path) {
			return javaMeaning{}
		}
		m = next
	}
	if m.kind == javaInstance {
		m.proof = certain("receiver-type")
	}
	return m
}
