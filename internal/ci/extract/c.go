package extract

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A cReader turns a C or C++ syntax tree into a File.
type cReader struct {
	*plainReader
	cpp     bool
	header  bool
	hidden  bool          // inside a namespace without a name
	access  string        // of the members that follow, in a class
	guard   string        // the macro by which a header sees that it was read before
	forward []int         // declarations that something in the file may be the definition of
	scope   map[place]int // classes and namespaces
	generic []string      // parameters of the templates around, for what is read later
}

func parseC(c *collector) error { return readC(c, grammar.C) }

func parseCPP(c *collector) error { return readC(c, grammar.CPP) }

func readC(c *collector, lang grammar.Language) error {
	p, err := newPlainReader(c, lang, easierC, firstBranches)
	if err != nil {
		return err
	}
	r := &cReader{plainReader: p, cpp: lang == grammar.CPP, scope: make(map[place]int), header: strings.HasSuffix(c.variant, " header")}
	c.file.Doc = headDoc(r.root, "comment")
	if r.header {
		r.guard = headerGuard(c.src)
	}
	r.items(r.root, -1)
	r.bodies()
	r.settle()
	r.rescue(rescueC)
	r.merge()
	r.lines()
	return nil
}

// items reads what stands in a file, a namespace or a class.
func (r *cReader) items(body grammar.Node, parent int) {
	for n, doc := range documented(body, "comment") {
		r.item(n, n, parent, doc)
	}
}

// item reads one declaration; whole is the template around it, if it is one.
func (r *cReader) item(n, whole grammar.Node, parent int, doc string) {
	switch n.Kind() {
	case "preproc_include":
		path := n.Get("path").Text()
		if n.Get("path").Is("string_literal", "system_lib_string") && len(path) > 2 {
			r.bring(Import{Path: path[1 : len(path)-1], Line: n.Line()})
		}
	case "preproc_def", "preproc_function_def":
		r.macro(n, doc)
	case "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "preproc_elifdef", "declaration_list", "ERROR":
		r.items(n, parent)
	case "linkage_specification":
		if body := n.Get("body"); body.Is("declaration_list") {
			r.items(body, parent)
		} else {
			r.item(body, n, parent, doc)
		}
	case "namespace_definition":
		r.namespace(n, parent, doc)
	case "template_declaration":
		for c := range n.Children() {
			if !c.Is("template_parameter_list", "requires_clause", "comment") {
				r.item(c, whole, parent, doc)
			}
		}
	case "function_definition":
		r.function(n, whole, parent, doc)
	case "declaration", "field_declaration":
		r.declaration(n, whole, parent, doc)
	case "type_definition":
		r.typedef(n, parent, doc)
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		r.typeLike(n, whole, parent, "", doc)
	case "alias_declaration", "concept_definition":
		r.alias(n, whole, parent, doc)
	case "using_declaration", "namespace_alias_definition":
		r.using(n)
	case "expression_statement":
		r.testCase(n, parent, doc)
	case "access_specifier":
		r.access = strings.TrimRight(n.Text(), ": \t")
	case "friend_declaration":
		for c := range n.Children() {
			if c.Is("function_definition") && parent >= 0 { // of what is around the class
				r.item(c, n, r.file.Definitions[parent].Parent, doc)
			}
		}
	}
}

