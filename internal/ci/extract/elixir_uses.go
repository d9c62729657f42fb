package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// elixirPredeclared holds the special forms and what Kernel gives every
// module.
var elixirPredeclared = names(`abs alias and apply assert assert_raise async_nolink binary_part binding bit_size bnot byte_size
	case catch ceil cond defdelegate defoverridable destructure div do doctest elem else exit fn for floor get_and_update_in
	get_in hd if import in inspect is_atom is_binary is_bitstring is_boolean is_exception is_float is_function
	is_integer is_list is_map is_map_key is_nil is_number is_pid is_port is_reference is_struct is_tuple length
	macro_exported? make_ref map_size match? max min node not or pop_in put_elem put_in quote raise receive refute rem
	require reraise rescue round self send spawn spawn_link spawn_monitor struct struct! super tap then throw tl
	to_charlist to_string trunc try tuple_size unless unquote unquote_splicing update_in use with
	function_exported? var! sigil_r sigil_s describe setup setup_all dbg`)

// elixirSettings holds the module attributes that are no constants.
var elixirSettings = names(`after_compile after_verify before_compile behaviour behavior compile deprecated derive
	dialyzer doc enforce_keys external_resource fallback_to_any impl moduledoc moduletag on_definition on_load
	optional_callbacks shortdoc tag describetag since spec typedoc vsn nifs recursive requirements preferred_cli_env
	protocol for callback macrocallback type typep opaque`)

// expression reads an expression, which may define something.
func (r *elixirReader) expression(n grammar.Node, comments []grammar.Node) {
	switch n.Kind() {
	case "call":
		r.call(n, comments)
	case "unary_operator":
		if n.Get("operator").Is("@") {
			r.attribute(n, comments)
			return
		}
		if n.Get("operator").Is("&") && r.capture(n.Get("operand")) {
			return
		}
		r.children(n)
	case "binary_operator":
		r.binary(n)
	case "alias":
		r.moduleUse(References, n)
	case "stab_clause":
		r.push()
		r.pattern(n.Get("left"))
		r.children(n)
		r.pop()
	case "comment", "quoted_content", "atom", "identifier":
	default:
		r.children(n)
	}
}

func (r *elixirReader) children(n grammar.Node) {
	for c := range n.Children() {
		r.expression(c, nil)
	}
}

// moduleUse tells a use of a module by its name.
func (r *elixirReader) moduleUse(rel string, n grammar.Node) {
	before, last := cutLast(short(n))
	r.refer(Reference{From: r.from, Relation: rel, Name: last, Qualifier: before, Line: n.Line()})
}

// pattern binds the names of parameters and of the left side of a match.
func (r *elixirReader) pattern(n grammar.Node) {
	if n.Is("identifier") {
		r.bind(n.Text(), value{})
		return
	}
	if n.Is("alias") {
		r.moduleUse(References, n)
	}
	for c := range n.Children() {
		if c.Field() != "target" && c.Field() != "operator" {
			r.pattern(c)
		}
	}
}

func (r *elixirReader) binary(n grammar.Node) {
	left, right := n.Get("left"), n.Get("right")
	switch n.Get("operator").Kind() {
	case "=", "<-":
		r.expression(right, nil)
		r.pattern(left)
	case "|>":
		r.expression(left, nil)
		if right.Is("identifier") {
			r.bare(right)
			return
		}
		r.expression(right, nil)
	default:
		r.expression(left, nil)
		r.expression(right, nil)
	}
}

// capture tells the function that &f/1 or &M.f/1 names.
func (r *elixirReader) capture(n grammar.Node) bool {
	if !n.Is("binary_operator") || !n.Get("operator").Is("/") {
		return false
	}
	switch left := n.Get("left"); {
	case left.Is("identifier"):
		r.use(References, left, "", value{})
		return true
	case left.Is("call") && left.Get("target").Is("dot"):
		r.dotted(References, left.Get("target"))
		return true
	}
	return false
}

func (r *elixirReader) bare(name grammar.Node) {
	if text := name.Text(); !elixirPredeclared[text] {
		r.use(Calls, name, "", value{})
	}
}

// dotted tells a use of `M.f`.
func (r *elixirReader) dotted(rel string, dot grammar.Node) {
	left, right := dot.Get("left"), dot.Get("right")
	switch {
	case !right.Is("identifier"):
	case left.Is("identifier") && left.Text() == "__MODULE__":
		r.use(rel, right, "", value{})
	case left.Is("alias") || left.Is("identifier"):
		r.use(rel, right, short(left), value{})
	case left.Is("atom"): // of Erlang
	default:
		r.use(rel, right, short(left), value{})
		r.expression(left, nil)
	}
}

