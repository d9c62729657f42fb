package extract

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A csharpReader turns a C# syntax tree into a File.
type csharpReader struct {
	*plainReader
	single  bool     // the file has one namespace, which is its module
	generic []string // type parameters of the types around, for what is read later
}

func parseCSharp(c *collector) error {
	p, err := newPlainReader(c, grammar.CSharp, firstBranches)
	if err != nil {
		return err
	}
	r := &csharpReader{plainReader: p}
	r.single = csharpNamespaces(r.root) == 1
	c.file.Doc = headDoc(r.root, "comment")
	r.items(r.root, -1)
	r.bodies()
	r.rescue(rescueCSharp)
	return nil
}

// csharpNamespaces counts the namespaces of a file.
func csharpNamespaces(n grammar.Node) int {
	found := 0
	for c := range n.Children() {
		if c.Is("namespace_declaration", "file_scoped_namespace_declaration") {
			found += 1 + csharpNamespaces(c.Get("body"))
		}
	}
	return found
}

var csharpKinds = map[string]Kind{
	"class_declaration": Class, "struct_declaration": Class, "record_declaration": Class, "record_struct_declaration": Class,
	"interface_declaration": Interface, "enum_declaration": Enum,
}

// items reads what stands in a file, a namespace or a type.
func (r *csharpReader) items(body grammar.Node, parent int) {
	for n, doc := range documented(body, "comment") {
		r.item(n, parent, doc)
	}
}

func (r *csharpReader) item(n grammar.Node, parent int, doc string) {
	switch n.Kind() {
	case "using_directive":
		r.using(n)
	case "namespace_declaration", "file_scoped_namespace_declaration":
		r.namespace(n, parent, doc)
	case "class_declaration", "struct_declaration", "record_declaration", "record_struct_declaration", "interface_declaration", "enum_declaration":
		r.typeLike(n, parent, doc)
	case "delegate_declaration":
		r.named(n, n.Get("name"), Type, parent, doc, n.End(), csharpType(n.Get("type")))
	case "enum_member_declaration":
		i := r.define(parent, Definition{Name: n.Get("name").Text(), Kind: EnumCase, Line: n.Get("name").Line(), EndLine: n.EndLine(),
			Signature: signature(headText(n, n.End(), "attribute_list")), Doc: doc, Exported: parent >= 0 && r.file.Definitions[parent].Exported})
		r.later(i, func() { r.use(n.Get("value")) })
	case "field_declaration", "event_field_declaration":
		r.fieldLike(n, parent, doc)
	case "property_declaration", "event_declaration", "indexer_declaration":
		r.property(n, parent, doc)
	case "method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration", "conversion_operator_declaration", "local_function_statement":
		r.method(n, parent, doc)
	case "global_statement":
		r.later(-1, func() { r.use(n) })
	case "declaration_list", "preproc_if", "preproc_elif", "preproc_else", "ERROR", "enum_member_declaration_list":
		r.items(n, parent)
	}
}

// using reads `using A.B;`, `using static A.B;` and `using X = A.B;`.
func (r *csharpReader) using(n grammar.Node) {
	var target grammar.Node
	for c := range n.Children() {
		if c.Field() != "name" {
			target = c
		}
	}
	imp := Import{Path: csharpType(target), Name: "*", Line: n.Line()}
	if alias := n.Get("name"); alias.Ok() && alias != target {
		imp.Path, imp.Name = cutLast(imp.Path)
		imp.Alias = alias.Text()
	}
	r.bring(imp)
}

// namespace reads a namespace: the only one of a file is its module.
func (r *csharpReader) namespace(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if r.single && parent < 0 {
		r.file.Module = csharpType(name)
		if body.Ok() {
			r.items(body, -1)
		}
		return
	}
	i := r.define(parent, Definition{Name: csharpType(name), Kind: Namespace, Line: name.Line(), EndLine: n.EndLine(),
		Signature: signature(headText(n, body.Start())), Doc: doc, Exported: true})
	r.in(i, func() { r.items(body, i) })
}

