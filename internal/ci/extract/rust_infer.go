package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// typeParameters makes an item's type parameters known, each with its first
// bound.
func (r *rustReader) typeParameters(n grammar.Node) {
	for p := range n.Get("type_parameters").Children() {
		switch p.Kind() {
		case "type_identifier":
			r.shadow(p.Text(), value{})
		case "constrained_type_parameter", "optional_type_parameter", "type_parameter", "const_parameter":
			name := p.Get("left")
			if !name.Ok() {
				name = p.Get("name")
			}
			if name.Is("constrained_type_parameter") {
				p = name
				name = p.Get("left")
			}
			if name.Is("type_identifier", "identifier") {
				r.shadow(name.Text(), value{typ: r.bound(p.Get("bounds"))})
			}
		}
	}
	for p := range n.Child("where_clause").Children() {
		if left := p.Get("left"); left.Is("type_identifier") {
			if v, local := r.lookup(left.Text()); local && v.typ == "" {
				r.shadow(left.Text(), value{typ: r.bound(p.Get("bounds"))})
			}
		}
	}
}

// bound is the first trait of a list that this file may know more of.
func (r *rustReader) bound(list grammar.Node) string {
	for b := range list.Children() {
		if typ := r.typeName(b); typ != "" && !rustPrelude[typ] {
			return typ
		}
	}
	return ""
}

// rustPointers holds the types that act as what they hold.
var rustPointers = names("Box Rc Arc Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Pin ManuallyDrop")

// typeName is the type or trait that a type means, behind its pointers: "Foo"
// of &mut Foo, Box<dyn Foo<A>>; "Option<Foo>" of Option<Foo> and Result<Foo, E>, "MyResult<Foo>" of that;
// "" when it is not one type.
func (r *rustReader) typeName(n grammar.Node) string {
	switch n.Kind() {
	case "type_identifier":
		name := rustName(n)
		if name == "Self" {
			return r.class
		}
		if v, local := r.lookup(name); local {
			return v.typ
		}
		return name
	case "primitive_type":
		return n.Text()
	case "scoped_type_identifier":
		path := rustPath(n)
		if _, local := r.lookup(path[0]); local || path[0] == "Self" {
			return ""
		}
		return strings.Join(path, "::")
	case "generic_type":
		base := r.typeName(n.Get("type"))
		_, last := cutPathLast(base)
		inner := ""
		for a := range n.Get("type_arguments").Children() {
			if !a.Is("lifetime") {
				inner = r.typeName(a)
				break
			}
		}
		switch {
		case rustPointers[last]:
			return inner
		case last == "Option" || last == "Result":
			base = "Option"
		case !strings.HasSuffix(last, "Result"): // an alias of Result, by custom
			return base
		}
		if inner == "" || strings.Contains(inner, "<") {
			return base
		}
		return base + "<" + inner + ">"
	case "reference_type", "pointer_type":
		return r.typeName(n.Get("type"))
	case "dynamic_type", "abstract_type":
		return r.typeName(n.Get("trait"))
	case "bounded_type":
		return r.typeName(n.First())
	case "parenthesized_type", "tuple_type":
		return ""
	}
	return ""
}

// unwrapped is what is inside an Option or Result.
func unwrapped(v value) value {
	if _, inner, ok := strings.Cut(v.typ, "<"); ok {
		return value{typ: strings.TrimSuffix(inner, ">")}
	}
	if v.via != "" {
		return value{via: v.via + "?"}
	}
	return value{}
}

// typeOf says what this file tells about an expression's type.
func (r *rustReader) typeOf(n grammar.Node) value {
	if n.Is("identifier", "") {
		return r.findType(n)
	}
	return r.memo.typeOf(n, r.findType)
}

func (r *rustReader) findType(n grammar.Node) value {
	switch n.Kind() {
	case "identifier":
		v, _ := r.lookup(rustName(n))
		return v
	case "self":
		return value{typ: r.class}
	case "parenthesized_expression", "reference_expression", "unary_expression", "await_expression":
		for c := range n.Children() {
			if !c.Is("mutable_specifier") {
				return r.typeOf(c)
			}
		}
	case "try_expression":
		return unwrapped(r.typeOf(n.First()))
	case "struct_expression":
		path := rustPath(n.Get("name"))
		if len(path) == 1 && path[0] == "Self" {
			return value{typ: r.class}
		}
		return value{typ: strings.Join(path, "::")}
	case "type_cast_expression":
		return value{typ: r.typeName(n.Get("type"))}
	case "string_literal", "raw_string_literal":
		return value{typ: "str"}
	case "integer_literal", "float_literal", "boolean_literal", "char_literal":
		return value{typ: "u8"}
	case "field_expression":
		if v := r.typeOf(n.Get("value")); v.typ != "" {
			if f, ok := r.fields[v.typ][rustName(n.Get("field"))]; ok {
				return f
			}
		}
		return value{via: r.written(n)}
	case "call_expression":
		return r.resultOf(n)
	case "scoped_identifier":
		return value{via: r.written(n)}
	case "macro_invocation":
		switch n.Get("macro").Text() {
		case "format":
			return value{typ: "String"}
		case "vec":
			return value{typ: "Vec"}
		}
	}
	return value{}
}

