package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

func (r *pythonReader) classDefinition(n grammar.Node, parent int, comments, decorators []grammar.Node) {
	nameNode := n.Get("name")
	name := nameNode.Text()
	if name == "" {
		return
	}
	bases := n.Get("superclasses")
	end := nameNode
	if bases.Ok() {
		end = bases
	}
	doc := firstSentence(pythonDocstring(n.Get("body")))
	if doc == "" {
		doc = firstSentence(commentsAbove(n, comments))
	}
	d := Definition{
		Name:      name,
		Kind:      pythonClassKind(bases),
		Line:      nameNode.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(span(n, end)),
		Doc:       doc,
		Exported:  r.exported(name, parent),
	}
	i := r.define(parent, d)
	class, kind, method := r.class, r.kind, r.inMethod
	r.class, r.kind, r.inMethod = name, d.Kind, ""
	if class != "" {
		r.class = class + "." + name
	}
	r.within(i, func() {
		r.decoratorUses(decorators)
		for b := range bases.Children() {
			r.base(b)
		}
		r.block(n.Get("body"), i)
	})
	r.class, r.kind, r.inMethod = class, kind, method
}

func pythonClassKind(bases grammar.Node) Kind {
	for b := range bases.Children() {
		if b.Is("subscript") {
			b = b.Get("value")
		}
		_, last := cutLast(b.Text())
		switch last {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag":
			return Enum
		case "Protocol":
			return Interface
		}
	}
	return Class
}

func (r *pythonReader) base(b grammar.Node) {
	switch b.Kind() {
	case "identifier":
		if !pythonBuiltins[b.Text()] || r.types[b.Text()] {
			r.use(Inherits, b, "", value{})
		}
	case "attribute":
		r.use(Inherits, b.Get("attribute"), short(b.Get("object")), value{})
	case "subscript": // Base[int]
		r.base(b.Get("value"))
		for c := range b.Children() {
			if c.Field() == "subscript" {
				r.annotation(c)
			}
		}
	case "keyword_argument":
		r.expression(b.Get("value"))
	default:
		r.expression(b)
	}
}

// variable reads an assignment of a module or class.
func (r *pythonReader) variable(a grammar.Node, parent int, statement grammar.Node, comments []grammar.Node) {
	doc := firstSentence(strings.TrimLeft(commentsAbove(statement, comments), ": "))
	if next := statement.Next(); doc == "" && next.Is("expression_statement") && next.First().Is("string") {
		doc = firstSentence(pythonString(next.First()))
	}
	first := -1
	for a.Ok() {
		left, right := a.Get("left"), a.Get("right")
		for _, target := range pythonTargets(left) {
			if i := r.variableTarget(target, a, parent, doc); first < 0 {
				first = i
			}
		}
		at := first
		if at < 0 {
			at = r.from
		}
		r.within(at, func() {
			r.annotation(a.Get("type"))
			if left.Is("attribute", "subscript") {
				r.expression(left)
			}
			if !right.Is("assignment") {
				r.expression(right)
			}
		})
		if !right.Is("assignment") { // a = b = 1
			break
		}
		a = right
	}
}

// pythonTargets lists the plain names that an assignment's left side sets.
func pythonTargets(left grammar.Node) []grammar.Node {
	switch left.Kind() {
	case "identifier":
		return []grammar.Node{left}
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "expression_list", "tuple", "list", "parenthesized_expression":
		var list []grammar.Node
		for c := range left.Children() {
			list = append(list, pythonTargets(c)...)
		}
		return list
	}
	return nil
}

func (r *pythonReader) variableTarget(target, a grammar.Node, parent int, doc string) int {
	name := target.Text()
	if name == "_" || parent < 0 && (name == "__all__" || r.nested(target)) {
		return -1
	}
	if old, ok := r.find(parent, name); ok {
		return old
	}
	d := Definition{
		Name:      name,
		Kind:      r.variableKind(name, a, parent),
		Line:      target.Line(),
		EndLine:   a.EndLine(),
		Signature: signature(clip(a.Text(), 2*maxSignature)),
		Doc:       doc,
		Exported:  r.exported(name, parent),
	}
	return r.define(parent, d)
}

// nested reports whether a module's assignment stands in a loop or with
// block, where it is a step and no definition.
func (r *pythonReader) nested(n grammar.Node) bool {
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		if p.Is("for_statement", "while_statement") {
			return true
		}
	}
	return false
}

func (r *pythonReader) variableKind(name string, a grammar.Node, parent int) Kind {
	right := a.Get("right")
	if parent >= 0 {
		if r.kind == Enum && !strings.HasPrefix(name, "_") && !a.Get("type").Ok() {
			return EnumCase
		}
		if right.Is("lambda") {
			return Method
		}
		return Field
	}
	switch {
	case right.Is("lambda"):
		return Function
	case pythonType(a.Get("type")) == "TypeAlias":
		return Type
	}
	if right.Is("call") {
		_, last := cutLast(right.Get("function").Text())
		switch last {
		case "TypeVar", "ParamSpec", "TypeVarTuple", "NewType":
			return Type
		case "namedtuple", "NamedTuple", "TypedDict", "make_dataclass":
			return Class
		}
	}
	if shouting(name) {
		return Constant
	}
	return Variable
}

func (r *pythonReader) typeAlias(n grammar.Node, parent int, inFunction bool) {
	var name grammar.Node
	for c := range n.Children() {
		if !name.Ok() {
			name = c
			for name.Is("type", "generic_type") {
				name = name.Child("identifier", "generic_type", "type")
			}
			continue
		}
		r.annotation(c)
	}
	if inFunction || !name.Ok() {
		return
	}
	r.define(parent, Definition{
		Name:      name.Text(),
		Kind:      Type,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Text()),
		Exported:  r.exported(name.Text(), parent),
	})
}

// pythonDocstring is the string that a body begins with.
func pythonDocstring(body grammar.Node) string {
	for n := range body.Children() {
		if n.Is("comment") {
			continue
		}
		if s := n.First(); n.Is("expression_statement") && s.Is("string") {
			return pythonString(s)
		}
		if n.Is("expression_statement") && n.First().Is("concatenated_string") {
			return pythonString(n.First().Child("string"))
		}
		return ""
	}
	return ""
}

// pythonString is what stands between a string's quotes.
func pythonString(s grammar.Node) string {
	start, end := s.Child("string_start"), s.Child("string_end")
	if strings.ContainsAny(start.Text(), "bBfF") {
		return ""
	}
	return s.Tree().Slice(start.End(), end.Start())
}
