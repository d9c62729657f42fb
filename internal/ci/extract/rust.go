package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A rustReader turns a Rust syntax tree into a File. The class of the
// treeReader is the type of the impl or the trait around the place.
type rustReader struct {
	*treeReader
	memo
}

func parseRust(c *collector) error {
	t, err := newTreeReader(c, grammar.Rust)
	if err != nil {
		return err
	}
	r := &rustReader{t, newMemo()}
	r.learn(r.root)
	r.file.Doc = rustFileDoc(r.root)
	r.push()
	r.items(r.root, -1)
	r.pop()
	r.rescue(rescueRust)
	return nil
}

// learn notes the types of fields and results of the whole file before it is
// read. Types are told apart by their own name only: two of one name in two
// modules of a file make what they disagree on unknown.
func (r *rustReader) learn(body grammar.Node) {
	for n := range body.Children() {
		r.push()
		r.typeParameters(n)
		name := rustName(n.Get("name"))
		switch n.Kind() {
		case "struct_item", "union_item":
			r.types[name] = true
			r.learnFields(name, n.Get("body"))
		case "enum_item":
			r.types[name] = true
			for v := range n.Get("body").Children() {
				r.learnFields(name+"::"+rustName(v.Get("name")), v.Get("body"))
			}
		case "trait_item":
			r.types[name] = true
			r.owned(name, func() { r.learn(n.Get("body")) })
		case "impl_item":
			r.owned(r.implemented(n), func() { r.learn(n.Get("body")) })
		case "mod_item":
			r.learn(n.Get("body"))
		case "foreign_mod_item", "ERROR":
			r.learn(n)
			r.learn(n.Get("body"))
		case "function_item", "function_signature_item":
			key := name
			if r.class != "" {
				key = r.class + "." + name
			}
			typ := r.typeName(n.Get("return_type"))
			if old, twin := r.results[key]; twin && old != typ {
				typ = ""
			}
			r.results[key] = typ
		}
		r.pop()
	}
}

func (r *rustReader) learnFields(name string, body grammar.Node) {
	at := 0
	for f := range body.Children() {
		switch {
		case f.Is("field_declaration"):
			r.setField(name, rustName(f.Get("name")), value{typ: r.typeName(f.Get("type"))})
		case f.Field() == "type":
			r.setField(name, digits(at), value{typ: r.typeName(f)})
			at++
		}
	}
}

func digits(n int) string {
	if n > 9 {
		return ""
	}
	return string(rune('0' + n))
}

// owned reads something inside a type's impl, or a trait.
func (r *rustReader) owned(class string, read func()) {
	outer := r.class
	r.class = class
	read()
	r.class = outer
}

// implemented names the type of an impl: "" when it is not one type.
func (r *rustReader) implemented(n grammar.Node) string {
	t := n.Get("type")
	for t.Is("reference_type") {
		t = t.Get("type")
	}
	if t.Is("type_identifier") && r.local(t.Text()) { // impl<T: A> B for T
		return ""
	}
	name := r.typeName(t)
	name, _, _ = strings.Cut(name, "<")
	return name
}

// rustName is an identifier without the mark of a raw one.
func rustName(n grammar.Node) string { return strings.TrimPrefix(n.Text(), "r#") }

// A rustItem is a node of a body with what stands above it.
type rustItem struct {
	grammar.Node
	comments   []grammar.Node
	attributes []grammar.Node
}

// items reads the items of a file, module, trait or impl; the impls last, so
// that their types are known.
func (r *rustReader) items(body grammar.Node, parent int) {
	var list []rustItem
	var above rustItem
	for n := range body.Children() {
		switch n.Kind() {
		case "line_comment", "block_comment":
			above.comments = append(above.comments, n)
		case "attribute_item":
			above.attributes = append(above.attributes, n)
		case "inner_attribute_item":
			above = rustItem{}
		default:
			above.Node = n
			list = append(list, above)
			above = rustItem{}
		}
	}
	for _, it := range list {
		if !it.Is("impl_item") {
			r.item(it, parent)
		}
	}
	for _, it := range list {
		if it.Is("impl_item") {
			r.impl(it, parent)
		}
	}
}

func (r *rustReader) item(it rustItem, parent int) {
	switch it.Kind() {
	case "mod_item":
		r.module(it, parent)
	case "use_declaration":
		imp := Import{Line: it.Line(), Export: it.Has("visibility_modifier")}
		r.uses(it.Get("argument"), nil, imp)
	case "extern_crate_declaration":
		r.bring(Import{Path: rustName(it.Get("name")), Alias: rustName(it.Get("alias")), Line: it.Line(), Export: it.Has("visibility_modifier")})
	case "struct_item", "union_item", "enum_item":
		r.typeItem(it, parent)
	case "trait_item":
		r.trait(it, parent)
	case "function_item", "function_signature_item":
		r.function(it, parent)
	case "const_item", "static_item":
		r.constant(it, parent)
	case "type_item", "associated_type":
		r.alias(it, parent)
	case "macro_definition":
		r.macro(it, parent)
	case "foreign_mod_item":
		r.items(it.Get("body"), parent)
	case "ERROR":
		r.items(it.Node, parent)
	case "macro_invocation":
		r.macroItems(it.Child("token_tree"), parent)
		r.expression(it.Node)
	case "expression_statement":
		if m := it.Child("macro_invocation"); m.Ok() {
			r.macroItems(m.Child("token_tree"), parent)
		}
		r.expression(it.Node)
	case "impl_item":
		r.impl(it, parent)
	default:
		r.expression(it.Node)
	}
}

