package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A swiftReader turns a Swift syntax tree into a File.
type swiftReader struct {
	*treeReader
	parent     int  // type or function around, or -1
	testCase   bool // the class around holds tests
	extensions []swiftExtension
}

// A swiftExtension is what an extension says that a type conforms to.
type swiftExtension struct {
	of   string
	base grammar.Node
}

func parseSwift(c *collector) error {
	t, err := newTreeReader(c, grammar.Swift)
	if err != nil {
		return err
	}
	r := &swiftReader{treeReader: t, parent: -1}
	r.file.Doc = headOf(r.root, "class_declaration", "protocol_declaration", "function_declaration", "property_declaration", "typealias_declaration")
	r.learn(r.root, "")
	r.push()
	r.members(r.root)
	r.pop()
	for _, e := range r.extensions {
		at, ok := r.find(-1, e.of)
		if !ok {
			at = -1
		}
		r.within(at, func() {
			if rel := Implements; ok {
				r.typeUse(rel, e.base)
			} else {
				r.typeUse(References, e.base)
			}
		})
	}
	r.rescue(rescueSwift)
	return nil
}

var swiftKinds = map[string]Kind{"class": Class, "struct": Class, "actor": Class, "enum": Enum}

// learn notes the types of properties.
func (r *swiftReader) learn(n grammar.Node, class string) {
	for c := range n.Children() {
		switch c.Kind() {
		case "class_declaration":
			name := swiftType(c.Get("name"))
			r.learn(c.Get("body"), dottedName(class, name))
		case "property_declaration":
			for _, p := range swiftProperties(c) {
				r.setField(class, p.name.Text(), r.held(p))
			}
		}
	}
}

// A swiftProperty is one name of a `var` or `let`.
type swiftProperty struct {
	pattern, name, typ, value, computed grammar.Node
}

// swiftProperties takes a declaration apart: `var a: T, b = c`.
func swiftProperties(n grammar.Node) []swiftProperty {
	var list []swiftProperty
	for c := range n.All() {
		last := len(list) - 1
		switch {
		case c.Is("pattern") && c.Field() == "name":
			if b := c.Get("bound_identifier"); b.Ok() {
				list = append(list, swiftProperty{pattern: c, name: b})
				continue
			}
			for p := range c.Children() { // (a, b)
				if id := p.Child("simple_identifier"); id.Ok() {
					list = append(list, swiftProperty{pattern: c, name: id})
				}
			}
		case last < 0:
		case c.Is("type_annotation"):
			list[last].typ = c.Get("name")
		case c.Field() == "value" && !list[last].value.Ok():
			list[last].value = c
		case c.Is("computed_property", "willset_didset_block", "protocol_property_requirements"):
			list[last].computed = c
		}
	}
	return list
}

// held is what a property holds, as far as it says so itself.
func (r *swiftReader) held(p swiftProperty) value {
	if p.typ.Ok() {
		return value{typ: swiftType(p.typ)}
	}
	return r.typeOf(p.value)
}

// swiftType is a type as written, without arguments and question marks; ""
// of what is no plain name.
func swiftType(n grammar.Node) string {
	switch n.Kind() {
	case "type_identifier", "simple_identifier":
		return n.Text()
	case "optional_type":
		return swiftType(n.Get("wrapped"))
	case "user_type":
		var parts []string
		for c := range n.Children() {
			if c.Is("type_identifier") {
				parts = append(parts, c.Text())
			}
		}
		return clip(strings.Join(parts, "."), maxQualifier)
	}
	return ""
}

func (r *swiftReader) members(n grammar.Node) {
	for c, comments := range commented(n, "comment", "multiline_comment") {
		r.member(c, comments)
	}
}

func (r *swiftReader) member(n grammar.Node, comments []grammar.Node) {
	switch n.Kind() {
	case "import_declaration":
		r.importDeclaration(n)
	case "class_declaration", "protocol_declaration":
		r.typeDeclaration(n, comments)
	case "function_declaration", "protocol_function_declaration", "init_declaration", "deinit_declaration", "subscript_declaration":
		r.function(n, comments)
	case "property_declaration", "protocol_property_declaration":
		r.property(n, comments)
	case "typealias_declaration", "associatedtype_declaration":
		r.alias(n, comments)
	case "enum_entry":
		r.enumEntry(n, comments)
	case "operator_declaration", "precedence_group_declaration":
	case "ERROR", "statements":
		r.members(n)
	default:
		r.expression(n)
	}
}

func (r *swiftReader) importDeclaration(n grammar.Node) {
	var parts []string
	for c := range n.Child("identifier").Children() {
		parts = append(parts, c.Text())
	}
	imp := Import{Path: strings.Join(parts, "."), Line: n.Line()}
	for _, kind := range [...]string{"class", "struct", "enum", "protocol", "func", "var", "let", "typealias"} {
		if n.Has(kind) && len(parts) > 1 {
			imp.Path, imp.Name = cutLast(imp.Path)
			break
		}
	}
	r.bring(imp)
}

// add defines something in the type around, which may be extended here and
// stand elsewhere.
func (r *swiftReader) add(d Definition) int {
	if r.parent < 0 && r.class != "" {
		d.Container = r.class
		i := r.define(-1, d)
		r.adopt(i, r.class)
		return i
	}
	return r.define(r.parent, d)
}

