package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A javaReader turns a Java syntax tree into a File.
type javaReader struct {
	*treeReader
	memo
	bodies   []javaBody // of the classes without a name around the place, innermost last
	testCase bool       // the class around is a test case of the old kind
}

// A javaBody is the body of `new T() { … }` or of an enum's constant.
type javaBody struct {
	base    string // T
	methods map[string]bool
}

func parseJava(c *collector) error {
	t, err := newTreeReader(c, grammar.Java)
	if err != nil {
		return err
	}
	r := &javaReader{treeReader: t, memo: newMemo()}
	r.learn(r.root, "")
	r.push()
	r.members(r.root, -1)
	r.pop()
	r.rescue(rescueJava)
	return nil
}

var javaKinds = map[string]Kind{
	"class_declaration": Class, "record_declaration": Class, "interface_declaration": Interface,
	"annotation_type_declaration": Interface, "enum_declaration": Enum,
}

// learn notes the types of fields and results of the whole file before it is
// read.
func (r *javaReader) learn(body grammar.Node, class string) {
	for n := range body.Children() {
		switch n.Kind() {
		case "class_declaration", "record_declaration", "interface_declaration", "annotation_type_declaration", "enum_declaration":
			r.learnClass(n, class)
		case "enum_constant":
			r.setField(class, n.Get("name").Text(), value{typ: class})
		case "enum_body_declarations", "ERROR":
			r.learn(n, class)
		case "field_declaration", "constant_declaration":
			typ := r.typeName(n.Get("type"))
			for d := range n.Children() {
				if d.Is("variable_declarator") {
					r.setField(class, d.Get("name").Text(), value{typ: r.dimensioned(d, typ)})
				}
			}
		case "method_declaration", "annotation_type_element_declaration":
			r.push()
			r.typeParameters(n.Get("type_parameters"))
			key := class + "." + n.Get("name").Text()
			typ := r.typeName(n.Get("type"))
			if old, twin := r.results[key]; twin && old != typ { // overloads
				typ = ""
			}
			r.results[key] = typ
			r.pop()
		}
	}
}

func (r *javaReader) learnClass(n grammar.Node, class string) {
	name := n.Get("name").Text()
	r.types[name] = true
	if class != "" {
		name = class + "." + name
	}
	r.push()
	r.typeParameters(n.Get("type_parameters"))
	for p := range n.Get("parameters").Children() { // of a record
		typ := r.typeName(p.Get("type"))
		r.setField(name, p.Get("name").Text(), value{typ: typ})
		r.results[name+"."+p.Get("name").Text()] = typ
	}
	r.learn(n.Get("body"), name)
	r.pop()
}

// dimensioned is the type of `T x[]`.
func (r *javaReader) dimensioned(declarator grammar.Node, typ string) string {
	return r.arrayOf(typ, declarator.Child("dimensions"))
}

// arrayOf is an array of a type, with as many brackets as are written.
func (r *javaReader) arrayOf(typ string, dimensions grammar.Node) string {
	if typ == "" || !dimensions.Ok() {
		return typ
	}
	return typ + strings.Repeat("[]", strings.Count(dimensions.Text(), "["))
}

// members reads what stands in a file or in the body of a class.
func (r *javaReader) members(body grammar.Node, parent int) {
	for n, comments := range commented(body, "line_comment", "block_comment") {
		r.member(n, parent, comments)
	}
}

func (r *javaReader) member(n grammar.Node, parent int, comments []grammar.Node) {
	switch n.Kind() {
	case "package_declaration":
		if name := n.Child("scoped_identifier", "identifier"); name.Ok() {
			r.file.Module = strings.Join(strings.Fields(name.Text()), "")
		}
		r.file.Doc = javaDoc(n, comments)
		r.annotations(n)
	case "import_declaration":
		r.importDeclaration(n)
	case "class_declaration", "record_declaration", "interface_declaration", "annotation_type_declaration", "enum_declaration":
		r.classLike(n, parent, javaDoc(n, comments))
	case "enum_constant":
		r.enumConstant(n, parent, javaDoc(n, comments))
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration", "annotation_type_element_declaration":
		r.method(n, parent, javaDoc(n, comments))
	case "field_declaration", "constant_declaration":
		r.fieldDeclaration(n, parent, javaDoc(n, comments))
	case "enum_body_declarations", "ERROR":
		r.members(n, parent)
	case "static_initializer":
		for c := range n.Children() {
			r.expression(c)
		}
	case "module_declaration":
	default:
		r.expression(n)
	}
}

