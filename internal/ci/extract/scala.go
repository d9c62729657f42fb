package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A scalaReader turns a Scala syntax tree into a File.
type scalaReader struct {
	*treeReader
}

func parseScala(c *collector) error {
	t, err := newTreeReader(c, grammar.Scala)
	if err != nil {
		return err
	}
	r := &scalaReader{t}
	r.learn(r.root, "")
	r.push()
	r.template(r.root, -1)
	r.pop()
	r.rescue(rescueScala)
	return nil
}

// learn notes the types of fields and results of the whole file before it is
// read.
func (r *scalaReader) learn(body grammar.Node, class string) {
	for n := range body.Children() {
		switch n.Kind() {
		case "class_definition", "trait_definition", "object_definition", "enum_definition", "package_object":
			name := n.Get("name").Text()
			r.types[name] = true
			if class != "" {
				name = class + "." + name
			}
			for p := range classParameters(n) {
				r.setField(name, p.Get("name").Text(), value{typ: scalaType(p.Get("type"))})
			}
			r.learn(n.Get("body"), name)
		case "package_clause", "template_body", "ERROR":
			r.learn(n, class)
			r.learn(n.Get("body"), class)
		case "val_definition", "var_definition", "val_declaration", "var_declaration":
			name := n.Get("pattern")
			if !name.Ok() {
				name = n.Get("name")
			}
			if name.Is("identifier") {
				v := value{typ: scalaType(n.Get("type"))}
				if v.typ == "" {
					v = r.typeOf(n.Get("value"))
				}
				r.setField(class, name.Text(), v)
			}
		case "function_definition", "function_declaration":
			name := n.Get("name").Text()
			if class != "" {
				name = class + "." + name
			}
			r.results[name] = scalaType(n.Get("return_type"))
		}
	}
}

// classParameters yields the parameters of a class, all its lists together.
func classParameters(n grammar.Node) func(func(grammar.Node) bool) {
	return func(yield func(grammar.Node) bool) {
		for list := range n.Children() {
			if !list.Is("class_parameters") {
				continue
			}
			for p := range list.Children() {
				if p.Is("class_parameter") && !yield(p) {
					return
				}
			}
		}
	}
}

// template reads the statements of a file, package, class or block.
func (r *scalaReader) template(body grammar.Node, parent int) {
	for n, comments := range commented(body, "comment", "block_comment") {
		r.statement(n, parent, comments)
	}
}

func scalaDoc(n grammar.Node, comments []grammar.Node) string {
	if len(comments) == 0 {
		return ""
	}
	last := comments[len(comments)-1]
	if last.Is("block_comment") {
		if legal(last.Text()) || last.EndLine() < n.Line()-1 {
			return ""
		}
		return firstSentence(cutTags(uncomment(last.Text())))
	}
	return firstSentence(commentsAbove(n, comments))
}

func (r *scalaReader) statement(n grammar.Node, parent int, comments []grammar.Node) {
	local := parent >= 0 && r.callable(parent)
	switch n.Kind() {
	case "package_clause":
		if name := n.Get("name").Text(); name != "" {
			name = strings.Join(strings.Fields(name), "")
			if r.file.Module != "" && !n.Get("body").Ok() {
				name = r.file.Module + "." + name
			}
			if r.file.Module == "" || !n.Get("body").Ok() {
				r.file.Module = name
			}
		}
		r.template(n.Get("body"), parent)
	case "import_declaration", "export_declaration":
		r.importDeclaration(n)
	case "class_definition", "trait_definition", "object_definition", "enum_definition", "package_object":
		r.classLike(n, parent, scalaDoc(n, comments))
	case "enum_case_definitions":
		for c := range n.Children() {
			if c.Is("simple_enum_case", "full_enum_case") {
				r.enumCase(c, parent, scalaDoc(n, comments))
			}
		}
	case "function_definition", "function_declaration":
		r.function(n, parent, scalaDoc(n, comments), "")
	case "val_definition", "var_definition", "val_declaration", "var_declaration":
		if local {
			r.typeUses(n.Get("type"))
			r.expression(n.Get("value"))
			return
		}
		r.variable(n, parent, scalaDoc(n, comments))
	case "type_definition":
		r.typeMember(n, parent, scalaDoc(n, comments), local)
	case "given_definition":
		r.given(n, parent, scalaDoc(n, comments))
	case "extension_definition":
		r.extension(n, parent, scalaDoc(n, comments))
	case "template_body", "enum_body", "ERROR":
		r.template(n, parent)
	case "self_type":
		for c := range n.Children() {
			if c.Is("identifier") {
				r.bind(c.Text(), value{typ: r.class})
			} else {
				r.typeUses(c)
			}
		}
	default:
		r.expression(n)
	}
}

func (r *scalaReader) callable(i int) bool {
	k := r.file.Definitions[i].Kind
	return k == Function || k == Method
}

// modifier reports whether a definition is marked so: "implicit", "case".
func modifier(n grammar.Node, word string) bool {
	for w := range strings.FieldsSeq(n.Child("modifiers").Text()) {
		if w == word {
			return true
		}
	}
	return n.Has(word)
}

