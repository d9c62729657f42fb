package extract

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A kotlinReader turns a Kotlin syntax tree into a File.
type kotlinReader struct {
	*plainReader
	generic []string // type parameters around, for what is read later
}

func parseKotlin(c *collector) error {
	p, err := newPlainReader(c, grammar.Kotlin, easierKotlin)
	if err != nil {
		return err
	}
	r := &kotlinReader{plainReader: p}
	c.file.Doc = headDoc(r.root, "line_comment", "multiline_comment")
	r.items(r.root, -1)
	r.bodies()
	r.rescue(rescueKotlin)
	return nil
}

var rescueKotlin = rescue{
	regexp.MustCompile(`(?m)^[ \t]*(?:@\w+[ \t]+)*(?:(?:public|private|internal|protected|open|abstract|sealed|data|inner|value|inline|override|suspend|operator|infix|tailrec|external|expect|actual|companion|annotation|const|lateinit)[ \t]+)*(fun|class|interface|object|typealias|enum class|fun interface)[ \t]+(?:<[^>\n]*>[ \t]*)?(?:[\w<>?, ]+\.)?([A-Za-z_]\w*)`),
	map[string]Kind{"fun": Function, "class": Class, "interface": Interface, "object": Object, "typealias": Type, "enum class": Enum, "fun interface": Interface},
}

var (
	kotlinFunInterface = regexp.MustCompile(`\bfun[ \t]+interface\b`)
	kotlinDelegation   = regexp.MustCompile(`\bby[ \t]+[\w.]+(?:\([^()\n]*\))?[ \t]*\{`)
	kotlinPlatform     = regexp.MustCompile(`\b(?:actual|expect)[ \t]+\b`)
	kotlinHead         = regexp.MustCompile(`\b(?:class|object)\b|^[ \t]*[):]`)
)

// easierKotlin blanks what the grammar does not know: the "fun" of a
// functional interface, the words that tie platforms together, and the object
// that a class delegates to where the class's body would be read as its
// argument.
func easierKotlin(src []byte) []byte {
	out := bytes.Clone(src)
	for _, m := range kotlinFunInterface.FindAllIndex(src, -1) {
		blank(out[m[0] : m[0]+len("fun")])
	}
	for _, m := range kotlinPlatform.FindAllIndex(src, -1) {
		blank(out[m[0]:m[1]])
	}
	for _, m := range kotlinDelegation.FindAllIndex(src, -1) {
		line := bytes.LastIndexByte(src[:m[0]], '\n') + 1
		if kotlinHead.Match(src[line:m[0]]) {
			blank(out[m[0] : m[1]-1])
		}
	}
	return out
}

// items reads what stands in a file or in a class's body.
func (r *kotlinReader) items(body grammar.Node, parent int) {
	hidden := ""
	for n, doc := range documented(body, "line_comment", "multiline_comment") {
		if doc == "" {
			doc = hidden
		}
		hidden = ""
		if n.Is("import_list", "package_header") { // the comment behind it is in it
			hidden = lastComment(n)
		}
		r.item(n, parent, doc)
	}
}

// lastComment is the sentence of the comment that a node ends with.
func lastComment(n grammar.Node) string {
	for c := lastChild(n); c.Ok(); c = lastChild(c) {
		if c.Is("multiline_comment", "line_comment") {
			text := uncomment(clip(c.Text(), 16*maxDoc))
			if legal(text) {
				return ""
			}
			return firstSentence(cutTags("\n" + plainJavadoc(text)))
		}
	}
	return ""
}

func (r *kotlinReader) item(n grammar.Node, parent int, doc string) {
	switch n.Kind() {
	case "package_header":
		r.file.Module = strings.Join(strings.Fields(n.Child("identifier").Text()), "")
	case "import_list":
		for c := range n.Children() {
			r.item(c, parent, "")
		}
	case "import_header":
		r.importHeader(n)
	case "class_declaration", "object_declaration", "companion_object":
		r.typeLike(n, parent, doc)
	case "function_declaration", "secondary_constructor":
		r.function(n, parent, doc)
	case "property_declaration":
		r.property(n, parent, doc)
	case "type_alias":
		name := n.Child("type_identifier")
		r.define(parent, Definition{Name: kotlinName(name), Kind: Type, Line: name.Line(), EndLine: n.EndLine(), Doc: doc,
			Signature: signature(headText(n, n.End())), Exported: r.exported(n, parent), Result: kotlinType(lastChild(n))})
	case "enum_entry":
		r.enumEntry(n, parent, doc)
	case "anonymous_initializer":
		r.later(parent, func() { r.uses(n) })
	case "getter", "setter":
		r.later(parent, func() { r.uses(n) })
	case "ERROR", "statements", "class_body":
		r.items(n, parent)
	default:
		if parent < 0 { // of a script
			r.later(-1, func() { r.use(n) })
		}
	}
}

func (r *kotlinReader) importHeader(n grammar.Node) {
	path := strings.Join(strings.Fields(n.Child("identifier").Text()), "")
	imp := Import{Path: path, Name: "*", Line: n.Line()}
	if !n.Has("wildcard_import") {
		imp.Path, imp.Name = cutLast(path)
		imp.Alias = kotlinName(n.Child("import_alias").Child("type_identifier", "simple_identifier"))
	}
	r.bring(imp)
}

// kotlinName is an identifier without the ticks that let it be any text.
func kotlinName(n grammar.Node) string { return strings.Trim(n.Text(), "`") }

