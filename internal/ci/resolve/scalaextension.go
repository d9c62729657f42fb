package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// receiverOf is the type that an extension method, or a method of an implicit
// class, is added to, as written. ok is false for other definitions.
func (s *scalaFamily) receiverOf(r Ref) (typ string, ok bool) {
	d := s.w.def(r)
	if !isCallable(d.Kind) && d.Kind != extract.Given {
		return "", false
	}
	head, extension := strings.CutPrefix(d.Signature, "extension ")
	if !extension {
		p := s.w.parent(r)
		if p < 0 {
			return "", false
		}
		class := s.w.def(Ref{r.Unit, p})
		if head = class.Signature; class.Kind != extract.Class || !strings.Contains(" "+head, " implicit ") {
			return "", false
		}
	}
	i := strings.IndexByte(head, '(')
	if i < 0 {
		return "", false
	}
	_, typ, ok = strings.Cut(head[i:], ":")
	return untilTop(strings.TrimSpace(typ)), ok
}

// added finds the methods of a name that are added to values of a type, by
// extensions and implicit classes that a place can see. Type is "" where
// nobody knows it; then no class of the workspace may have such a member.
func (s *scalaFamily) added(u int, from Ref, typ, name string, line int) found {
	var refs []Ref
	if typ == "" && (s.plain[name] || commonMember[name]) {
		return found{}
	}
	for _, r := range s.extensions[name] {
		receiver, _ := s.receiverOf(r)
		if typ != "" && !s.receives(r, receiver, typ) {
			continue
		}
		visible := name
		if !strings.HasPrefix(s.w.def(r).Signature, "extension ") {
			r.Def = s.w.parent(r)
			visible = s.w.def(r).Name
		}
		at := s.scoped(u, from, visible, line, maxSteps)
		if at.kind != scalaDef || !slices.Contains(at.refs, r) {
			continue
		}
		refs = append(refs, s.w.members(r, name)...)
		if visible == name {
			refs = append(refs, r)
		}
	}
	p := likely("extension", 0.9)
	if typ == "" {
		p.score = 0.7
	}
	return among(u, refs, p)
}

// receives reports whether a value of a type has what is added to receiver: a
// type of that name, or any where the receiver is a type parameter.
func (s *scalaFamily) receives(r Ref, receiver, typ string) bool {
	if i := strings.IndexByte(receiver, '['); i > 0 {
		receiver = receiver[:i]
	}
	_, receiver = cutPath(receiver)
	_, typ = cutPath(typ)
	if receiver == typ {
		return true
	}
	head := s.w.def(r).Signature
	if !strings.HasPrefix(head, "extension ") {
		head = s.w.def(Ref{r.Unit, s.w.parent(r)}).Signature
	}
	open, parameters := strings.IndexByte(head, '['), strings.IndexByte(head, '(')
	if open < 0 || open > parameters {
		return false
	}
	return slices.Contains(strings.FieldsFunc(head[open:parameters], func(c rune) bool { return strings.ContainsRune("[],: ", c) }), receiver)
}
