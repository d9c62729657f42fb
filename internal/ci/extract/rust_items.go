package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// typeItem reads a struct, union or enum.
func (r *rustReader) typeItem(it rustItem, parent int) {
	kind := Class
	if it.Is("enum_item") {
		kind = Enum
	}
	body := it.Get("body")
	cut := body
	if body.Is("ordered_field_declaration_list") {
		cut = grammar.Node{} // struct A(B, C);
	}
	d := r.definition(it, kind, cut)
	i := r.define(parent, d)
	r.within(i, func() {
		r.owned(d.Name, func() {
			r.push()
			r.typeParameters(it.Node)
			r.boundUses(it.Node)
			r.attributeUses(it)
			if kind == Enum {
				r.variants(body, i, d)
			} else {
				r.fieldList(body, i)
			}
			r.pop()
		})
	})
}

// fieldList reads the fields of a struct, and the types of a tuple.
func (r *rustReader) fieldList(body grammar.Node, parent int) {
	var above rustItem
	for f := range body.Children() {
		switch {
		case f.Is("line_comment", "block_comment"):
			above.comments = append(above.comments, f)
			continue
		case f.Is("attribute_item"):
			above.attributes = append(above.attributes, f)
			continue
		case f.Is("field_declaration"):
			above.Node = f
			d := r.definition(above, Field, grammar.Node{})
			d.Result = r.typeName(f.Get("type"))
			if r.file.Definitions[parent].Kind != EnumCase {
				r.define(parent, d)
			}
			r.typeUses(f.Get("type"))
		default:
			r.typeUses(f)
		}
		above = rustItem{}
	}
}

func (r *rustReader) variants(body grammar.Node, parent int, enum Definition) {
	var above rustItem
	for v := range body.Children() {
		switch v.Kind() {
		case "line_comment", "block_comment":
			above.comments = append(above.comments, v)
			continue
		case "attribute_item":
			above.attributes = append(above.attributes, v)
			continue
		case "enum_variant":
			above.Node = v
			d := r.definition(above, EnumCase, grammar.Node{})
			d.Exported, d.Result = enum.Exported, enum.Name
			i := r.define(parent, d)
			r.within(i, func() {
				r.fieldList(v.Get("body"), i)
				r.expression(v.Get("value"))
			})
		}
		above = rustItem{}
	}
}

func (r *rustReader) trait(it rustItem, parent int) {
	body := it.Get("body")
	d := r.definition(it, Trait, body)
	i := r.define(parent, d)
	r.within(i, func() {
		r.owned(d.Name, func() {
			r.push()
			r.typeParameters(it.Node)
			r.boundUses(it.Node)
			for b := range it.Get("bounds").Children() {
				r.ancestor(Inherits, b, "")
			}
			r.items(body, i)
			r.pop()
		})
	})
}

// ancestor tells a trait that a type implements or another trait extends.
func (r *rustReader) ancestor(rel string, t grammar.Node, owner string) {
	switch t.Kind() {
	case "type_identifier", "scoped_type_identifier":
		path := rustPath(t)
		name := path[len(path)-1]
		qual := strings.Join(path[:len(path)-1], "::")
		if qual == "" && (rustPrelude[name] && !r.types[name] || r.local(name)) {
			return
		}
		r.refer(Reference{From: r.from, Relation: rel, Name: name, Qualifier: qual, Type: owner, Line: t.Line()})
	case "generic_type":
		r.ancestor(rel, t.Get("type"), owner)
		r.typeUses(t.Get("type_arguments"))
	case "lifetime", "":
	case "higher_ranked_trait_bound":
		r.ancestor(rel, t.Get("type"), owner)
	default:
		r.typeUses(t)
	}
}

// impl reads the members of a type, which stands in the same module or
// elsewhere.
func (r *rustReader) impl(it rustItem, parent int) {
	r.push()
	defer r.pop()
	r.typeParameters(it.Node)
	class := r.implemented(it.Node)
	_, name := cutPathLast(class)
	if name == "" {
		name = rustTypeText(it.Get("type"))
	}
	owner, here := r.find(parent, name)
	if here {
		switch r.file.Definitions[owner].Kind {
		case Class, Enum, Trait, Type:
		default:
			here = false
		}
	}
	trait := it.Get("trait")
	from, stranger := owner, ""
	if !here {
		from, stranger = r.from, class
	}
	r.within(from, func() {
		if trait.Ok() && class != "" {
			r.ancestor(Implements, trait, stranger)
		} else {
			r.typeUses(trait)
		}
		r.typeUses(it.Get("type").Get("type_arguments"))
		if !here {
			r.typeUses(it.Get("type"))
		}
		r.boundUses(it.Node)
	})
	first := len(r.file.Definitions)
	r.within(from, func() {
		r.owned(class, func() {
			if here {
				r.items(it.Get("body"), owner)
				return
			}
			r.items(it.Get("body"), -1)
		})
	})
	for i := first; i < len(r.file.Definitions); i++ {
		d := &r.file.Definitions[i]
		if d.Parent == owner && here || d.Parent < 0 && !here {
			if d.Kind == Function {
				d.Kind = Method
			}
			if trait.Ok() { // as visible as the trait
				d.Exported = true
			}
			if !here && d.Container == "" {
				d.Container = clip(name, maxName)
			}
		}
	}
	if !here {
		r.requalify(first)
	}
}