func (r *rustReader) resultOf(n grammar.Node) value {
	fn := n.Get("function")
	if fn.Is("generic_function") {
		fn = fn.Get("function")
	}
	switch fn.Kind() {
	case "identifier":
		name := rustName(fn)
		if r.local(name) {
			return value{}
		}
		if typ := r.results[name]; typ != "" {
			return value{typ: typ}
		}
		if r.types[name] { // struct A(B);
			return value{typ: name}
		}
	case "scoped_identifier":
		path := rustPath(fn)
		if len(path) == 2 {
			owner := path[0]
			if owner == "Self" {
				owner = r.class
			}
			if typ := r.results[owner+"."+path[1]]; typ != "" && owner != "" {
				return value{typ: typ}
			}
		}
	case "field_expression":
		v := r.typeOf(fn.Get("value"))
		name := rustName(fn.Get("field"))
		switch {
		case rustUnwraps[name] && (v.via != "" || strings.Contains(v.typ, "<")):
			return unwrapped(v)
		case rustKeeps[name] && strings.Contains(v.typ, "<"), name == "clone":
			return v
		}
		if typ := r.results[v.typ+"."+name]; typ != "" && v.typ != "" {
			return value{typ: typ}
		}
	}
	return value{via: r.written(n)}
}

var (
	// rustUnwraps holds the methods of Option and Result that give what is
	// inside.
	rustUnwraps = names("unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked")
	// rustKeeps holds those that give an Option or Result of the same.
	rustKeeps = names("ok ok_or ok_or_else map_err as_ref as_mut as_deref as_deref_mut cloned copied take with_context context or or_else filter inspect")
)

// written is an expression of names and calls, with the type in the place of
// a local name and without arguments: "Store::open()?.lines"; "" of other
// expressions, and where the type of a local name is not known.
func (r *rustReader) written(n grammar.Node) string { return r.memo.written(n, r.write) }

func (r *rustReader) write(n grammar.Node) string {
	text := ""
	switch n.Kind() {
	case "identifier":
		if v, local := r.lookup(rustName(n)); local {
			return v.typ + v.via
		}
		return rustName(n)
	case "self":
		return r.class
	case "scoped_identifier":
		path := rustPath(n)
		if path[0] == "Self" {
			if r.class == "" {
				return ""
			}
			path = append(strings.Split(r.class, "::"), path[1:]...)
		} else if v, local := r.lookup(path[0]); local {
			if v.typ == "" {
				return ""
			}
			path = append(strings.Split(v.typ, "::"), path[1:]...)
		}
		text = strings.Join(path, "::")
	case "field_expression":
		if o := r.written(n.Get("value")); o != "" {
			text = o + "." + rustName(n.Get("field"))
		}
	case "call_expression":
		fn := n.Get("function")
		if fn.Is("generic_function") {
			fn = fn.Get("function")
		}
		if fn.Is("identifier") && r.local(rustName(fn)) {
			return ""
		}
		if f := r.written(fn); f != "" {
			text = f + "()"
		}
	case "try_expression":
		if o := r.written(n.First()); o != "" {
			text = o + "?"
		}
	case "parenthesized_expression", "reference_expression", "unary_expression", "await_expression", "struct_expression", "type_cast_expression":
		v := r.typeOf(n)
		return v.typ + v.via
	}
	return text
}

// rustPrelude holds the names that Rust gives every file, and the macros of
// its standard library.
var rustPrelude = names(`AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut
	FnOnce From FromIterator Future Hash Into IntoFuture IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Self Send
	Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec bool char drop f32 f64 i128 i16 i32 i64 i8 isize self str u128
	u16 u32 u64 u8 usize crate super _
	assert! assert_eq! assert_ne! cfg! column! compile_error! concat! dbg! debug_assert! debug_assert_eq! debug_assert_ne! env!
	eprint! eprintln! file! format! format_args! include! include_bytes! include_str! line! macro_rules! matches! module_path!
	option_env! panic! print! println! stringify! thread_local! todo! try! unimplemented! unreachable! vec! write! writeln!`)
