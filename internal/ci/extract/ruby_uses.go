package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// rubyPredeclared holds the functions that Ruby gives every object.
var rubyPredeclared = names(`ARGV ENV __FILE__ __LINE__ Array Float Integer String __callee__ __dir__ __method__ abort at_exit binding
	block_given? caller catch eval exit exit! fail format freeze gets lambda loop nil? object_id p pp print printf
	proc putc puts raise rand readline readlines select sleep sprintf srand system test throw trap warn
	require require_relative load class frozen? hash inspect is_a? kind_of? instance_of? respond_to? send
	public_send tap then dup clone itself instance_variable_get instance_variable_set`)

// ancestor tells what a class extends or includes.
func (r *rubyReader) ancestor(rel string, n grammar.Node) {
	switch n.Kind() {
	case "constant":
		r.use(rel, n, "", value{})
	case "scope_resolution":
		r.use(rel, n.Get("name"), short(n.Get("scope")), value{})
	default:
		r.expression(n)
	}
}

// assignment reads what is set: constants and globals are definitions.
func (r *rubyReader) assignment(n grammar.Node, comments []grammar.Node) {
	left, right := n.Get("left"), n.Get("right")
	targets := []grammar.Node{left}
	if left.Is("left_assignment_list") {
		targets = targets[:0]
		for c := range left.Children() {
			targets = append(targets, c)
		}
	}
	at := r.from
	for _, t := range targets {
		switch t.Kind() {
		case "identifier":
			v := value{}
			if len(targets) == 1 {
				v = r.typeOf(right)
			}
			r.bind(t.Text(), v)
		case "constant", "global_variable", "scope_resolution":
			if r.method == "" {
				at = r.constant(t, n, comments)
			}
		case "instance_variable", "class_variable":
		default:
			r.statement(t, nil)
		}
	}
	if at == r.from {
		r.statement(right, nil)
		return
	}
	r.within(at, func() { r.madeClass(at, right) })
}

// constant defines `LIMIT = 3`, and `Point = Struct.new(:x)` as the class
// that it makes.
func (r *rubyReader) constant(t, n grammar.Node, comments []grammar.Node) int {
	name, scope := t, ""
	if t.Is("scope_resolution") {
		name, scope = t.Get("name"), rubyPath(t.Get("scope"))
	}
	right := n.Get("right")
	d := Definition{
		Name:      name.Text(),
		Kind:      Constant,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), min(n.End(), n.Start()+2*maxSignature))),
		Doc:       rubyDoc(n, comments),
		Exported:  true,
	}
	if name.Is("global_variable") {
		d.Kind = Variable
	}
	if made := rubyMade(right); made != "" {
		d.Kind = Class
		if made == "Module" {
			d.Kind = Trait
		}
		d.Signature = signature(n.Tree().Slice(n.Start(), headEnd(n, right.Get("block"))))
	}
	return r.open(d, scope)
}

// rubyMade says which class's call makes a class: "Struct" of
// Struct.new(:x), "" of everything else.
func rubyMade(n grammar.Node) string {
	if !n.Is("call") {
		return ""
	}
	receiver, method := n.Get("receiver").Text(), n.Get("method").Text()
	switch receiver {
	case "Struct", "Class", "Module":
		if method == "new" {
			return receiver
		}
	case "Data":
		if method == "define" {
			return receiver
		}
	}
	return ""
}

// madeClass reads the right side of a constant.
func (r *rubyReader) madeClass(i int, right grammar.Node) {
	made := rubyMade(right)
	if made == "" {
		r.expression(right)
		return
	}
	r.inside(i, r.file.Definitions[i].Qualified(), func() {
		for a := range right.Get("arguments").Children() {
			if made == "Class" {
				r.ancestor(Inherits, a)
			} else {
				r.member(a, Field, right, nil)
			}
		}
		r.block(right.Get("block"))
	})
}

// block reads the block of a call.
func (r *rubyReader) block(n grammar.Node) {
	if !n.Ok() {
		return
	}
	r.push()
	r.parameters(n.Get("parameters"))
	r.body(n.Get("body"))
	r.pop()
}

