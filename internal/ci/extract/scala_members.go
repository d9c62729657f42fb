package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// function reads a def. Receiver is the source of the extension around it.
func (r *scalaReader) function(n grammar.Node, parent int, doc, receiver string) {
	name := n.Get("name")
	if name.Text() == "" {
		return
	}
	end := name.End()
	for c := range n.Children() {
		if c.Is("type_parameters", "parameters") || c.Field() == "return_type" {
			end = max(end, c.End())
		}
	}
	qualified := name.Text()
	if r.class != "" {
		qualified = r.class + "." + qualified
	}
	d := Definition{
		Name:      name.Text(),
		Kind:      Function,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(receiver + declared(n, end)),
		Doc:       doc,
		Exported:  r.exported(n, parent),
		Result:    r.results[qualified],
	}
	if receiver != "" || parent >= 0 && !r.callable(parent) {
		d.Kind = Method
	}
	if modifier(n, "implicit") && parent >= 0 && !r.callable(parent) {
		d.Kind = Given
	}
	d.Entry = r.startsProgram(n, parent)
	d.Test = hasAnnotation(n, "Test")
	i := r.define(parent, d)
	r.within(i, func() {
		r.push()
		r.inside(n)
		r.body(n.Get("body"), i)
		r.pop()
	})
}

// startsProgram recognises @main, and main(Array[String]) of an object.
func (r *scalaReader) startsProgram(n grammar.Node, parent int) bool {
	if hasAnnotation(n, "main") {
		return true
	}
	return n.Get("name").Text() == "main" && parent >= 0 && r.file.Definitions[parent].Kind == Object &&
		strings.Contains(n.Get("parameters").Text(), "Array[String]")
}

func hasAnnotation(n grammar.Node, name string) bool {
	for c := range n.Children() {
		if c.Is("annotation") && c.Get("name").Text() == name {
			return true
		}
	}
	return false
}

// inside reads a def's annotations, type parameters, parameters and result.
func (r *scalaReader) inside(n grammar.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case "annotation":
			r.typeUses(c)
		case "type_parameters":
			r.typeParameters(c)
		case "parameters":
			r.parameters(c)
		}
	}
	r.typeUses(n.Get("return_type"))
}

// body reads a def's body: a block whose definitions are nested ones, or an
// expression.
func (r *scalaReader) body(body grammar.Node, i int) {
	r.bindLocals(body)
	if body.Is("block", "indented_block") {
		r.template(body, i)
		return
	}
	r.expression(body)
}

func (r *scalaReader) variable(n grammar.Node, parent int, doc string) {
	pattern := n.Get("pattern")
	if !pattern.Ok() {
		pattern = n.Get("name")
	}
	kind := Field
	switch {
	case modifier(n, "implicit"):
		kind = Given
	case (parent < 0 || r.file.Definitions[parent].Kind == Object) && n.Is("val_definition"):
		kind = Constant
	case parent < 0:
		kind = Variable
	}
	val := n.Get("value")
	end := n.End()
	if val.Is("block", "indented_block", "match_expression", "template_body") {
		end = val.Start()
	} else if body := val.Child("template_body"); body.Ok() { // new T { … }
		end = body.Start()
	}
	sig := strings.TrimSuffix(strings.TrimSpace(clip(declared(n, end), 2*maxSignature)), "=")
	targets := scalaTargets(pattern)
	if n.Is("val_declaration", "var_declaration") { // val a, b: Int
		targets = nil
		for c := range n.Children() {
			if c.Field() == "name" {
				targets = append(targets, c)
			}
		}
	}
	first := -1
	for _, t := range targets {
		i := r.define(parent, Definition{
			Name:      t.Text(),
			Kind:      kind,
			Line:      t.Line(),
			EndLine:   n.EndLine(),
			Signature: signature(sig),
			Doc:       doc,
			Exported:  r.exported(n, parent),
		})
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		first = r.from
	}
	r.within(first, func() {
		for c := range n.Children() {
			if c.Is("annotation") {
				r.typeUses(c)
			}
		}
		r.typeUses(n.Get("type"))
		r.push()
		r.bindLocals(val)
		r.expression(val)
		r.pop()
	})
}

func (r *scalaReader) typeMember(n grammar.Node, parent int, doc string, local bool) {
	name := n.Get("name")
	if local || name.Text() == "" {
		r.bind(name.Text(), value{})
		r.typeUses(n.Get("type"))
		return
	}
	i := r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      Type,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(declared(n, n.End()), 2*maxSignature)),
		Doc:       doc,
		Exported:  r.exported(n, parent),
	})
	r.within(i, func() {
		r.push()
		r.typeParameters(n.Get("type_parameters"))
		for c := range n.Children() {
			if c.Field() != "name" && !c.Is("type_parameters", "modifiers", "opaque_modifier") {
				r.typeUses(c)
			}
		}
		r.pop()
	})
}

// given reads a given instance; one without a name has the name that the
// compiler makes of its type.
func (r *scalaReader) given(n grammar.Node, parent int, doc string) {
	name := n.Get("name")
	text, line := name.Text(), name.Line()
	typ := n.Get("return_type")
	if text == "" {
		line = n.Line()
		t := typ
		if !t.Ok() {
			t = n.Child("type_identifier", "generic_type", "stable_type_identifier")
		}
		text = "given"
		for w := range strings.FieldsFuncSeq(t.Text(), func(c rune) bool { return strings.ContainsRune("[](), .=>", c) }) {
			text += "_" + w
		}
	}
	body := n.Get("body")
	end := headEnd(n, body)
	if e := n.Child("ERROR"); e.Ok() && e.Start() < end {
		if b := e.Child("function_definition", "val_definition"); b.Ok() {
			end = b.Start()
		}
	}
	sig := clip(declared(n, end), 2*maxSignature)
	if i := strings.IndexAny(sig, "{\n"); i > 0 {
		sig = sig[:i]
	}
	sig = strings.TrimSuffix(strings.TrimSpace(sig), "=")
	i := r.define(parent, Definition{
		Name:      text,
		Kind:      Given,
		Line:      line,
		EndLine:   n.EndLine(),
		Signature: signature(strings.TrimSuffix(strings.TrimSpace(sig), "with")),
		Doc:       doc,
		Exported:  r.exported(n, parent),
	})
	r.within(i, func() {
		r.push()
		r.inside(n)
		if body.Is("template_body", "with_template_body") {
			r.template(body, i)
		} else {
			r.bindLocals(body)
			r.expression(body)
		}
		for c := range n.Children() {
			if c.Is("ERROR", "template_body") && c != body {
				r.template(c, i)
			}
		}
		r.pop()
	})
}

// extension reads the methods that are added to a type.
func (r *scalaReader) extension(n grammar.Node, parent int, doc string) {
	r.push()
	defer r.pop()
	receiver := "extension "
	for c := range n.Children() {
		switch c.Kind() {
		case "type_parameters":
			r.typeParameters(c)
			receiver += c.Text()
		case "parameters":
			r.parameters(c)
			receiver += c.Text() + " "
		}
	}
	var comments []grammar.Node
	members := func(body grammar.Node) {
		for f := range body.Children() {
			switch f.Kind() {
			case "comment", "block_comment":
				comments = append(comments, f)
				continue
			case "function_definition", "function_declaration":
				own := scalaDoc(f, comments)
				if own == "" {
					own = doc
				}
				r.function(f, parent, own, receiver)
			}
			comments = nil
		}
	}
	members(n)
	for c := range n.Children() {
		if c.Is("template_body", "block", "indented_block") {
			members(c)
		}
	}
}
