package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// An elixirReader turns an Elixir syntax tree into a File. To the grammar all
// but operators are calls: `def` and `defmodule` too.
type elixirReader struct {
	*treeReader
	parent int    // module around, or -1
	inside bool   // a function is around
	doc    string // what @doc, @typedoc or @moduledoc said last
	spec   elixirSpec
	uses   map[string]bool // what the module around uses: "Application"
}

// An elixirSpec is what @spec says of the function of that name.
type elixirSpec struct{ name, text string }

func parseElixir(c *collector) error {
	t, err := newTreeReader(c, grammar.Elixir)
	if err != nil {
		return err
	}
	r := &elixirReader{treeReader: t, parent: -1}
	r.file.Doc = headOf(r.root, "call")
	r.push()
	r.body(r.root)
	r.pop()
	r.rescue(rescueElixir)
	return nil
}

func (r *elixirReader) body(n grammar.Node) {
	for c, comments := range commented(n, "comment") {
		r.expression(c, comments)
	}
}

// elixirModules holds what defines a module.
var elixirModules = map[string]Kind{"defmodule": Namespace, "defprotocol": Interface, "defimpl": Namespace}

// elixirFunctions says for each word that defines a function whether other
// modules see it.
var elixirFunctions = map[string]bool{
	"def": true, "defp": false, "defmacro": true, "defmacrop": false,
	"defguard": true, "defguardp": false, "defdelegate": true, "defn": true, "defnp": false,
}

// elixirBody is the block or the `do:` of a call, and the last argument
// before it.
func elixirBody(n grammar.Node) grammar.Node {
	if b := n.Child("do_block"); b.Ok() {
		return b
	}
	return elixirOption(n, "do")
}

// elixirOption is the value of a keyword among a call's arguments.
func elixirOption(n grammar.Node, name string) grammar.Node {
	for k := range n.Child("arguments").Children() {
		if !k.Is("keywords") {
			continue
		}
		for p := range k.Children() {
			if strings.TrimRight(p.Get("key").Text(), ": \t\n") == name {
				return p.Get("value")
			}
		}
	}
	return grammar.Node{}
}

func elixirFirst(n grammar.Node) grammar.Node {
	for c := range n.Child("arguments").Children() {
		if !c.Is("comment") {
			return c
		}
	}
	return grammar.Node{}
}

// module reads defmodule, defprotocol and defimpl.
func (r *elixirReader) module(n grammar.Node, word string, comments []grammar.Node) {
	first := elixirFirst(n)
	body := elixirBody(n)
	targets := []string{short(first)}
	if !first.Is("alias") && !first.Is("identifier") && !first.Is("dot") {
		r.children(n)
		return
	}
	if word == "defimpl" {
		targets = r.implementations(first, elixirOption(n, "for"))
	}
	name := strings.TrimPrefix(targets[0], "Elixir.")
	name = strings.TrimPrefix(name, "__MODULE__.")
	scope, last := cutLast(name)
	d := Definition{
		Name:      last,
		Kind:      elixirModules[word],
		Line:      first.Line(),
		EndLine:   n.EndLine(),
		Signature: elixirSignature(n, body),
		Exported:  true,
		Doc:       r.above(n, comments),
	}
	if scope != "" {
		d.Container = scope
		if r.parent >= 0 {
			d.Container = dottedName(r.file.Definitions[r.parent].Qualified(), scope)
		}
	}
	if d.Kind == Namespace {
		d.Kind = elixirModuleKind(body)
	}
	i := r.define(r.parent, d)
	parent, inside, uses, spec := r.parent, r.inside, r.uses, r.spec
	r.parent, r.inside, r.uses, r.doc, r.spec = i, false, make(map[string]bool), "", elixirSpec{}
	r.within(i, func() {
		if word == "defimpl" {
			r.moduleUse(Implements, first)
		}
		r.push()
		r.do(body)
		r.pop()
	})
	r.parent, r.inside, r.uses, r.doc, r.spec = parent, inside, uses, "", spec
}

// implementations names the modules of `defimpl P, for: [A, B]`: P.A.
func (r *elixirReader) implementations(protocol, of grammar.Node) []string {
	if of.Is("list") {
		of = of.Child("alias", "identifier")
	}
	name := short(of)
	if !of.Is("alias") && r.parent >= 0 {
		name = r.file.Definitions[r.parent].Name
	}
	return []string{dottedName(short(protocol), name)}
}