func (r *rubyReader) call(n grammar.Node, comments []grammar.Node) {
	receiver, method := n.Get("receiver"), n.Get("method")
	if !receiver.Ok() && method.Ok() && r.macro(n, comments) {
		return
	}
	switch {
	case method.Is("super"):
		r.super(n)
	case !method.Ok(): // f.(x)
	case method.Text() == "new" && receiver.Is("constant", "scope_resolution"):
		r.create(receiver)
	case method.Text() == "new" && !receiver.Ok() && r.class != "":
		_, last := cutLast(r.class)
		r.refer(Reference{From: r.from, Relation: Calls, Name: last, Line: n.Line()})
	case !receiver.Ok():
		r.bare(method)
	default:
		r.use(Calls, method, short(receiver), r.typeOf(receiver))
	}
	if receiver.Ok() && !(method.Text() == "new" && receiver.Is("constant", "scope_resolution")) {
		r.statement(receiver, nil)
	}
	for a := range n.Get("arguments").Children() {
		r.statement(a, nil)
	}
	r.block(n.Get("block"))
}

// bare tells a call of a method without receiver.
func (r *rubyReader) bare(name grammar.Node) {
	text := name.Text()
	if rubyPredeclared[text] || r.local(text) {
		return
	}
	if r.guarded && r.method == "" {
		r.started[text] = true
	}
	r.use(Calls, name, "", value{})
}

// create tells a call of a class's new.
func (r *rubyReader) create(class grammar.Node) {
	if r.guarded && r.method == "" {
		r.started[class.Text()] = true
	}
	r.ancestor(Calls, class)
}

func (r *rubyReader) super(n grammar.Node) {
	if r.method != "" {
		r.refer(Reference{From: r.from, Relation: Calls, Name: r.method, Qualifier: "super", Line: n.Line()})
	}
}

// typeOf is the class of an expression, as far as the file tells.
func (r *rubyReader) typeOf(n grammar.Node) value {
	switch n.Kind() {
	case "self":
		return value{typ: r.class}
	case "identifier":
		v, _ := r.lookup(n.Text())
		return v
	case "instance_variable":
		return r.fields[r.class][n.Text()]
	case "call":
		if receiver := n.Get("receiver"); n.Get("method").Text() == "new" && receiver.Is("constant", "scope_resolution") {
			return value{typ: rubyPath(receiver)}
		}
	}
	return value{}
}

// expression reads the uses in an expression.
func (r *rubyReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "identifier":
		r.bare(n)
	case "constant":
		r.use(References, n, "", value{})
	case "scope_resolution":
		r.use(References, n.Get("name"), short(n.Get("scope")), value{})
		r.expression(n.Get("scope"))
	case "super":
		r.super(n)
	case "comment", "simple_symbol", "string_content", "heredoc_content":
	case "lambda":
		r.push()
		r.parameters(n.Get("parameters"))
		for c := range n.Get("body").Children() {
			r.statement(c, nil)
		}
		r.pop()
	case "for":
		r.bindPattern(n.Get("pattern"))
		r.statement(n.Get("value"), nil)
		r.statement(n.Get("body"), nil)
	case "exception_variable":
		r.bindPattern(n)
	case "operator_assignment":
		left := n.Get("left")
		if left.Is("identifier") {
			r.bind(left.Text(), value{})
		} else if left.Is("constant") && r.method == "" && strings.HasPrefix(n.Get("operator").Text(), "||") {
			r.constant(left, n, nil)
		}
		r.statement(n.Get("right"), nil)
	default:
		for c := range n.Children() {
			r.statement(c, nil)
		}
	}
}

// bindPattern binds the names of a for loop or a rescue.
func (r *rubyReader) bindPattern(n grammar.Node) {
	if n.Is("identifier") {
		r.bind(n.Text(), value{})
	}
	for c := range n.Children() {
		r.bindPattern(c)
	}
}