func (r *csharpReader) has(n grammar.Node, word string) bool {
	for c := range n.Children() {
		if c.Is("modifier") && c.Text() == word {
			return true
		}
	}
	return false
}

// exported reports what is public, or what an interface asks for.
func (r *csharpReader) exported(n grammar.Node, parent int) bool {
	if parent < 0 {
		return r.has(n, "public")
	}
	switch p := r.file.Definitions[parent]; p.Kind {
	case Namespace:
		return r.has(n, "public")
	case Interface:
		return p.Exported && !r.has(n, "private")
	default:
		return p.Exported && (r.has(n, "public") || r.has(n, "protected"))
	}
}

// named defines something whose head ends at an offset.
func (r *csharpReader) named(n, name grammar.Node, kind Kind, parent int, doc string, end int, result string) int {
	return r.define(parent, Definition{Name: name.Text(), Kind: kind, Line: name.Line(), EndLine: n.EndLine(),
		Signature: signature(strings.TrimSuffix(headText(n, end, "attribute_list"), ";")), Doc: doc, Exported: r.exported(n, parent), Result: result})
}

func (r *csharpReader) typeLike(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	kind := csharpKinds[n.Kind()]
	i := r.named(n, name, kind, parent, doc, end, "")
	outer := len(r.generic)
	for p := range n.Child("type_parameter_list").Children() {
		r.generic = append(r.generic, p.Get("name").Text())
	}
	r.ancestors(n, i, kind)
	r.in(i, func() {
		for p := range n.Child("parameter_list").Children() {
			pn := p.Get("name")
			if !pn.Ok() {
				continue
			}
			typ := csharpType(p.Get("type"))
			r.setField(r.class, pn.Text(), value{typ: typ})
			if !n.Is("class_declaration", "struct_declaration") { // a record's are properties
				r.define(i, Definition{Name: pn.Text(), Kind: Field, Line: pn.Line(), EndLine: p.EndLine(),
					Signature: signature(headText(p, p.End(), "attribute_list")), Exported: r.file.Definitions[i].Exported, Result: typ})
			}
		}
		r.items(body, i)
	})
	r.generic = r.generic[:outer]
}

// later is a plainReader's, with the type parameters around as local names.
func (r *csharpReader) later(i int, read func()) {
	generic := slices.Clone(r.generic)
	r.plainReader.later(i, func() {
		for _, name := range generic {
			r.bind(name, value{})
		}
		read()
	})
}

// ancestors tells what a type has behind its colon. Which of a class's are
// interfaces only their names say here.
func (r *csharpReader) ancestors(n grammar.Node, i int, kind Kind) {
	if kind == Enum {
		return
	}
	for b := range n.Child("base_list").Children() {
		if b.Is("primary_constructor_base_type") {
			b = b.Get("type")
		}
		name := csharpType(b)
		if name == "" || b.Is("argument_list", "predefined_type") {
			continue
		}
		scope, last := cutLast(name)
		rel := Inherits
		if kind == Class && (n.Is("struct_declaration", "record_struct_declaration") || len(last) > 1 && last[0] == 'I' && capital(last[1:])) {
			rel = Implements
		}
		r.refer(Reference{From: i, Relation: rel, Name: last, Qualifier: scope, Line: b.Line()})
	}
}

func (r *csharpReader) fieldLike(n grammar.Node, parent int, doc string) {
	decl := n.Child("variable_declaration")
	typ := decl.Get("type")
	kind := Field
	if r.has(n, "const") || r.has(n, "static") && r.has(n, "readonly") {
		kind = Constant
	}
	for d := range decl.Children() {
		name := d.Get("name")
		if !d.Is("variable_declarator") || !name.Ok() {
			continue
		}
		end := d.End()
		if end-d.Start() > maxSignature {
			end = name.End()
		}
		i := r.define(parent, Definition{Name: name.Text(), Kind: kind, Line: name.Line(), EndLine: d.EndLine(), Doc: doc, Exported: r.exported(n, parent),
			Signature: signature(headText(n, typ.End(), "attribute_list") + " " + n.Tree().Slice(d.Start(), end)), Result: csharpType(typ)})
		r.setField(r.class, name.Text(), value{typ: csharpType(typ)})
		r.later(i, func() {
			r.types(typ)
			r.useRest(d, name)
		})
	}
}