// module reads `mod x { … }`, and `mod x;`, which brings in another file.
func (r *rustReader) module(it rustItem, parent int) {
	name, body := rustName(it.Get("name")), it.Get("body")
	if !body.Ok() {
		imp := Import{Path: "self::" + name, Line: it.Get("name").Line(), Export: it.Has("visibility_modifier")}
		for _, a := range it.attributes {
			if attr := a.Child("attribute"); attr.Child("identifier").Text() == "path" {
				imp.Path, imp.Alias = strings.Trim(attr.Get("value").Text(), `r#"`), name
			}
		}
		r.bring(imp)
		return
	}
	d := r.definition(it, Namespace, body)
	i := r.define(parent, d)
	if d.Doc == "" {
		r.file.Definitions[i].Doc = clip(rustFileDoc(body), maxDoc)
	}
	r.within(i, func() {
		r.owned("", func() {
			r.push()
			r.items(body, i)
			r.pop()
		})
	})
}

// definition is what all items tell in the same way.
func (r *rustReader) definition(it rustItem, kind Kind, body grammar.Node) Definition {
	name := it.Get("name")
	end := it.End()
	if body.Ok() {
		end = body.Start()
	}
	visibility := it.Child("visibility_modifier").Text()
	text := it.Tree().Slice(it.Start(), min(end, it.Start()+4*maxSignature))
	return Definition{
		Name:      rustName(name),
		Kind:      kind,
		Line:      name.Line(),
		EndLine:   it.EndLine(),
		Signature: signature(strings.TrimRight(strings.TrimSpace(text), "; ")),
		Doc:       rustDoc(it),
		Exported:  visibility != "" && visibility != "pub(self)",
	}
}

// uses reads a tree of imported paths.
func (r *rustReader) uses(n grammar.Node, prefix []string, imp Import) {
	imp.Line = n.Line()
	add := func(path []string, alias string) {
		if len(path) == 0 {
			return
		}
		one := imp
		last := len(path) - 1
		if last == 0 {
			one.Path = path[0]
		} else {
			one.Path, one.Name = strings.Join(path[:last], "::"), path[last]
		}
		if alias != path[last] {
			one.Alias = alias
		}
		r.bring(one)
	}
	switch n.Kind() {
	case "identifier", "scoped_identifier", "crate", "self", "super":
		if n.Is("self") && len(prefix) > 0 {
			add(prefix, "")
			return
		}
		add(append(prefix[:len(prefix):len(prefix)], rustPath(n)...), "")
	case "use_as_clause":
		path := prefix
		if p := n.Get("path"); !p.Is("self") || len(prefix) == 0 {
			path = append(prefix[:len(prefix):len(prefix)], rustPath(p)...)
		}
		add(path, rustName(n.Get("alias")))
	case "use_wildcard":
		path := append(prefix[:len(prefix):len(prefix)], rustPath(n.Child("identifier", "scoped_identifier", "crate", "self", "super"))...)
		if len(path) > 0 {
			imp.Path, imp.Name = strings.Join(path, "::"), "*"
			r.bring(imp)
		}
	case "scoped_use_list":
		path := append(prefix[:len(prefix):len(prefix)], rustPath(n.Get("path"))...)
		for c := range n.Get("list").Children() {
			r.uses(c, path, imp)
		}
	case "use_list":
		for c := range n.Children() {
			r.uses(c, prefix, imp)
		}
	}
}

// rustPath is a path's names: "a", "B", "c" of a::B<T>::c.
func rustPath(n grammar.Node) []string {
	switch n.Kind() {
	case "":
		return nil
	case "scoped_identifier", "scoped_type_identifier":
		return append(rustPath(n.Get("path")), rustName(n.Get("name")))
	case "generic_type", "generic_type_with_turbofish":
		return rustPath(n.Get("type"))
	case "bracketed_type":
		return rustPath(n.First().Next())
	case "qualified_type": // <T as Trait>
		return rustPath(n.Get("alias"))
	case "reference_type", "dynamic_type":
		if t := n.Get("type"); t.Ok() {
			return rustPath(t)
		}
		return rustPath(n.Get("trait"))
	}
	return []string{rustName(n)}
}

// rustFileDoc is the first sentence of the comment that a file or module
// holds about itself.
func rustFileDoc(body grammar.Node) string {
	var text []string
	for n := range body.Children() {
		if n.Is("inner_attribute_item") {
			continue
		}
		if !n.Is("line_comment", "block_comment") {
			break
		}
		if t := n.Text(); strings.HasPrefix(t, "//!") || strings.HasPrefix(t, "/*!") {
			text = append(text, uncomment(t))
		} else if len(text) > 0 {
			break
		}
		if len(text) > 40 {
			break
		}
	}
	return rustSentence(text)
}

// rustDoc is the first sentence of the comment above an item.
func rustDoc(it rustItem) string {
	var text []string
	for _, c := range it.comments {
		if t := c.Text(); strings.HasPrefix(t, "///") || strings.HasPrefix(t, "/**") {
			text = append(text, uncomment(clip(t, 16*maxDoc)))
		}
		if len(text) > 40 {
			break
		}
	}
	if len(text) > 0 {
		return rustSentence(text)
	}
	top := it.Node
	if len(it.attributes) > 0 {
		top = it.attributes[0]
	}
	if above := commentsAbove(top, it.comments); above != "" && !legal(above) && !strings.HasPrefix(above, "!") {
		return firstSentence(above)
	}
	return ""
}

// rustSentence leaves out the heading that a comment may begin with.
func rustSentence(lines []string) string {
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	for strings.HasPrefix(text, "#") {
		_, rest, more := strings.Cut(text, "\n")
		if rest = strings.TrimSpace(rest); !more || rest == "" {
			return firstSentence(strings.TrimLeft(text, "# "))
		}
		text = rest
	}
	return firstSentence(text)
}