// elixirSignature is what stands before a body.
func elixirSignature(n, body grammar.Node) string {
	return strings.TrimRight(strings.TrimSuffix(signature(n.Tree().Slice(n.Start(), headEnd(n, body))), "do:"), " ,")
}

// elixirModuleKind tells a module that has a struct, and one that says what
// others must have, from one that only holds functions.
func elixirModuleKind(body grammar.Node) Kind {
	kind := Namespace
	for c := range body.Children() {
		switch c.Kind() {
		case "call":
			if word := c.Get("target"); word.Is("identifier") && (word.Text() == "defstruct" || word.Text() == "defexception") {
				return Class
			}
		case "unary_operator":
			if word := c.Get("operand").Get("target"); word.Is("identifier") && (word.Text() == "callback" || word.Text() == "macrocallback") {
				kind = Interface
			}
		}
	}
	return kind
}

// do reads what stands in a do block or behind `do:`.
func (r *elixirReader) do(body grammar.Node) {
	if body.Is("do_block") {
		r.body(body)
	} else if body.Ok() {
		r.expression(body, nil)
	}
}

// above is what documents the next definition, and is used up by it.
func (r *elixirReader) above(n grammar.Node, comments []grammar.Node) string {
	doc := r.doc
	if doc == "" {
		if text := commentsAbove(n, comments); !legal(text) {
			doc = firstSentence(text)
		}
	}
	r.doc = ""
	return doc
}

// function reads one clause of a function; further clauses belong to the
// definition that the first one made.
func (r *elixirReader) function(n grammar.Node, word string, comments []grammar.Node) {
	head := elixirFirst(n)
	body := elixirBody(n)
	if word == "defdelegate" && head.Is("list") {
		for c := range head.Children() {
			r.clause(n, c, grammar.Node{}, word, comments)
		}
		return
	}
	r.clause(n, head, body, word, comments)
}

func (r *elixirReader) clause(n, head, body grammar.Node, word string, comments []grammar.Node) {
	guard := grammar.Node{}
	if head.Is("binary_operator") && head.Get("operator").Is("when") {
		guard, head = head.Get("right"), head.Get("left")
	}
	name, args := elixirHead(head)
	if name == "" {
		r.children(n)
		return
	}
	sig := elixirSignature(n, body)
	if r.spec.name == name {
		sig = r.spec.text
	}
	d := Definition{
		Name:      name,
		Kind:      Function,
		Line:      head.Line(),
		EndLine:   n.EndLine(),
		Signature: sig,
		Doc:       r.above(n, comments),
		Exported:  elixirFunctions[word],
		Entry:     name == "main" || name == "start" && r.uses["Application"] || name == "run" && r.uses["Mix.Task"],
	}
	r.spec = elixirSpec{}
	i, ok := r.find(r.parent, name)
	if ok && r.file.Definitions[i].Kind == Function && !r.file.Definitions[i].Test {
		if old := &r.file.Definitions[i]; i == len(r.file.Definitions)-1 {
			old.EndLine = max(old.EndLine, d.EndLine)
		}
	} else {
		i = r.define(r.parent, d)
	}
	inside := r.inside
	r.inside = true
	r.within(i, func() {
		r.push()
		for _, a := range args {
			r.pattern(a)
		}
		r.expression(guard, nil)
		if word == "defdelegate" {
			r.delegate(n, name)
		}
		r.do(body)
		r.pop()
	})
	r.inside = inside
}

// delegate tells what a delegated function calls.
func (r *elixirReader) delegate(n grammar.Node, name string) {
	to := elixirOption(n, "to")
	if as := elixirOption(n, "as"); as.Is("atom") {
		name = strings.TrimPrefix(as.Text(), ":")
	}
	if to.Is("alias") {
		r.refer(Reference{From: r.from, Relation: Calls, Name: name, Qualifier: short(to), Line: to.Line()})
	}
}

// elixirHead takes the head of a function apart: its name and parameters.
func elixirHead(head grammar.Node) (string, []grammar.Node) {
	var args []grammar.Node
	switch head.Kind() {
	case "identifier":
		return head.Text(), nil
	case "call":
		target := head.Get("target")
		if !target.Is("identifier") {
			return "", nil
		}
		for a := range head.Child("arguments").Children() {
			args = append(args, a)
		}
		return target.Text(), args
	case "binary_operator":
		return head.Get("operator").Text(), []grammar.Node{head.Get("left"), head.Get("right")}
	case "unary_operator":
		return head.Get("operator").Text(), []grammar.Node{head.Get("operand")}
	}
	return "", nil
}
