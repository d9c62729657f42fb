package extract

import (
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A phpReader turns a PHP syntax tree into a File.
type phpReader struct {
	*plainReader
	single   bool // the file has one namespace, which is its module
	testCase bool // the class around is one of tests
}

func parsePHP(c *collector) error {
	p, err := newPlainReader(c, grammar.PHP)
	if err != nil {
		return err
	}
	r := &phpReader{plainReader: p}
	spaces := 0
	for n := range r.root.Children() {
		if n.Is("namespace_definition") {
			spaces++
		}
	}
	r.single = spaces == 1
	r.items(r.root, -1)
	r.bodies()
	r.rescue(rescuePHP)
	return nil
}

var rescuePHP = rescue{
	regexp.MustCompile(`(?m)^[ \t]*(?:(?:abstract|final|readonly|public|private|protected|static)[ \t]+)*(class|interface|trait|enum|function)[ \t]+&?([A-Za-z_]\w*)`),
	map[string]Kind{"class": Class, "interface": Interface, "trait": Trait, "enum": Enum, "function": Function},
}

var phpKinds = map[string]Kind{
	"class_declaration": Class, "interface_declaration": Interface, "trait_declaration": Trait, "enum_declaration": Enum,
}

// items reads what stands in a file, a namespace or a class.
func (r *phpReader) items(body grammar.Node, parent int) {
	for n, doc := range documented(body, "comment") {
		r.item(n, parent, doc)
	}
}

func (r *phpReader) item(n grammar.Node, parent int, doc string) {
	switch n.Kind() {
	case "text", "text_interpolation", "php_tag", "declare_statement":
	case "namespace_definition":
		r.namespace(n, doc)
	case "namespace_use_declaration":
		r.useDeclaration(n)
	case "class_declaration", "interface_declaration", "trait_declaration", "enum_declaration":
		r.typeLike(n, parent, doc)
	case "function_definition", "method_declaration":
		r.function(n, parent, doc)
	case "const_declaration":
		r.constants(n, parent, doc)
	case "property_declaration":
		r.properties(n, parent, doc)
	case "enum_case":
		name := n.Get("name")
		i := r.define(parent, Definition{Name: name.Text(), Kind: EnumCase, Line: name.Line(), EndLine: n.EndLine(), Doc: doc, Exported: true,
			Signature: signature(strings.TrimSuffix(headText(n, n.End(), "attribute_list"), ";"))})
		r.later(i, func() { r.use(n.Get("value")) })
	case "use_declaration": // of traits
		for c := range n.Children() {
			if c.Is("name", "qualified_name") {
				scope, last := cutNamespace(c.Text())
				r.refer(Reference{From: parent, Relation: Implements, Name: last, Qualifier: scope, Line: c.Line()})
			}
		}
	case "ERROR", "declaration_list", "enum_declaration_list":
		r.items(n, parent)
	case "if_statement", "compound_statement", "else_clause", "colon_block":
		if parent < 0 { // definitions under a condition
			r.conditional(n)
		}
	default:
		if parent < 0 {
			r.defined(n)
			r.later(-1, func() { r.use(n) })
		}
	}
}

// conditional reads the blocks of a file's own if.
func (r *phpReader) conditional(n grammar.Node) {
	for c, doc := range documented(n, "comment") {
		if c.Field() == "condition" {
			r.later(-1, func() { r.use(c) })
			continue
		}
		r.item(c, -1, doc)
	}
}

// defined reads define('NAME', …).
func (r *phpReader) defined(n grammar.Node) {
	call := n.Child("function_call_expression")
	if call.Get("function").Text() != "define" {
		return
	}
	for a := range call.Get("arguments").Children() {
		if s := a.Child("string", "encapsed_string"); s.Ok() {
			r.define(-1, Definition{Name: strings.Trim(s.Text(), `'"`), Kind: Constant, Line: s.Line(), EndLine: n.EndLine(),
				Signature: signature(strings.TrimSuffix(n.Text(), ";")), Exported: true})
		}
		return
	}
}

func (r *phpReader) namespace(n grammar.Node, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if r.single {
		r.file.Module, r.file.Doc = name.Text(), doc
		r.items(body, -1)
		return
	}
	i := -1
	if name.Ok() {
		i = r.define(-1, Definition{Name: name.Text(), Kind: Namespace, Line: name.Line(), EndLine: n.EndLine(),
			Signature: signature(headText(n, headEnd(n, body))), Doc: doc, Exported: true})
	}
	r.in(i, func() { r.items(body, i) })
}

// useDeclaration reads `use A\B;`, `use A\{B, C as D};` and those of
// functions and constants.
func (r *phpReader) useDeclaration(n grammar.Node) {
	prefix := ""
	bring := func(c grammar.Node) {
		var text, alias string
		for p := range c.Children() {
			switch {
			case p.Is("namespace_aliasing_clause"):
				alias = p.Child("name").Text()
			case p.Is("qualified_name", "name", "namespace_name"):
				text = p.Text()
			}
		}
		path, name := cutNamespace(strings.TrimPrefix(prefix+text, `\`))
		if path == "" {
			path = `\`
		}
		if alias == name {
			alias = ""
		}
		if name != "" {
			r.bring(Import{Path: path, Name: name, Alias: alias, Line: c.Line()})
		}
	}
	for c := range n.Children() {
		switch c.Kind() {
		case "namespace_name", "qualified_name":
			prefix = c.Text() + `\`
		case "namespace_use_clause":
			bring(c)
		case "namespace_use_group":
			for g := range c.Children() {
				bring(g)
			}
		}
	}
}

// cutNamespace cuts `A\B\c` into `A\B` and "c".
func cutNamespace(name string) (scope, last string) {
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		return name[:max(i, 1)], name[i+1:] // "\\" is the namespace without a name
	}
	return "", name
}

func (r *phpReader) exported(n grammar.Node) bool {
	v := n.Child("visibility_modifier").Text()
	return v != "private" && v != "protected"
}

func (r *phpReader) typeLike(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	i := r.define(parent, Definition{Name: name.Text(), Kind: phpKinds[n.Kind()], Line: name.Line(), EndLine: n.EndLine(),
		Signature: signature(headText(n, headEnd(n, body), "attribute_list")), Doc: doc, Exported: true})
	testCase := r.testCase
	base := n.Child("base_clause")
	r.testCase = strings.HasSuffix(base.Text(), "TestCase") || strings.HasSuffix(name.Text(), "Test")
	r.ancestors(n, i)
	r.in(i, func() { r.items(body, i) })
	r.testCase = testCase
}

func (r *phpReader) ancestors(n grammar.Node, i int) {
	for c := range n.Children() {
		rel := Inherits
		switch c.Kind() {
		case "class_interface_clause":
			rel = Implements
		case "base_clause":
		default:
			continue
		}
		for b := range c.Children() {
			if b.Is("name", "qualified_name") {
				scope, last := cutNamespace(b.Text())
				r.refer(Reference{From: i, Relation: rel, Name: last, Qualifier: scope, Line: b.Line()})
			}
		}
	}
}

func (r *phpReader) constants(n grammar.Node, parent int, doc string) {
	for e := range n.Children() {
		name := e.Child("name")
		if !e.Is("const_element") || !name.Ok() {
			continue
		}
		i := r.define(parent, Definition{Name: name.Text(), Kind: Constant, Line: name.Line(), EndLine: e.EndLine(), Doc: doc,
			Signature: signature("const " + clip(e.Text(), 2*maxSignature)), Exported: r.exported(n)})
		r.later(i, func() {
			for c := range e.Children() {
				if c != name {
					r.use(c)
				}
			}
		})
	}
}

func (r *phpReader) properties(n grammar.Node, parent int, doc string) {
	typ := n.Get("type")
	for e := range n.Children() {
		name := e.Child("variable_name")
		if !e.Is("property_element") || !name.Ok() {
			continue
		}
		r.property(n, name, typ, parent, doc, e.EndLine(), headText(n, e.End(), "attribute_list"), func() { r.use(e.Child("property_initializer")) })
	}
}

func (r *phpReader) property(n, name, typ grammar.Node, parent int, doc string, end int, sig string, read func()) {
	text := strings.TrimPrefix(name.Text(), "$")
	if text == "" {
		return
	}
	i := r.define(parent, Definition{Name: text, Kind: Field, Line: name.Line(), EndLine: end, Doc: doc,
		Signature: signature(strings.TrimSuffix(sig, ";")), Exported: r.exported(n), Result: phpType(typ)})
	r.setField(r.class, text, value{typ: phpType(typ)})
	r.later(i, func() {
		r.types(typ)
		read()
	})
}

func (r *phpReader) function(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	d := Definition{Name: name.Text(), Kind: Function, Line: name.Line(), EndLine: n.EndLine(), Doc: doc, Exported: r.exported(n),
		Signature: signature(strings.TrimSuffix(headText(n, headEnd(n, body), "attribute_list"), ";")), Result: phpType(n.Get("return_type"))}
	if n.Is("method_declaration") {
		d.Kind = Method
		d.Test = r.testCase && (strings.HasPrefix(d.Name, "test") || phpTest.MatchString(n.Get("attributes").Text()) || phpTestTag.MatchString(before(n)))
	}
	i := r.define(parent, d)
	if d.Name == "__construct" {
		for p := range n.Get("parameters").Children() {
			if p.Is("property_promotion_parameter") {
				vis := p.Get("visibility").Text()
				r.property(p, p.Get("name"), p.Get("type"), parent, "", p.EndLine(), p.Text(), func() {})
				r.file.Definitions[len(r.file.Definitions)-1].Exported = vis != "private" && vis != "protected"
			}
		}
	}
	r.later(i, func() {
		r.use(n.Get("attributes"))
		r.parameters(n.Get("parameters"))
		r.types(n.Get("return_type"))
		r.use(body)
	})
}

var (
	phpTest    = regexp.MustCompile(`\bTest\b`)
	phpTestTag = regexp.MustCompile(`@test\b`)
)

// before is the text of the comment that stands before a node.
func before(n grammar.Node) string {
	text := ""
	for c := range n.Parent().Children() {
		if c == n {
			return text
		}
		text = ""
		if c.Is("comment") {
			text = c.Text()
		}
	}
	return ""
}

// phpType is the class that a type means, as written; "" of what is none.
func phpType(n grammar.Node) string {
	switch n.Kind() {
	case "named_type", "optional_type":
		for c := range n.Children() {
			if name := phpType(c); name != "" {
				return name
			}
		}
	case "name", "qualified_name":
		return n.Text()
	}
	return ""
}