func (r *swiftReader) callable() bool {
	return r.parent >= 0 && (r.file.Definitions[r.parent].Kind == Function || r.file.Definitions[r.parent].Kind == Method)
}

func (r *swiftReader) exported(n grammar.Node) bool {
	if r.callable() || r.parent >= 0 && !r.file.Definitions[r.parent].Exported {
		return false
	}
	v := n.Child("modifiers").Child("visibility_modifier")
	return !v.Has("private") && !v.Has("fileprivate")
}

func swiftAttribute(n grammar.Node, names ...string) bool {
	for a := range n.Child("modifiers").Children() {
		if a.Is("attribute") {
			name := a.Child("user_type").Text()
			for _, want := range names {
				if name == want {
					return true
				}
			}
		}
	}
	return false
}

// swiftDeclared is a declaration's source without its attributes and body.
func swiftDeclared(n grammar.Node, end int) string {
	start := n.Start()
	for c := range n.All() {
		if start = c.Start(); !c.Is("modifiers") {
			break
		}
		found := false
		for m := range c.Children() {
			if found = !m.Is("attribute"); found {
				start = m.Start()
				break
			}
		}
		if found {
			break
		}
	}
	return signature(n.Tree().Slice(start, min(end, start+4*maxSignature)))
}

func (r *swiftReader) doc(n grammar.Node, comments []grammar.Node) string {
	text := commentsAbove(n, comments)
	if legal(text) || strings.HasPrefix(text, "MARK:") || strings.HasPrefix(text, "swiftlint:") {
		return ""
	}
	return firstSentence(text)
}

func (r *swiftReader) typeDeclaration(n grammar.Node, comments []grammar.Node) {
	name, body := n.Get("name"), n.Get("body")
	typ := swiftType(name)
	if typ == "" {
		r.members(body)
		return
	}
	parent, class, testCase := r.parent, r.class, r.testCase
	how := n.Get("declaration_kind").Text()
	if how == "extension" {
		r.extension(n, typ)
	} else {
		kind := swiftKinds[how]
		if n.Is("protocol_declaration") {
			kind = Interface
		}
		i := r.add(Definition{
			Name:      typ,
			Kind:      kind,
			Line:      name.Line(),
			EndLine:   n.EndLine(),
			Signature: swiftDeclared(n, headEnd(n, body)),
			Doc:       r.doc(n, comments),
			Exported:  r.exported(n),
			Entry:     swiftAttribute(n, "main", "UIApplicationMain", "NSApplicationMain"),
		})
		r.parent, r.class = i, r.file.Definitions[i].Qualified()
		r.within(i, func() {
			r.push()
			r.attributes(n)
			r.constraints(n)
			r.inheritance(n, how)
			r.members(body)
			r.pop()
		})
	}
	r.parent, r.class, r.testCase = parent, class, testCase
}

// extension reads members for a type of this file or another one.
func (r *swiftReader) extension(n grammar.Node, of string) {
	for c := range n.Children() {
		if c.Is("inheritance_specifier") {
			r.extensions = append(r.extensions, swiftExtension{of, c.Get("inherits_from")})
		}
	}
	r.parent, r.class = -1, of
	r.within(-1, func() {
		r.push()
		r.constraints(n)
		r.members(n.Get("body"))
		r.pop()
	})
}

// inheritance tells what a type extends: only the first name that a class
// gives can be a class.
func (r *swiftReader) inheritance(n grammar.Node, how string) {
	rel := Implements
	if how == "class" || how == "protocol" {
		rel = Inherits
	}
	for c := range n.Children() {
		if !c.Is("inheritance_specifier") {
			continue
		}
		base := c.Get("inherits_from")
		if how == "class" && rel == Inherits {
			r.testCase = strings.HasSuffix(swiftType(base), "TestCase")
		}
		r.typeUse(rel, base)
		if how == "class" {
			rel = Implements
		}
	}
}

func (r *swiftReader) enumEntry(n grammar.Node, comments []grammar.Node) {
	doc := r.doc(n, comments)
	for c := range n.All() {
		switch {
		case c.Field() == "name" && c.Is("simple_identifier"):
			end := c.End()
			if next := c.Next(); next.Field() == "data_contents" {
				end = next.End()
			}
			r.add(Definition{
				Name:      c.Text(),
				Kind:      EnumCase,
				Line:      c.Line(),
				EndLine:   c.EndLine(),
				Signature: signature("case " + n.Tree().Slice(c.Start(), end)),
				Doc:       doc,
				Exported:  r.parent >= 0 && r.file.Definitions[r.parent].Exported,
			})
		case c.Field() == "data_contents":
			r.typeUses(c)
		}
	}
}

func (r *swiftReader) alias(n grammar.Node, comments []grammar.Node) {
	var name, of grammar.Node
	for c := range n.Children() {
		if c.Field() == "name" {
			if !name.Ok() {
				name = c
			} else if !of.Ok() {
				of = c
			}
		}
	}
	if name.Text() == "" || r.callable() {
		return
	}
	i := r.add(Definition{
		Name:      name.Text(),
		Kind:      Type,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: swiftDeclared(n, n.End()),
		Doc:       r.doc(n, comments),
		Exported:  r.exported(n),
		Result:    swiftType(of),
	})
	r.within(i, func() { r.typeUses(of) })
}
