package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// What is between a macro's brackets has no tree, only tokens. Calls and
// items can be told by their look all the same.

// macroCall reads m!(…).
func (r *rustReader) macroCall(n grammar.Node) {
	path := rustPath(n.Get("macro"))
	if len(path) > 0 {
		path[len(path)-1] += "!"
		if len(path) > 1 || !rustPrelude[path[0]] {
			r.tellPath(path, n.Line(), Calls)
		}
	}
	r.push()
	for c := range n.Children() {
		if c.Is("token_tree") {
			r.tokens(c)
		}
	}
	r.pop()
}

// tokens reads the uses between brackets.
func (r *rustReader) tokens(tree grammar.Node) {
	var list []grammar.Node
	for c := range tree.All() {
		list = append(list, c)
	}
	is := func(i int, text string) bool {
		return i >= 0 && i < len(list) && list[i].End()-list[i].Start() == len(text) && list[i].Text() == text
	}
	word := func(i int) bool {
		return i >= 0 && i < len(list) && (list[i].Is("identifier", "self", "super", "crate", "primitive_type") || is(i, "$crate"))
	}
	for i := 0; i < len(list); i++ {
		if list[i].Is("token_tree") {
			if !is(i-1, "#") { // an attribute
				r.tokens(list[i])
			}
			continue
		}
		if !word(i) {
			continue
		}
		start := i
		path := []string{strings.TrimPrefix(rustName(list[i]), "$")}
		for is(i+1, "::") && word(i+2) {
			i += 2
			path = append(path, rustName(list[i]))
		}
		line := list[i].Line()
		called := i+1 < len(list) && list[i+1].Is("token_tree") && list[i+1].First().Text() == "("
		switch {
		case is(start-1, ".") && len(path) == 1:
			if called {
				r.tokenMethod(list, start)
			}
		case is(start-1, "$") || is(start-1, "::") || start > 0 && rustItemWord(list[start-1]): // no use, or not one that can be told
		case is(i+1, "!") && i+2 < len(list) && list[i+2].Is("token_tree"):
			path[len(path)-1] += "!"
			if len(path) > 1 || !rustPrelude[path[0]] {
				r.tellPath(path, line, Calls)
			}
		case len(path) == 1 && (is(start-1, "let") || is(start-1, "mutable_specifier") || is(start-1, "mut") || is(start-1, "|") || is(start-1, ",")) && (is(i+1, ":") || is(i+1, "=")):
			r.tokenBinding(list, i, path[0])
		case len(path) > 1 && called:
			r.tellPath(path, line, Calls)
		case len(path) > 1:
			r.tellPath(path, line, References)
		case called:
			r.name(list[i], Calls)
		case capital(path[0]):
			r.name(list[i], References)
		}
	}
}

// tokenMethod reads the call of a method, at the index of its name.
func (r *rustReader) tokenMethod(list []grammar.Node, at int) {
	ref := Reference{From: r.from, Relation: Calls, Name: rustName(list[at]), Line: list[at].Line()}
	first := at
	for first-2 >= 0 && list[first-1].Text() == "." && list[first-2].Is("identifier", "self") {
		first -= 2
	}
	ref.Qualifier = clip(oneLine(span(list[first], list[max(at-2, first)])), maxQualifier)
	v := value{}
	switch {
	case first == at || first > 0 && (list[first-1].Text() == "." || list[first-1].Text() == "::"): // something with brackets before it
		ref.Qualifier = "…"
	case list[first].Is("self"):
		v = value{typ: r.class}
	default:
		v, _ = r.lookup(rustName(list[first]))
	}
	for i := first + 2; i < at && v != (value{}); i += 2 {
		f, known := r.fields[v.typ][rustName(list[i])]
		if !known {
			f = value{via: v.typ + v.via + "." + rustName(list[i])}
		}
		v = f
	}
	ref.Type, ref.Via = v.typ, v.via
	ref.Local = v == (value{})
	r.refer(ref)
}

// tokenBinding reads `name: Type` of a closure and `let name = Type::new(…)`.
func (r *rustReader) tokenBinding(list []grammar.Node, at int, name string) {
	let := at > 0 && list[at-1].Text() == "let" || at > 1 && list[at-2].Text() == "let"
	i := at + 2
	for i < len(list) && (list[i].Text() == "&" || list[i].Is("mutable_specifier") || list[i].Text() == "mut") {
		i++
	}
	if i >= len(list) || !list[i].Is("identifier") {
		if let {
			r.shadow(name, value{})
		}
		return
	}
	path := []string{rustName(list[i])}
	for i+2 < len(list) && list[i+1].Text() == "::" && list[i+2].Is("identifier") {
		i += 2
		path = append(path, rustName(list[i]))
	}
	end := ""
	if i+1 < len(list) {
		end = list[i+1].Text()
	}
	switch typ := strings.Join(path, "::"); {
	case list[at+1].Text() == ":" && capital(path[len(path)-1]) && (end == "," || end == "|" || end == "=" || end == ")"):
		r.shadow(name, value{typ: typ})
	case let && strings.HasPrefix(end, "(") && i+2 < len(list) && list[i+2].Text() == ";":
		r.shadow(name, value{via: typ + "()"})
	case let:
		r.shadow(name, value{})
	}
}

var rustItemWords = map[string]Kind{
	"fn": Function, "struct": Class, "union": Class, "enum": Enum, "trait": Trait, "const": Constant, "static": Constant, "type": Type,
}

// rustItemWord reports a word that stands before the name of an item.
func rustItemWord(n grammar.Node) bool {
	if n.End()-n.Start() > len("static") {
		return false
	}
	text := n.Text()
	_, item := rustItemWords[text]
	return item || text == "ref"
}

// macroItems defines the items that a macro is given where items stand:
// lazy_static! { static ref A: B = …; }.
func (r *rustReader) macroItems(tree grammar.Node, parent int) {
	if tree.First().Text() != "{" && tree.First().Text() != "(" {
		return
	}
	var comments []grammar.Node
	start := grammar.Node{}
	fresh := true // at the beginning of an item
	for c := tree.First().Next(); c.Ok(); c = c.Next() {
		text := ""
		if c.End()-c.Start() <= 8 {
			text = c.Text()
		}
		switch {
		case c.Is("line_comment", "block_comment"):
			comments = append(comments, c)
			continue
		case text == "#":
			if c.Next().Is("token_tree") { // an attribute
				c = c.Next()
			}
			continue
		}
		if fresh {
			start, fresh = c, false
		}
		kind, item := rustItemWords[text]
		name := c.Next()
		for name.Text() == "ref" || name.Is("mutable_specifier") || name.Text() == "mut" {
			name = name.Next()
		}
		if item && name.Is("identifier") && start.Ok() {
			end := name
			for end.Next().Ok() && end.Next().Text() != "=" && end.Next().Text() != ";" && !strings.HasPrefix(end.Next().Text(), "{") {
				end = end.Next()
			}
			last := end
			for last.Next().Ok() && last.Text() != ";" && !strings.HasPrefix(last.Text(), "{") {
				last = last.Next()
			}
			r.define(parent, Definition{
				Name:      rustName(name),
				Kind:      kind,
				Line:      name.Line(),
				EndLine:   last.EndLine(),
				Signature: signature(clip(span(start, end), 2*maxSignature)),
				Doc:       rustDoc(rustItem{Node: start, comments: comments}),
				Exported:  start.Text() == "pub",
			})
			c = last
			text = ";"
		}
		if text == ";" || c.Is("token_tree") && strings.HasPrefix(c.Text(), "{") {
			fresh, comments = true, nil
		}
	}
}