func kotlinModifier(n grammar.Node, word string) bool {
	for m := range n.Child("modifiers").Children() {
		if m.Text() == word {
			return true
		}
	}
	return false
}

func (r *kotlinReader) exported(n grammar.Node, parent int) bool {
	if kotlinModifier(n, "private") {
		return false
	}
	return parent < 0 || r.file.Definitions[parent].Exported
}

// kotlinHeadText is a definition's head without its annotations.
func kotlinHeadText(n grammar.Node, end int) string {
	start := n.Start()
	if m := n.Child("modifiers"); m.Ok() && m.Start() == start {
		start = m.Next().Start()
		for c := range m.Children() {
			if !c.Is("annotation", "line_comment", "multiline_comment") {
				start = c.Start()
				break
			}
		}
	}
	text := n.Tree().Slice(start, min(max(end, start), start+4*maxSignature))
	return strings.TrimRight(strings.TrimSpace(text), " \t\n{=")
}

func (r *kotlinReader) typeLike(n grammar.Node, parent int, doc string) {
	name, body := n.Child("type_identifier"), n.Child("class_body", "enum_class_body")
	d := Definition{Name: kotlinName(name), Kind: Class, Line: name.Line(), EndLine: n.EndLine(), Doc: doc,
		Signature: signature(kotlinHeadText(n, headEnd(n, body))), Exported: r.exported(n, parent)}
	switch {
	case n.Is("companion_object"):
		d.Kind = Object
		if !name.Ok() {
			d.Name, d.Line = "Companion", n.Line()
		}
	case n.Is("object_declaration"):
		d.Kind = Object
	case n.Has("interface"):
		d.Kind = Interface
	case n.Has("enum"):
		d.Kind = Enum
	}
	if d.Name == "" {
		return
	}
	i := r.define(parent, d)
	outer := len(r.generic)
	r.generic = append(r.generic, kotlinGenerics(n)...)
	r.in(i, func() {
		r.ancestors(n, i, d.Kind)
		r.constructor(n.Child("primary_constructor"), i)
		r.items(body, i)
	})
	r.generic = r.generic[:outer]
}

func kotlinGenerics(n grammar.Node) []string {
	var found []string
	for p := range n.Child("type_parameters").Children() {
		if name := p.Child("type_identifier"); name.Ok() {
			found = append(found, name.Text())
		}
	}
	return found
}

// later is a plainReader's, with the type parameters around as local names.
func (r *kotlinReader) later(i int, read func()) {
	generic := append([]string(nil), r.generic...)
	r.plainReader.later(i, func() {
		for _, name := range generic {
			r.bind(name, value{})
		}
		read()
	})
}

// ancestors tells what a type has behind its colon: a class is called, an
// interface is not.
func (r *kotlinReader) ancestors(n grammar.Node, i int, kind Kind) {
	for s := range n.Children() {
		if !s.Is("delegation_specifier") {
			continue
		}
		rel, typ := Implements, s.Child("user_type", "constructor_invocation", "explicit_delegation")
		switch {
		case typ.Is("constructor_invocation"):
			rel = Inherits
			args := typ.Child("value_arguments")
			r.later(i, func() {
				r.bindConstructor(n.Child("primary_constructor"))
				r.use(args)
			})
			typ = typ.Child("user_type")
		case typ.Is("explicit_delegation"):
			typ = typ.Child("user_type")
		}
		if kind == Interface {
			rel = Inherits
		}
		if name := kotlinType(typ); name != "" {
			scope, last := cutLast(name)
			r.refer(Reference{From: i, Relation: rel, Name: last, Qualifier: scope, Line: typ.Line()})
		}
	}
}

// constructor reads the parameters of a class: those with val or var are
// properties.
func (r *kotlinReader) constructor(list grammar.Node, i int) {
	for p := range list.Children() {
		name := p.Child("simple_identifier")
		if !p.Is("class_parameter") || !name.Ok() {
			continue
		}
		typ := kotlinParameterType(p)
		r.later(i, func() { r.types(typ) })
		if !p.Has("binding_pattern_kind") {
			continue
		}
		r.setField(r.class, kotlinName(name), value{typ: kotlinType(typ)})
		r.define(i, Definition{Name: kotlinName(name), Kind: Field, Line: name.Line(), EndLine: p.EndLine(),
			Signature: signature(kotlinHeadText(p, p.End())), Exported: r.exported(p, i), Result: kotlinType(typ)})
	}
}

func (r *kotlinReader) bindConstructor(list grammar.Node) {
	for p := range list.Children() {
		r.bind(kotlinName(p.Child("simple_identifier")), value{typ: kotlinType(kotlinParameterType(p))})
	}
}

func (r *kotlinReader) enumEntry(n grammar.Node, parent int, doc string) {
	name, body := n.Child("simple_identifier"), n.Child("class_body")
	class := ""
	if parent >= 0 {
		class = r.file.Definitions[parent].Name
	}
	i := r.define(parent, Definition{Name: kotlinName(name), Kind: EnumCase, Line: name.Line(), EndLine: n.EndLine(), Doc: doc,
		Signature: signature(kotlinHeadText(n, headEnd(n, body))), Exported: parent >= 0 && r.file.Definitions[parent].Exported, Result: class})
	r.later(i, func() { r.use(n.Child("value_arguments")) })
	r.items(body, i)
}