// macro defines what #define does. The mark by which a header sees that it
// was read before is none.
func (r *cReader) macro(n grammar.Node, doc string) {
	name, text := n.Get("name"), n.Get("value")
	if name.Text() == "" || name.Text() == r.guard {
		return
	}
	d := Definition{Name: name.Text(), Kind: Constant, Line: name.Line(), EndLine: n.EndLine(), Doc: doc, Exported: r.header}
	end := text.End()
	if n.Is("preproc_function_def") {
		d.Kind = Function
		end = n.Get("parameters").End()
	}
	if end == 0 {
		end = name.End()
	}
	head := n.Tree().Slice(n.Start(), min(end, n.Start()+2*maxSignature))
	d.Signature = signature(strings.ReplaceAll(strings.ReplaceAll(head, "\\\r\n", " "), "\\\n", " "))
	i := r.define(-1, d)
	if d.Kind != Function || !text.Ok() {
		return
	}
	r.later(i, n, func() {
		for p := range n.Get("parameters").Children() {
			r.bind(p.Text(), value{})
		}
		for _, m := range cCalled.FindAllStringSubmatch(clip(text.Text(), 4<<10), -1) {
			if name := m[1]; !cKeywords[name] && !r.local(name) {
				r.refer(Reference{From: r.from, Relation: Calls, Name: name, Line: text.Line()})
			}
		}
	})
}

// namespace reads a namespace, which is one definition for each file however
// often it is opened. The members of an inline one are those of what is
// around it, and so are those of one without a name.
func (r *cReader) namespace(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	in := parent
	for _, part := range cPath(name) {
		i, known := r.scope[place{in, part}]
		if !known {
			i = r.define(in, Definition{Name: part, Kind: Namespace, Line: name.Line(), EndLine: n.EndLine(),
				Signature: signature(headText(n, body.Start())), Doc: doc, Exported: !r.hidden})
			r.scope[place{in, part}] = i
		}
		r.file.Definitions[i].EndLine = max(r.file.Definitions[i].EndLine, n.EndLine())
		in = i
	}
	if n.Has("inline") {
		in = parent
	}
	hidden := r.hidden
	r.hidden = hidden || !name.Ok()
	r.in(in, func() { r.items(body, in) })
	r.hidden = hidden
}

// visible reports whether other files can use what is declared at a place.
func (r *cReader) visible(n grammar.Node, parent int) bool {
	if r.hidden {
		return false
	}
	if parent < 0 {
		return !cHas(n, "storage_class_specifier", "static")
	}
	p := r.file.Definitions[parent]
	if p.Kind == Namespace {
		return p.Exported && !cHas(n, "storage_class_specifier", "static")
	}
	return p.Exported && (r.access == "public" || r.access == "")
}

// cHas reports whether a declaration has a word such as "static".
func cHas(n grammar.Node, kind, word string) bool {
	for c := range n.Children() {
		if c.Is(kind) && c.Text() == word {
			return true
		}
	}
	return false
}

// typeLike reads a struct, union, class or enum with a body; called is the
// name that a typedef gives to one without. It returns its index, or -1 for
// what is only mentioned.
func (r *cReader) typeLike(n, whole grammar.Node, parent int, called, doc string) int {
	name, body := n.Get("name"), n.Get("body")
	if !body.Ok() {
		return -1
	}
	path := cPath(name)
	text, at := called, n
	if len(path) > 0 {
		text, at = path[len(path)-1], name
		parent, _ = r.owner(parent, path[:len(path)-1])
	}
	enum := n.Is("enum_specifier")
	if text == "" {
		if enum {
			r.enumerators(body, parent, Constant)
		}
		return -1
	}
	kind := Class
	if enum {
		kind = Enum
	}
	i := r.define(parent, Definition{Name: text, Kind: kind, Line: at.Line(), EndLine: n.EndLine(),
		Signature: signature(headText(whole, body.Start())), Doc: doc, Exported: r.visible(n, parent) && (r.header || r.cpp)})
	if _, twin := r.scope[place{parent, text}]; !twin {
		r.scope[place{parent, text}] = i
	}
	if enum {
		r.enumerators(body, i, EnumCase)
		return i
	}
	outer := len(r.generic)
	r.generic = append(r.generic, templateNames(whole)...)
	r.members(n, i)
	r.generic = r.generic[:outer]
	return i
}