func (r *csharpReader) property(n grammar.Node, parent int, doc string) {
	name, typ := n.Get("name"), n.Get("type")
	d := Definition{Name: name.Text(), Kind: Field, Line: name.Line(), EndLine: n.EndLine(), Doc: doc, Exported: r.exported(n, parent), Result: csharpType(typ)}
	end := n.Get("accessors").Start()
	if end == 0 {
		end = n.Get("value").Start()
	}
	if n.Is("indexer_declaration") {
		d.Name, d.Kind, d.Line = "this[]", Method, n.Get("parameters").Line()
	} else {
		r.setField(r.class, d.Name, value{typ: d.Result})
	}
	d.Signature = signature(headText(n, end, "attribute_list"))
	i := r.define(parent, d)
	r.later(i, func() {
		r.attributes(n)
		r.types(typ)
		r.parameters(n.Get("parameters"))
		r.use(n.Get("accessors"))
		r.use(n.Get("value"))
	})
}

// csharpTests holds the attributes of tests.
var csharpTests = names("Fact Theory Test TestCase TestCaseSource TestMethod DataTestMethod Property SkippableFact")

func (r *csharpReader) method(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	typ := n.Get("returns")
	if !typ.Ok() {
		typ = n.Get("type")
	}
	text, at := name.Text(), name
	switch n.Kind() {
	case "destructor_declaration":
		text = "~" + text
	case "operator_declaration":
		text, at = "operator "+n.Get("operator").Text(), n.Get("operator")
	case "conversion_operator_declaration":
		text, at = "operator "+oneLine(typ.Text()), typ
	}
	if text == "" {
		return
	}
	d := Definition{Name: text, Kind: Method, Line: at.Line(), EndLine: n.EndLine(), Doc: doc, Exported: r.exported(n, parent),
		Signature: signature(strings.TrimSuffix(headText(n, headEnd(n, body), "attribute_list"), ";")), Result: csharpType(typ)}
	if n.Is("local_function_statement") || parent < 0 {
		d.Kind, d.Exported = Function, false
	}
	d.Entry = text == "Main" && r.has(n, "static")
	for list := range n.Children() {
		for a := range list.Children() {
			if _, last := cutLast(csharpType(a.Get("name"))); a.Is("attribute") && csharpTests[strings.TrimSuffix(last, "Attribute")] {
				d.Test = true
			}
		}
	}
	i := r.define(parent, d)
	r.later(i, func() {
		r.attributes(n)
		r.generics(n)
		r.types(typ)
		r.parameters(n.Get("parameters"))
		r.use(n.Child("constructor_initializer"))
		r.use(body)
	})
}

// attributes tells the attributes of a definition.
func (r *csharpReader) attributes(n grammar.Node) {
	for list := range n.Children() {
		if list.Is("attribute_list") {
			r.use(list)
		}
	}
}

var csharpSmart = names("var dynamic")

// csharpType is the class that a type means, as written without its
// arguments; "" of what is none.
func csharpType(n grammar.Node) string {
	switch n.Kind() {
	case "identifier":
		if name := n.Text(); !csharpSmart[name] {
			return name
		}
	case "generic_name":
		return n.Child("identifier").Text()
	case "qualified_name", "alias_qualified_name":
		a, b := csharpType(n.Get("qualifier")), csharpType(n.Get("name"))
		return dottedName(a, b)
	case "nullable_type":
		return csharpType(n.Get("type"))
	}
	return ""
}