func (r *elixirReader) call(n grammar.Node, comments []grammar.Node) {
	target := n.Get("target")
	if target.Is("identifier") {
		word := target.Text()
		if _, ok := elixirModules[word]; ok {
			r.module(n, word, comments)
			return
		}
		if _, ok := elixirFunctions[word]; ok {
			r.function(n, word, comments)
			return
		}
		switch word {
		case "use", "import", "require", "alias":
			if !r.inside || word == "alias" {
				r.brings(n, word)
				return
			}
		case "defstruct", "defexception":
			r.structFields(elixirFirst(n))
			return
		case "test", "property":
			if first := elixirFirst(n); first.Is("string") && r.parent >= 0 && !r.inside {
				r.test(n, first)
				return
			}
		}
		r.bare(target)
	} else if target.Is("dot") {
		right := target.Get("right").Text()
		if right == "defrecord" || right == "defrecordp" {
			r.record(n)
			return
		}
		r.dotted(Calls, target)
	} else {
		r.expression(target, nil)
	}
	for c := range n.Children() {
		switch {
		case c.Is("do_block"):
			r.push()
			r.body(c)
			r.pop()
		case c.Is("arguments"):
			r.children(c)
		}
	}
}

func (r *elixirReader) test(n, name grammar.Node) {
	i := r.define(r.parent, Definition{
		Name:      clip(oneLine(between(name)), maxName),
		Kind:      Function,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(n.Tree().Slice(n.Start(), name.End())),
		Test:      true,
	})
	inside := r.inside
	r.inside = true
	r.within(i, func() {
		r.push()
		for c := name.Next(); c.Ok(); c = c.Next() {
			r.pattern(c)
		}
		r.do(elixirBody(n))
		r.pop()
	})
	r.inside = inside
}

// brings reads use, import, require and alias.
func (r *elixirReader) brings(n grammar.Node, word string) {
	first := elixirFirst(n)
	var paths []string
	switch {
	case first.Is("alias"):
		paths = append(paths, first.Text())
	case first.Is("dot") && first.Get("right").Is("tuple"):
		for c := range first.Get("right").Children() {
			paths = append(paths, short(first.Get("left"))+"."+c.Text())
		}
	default:
		return
	}
	self := ""
	if r.parent >= 0 {
		self = r.file.Definitions[r.parent].Qualified()
	}
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, "__MODULE__."); ok {
			p = dottedName(self, rest)
		}
		imp := Import{Line: n.Line()}
		imp.Path, imp.Name = cutLast(p)
		if imp.Path == "" {
			imp.Path, imp.Name = p, ""
		}
		switch word {
		case "import":
			imp = Import{Path: p, Name: "*", Line: n.Line()}
		case "use":
			if r.uses != nil {
				r.uses[p] = true
			}
			r.refer(Reference{From: r.from, Relation: References, Name: imp.Name, Qualifier: imp.Path, Line: n.Line()})
		}
		if as := elixirOption(n, "as"); as.Is("alias") {
			imp.Alias = as.Text()
		}
		r.bring(imp)
	}
}

// structFields defines what a struct or exception holds.
func (r *elixirReader) structFields(n grammar.Node) {
	if n.Is("list") || n.Is("keywords") {
		for c := range n.Children() {
			r.structFields(c)
		}
		return
	}
	name := n
	if n.Is("pair") {
		name = n.Get("key")
	} else if !n.Is("atom") {
		r.expression(n, nil)
		return
	}
	text := strings.Trim(name.Text(), ": \t\n")
	if text == "" || r.parent < 0 {
		return
	}
	if _, ok := r.find(r.parent, text); ok {
		return
	}
	r.define(r.parent, Definition{
		Name:      text,
		Kind:      Field,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(n.Text(), maxSignature)),
		Exported:  true,
	})
	r.expression(n.Get("value"), nil)
}

// record reads `Record.defrecord(:point, x: 0)`.
func (r *elixirReader) record(n grammar.Node) {
	first := elixirFirst(n)
	if !first.Is("atom") {
		r.children(n)
		return
	}
	r.define(r.parent, Definition{
		Name:      strings.TrimPrefix(first.Text(), ":"),
		Kind:      Type,
		Line:      first.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(clip(n.Text(), 2*maxSignature)),
		Exported:  n.Get("target").Get("right").Text() == "defrecord",
	})
}