// later is a plainReader's, with the parameters of the templates around as
// local names.
func (r *cReader) later(i int, whole grammar.Node, read func()) {
	generic := append(slices.Clone(r.generic), templateNames(whole)...)
	class := r.class
	r.class = r.file.Definitions[i].Container
	r.plainReader.later(i, func() {
		for _, name := range generic {
			r.bind(name, value{})
		}
		read()
	})
	r.class = class
}

// members reads a class's body and what it inherits.
func (r *cReader) members(n grammar.Node, i int) {
	access := r.access
	r.access = "public"
	if n.Is("class_specifier") {
		r.access = "private"
	}
	for c := range n.Child("base_class_clause").Children() {
		if name := cTypeName(c); name != "" {
			scope, last := cutScope(name)
			r.refer(Reference{From: i, Relation: Inherits, Name: last, Qualifier: scope, Line: c.Line()})
		}
	}
	r.in(i, func() { r.items(n.Get("body"), i) })
	r.access = access
}

func (r *cReader) enumerators(body grammar.Node, parent int, kind Kind) {
	for e, doc := range documented(body, "comment") {
		switch {
		case e.Is("enumerator"):
			name := e.Get("name")
			exported := r.header
			if parent >= 0 {
				exported = r.file.Definitions[parent].Exported
			}
			r.define(parent, Definition{Name: name.Text(), Kind: kind, Line: name.Line(), EndLine: e.EndLine(),
				Signature: signature(e.Text()), Doc: doc, Exported: exported})
		case e.Is("preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "ERROR"):
			r.enumerators(e, parent, kind)
		}
	}
}

// typedef reads the names that a typedef gives. A struct that has the same
// name already is one definition with it.
func (r *cReader) typedef(n grammar.Node, parent int, doc string) {
	typ := n.Get("type")
	var names []grammar.Node
	for c := range n.Children() {
		if c.Field() == "declarator" {
			if d := cDeclare(c); d.name.Ok() {
				names = append(names, d.name)
			}
		}
	}
	struc := -1
	if typ.Is("struct_specifier", "union_specifier", "enum_specifier", "class_specifier") {
		called := ""
		if len(names) > 0 {
			called = names[0].Text()
		}
		struc = r.typeLike(typ, n, parent, called, doc)
	}
	for _, name := range names {
		if struc >= 0 && r.file.Definitions[struc].Name == name.Text() {
			continue
		}
		d := Definition{Name: name.Text(), Kind: Type, Line: name.Line(), EndLine: n.EndLine(), Doc: doc,
			Exported: r.header && !r.hidden, Result: cTypeName(typ)}
		if d.Result == d.Name {
			d.Result = ""
		}
		if body := typ.Get("body"); body.Ok() {
			d.Signature = signature(headText(n, body.Start()) + " " + name.Text())
		} else {
			d.Signature = signature(strings.TrimSuffix(n.Text(), ";"))
		}
		r.forward = append(r.forward, r.define(parent, d))
	}
}

func (r *cReader) alias(n, whole grammar.Node, parent int, doc string) {
	name := n.Get("name")
	r.define(parent, Definition{Name: name.Text(), Kind: Type, Line: name.Line(), EndLine: n.EndLine(),
		Signature: signature(strings.TrimSuffix(headText(whole, n.End()), ";")), Doc: doc, Exported: r.visible(n, parent), Result: cTypeName(n.Get("type").Get("type"))})
}

// using reads `using namespace a`, `using a::b` and `namespace x = a::b`.
func (r *cReader) using(n grammar.Node) {
	var target grammar.Node
	for c := range n.Children() {
		target = c
	}
	path := cPath(target)
	if len(path) == 0 {
		return
	}
	imp := Import{Path: strings.Join(path, "::"), Name: "*", Line: n.Line()}
	switch {
	case n.Is("namespace_alias_definition"):
		imp.Alias = n.Get("name").Text()
		fallthrough
	case !n.Has("namespace"):
		imp.Path, imp.Name = strings.Join(path[:len(path)-1], "::"), path[len(path)-1]
	}
	if imp.Path != "" {
		r.bring(imp)
	}
}
