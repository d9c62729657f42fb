package extract

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// An ocamlReader turns an OCaml syntax tree into a File.
type ocamlReader struct {
	*treeReader
	parent int // module, type or class around, or -1
}

// The grammar reads implementations only. An interface is what may stand in
// a module type, and is read as one; the mark is on the first line, so that
// lines stay what they are.
const (
	ocamlOpen  = "module type INTERFACE__ = sig "
	ocamlClose = "\nend"
)

func parseOCaml(c *collector) error {
	wrapped := c.variant == "ocaml interface"
	if wrapped {
		c.src = slices.Concat([]byte(ocamlOpen), c.src, []byte(ocamlClose))
	}
	t, err := newTreeReader(c, grammar.OCaml)
	if err != nil {
		return err
	}
	r := &ocamlReader{treeReader: t, parent: -1}
	r.push()
	if first := r.root.First(); wrapped && first.Is("module_type_definition") {
		body := first.Get("body")
		r.file.Doc = ocamlHead(body)
		r.members(body)
		for n := first.Next(); n.Ok(); n = n.Next() {
			r.member(n, nil)
		}
	} else {
		r.file.Doc = ocamlHead(r.root)
		r.members(r.root)
	}
	r.pop()
	r.rescue(rescueOCaml)
	return nil
}

// ocamlHead is the first sentence of the comment that a file begins with and
// that belongs to nothing below it.
func ocamlHead(n grammar.Node) string {
	for c := range n.Children() {
		if !c.Is("comment") {
			break
		}
		next := c.Next()
		if text := ocamlComment(c); !legal(text) && text != "" && (!next.Ok() || next.Is("open_module") || next.Line() > c.EndLine()+1) {
			return firstSentence(text)
		}
	}
	return ""
}

// ocamlComment is a comment's text without its marks.
func ocamlComment(c grammar.Node) string {
	text := clip(c.Text(), 16*maxDoc)
	text = strings.TrimSuffix(strings.TrimLeft(strings.TrimPrefix(text, "("), "*"), "*)")
	return strings.TrimSpace(cutTags("\n" + strings.TrimSpace(text)))
}

// ocamlDoc is the comment right above a definition, or the one right behind
// it.
func ocamlDoc(n grammar.Node, comments []grammar.Node) string {
	if k := len(comments); k > 0 {
		if last := comments[k-1]; last.EndLine() >= n.Line()-1 {
			if text := ocamlComment(last); !legal(text) {
				return firstSentence(text)
			}
		}
	}
	if c := n.Next(); c.Is("comment") && strings.HasPrefix(c.Text(), "(**") {
		next := c.Next()
		if c.Line() == n.EndLine() || c.Line() == n.EndLine()+1 && (!next.Named() || next.Line() > c.EndLine()+1) {
			return firstSentence(ocamlComment(c))
		}
	}
	return ""
}

func (r *ocamlReader) members(n grammar.Node) {
	for c, comments := range commented(n, "comment") {
		r.member(c, comments)
	}
}

func (r *ocamlReader) member(n grammar.Node, comments []grammar.Node) {
	switch n.Kind() {
	case "open_module":
		r.opened(n, false)
	case "include_module":
		r.opened(n, true)
	case "include_module_type":
		for c := range n.Children() {
			r.moduleType(Implements, c)
		}
	case "module_definition":
		for c := range n.Children() {
			if c.Is("module_binding") {
				r.module(n, c, comments)
			}
		}
	case "module_type_definition":
		r.moduleTypeDefinition(n, comments)
	case "type_definition":
		for c, above := range commented(n, "comment") {
			if above == nil {
				above = comments
			}
			if c.Is("type_binding") {
				r.typeBinding(n, c, above)
			}
		}
	case "exception_definition":
		r.constructor(n.Child("constructor_declaration"), n, Class, comments)
	case "external", "value_specification":
		r.specification(n, comments)
	case "value_definition":
		r.values(n, comments)
	case "class_definition", "class_type_definition":
		for c := range n.Children() {
			if c.Is("class_binding", "class_type_binding") {
				r.classBinding(n, c, comments)
			}
		}
	case "ERROR":
		r.members(n)
	default:
		r.expression(n)
	}
}

// ocamlPath is a module's path with dots.
func ocamlPath(n grammar.Node) string {
	return strings.Join(strings.Fields(short(n)), "")
}

func (r *ocamlReader) opened(n grammar.Node, include bool) {
	path := n.Child("module_path")
	if !path.Ok() {
		r.children(n)
		return
	}
	r.bring(Import{Path: ocamlPath(path), Name: "*", Line: n.Line(), Export: include})
}

func (r *ocamlReader) inside(i int, read func()) {
	parent := r.parent
	r.parent = i
	r.within(i, func() {
		r.push()
		read()
		r.pop()
	})
	r.parent = parent
}

// ocamlSignature is the first line of a definition, up to its body.
func ocamlSignature(word string, n, body grammar.Node) string {
	end := headEnd(n, body)
	sig := signature(word + " " + n.Tree().Slice(n.Start(), min(end, n.Start()+4*maxSignature)))
	return strings.TrimRight(sig, " =")
}

