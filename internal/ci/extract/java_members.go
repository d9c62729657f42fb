package extract

import (
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

func (r *javaReader) callable(i int) bool {
	k := r.file.Definitions[i].Kind
	return k == Function || k == Method
}

func javaModifier(n grammar.Node, word string) bool { return n.Child("modifiers").Has(word) }

// exported reports what is public all the way out; what stands in an
// interface is public by itself.
func (r *javaReader) exported(n grammar.Node, parent int) bool {
	if parent < 0 {
		return javaModifier(n, "public")
	}
	p := r.file.Definitions[parent]
	return p.Exported && !r.callable(parent) && (javaModifier(n, "public") || p.Kind == Interface && !javaModifier(n, "private"))
}

// javaDeclared is a definition's source without its annotations.
func javaDeclared(n grammar.Node, end int) string {
	start := n.Start()
	for c := range n.All() {
		if !c.Is("modifiers") {
			start = c.Start()
			break
		}
		found := false
		for m := range c.All() {
			if !m.Is("annotation", "marker_annotation", "line_comment", "block_comment") {
				start, found = m.Start(), true
				break
			}
		}
		if found {
			break
		}
	}
	if end <= start {
		end = n.End()
	}
	text := n.Tree().Slice(start, min(end, start+4*maxSignature))
	return strings.TrimSuffix(strings.TrimSpace(text), ";")
}

// javaTests holds the annotations of test methods.
var javaTests = names("Test ParameterizedTest RepeatedTest TestFactory TestTemplate")

func (r *javaReader) method(n grammar.Node, parent int, doc string) {
	name, body := n.Get("name"), n.Get("body")
	if name.Text() == "" {
		return
	}
	end := headEnd(n, body)
	r.push()
	defer r.pop()
	r.typeParameters(n.Get("type_parameters"))
	d := Definition{
		Name:      name.Text(),
		Kind:      Method,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(javaDeclared(n, end)),
		Doc:       doc,
		Exported:  r.exported(n, parent),
		Result:    r.typeName(n.Get("type")),
	}
	d.Entry = d.Name == "main" && javaModifier(n, "public") && javaModifier(n, "static") && javaMainArgument.MatchString(n.Get("parameters").Text())
	d.Test = r.testCase && strings.HasPrefix(d.Name, "test") && javaModifier(n, "public")
	for a := range n.Child("modifiers").Children() {
		if _, last := cutLast(a.Get("name").Text()); javaTests[last] {
			d.Test = true
		}
	}
	i := r.define(parent, d)
	r.within(i, func() {
		r.annotations(n)
		r.boundUses(n.Get("type_parameters"))
		r.parameters(n.Get("parameters"))
		r.typeUses(n.Get("type"))
		r.typeUses(n.Child("throws"))
		r.expression(n.Get("value"))
		r.expression(body)
	})
}

var javaMainArgument = regexp.MustCompile(`^\(\s*(?:final\s+)?String\s*(?:\[\s*\]|\.\.\.)|^\(\s*(?:final\s+)?String\s+\w+\s*\[`)

// parameters binds a method's parameters, and tells the types they have.
func (r *javaReader) parameters(list grammar.Node) {
	for p := range list.Children() {
		r.annotations(p)
		switch p.Kind() {
		case "formal_parameter":
			r.typeUses(p.Get("type"))
			r.bind(p.Get("name").Text(), value{typ: r.dimensioned(p, r.typeName(p.Get("type")))})
		case "spread_parameter":
			v := value{}
			for c := range p.Children() {
				if c.Is("variable_declarator") {
					r.bind(c.Get("name").Text(), v)
				} else if !c.Is("modifiers") {
					r.typeUses(c)
					if v.typ = r.typeName(c); v.typ != "" {
						v.typ += "[]"
					}
				}
			}
		}
	}
}

func (r *javaReader) fieldDeclaration(n grammar.Node, parent int, doc string) {
	typ := n.Get("type")
	if len(r.bodies) > 0 { // of a class without a name: as local as a variable
		r.localVariables(n)
		return
	}
	kind := Field
	if n.Is("constant_declaration") || javaModifier(n, "static") && javaModifier(n, "final") {
		kind = Constant
	}
	first := true
	for d := range n.Children() {
		name := d.Get("name")
		if !d.Is("variable_declarator") || name.Text() == "" {
			continue
		}
		val := d.Get("value")
		end := d.End()
		switch body := val.Child("class_body"); {
		case body.Ok():
			end = body.Start()
		case val.Is("lambda_expression", "array_initializer", "switch_expression"):
			end = name.End()
		}
		sig := javaDeclared(n, typ.End()) + " " + clip(n.Tree().Slice(d.Start(), min(end, d.Start()+2*maxSignature)), 2*maxSignature)
		i := r.define(parent, Definition{
			Name:      name.Text(),
			Kind:      kind,
			Line:      name.Line(),
			EndLine:   d.EndLine(),
			Signature: signature(sig),
			Doc:       doc,
			Exported:  r.exported(n, parent),
			Result:    r.dimensioned(d, r.typeName(typ)),
		})
		r.within(i, func() {
			if first {
				r.annotations(n)
				r.typeUses(typ)
			}
			r.push()
			r.expression(val)
			r.pop()
		})
		first = false
	}
}

// javaDoc is the first sentence of the comment above a definition.
func javaDoc(n grammar.Node, comments []grammar.Node) string {
	if len(comments) == 0 {
		return ""
	}
	last := comments[len(comments)-1]
	text := last.Text()
	switch {
	case !last.Is("block_comment"):
		text = commentsAbove(n, comments)
	case last.EndLine() < n.Line()-1:
		return ""
	default:
		text = uncomment(clip(text, 16*maxDoc))
	}
	if legal(text) && !last.Is("block_comment") || legal(text) && !strings.HasPrefix(last.Text(), "/**") {
		return ""
	}
	return firstSentence(plainJavadoc(cutTags("\n" + text)))
}

var (
	javadocInline = regexp.MustCompile(`\{@\w+\s+([^{}]*)\}`)
	javadocTag    = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)
	javadocMarks  = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#64;", "@", "&nbsp;", " ", "&amp;", "&")
)

// plainJavadoc takes the markup out of a comment: "{@link Foo}" is Foo.
func plainJavadoc(text string) string {
	if !strings.ContainsAny(text, "{<&") {
		return text
	}
	text = javadocTag.ReplaceAllStringFunc(text, func(tag string) string {
		if strings.EqualFold(tag, "<p>") {
			return "\n\n"
		}
		return ""
	})
	text = javadocInline.ReplaceAllStringFunc(text, func(tag string) string {
		m := javadocInline.FindStringSubmatch(tag)[1]
		if strings.HasPrefix(tag, "{@link") {
			if i := strings.LastIndexAny(m, " \t\n"); i >= 0 && !strings.Contains(m[i:], ")") {
				m = m[i+1:]
			}
			m = strings.ReplaceAll(strings.TrimPrefix(m, "#"), "#", ".")
		}
		return m
	})
	return javadocMarks.Replace(text)
}