// requalify gives what stands in the methods of a type elsewhere their
// qualified containers.
func (r *rustReader) requalify(first int) {
	for i := first; i < len(r.file.Definitions); i++ {
		d := &r.file.Definitions[i]
		if d.Parent >= first {
			d.Container = clip(r.file.Definitions[d.Parent].Qualified(), maxName)
		}
	}
}

// cutPathLast cuts "a::b::C" into "a::b" and "C".
func cutPathLast(p string) (before, last string) {
	if i := strings.LastIndex(p, "::"); i >= 0 {
		return p[:i], p[i+2:]
	}
	return "", p
}

// rustTypeText is a type that has no name of its own, as a container.
func rustTypeText(t grammar.Node) string {
	text := short(t)
	if text == "" {
		return "impl"
	}
	return text
}

// rustTests ends the attributes of test functions.
var rustTests = names("test rstest test_case quickcheck test_log wasm_bindgen_test")

func (r *rustReader) function(it rustItem, parent int) {
	body := it.Get("body")
	d := r.definition(it, Function, body)
	if d.Name == "" {
		return
	}
	r.push()
	defer r.pop()
	r.typeParameters(it.Node)
	d.Result = r.typeName(it.Get("return_type"))
	if parent >= 0 {
		switch p := r.file.Definitions[parent]; p.Kind {
		case Class, Enum, Trait, Type:
			d.Kind = Method
			if p.Kind == Trait {
				d.Exported = p.Exported
			}
		}
	}
	d.Entry = d.Name == "main" && parent < 0 && r.class == ""
	for _, a := range it.attributes {
		path := rustPath(a.Child("attribute").First())
		if len(path) > 0 && rustTests[path[len(path)-1]] {
			d.Test = true
		}
		if len(path) == 2 && path[1] == "main" { // #[tokio::main]
			d.Entry = parent < 0
		}
	}
	i := r.define(parent, d)
	r.within(i, func() {
		r.attributeUses(it)
		r.boundUses(it.Node)
		r.parameters(it.Get("parameters"))
		r.typeUses(it.Get("return_type"))
		r.block(body)
	})
}

func (r *rustReader) parameters(list grammar.Node) {
	for p := range list.Children() {
		if p.Is("parameter") {
			r.typeUses(p.Get("type"))
			r.pattern(p.Get("pattern"), value{typ: r.typeName(p.Get("type"))})
		}
	}
}

func (r *rustReader) constant(it rustItem, parent int) {
	val := it.Get("value")
	kind := Constant
	if it.Is("static_item") && it.Has("mutable_specifier") {
		kind = Variable
	}
	cut := grammar.Node{}
	if val.Ok() && val.EndLine() > val.Line() {
		cut = val
	}
	d := r.definition(it, kind, cut)
	d.Signature = strings.TrimRight(d.Signature, " =")
	d.Result = r.typeName(it.Get("type"))
	if d.Name == "_" || d.Name == "" {
		r.typeUses(it.Get("type"))
		r.expression(val)
		return
	}
	if parent >= 0 && r.file.Definitions[parent].Kind == Trait {
		d.Exported = r.file.Definitions[parent].Exported
	}
	i := r.define(parent, d)
	r.within(i, func() {
		r.typeUses(it.Get("type"))
		r.push()
		r.expression(val)
		r.pop()
	})
}

// alias reads `type A = B;`, of which B is the result.
func (r *rustReader) alias(it rustItem, parent int) {
	r.push()
	defer r.pop()
	r.typeParameters(it.Node)
	d := r.definition(it, Type, grammar.Node{})
	if d.Name == "" {
		return
	}
	d.Result = r.typeName(it.Get("type"))
	i := r.define(parent, d)
	r.within(i, func() {
		r.boundUses(it.Node)
		r.typeUses(it.Get("bounds"))
		r.typeUses(it.Get("type"))
	})
}

func (r *rustReader) macro(it rustItem, parent int) {
	d := r.definition(it, Function, grammar.Node{})
	d.Signature = signature("macro_rules! " + d.Name)
	d.Exported = false
	for _, a := range it.attributes {
		if a.Child("attribute").Child("identifier").Text() == "macro_export" {
			d.Exported = true
		}
	}
	i := r.define(parent, d)
	r.within(i, func() {
		for rule := range it.Children() {
			if rule.Is("macro_rule") {
				r.tokens(rule.Get("right"))
			}
		}
	})
}

// rustDerives holds what is derived and is neither of the prelude nor of any
// workspace.
var rustDerives = names("Serialize Deserialize Error Parser Args Subcommand ValueEnum")

// attributeUses tells what is derived.
func (r *rustReader) attributeUses(it rustItem) {
	for _, a := range it.attributes {
		attr := a.Child("attribute")
		if attr.Child("identifier").Text() == "derive" {
			for c := range attr.Get("arguments").Children() {
				if name := c.Text(); c.Is("identifier") && !rustPrelude[name] && !rustDerives[name] {
					r.refer(Reference{From: r.from, Relation: References, Name: name, Line: c.Line()})
				}
			}
		}
	}
}