func (r *ocamlReader) module(n, b grammar.Node, comments []grammar.Node) {
	name, body := b.Get("name"), b.Get("body")
	if name.Text() == "" {
		return
	}
	end := body
	if body.Is("module_path", "module_application") {
		end = grammar.Node{}
	}
	i := r.define(r.parent, Definition{
		Name:      name.Text(),
		Kind:      Namespace,
		Line:      name.Line(),
		EndLine:   b.EndLine(),
		Signature: ocamlSignature("module", b, end),
		Doc:       ocamlDoc(n, comments),
		Exported:  true,
	})
	r.inside(i, func() {
		for c := range b.Children() {
			switch {
			case c.Is("module_parameter"):
				r.bind(c.Get("name").Text(), value{})
				for t := range c.Children() {
					r.moduleType(References, t)
				}
			case c.Is("structure", "signature"):
				r.members(c)
			case c == body:
				r.moduleType(References, c)
			default:
				r.moduleType(Implements, c)
			}
		}
	})
}

// moduleType tells a use of a module or module type.
func (r *ocamlReader) moduleType(rel string, n grammar.Node) {
	switch n.Kind() {
	case "module_type_path", "module_path", "extended_module_path":
		before, last := cutLast(ocamlPath(n))
		if !r.local(firstName(ocamlPath(n))) {
			r.refer(Reference{From: r.from, Relation: rel, Name: last, Qualifier: before, Line: n.Line()})
		}
	case "structure", "signature":
		r.inside(r.from, func() { r.members(n) })
	case "module_name":
	case "constrain_type", "constrain_module":
		r.children(n)
	default:
		for c := range n.Children() {
			r.moduleType(rel, c)
			if n.Is("module_application") {
				rel = References
			}
		}
	}
}

func (r *ocamlReader) moduleTypeDefinition(n grammar.Node, comments []grammar.Node) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	i := r.define(r.parent, Definition{
		Name:      name.Text(),
		Kind:      Interface,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: strings.TrimRight(signature(n.Tree().Slice(n.Start(), min(headEnd(n, body), n.Start()+4*maxSignature))), " ="),
		Doc:       ocamlDoc(n, comments),
		Exported:  true,
	})
	r.inside(i, func() {
		if body.Is("signature") {
			r.members(body)
		} else {
			r.moduleType(Inherits, body)
		}
	})
}

func (r *ocamlReader) typeBinding(n, b grammar.Node, comments []grammar.Node) {
	name, body := b.Get("name"), b.Get("body")
	if b.Has("+=") { // more cases of a type that stands elsewhere
		for c := range body.Children() {
			r.constructor(c, c, EnumCase, nil)
		}
		return
	}
	if name.Text() == "" {
		return
	}
	kind := Type
	end := grammar.Node{}
	switch body.Kind() {
	case "record_declaration":
		kind, end = Class, body
	case "variant_declaration":
		kind, end = Enum, body
	}
	at := n
	if name.Line() != n.Line() {
		at = b
	}
	i := r.define(r.parent, Definition{
		Name:      name.Text(),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   b.EndLine(),
		Signature: ocamlSignature("type", b, end),
		Doc:       ocamlDoc(at, comments),
		Exported:  true,
	})
	r.inside(i, func() {
		for c := range b.Children() {
			switch {
			case c == name:
			case c.Is("record_declaration"):
				r.record(c)
			case c.Is("polymorphic_variant_type"):
				r.tags(c)
			case c.Is("variant_declaration"):
				for v, above := range commented(c, "comment") {
					r.constructor(v, v, EnumCase, above)
				}
			default:
				r.expression(c)
			}
		}
	})
}

// tags defines the cases of a type of polymorphic variants, "Red" of `Red.
func (r *ocamlReader) tags(n grammar.Node) {
	for c, above := range commented(n, "comment") {
		tag := c.Child("tag")
		if !c.Is("tag_specification") || len(tag.Text()) < 2 {
			r.expression(c)
			continue
		}
		i := r.define(r.parent, Definition{
			Name:      tag.Text()[1:],
			Kind:      EnumCase,
			Line:      tag.Line(),
			EndLine:   c.EndLine(),
			Signature: signature(clip(c.Text(), 2*maxSignature)),
			Doc:       ocamlDoc(c, above),
			Exported:  true,
		})
		r.within(i, func() { r.children(c) })
	}
}

func (r *ocamlReader) record(n grammar.Node) {
	for f, above := range commented(n, "comment") {
		name := f.Child("field_name")
		if !name.Ok() {
			continue
		}
		doc := ocamlDoc(f, above)
		if semi := f.Next(); doc == "" && semi.Is(";") && semi.Next().Is("comment") && semi.Next().Line() == f.EndLine() {
			doc = firstSentence(ocamlComment(semi.Next()))
		}
		i := r.define(r.parent, Definition{
			Name:      name.Text(),
			Kind:      Field,
			Line:      name.Line(),
			EndLine:   f.EndLine(),
			Signature: signature(clip(f.Text(), 2*maxSignature)),
			Doc:       doc,
			Exported:  true,
		})
		r.within(i, func() { r.children(f) })
	}
}

// constructor defines a case of a variant, or an exception.
func (r *ocamlReader) constructor(c, n grammar.Node, kind Kind, comments []grammar.Node) {
	name := c.Child("constructor_name")
	if !name.Ok() {
		return
	}
	i := r.define(r.parent, Definition{
		Name:      name.Text(),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   c.EndLine(),
		Signature: signature(clip(n.Text(), 2*maxSignature)),
		Doc:       ocamlDoc(n, comments),
		Exported:  true,
	})
	r.inside(i, func() {
		for p := range c.Children() {
			if p.Is("record_declaration") {
				r.record(p)
			} else if p != name {
				r.expression(p)
			}
		}
	})
}