// importDeclaration reads `import a.b.C;`, `import a.b.*;` and the static
// ones, of which "static " and the class are the path.
func (r *javaReader) importDeclaration(n grammar.Node) {
	path := n.Child("scoped_identifier", "identifier")
	text := strings.Join(strings.Fields(path.Text()), "")
	imp := Import{Path: text, Name: "*", Line: n.Line()}
	if !n.Has("asterisk") {
		imp.Path, imp.Name = cutLast(text)
		if imp.Path == "" { // of the package without a name
			imp.Path, imp.Name = text, ""
		}
	}
	if n.Has("static") {
		imp.Path = "static " + imp.Path
	}
	r.bring(imp)
}

func (r *javaReader) classLike(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	i := r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      javaKinds[n.Kind()],
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(javaDeclared(n, body.Start())),
		Doc:       doc,
		Exported:  r.exported(n, parent),
	})
	class, bodies, testCase := r.class, r.bodies, r.testCase
	r.class = dottedName(class, name.Text())
	r.bodies = nil
	r.testCase = strings.HasSuffix(n.Get("superclass").Text(), "TestCase")
	r.within(i, func() {
		r.push()
		r.classHead(n, i)
		r.members(body, i)
		r.pop()
	})
	r.class, r.bodies, r.testCase = class, bodies, testCase
}

func dottedName(a, b string) string {
	if a == "" {
		return b
	}
	return a + "." + b
}

// classHead reads annotations, type parameters, a record's parts and what is
// extended.
func (r *javaReader) classHead(n grammar.Node, i int) {
	r.annotations(n)
	params := n.Get("type_parameters")
	r.typeParameters(params)
	r.boundUses(params)
	for p := range n.Get("parameters").Children() {
		r.annotations(p)
		r.typeUses(p.Get("type"))
		if name := p.Get("name"); name.Ok() {
			r.define(i, Definition{
				Name:      name.Text(),
				Kind:      Field,
				Line:      name.Line(),
				EndLine:   p.EndLine(),
				Signature: signature(javaDeclared(p, p.End())),
				Exported:  r.file.Definitions[i].Exported,
				Result:    r.typeName(p.Get("type")),
			})
		}
	}
	for c := range n.Children() {
		switch c.Kind() {
		case "superclass", "extends_interfaces":
			r.ancestors(Inherits, c)
		case "super_interfaces":
			r.ancestors(Implements, c)
		case "permits":
			r.typeUses(c)
		}
	}
}

// ancestors tells what a class extends or implements.
func (r *javaReader) ancestors(rel string, n grammar.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case "type_list":
			r.ancestors(rel, c)
		case "type_identifier", "scoped_type_identifier":
			r.typeUse(rel, c)
		case "generic_type":
			r.ancestors(rel, c)
		case "annotated_type":
			r.ancestors(rel, c)
		case "type_arguments":
			r.typeUses(c)
		}
	}
}

func (r *javaReader) enumConstant(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	end := headEnd(n, body)
	i := r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      EnumCase,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(n.Tree().Slice(name.Start(), end), 2*maxSignature)),
		Doc:       doc,
		Exported:  parent >= 0 && r.file.Definitions[parent].Exported,
		Result:    r.class,
	})
	r.within(i, func() {
		r.annotations(n)
		r.expression(n.Get("arguments"))
		r.body(body, r.class)
	})
}

// body reads the body of a class without a name; its methods belong to the
// definition around it.
func (r *javaReader) body(body grammar.Node, base string) {
	if !body.Ok() {
		return
	}
	own := javaBody{base: base, methods: make(map[string]bool)}
	for m := range body.Children() {
		if m.Is("method_declaration") {
			own.methods[m.Get("name").Text()] = true
		}
	}
	class := r.class
	r.class += ".{}" // nothing is known of it, but of those around it
	r.bodies = append(r.bodies, own)
	r.push()
	r.members(body, r.from)
	r.pop()
	r.bodies = r.bodies[:len(r.bodies)-1]
	r.class = class
}
