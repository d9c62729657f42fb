package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A rubyReader turns a Ruby syntax tree into a File.
type rubyReader struct {
	*treeReader
	parent   int             // the class, module or task namespace around, or -1
	method   string          // the method around, "" outside of one
	hidden   bool            // what follows in this body is private
	testCase bool            // the class around holds tests
	started  map[string]bool // what the file calls when it is the program
	desc     string          // what `desc "…"` says of the next task
	guarded  bool            // the place is under `if __FILE__ == $0`
}

func parseRuby(c *collector) error {
	t, err := newTreeReader(c, grammar.Ruby)
	if err != nil {
		return err
	}
	r := &rubyReader{treeReader: t, parent: -1, started: make(map[string]bool)}
	r.file.Doc = headOf(r.root, "class", "module", "method", "singleton_method")
	r.learn(r.root, "")
	r.push()
	r.body(r.root)
	r.pop()
	for i := range r.file.Definitions {
		d := &r.file.Definitions[i]
		d.Entry = d.Parent < 0 && r.started[d.Name]
	}
	r.rescue(rescueRuby)
	return nil
}

// learn notes what instance variables hold.
func (r *rubyReader) learn(n grammar.Node, class string) {
	for c := range n.Children() {
		switch c.Kind() {
		case "class", "module":
			r.learn(c, dottedName(class, rubyPath(c.Get("name"))))
			continue
		case "assignment", "operator_assignment":
			if left := c.Get("left"); left.Is("instance_variable") {
				r.setField(class, left.Text(), r.typeOf(c.Get("right")))
			}
		}
		r.learn(c, class)
	}
}

// rubyPath is a constant's path with dots: "A.B" of A::B.
func rubyPath(n grammar.Node) string {
	return strings.ReplaceAll(strings.TrimPrefix(short(n), "::"), "::", ".")
}

// body reads statements, each with the comments above it.
func (r *rubyReader) body(n grammar.Node) {
	for c, comments := range commented(n, "comment") {
		r.statement(c, comments)
	}
}

func (r *rubyReader) statement(n grammar.Node, comments []grammar.Node) {
	switch n.Kind() {
	case "module":
		r.classLike(n, rubyModule(n.Get("body")), comments)
	case "class":
		r.classLike(n, Class, comments)
	case "singleton_class":
		r.inside(r.parent, r.class, func() { r.body(n.Get("body")) })
	case "method", "singleton_method":
		r.methodDefinition(n, comments)
	case "alias":
		r.alias(n.Get("name"), n)
	case "assignment":
		r.assignment(n, comments)
	case "call":
		r.call(n, comments)
	case "identifier":
		switch name := n.Text(); {
		case name == "private" || name == "protected":
			r.hidden = r.method == "" && r.parent >= 0 || r.hidden
		case name == "public" || name == "module_function":
			r.hidden = false
		default:
			r.expression(n)
		}
	case "body_statement", "block_body", "then", "else", "begin", "ensure", "ERROR":
		r.body(n)
	case "if", "unless":
		guarded := r.guarded
		cond := short(n.Get("condition"))
		r.guarded = guarded || strings.Contains(cond, "__FILE__") && (strings.Contains(cond, "$0") || strings.Contains(cond, "$PROGRAM_NAME"))
		for c := range n.Children() {
			r.statement(c, nil)
		}
		r.guarded = guarded
	default:
		r.expression(n)
	}
}

// rubyModule tells a module that has methods to mix in from one that only
// holds other names.
func rubyModule(body grammar.Node) Kind {
	if body.Has("method") {
		return Trait
	}
	return Namespace
}

// inside reads something as the body of a class or namespace.
func (r *rubyReader) inside(i int, class string, read func()) {
	parent, outer, hidden, method, testCase := r.parent, r.class, r.hidden, r.method, r.testCase
	r.parent, r.class, r.hidden, r.method = i, class, false, ""
	r.push()
	read()
	r.pop()
	r.parent, r.class, r.hidden, r.method, r.testCase = parent, outer, hidden, method, testCase
}

