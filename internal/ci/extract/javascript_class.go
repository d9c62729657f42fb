package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// classDeclaration reads a class, under the name given or its own.
func (r *scriptReader) classDeclaration(n grammar.Node, parent int, doc string, exported bool, name string) {
	at := n.Get("name")
	line := n.Line()
	if name == "" {
		name = at.Text()
	}
	if name == "" {
		return
	}
	if at.Ok() {
		line = at.Line()
	}
	body := n.Get("body")
	i := r.define(parent, Definition{
		Name:      name,
		Kind:      Class,
		Line:      line,
		EndLine:   n.EndLine(),
		Signature: signature(afterDecorators(n, body.Start())),
		Doc:       doc,
		Exported:  r.exported(name, parent, exported),
	})
	class := r.class
	r.class = name
	r.within(i, func() {
		r.push()
		r.typeParameters(n.Get("type_parameters"))
		r.heritage(n.Child("class_heritage"))
		for d := range n.Children() {
			if d.Is("decorator") {
				r.expression(d)
			}
		}
		r.classBody(body, i)
		r.pop()
	})
	r.class = class
}

// afterDecorators is a declaration's source up to an offset, without what
// decorates it.
func afterDecorators(n grammar.Node, end int) string {
	start := n.Start()
	for c := range n.All() {
		if !c.Is("decorator") {
			start = c.Start()
			break
		}
	}
	return n.Tree().Slice(start, end)
}

func (r *scriptReader) heritage(h grammar.Node) {
	for c := range h.Children() {
		switch c.Kind() {
		case "extends_clause":
			for e := range c.Children() {
				if e.Field() == "value" {
					r.ancestor(Inherits, e)
				} else {
					r.typeUses(e)
				}
			}
		case "implements_clause":
			for e := range c.Children() {
				r.ancestor(Implements, e)
			}
		default:
			r.ancestor(Inherits, c)
		}
	}
}

// ancestor tells of a class or interface that another one builds on.
func (r *scriptReader) ancestor(rel string, n grammar.Node) {
	switch n.Kind() {
	case "identifier", "type_identifier":
		if !scriptGlobals[n.Text()] && !r.local(n.Text()) {
			r.use(rel, n, "", value{})
		}
	case "member_expression":
		r.use(rel, n.Get("property"), short(n.Get("object")), value{})
	case "nested_type_identifier":
		r.use(rel, n.Get("name"), short(n.Get("module")), value{})
	case "generic_type":
		r.ancestor(rel, n.Get("name"))
		r.typeUses(n.Get("type_arguments"))
	default:
		r.expression(n)
	}
}

func (r *scriptReader) classBody(body grammar.Node, class int) {
	var comments []grammar.Node
	var decorators []grammar.Node
	for m := range body.Children() {
		if m.Is("comment") {
			comments = append(comments, m)
			continue
		}
		if m.Is("decorator") {
			decorators = append(decorators, m)
			continue
		}
		top := m
		if len(decorators) > 0 {
			top = decorators[0]
		}
		i := r.classMember(m, class, scriptDoc(top, comments))
		r.within(max(i, class), func() {
			for _, d := range decorators {
				r.expression(d)
			}
		})
		comments, decorators = nil, nil
	}
}

// fieldName is the node that names a class field; the grammars differ.
func fieldName(m grammar.Node) grammar.Node {
	if n := m.Get("name"); n.Ok() {
		return n
	}
	return m.Get("property")
}

func (r *scriptReader) classMember(m grammar.Node, class int, doc string) int {
	switch m.Kind() {
	case "method_definition", "method_signature", "abstract_method_signature":
		return r.method(m, class, doc)
	case "public_field_definition", "field_definition":
		return r.field(m, class, doc)
	default: // static blocks, index signatures
		r.push()
		r.bindDeclared(m)
		r.expression(m)
		r.pop()
	}
	return -1
}

// visible reports whether a member can be used from outside its class.
func visible(m grammar.Node, name string) bool {
	mod := m.Child("accessibility_modifier").Text()
	return mod != "private" && mod != "protected" && !strings.HasPrefix(name, "#")
}

