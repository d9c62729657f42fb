package extract

import (
	"cmp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// rubyTests holds the words that begin a test: it "does something" do … end.
var rubyTests = names("it specify example scenario test should")

// rubyMember says which kind of member a class's statement defines for each
// name it is given.
var rubyMember = map[string]Kind{
	"attr_accessor": Field, "attr_reader": Field, "attr_writer": Field, "attr": Field,
	"cattr_accessor": Field, "mattr_accessor": Field, "class_attribute": Field,
	"delegate": Method, "def_delegators": Method, "def_instance_delegators": Method,
}

// macro reads a call without receiver that says something about the file or
// the class around, and reports whether it was one.
func (r *rubyReader) macro(n grammar.Node, comments []grammar.Node) bool {
	name, args, block := n.Get("method").Text(), n.Get("arguments"), n.Get("block")
	first := rubyFirst(args)
	switch name {
	case "require", "require_relative", "load", "autoload", "import":
		return r.required(name, args, n.Line())
	case "include", "extend", "prepend":
		if r.parent < 0 || r.method != "" {
			return false
		}
		for a := range args.Children() {
			if a.Is("self") {
				continue
			}
			r.ancestor(Implements, a)
		}
		return true
	case "private", "protected", "public", "private_class_method", "module_function", "private_constant":
		return r.visibility(name, args, comments)
	case "alias_method":
		r.alias(first, n)
		return true
	case "define_method", "define_singleton_method":
		return r.defineMethod(n, first, block, comments)
	case "def_delegator", "def_instance_delegator":
		last := first
		for a := range args.Children() {
			last = a
		}
		r.member(last, Method, n, comments)
		return true
	case "desc":
		r.desc = firstSentence(rubySymbol(first))
		return r.desc != ""
	case "task", "multitask":
		return r.task(n, first, comments)
	case "namespace":
		if r.variant != "ruby rake" || !block.Ok() || rubySymbol(first) == "" {
			return false
		}
		i := r.open(Definition{
			Name:      rubySymbol(first),
			Kind:      Namespace,
			Line:      first.Line(),
			EndLine:   n.EndLine(),
			Signature: signature(n.Tree().Slice(n.Start(), block.Start())),
			Doc:       rubyDoc(n, comments),
			Exported:  true,
		}, "")
		r.inside(i, r.class, func() { r.within(i, func() { r.body(block.Get("body")) }) })
		return true
	}
	if kind, ok := rubyMember[name]; ok && (r.parent >= 0 || kind == Field) && r.method == "" {
		skip := strings.HasPrefix(name, "def_") // the object itself comes first
		for a := range args.Children() {
			if !skip {
				r.member(a, kind, n, comments)
			}
			skip = false
		}
		return true
	}
	if rubyTests[name] && block.Ok() && first.Is("string") && r.method == "" {
		r.test(n, first, block)
		return true
	}
	return false
}

func rubyFirst(args grammar.Node) grammar.Node {
	for a := range args.Children() {
		if !a.Is("comment") {
			return a
		}
	}
	return grammar.Node{}
}

// rubySymbol is the name that a symbol or a plain string says, or "".
func rubySymbol(n grammar.Node) string {
	switch n.Kind() {
	case "simple_symbol":
		return strings.TrimPrefix(n.Text(), ":")
	case "hash_key_symbol":
		return n.Text()
	case "pair":
		return rubySymbol(n.Get("key"))
	case "string", "delimited_symbol":
		if n.Has("interpolation") {
			return ""
		}
		return oneLine(n.Child("string_content").Text())
	}
	return ""
}

// required reads what another file is asked for.
func (r *rubyReader) required(how string, args grammar.Node, line int) bool {
	first := rubyFirst(args)
	imp := Import{Path: rubySymbol(first), Line: line}
	switch how {
	case "autoload":
		imp.Path = rubySymbol(first.Next().Next())
		imp.Export = true
	case "require_relative":
		if imp.Path != "" && !strings.HasPrefix(imp.Path, ".") {
			imp.Path = "./" + imp.Path
		}
	}
	if imp.Path == "" {
		return false
	}
	r.bring(imp)
	return true
}

// visibility reads `private`, with what it names or defines.
func (r *rubyReader) visibility(how string, args grammar.Node, comments []grammar.Node) bool {
	if r.parent < 0 || r.method != "" {
		return false
	}
	hidden := r.hidden
	for a := range args.Children() {
		if name := rubySymbol(a); name != "" && !a.Is("pair") {
			if i, ok := r.find(r.parent, name); ok {
				r.file.Definitions[i].Exported = how == "public" || how == "module_function"
			}
			continue
		}
		r.hidden = how != "public" && how != "module_function"
		r.statement(a, comments)
	}
	r.hidden = hidden
	return true
}

// alias defines another name of a method.
func (r *rubyReader) alias(name, statement grammar.Node) {
	if text := strings.TrimPrefix(name.Text(), ":"); r.parent >= 0 || statement.Is("alias") {
		kind := Method
		if strings.HasPrefix(text, "$") {
			kind = Variable
		} else if r.parent < 0 {
			kind = Function
		}
		r.define(r.parent, Definition{
			Name:      clip(strings.Trim(text, `"'`), maxName),
			Kind:      kind,
			Line:      name.Line(),
			EndLine:   statement.EndLine(),
			Signature: signature(statement.Text()),
			Exported:  !r.hidden,
		})
	}
}

// member defines what one argument of `attr_reader :a, :b` names.
func (r *rubyReader) member(name grammar.Node, kind Kind, statement grammar.Node, comments []grammar.Node) {
	text := rubySymbol(name)
	if text == "" || name.Is("pair") {
		return
	}
	if _, ok := r.find(r.parent, text); ok { // reader and writer are one field
		return
	}
	r.define(r.parent, Definition{
		Name:      text,
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   name.EndLine(),
		Signature: signature(statement.Get("method").Text() + " " + name.Text()),
		Doc:       rubyDoc(statement, comments),
		Exported:  !r.hidden,
	})
}

func (r *rubyReader) defineMethod(n, name, block grammar.Node, comments []grammar.Node) bool {
	text := rubySymbol(name)
	if text == "" {
		return false
	}
	kind := Method
	if r.parent < 0 {
		kind = Function
	}
	sig := headEnd(n, block)
	i := r.define(r.parent, Definition{
		Name:      text,
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), sig)),
		Doc:       rubyDoc(n, comments),
		Exported:  !r.hidden,
	})
	method := r.method
	r.method = text
	r.within(i, func() { r.block(block) })
	r.method = method
	return true
}