func (r *rubyReader) classLike(n grammar.Node, kind Kind, comments []grammar.Node) {
	name, super, body := n.Get("name"), n.Get("superclass"), n.Get("body")
	last := name
	if name.Is("scope_resolution") {
		last = name.Get("name")
	}
	if last.Text() == "" {
		return
	}
	end := name.End()
	if super.Ok() {
		end = super.End()
	}
	i := r.open(Definition{
		Name:      last.Text(),
		Kind:      kind,
		Line:      last.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), end)),
		Doc:       rubyDoc(n, comments),
		Exported:  true,
	}, rubyPath(name.Get("scope")))
	r.types[last.Text()] = true
	r.inside(i, r.file.Definitions[i].Qualified(), func() {
		r.within(i, func() {
			for c := range super.Children() {
				r.ancestor(Inherits, c)
			}
			base := super.Text()
			r.testCase = strings.HasSuffix(base, "Test") || strings.HasSuffix(base, "TestCase")
			r.body(body)
		})
	})
}

// open defines a class, or finds the one of this file that is opened again.
// The scope is what its name is written with: "A" of `class A::B`.
func (r *rubyReader) open(d Definition, scope string) int {
	name := d.Name
	if scope != "" {
		d.Container = scope
		if r.parent >= 0 {
			d.Container = dottedName(r.file.Definitions[r.parent].Qualified(), scope)
		}
		name = scope + "." + name
	}
	if old, ok := r.find(r.parent, name); ok {
		if o := &r.file.Definitions[old]; o.Doc == "" {
			o.Doc = d.Doc
		}
		return old
	}
	i := r.define(r.parent, d)
	if scope != "" && r.parent < 0 {
		r.adopt(i, scope)
	}
	r.byName[place{r.parent, name}] = i
	return i
}

func (r *rubyReader) methodDefinition(n grammar.Node, comments []grammar.Node) {
	name, params, body := n.Get("name"), n.Get("parameters"), n.Get("body")
	if name.Text() == "" {
		return
	}
	end := name.End()
	if params.Ok() {
		end = params.End()
	}
	single := n.Is("singleton_method")
	d := Definition{
		Name:      name.Text(),
		Kind:      Function,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), end)),
		Doc:       rubyDoc(n, comments),
		Exported:  !r.hidden || single,
		Test:      r.testCase && strings.HasPrefix(name.Text(), "test_"),
	}
	if r.parent >= 0 && r.file.Definitions[r.parent].Kind != Function {
		d.Kind = Method
	}
	i := r.define(r.parent, d)
	method := r.method
	r.method = d.Name
	r.within(i, func() {
		r.push()
		r.parameters(params)
		switch {
		case body.Is("body_statement"):
			r.body(body)
		case body.Ok():
			r.statement(body, nil)
		}
		r.pop()
	})
	r.method = method
}

// parameters binds the names of a method or block, and reads their defaults.
func (r *rubyReader) parameters(list grammar.Node) {
	for p := range list.Children() {
		switch p.Kind() {
		case "identifier":
			r.bind(p.Text(), value{})
		case "destructured_parameter":
			r.parameters(p)
		default:
			r.bind(p.Get("name").Text(), value{})
			r.expression(p.Get("value"))
		}
	}
}

// rubyDoc is the first sentence of the comment above a definition, without
// what tools read.
func rubyDoc(n grammar.Node, comments []grammar.Node) string {
	var lines []string
	for line := range strings.Lines(commentsAbove(n, comments)) {
		switch word, _, _ := strings.Cut(strings.TrimSpace(line), ":"); word {
		case "frozen_string_literal", "encoding", "rubocop", "typed", "warn_indent", "shareable_constant_value", "=begin", "=end", "":
			if strings.TrimSpace(line) == "" {
				lines = append(lines, "\n")
			}
		default:
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "")
	if legal(text) {
		return ""
	}
	return firstSentence(cutTags("\n" + text))
}