func (r *scriptReader) method(m grammar.Node, class int, doc string) int {
	nameNode := m.Get("name")
	name := propertyName(nameNode)
	if name == "" {
		r.functionInside(m)
		return -1
	}
	kind := Method
	accessor := m.Has("get") || m.Has("set")
	if accessor {
		kind = Field
	}
	d := Definition{
		Name:      name,
		Kind:      kind,
		Line:      nameNode.Line(),
		EndLine:   m.EndLine(),
		Signature: signature(r.memberHead(m)),
		Doc:       doc,
		Exported:  r.exported(name, class, visible(m, name)),
		Result:    scriptType(m.Get("return_type")),
	}
	old, ok := r.find(class, name)
	var i int
	switch {
	case ok && accessor && r.file.Definitions[old].Kind == Field:
		i = old
	default:
		i = r.again(class, d, m.Is("method_signature") && class >= 0 && r.file.Definitions[class].Kind == Class)
	}
	if name == "constructor" {
		r.parameterProperties(m, class)
		r.constructorFields(m, class)
	}
	r.within(i, func() {
		for c := range m.Children() {
			if c.Is("decorator") {
				r.expression(c)
			}
		}
		r.functionInside(m)
	})
	return i
}

// memberHead is a method's source up to its body, decorators aside.
func (r *scriptReader) memberHead(m grammar.Node) string {
	end := m.Get("return_type")
	if !end.Ok() {
		end = m.Get("parameters")
	}
	if !end.Ok() {
		end = m
	}
	return afterDecorators(m, end.End())
}

func (r *scriptReader) parameterProperties(m grammar.Node, class int) {
	for p := range m.Get("parameters").Children() {
		if !p.Child("accessibility_modifier").Ok() && !p.Has("readonly") {
			continue
		}
		name := p.Get("pattern")
		r.define(class, Definition{
			Name:      name.Text(),
			Kind:      Field,
			Line:      name.Line(),
			EndLine:   p.EndLine(),
			Signature: signature(p.Text()),
			Exported:  r.exported(name.Text(), class, visible(p, name.Text())),
		})
	}
}

// constructorFields defines what a constructor stores in its object and the
// class does not declare.
func (r *scriptReader) constructorFields(m grammar.Node, class int) {
	for s := range m.Get("body").Children() {
		a := s.First()
		left := a.Get("left")
		if !s.Is("expression_statement") || !a.Is("assignment_expression") || !left.Get("object").Is("this") {
			continue
		}
		name := left.Get("property")
		if _, ok := r.find(class, name.Text()); ok || declares(name.Text(), m) {
			continue
		}
		r.define(class, Definition{
			Name:      name.Text(),
			Kind:      Field,
			Line:      name.Line(),
			EndLine:   a.EndLine(),
			Signature: signature(clip(a.Text(), 2*maxSignature)),
			Exported:  r.exported(name.Text(), class, visible(a, name.Text())),
		})
	}
}

// declares reports whether the class around a constructor has a member of
// that name further down.
func declares(name string, constructor grammar.Node) bool {
	for m := range constructor.Parent().Children() {
		if m.Is("public_field_definition", "field_definition", "method_definition") && fieldName(m).Text() == name {
			return true
		}
	}
	return false
}

func (r *scriptReader) field(m grammar.Node, class int, doc string) int {
	nameNode := fieldName(m)
	name := propertyName(nameNode)
	val := m.Get("value")
	if name == "" {
		r.expression(val)
		return -1
	}
	d := Definition{
		Name:     name,
		Kind:     Field,
		Line:     nameNode.Line(),
		EndLine:  m.EndLine(),
		Doc:      doc,
		Exported: r.exported(name, class, visible(m, name)),
	}
	sig := clip(afterDecorators(m, m.End()), 2*maxSignature)
	if fn := wrappedFunction(val); fn.Ok() {
		d.Kind = Method
		d.Result = scriptType(fn.Get("return_type"))
		if end := r.head(m, fn); end != "" {
			sig = end
		}
	}
	d.Signature = signature(sig)
	i := r.define(class, d)
	r.within(i, func() {
		for c := range m.Children() {
			if c.Is("decorator") {
				r.expression(c)
			}
		}
		r.typeUses(m.Get("type"))
		if d.Kind == Method {
			r.valueOf(val, i)
			return
		}
		r.expression(val)
	})
	return i
}

// propertyName is the name of a member, quotes removed; "" when it is
// computed.
func propertyName(n grammar.Node) string {
	switch n.Kind() {
	case "string":
		return oneLine(n.Child("string_fragment").Text())
	case "computed_property_name", "number":
		return ""
	}
	return n.Text()
}