// task reads `task :name, [:arg] => :needed do … end`.
func (r *rubyReader) task(n, first grammar.Node, comments []grammar.Node) bool {
	name := rubySymbol(first)
	if name == "" || r.method != "" {
		return false
	}
	block := n.Get("block")
	i := r.define(r.parent, Definition{
		Name:      name,
		Kind:      Function,
		Line:      first.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), headEnd(n, block))),
		Doc:       cmp.Or(r.desc, rubyDoc(n, comments)),
		Exported:  true,
	})
	r.desc = ""
	r.within(i, func() {
		for a := range n.Get("arguments").Children() {
			if a.Is("pair") {
				r.needed(a.Get("value"))
			}
		}
		r.block(block)
	})
	return true
}

// needed tells the tasks that a task runs first.
func (r *rubyReader) needed(n grammar.Node) {
	if n.Is("array") {
		for c := range n.Children() {
			r.needed(c)
		}
		return
	}
	if name := rubySymbol(n); name != "" {
		r.refer(Reference{From: r.from, Relation: Calls, Name: name, Line: n.Line()})
	}
}

// between is what stands between the marks that a node begins and ends with:
// the text of a string.
func between(n grammar.Node) string {
	first, last := n.First(), n.First()
	for c := range n.All() {
		last = c
	}
	return n.Tree().Slice(first.End(), last.Start())
}

func (r *rubyReader) test(n, name, block grammar.Node) {
	i := r.define(r.parent, Definition{
		Name:      clip(oneLine(between(name)), maxName),
		Kind:      Function,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), name.End())),
		Test:      true,
	})
	r.within(i, func() { r.block(block) })
}