func (r *scalaReader) exported(n grammar.Node, parent int) bool {
	access := n.Child("modifiers").Child("access_modifier").Text()
	if strings.HasPrefix(access, "private") || strings.HasPrefix(access, "protected") {
		return false
	}
	return parent < 0 || !r.callable(parent) && r.file.Definitions[parent].Exported
}

// declared is a definition's source from its modifiers to its end, without
// annotations.
func declared(n grammar.Node, end int) string {
	start := n.Start()
	for c := range n.All() {
		if !c.Is("annotation") {
			start = c.Start()
			break
		}
	}
	return n.Tree().Slice(start, end)
}

var scalaKinds = map[string]Kind{
	"class_definition": Class, "trait_definition": Trait, "object_definition": Object,
	"enum_definition": Enum, "package_object": Object,
}

func (r *scalaReader) classLike(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	end := headEnd(n, body)
	kind := scalaKinds[n.Kind()]
	d := Definition{
		Name:      name.Text(),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(declared(n, end)),
		Doc:       doc,
		Exported:  r.exported(n, parent),
	}
	bases := scalaBases(n.Get("extend"))
	for _, b := range bases {
		_, last := cutLast(b)
		switch {
		case kind == Object && (last == "App" || strings.HasSuffix(b, "IOApp") || strings.HasSuffix(b, "IOApp.Simple") || strings.HasPrefix(last, "ZIOApp")):
			d.Entry = true
		case kind == Class && (strings.HasSuffix(last, "Suite") || strings.HasSuffix(last, "Spec") || strings.HasSuffix(last, "Properties")):
			d.Test = strings.HasSuffix(d.Name, "Suite") || strings.HasSuffix(d.Name, "Spec") || strings.HasSuffix(d.Name, "Test") || strings.HasSuffix(d.Name, "Tests")
		}
	}
	i := r.define(parent, d)
	class := r.class
	r.class = d.Name
	if class != "" {
		r.class = class + "." + d.Name
	}
	r.within(i, func() {
		r.push()
		r.classHead(n, i, modifier(n, "case"))
		r.template(body, i)
		r.pop()
	})
	r.class = class
}

// classHead reads annotations, type parameters, parameters and what is
// extended.
func (r *scalaReader) classHead(n grammar.Node, i int, fields bool) {
	for c := range n.Children() {
		switch c.Kind() {
		case "annotation":
			r.typeUses(c)
		case "type_parameters":
			r.typeParameters(c)
		}
	}
	for p := range classParameters(n) {
		name := p.Get("name")
		typ := scalaType(p.Get("type"))
		r.typeUses(p.Get("type"))
		r.expression(p.Get("default_value"))
		if fields || p.Has("val") || p.Has("var") {
			r.define(i, Definition{
				Name:      name.Text(),
				Kind:      Field,
				Line:      name.Line(),
				EndLine:   p.EndLine(),
				Signature: signature(clip(p.Text(), 2*maxSignature)),
				Exported:  r.exported(p, i),
			})
			continue
		}
		r.bind(name.Text(), value{typ: typ})
	}
	r.ancestors(n.Get("extend"))
	r.ancestors(n.Get("derive"))
}

// scalaBases lists the names of what is extended.
func scalaBases(extend grammar.Node) []string {
	var list []string
	for c := range extend.Children() {
		if c.Field() != "type" && !c.Is("type_identifier", "stable_type_identifier", "generic_type", "compound_type") {
			continue
		}
		if c.Is("compound_type") {
			for t := range c.Children() {
				list = append(list, baseName(t))
			}
			continue
		}
		list = append(list, baseName(c))
	}
	return list
}

func baseName(t grammar.Node) string {
	if t.Is("generic_type") {
		t = t.Get("type")
	}
	return t.Text()
}

// ancestors tells what a definition extends: the first is a class or trait,
// as far as syntax can tell, the others are traits.
func (r *scalaReader) ancestors(extend grammar.Node) {
	rel := Inherits
	for c := range extend.Children() {
		switch {
		case c.Is("arguments"):
			r.expression(c)
		case c.Is("compound_type"):
			for t := range c.Children() {
				r.ancestor(rel, t)
				rel = Implements
			}
		default:
			r.ancestor(rel, c)
			rel = Implements
		}
	}
}

func (r *scalaReader) ancestor(rel string, t grammar.Node) {
	switch t.Kind() {
	case "type_identifier", "identifier":
		if !scalaPredef[t.Text()] || r.types[t.Text()] {
			r.use(rel, t, "", value{})
		}
	case "stable_type_identifier":
		qual, last := cutLast(strings.Join(strings.Fields(t.Text()), ""))
		r.refer(Reference{From: r.from, Relation: rel, Name: last, Qualifier: qual, Line: t.Line()})
	case "generic_type":
		r.ancestor(rel, t.Get("type"))
		r.typeUses(t.Get("type_arguments"))
	default:
		r.typeUses(t)
	}
}

func (r *scalaReader) enumCase(n grammar.Node, parent int, doc string) {
	name := n.Get("name")
	i := r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      EnumCase,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature("case " + clip(n.Text(), 2*maxSignature)),
		Doc:       doc,
		Exported:  r.exported(n, parent),
	})
	r.within(i, func() {
		r.push()
		r.classHead(n, i, true)
		r.pop()
	})
}
