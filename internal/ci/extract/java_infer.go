package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// typeParameters makes the names of type parameters known, each with its
// first bound.
func (r *javaReader) typeParameters(n grammar.Node) {
	for p := range n.Children() {
		if name := p.Child("type_identifier", "identifier"); name.Ok() {
			r.bind(name.Text(), value{})
		}
	}
	for p := range n.Children() {
		if bound := p.Child("type_bound"); bound.Ok() {
			name := p.Child("type_identifier", "identifier").Text()
			for b := range bound.Children() {
				if typ := r.typeName(b); typ != "" && len(r.scopes) > 0 {
					r.scopes[len(r.scopes)-1][name] = value{typ: typ}
				}
				break
			}
		}
	}
}

func (r *javaReader) boundUses(n grammar.Node) {
	for p := range n.Children() {
		r.typeUses(p.Child("type_bound"))
	}
}

// typeName is the class that a type means: "Foo" of Foo and Foo<A>, a type
// parameter's bound; "" when it is not one class.
func (r *javaReader) typeName(n grammar.Node) string {
	switch n.Kind() {
	case "type_identifier":
		name := n.Text()
		if v, local := r.lookup(name); local || name == "var" {
			return v.typ
		}
		return name
	case "scoped_type_identifier":
		if text := strings.Join(strings.Fields(n.Text()), ""); !strings.ContainsAny(text, "<@") {
			return text
		}
	case "generic_type":
		return r.typeName(n.First())
	case "integral_type", "floating_point_type", "boolean_type":
		return n.Text()
	case "array_type":
		return r.arrayOf(r.typeName(n.Get("element")), n.Get("dimensions"))
	case "annotated_type":
		for c := range n.Children() {
			if typ := r.typeName(c); typ != "" {
				return typ
			}
		}
	}
	return ""
}

// typeOf says what this file tells about an expression's type.
func (r *javaReader) typeOf(n grammar.Node) value {
	if n.Is("identifier", "") {
		return r.findType(n)
	}
	return r.memo.typeOf(n, r.findType)
}

func (r *javaReader) findType(n grammar.Node) value {
	switch n.Kind() {
	case "identifier":
		name := n.Text()
		if v, ok := r.lookup(name); ok {
			return v
		}
		return r.fieldOf(name)
	case "this":
		return value{typ: r.self()}
	case "parenthesized_expression":
		for c := range n.Children() {
			return r.typeOf(c)
		}
	case "cast_expression":
		return value{typ: r.typeName(n.Get("type"))}
	case "object_creation_expression":
		return value{typ: r.typeName(n.Get("type"))}
	case "assignment_expression":
		return r.typeOf(n.Get("left"))
	case "string_literal":
		return value{typ: "String"}
	case "class_literal":
		return value{typ: "Class"}
	case "true", "false":
		return value{typ: "boolean"}
	case "character_literal":
		return value{typ: "char"}
	case "decimal_integer_literal", "hex_integer_literal":
		if text := n.Text(); strings.HasSuffix(text, "L") || strings.HasSuffix(text, "l") {
			return value{typ: "long"}
		}
		return value{typ: "int"}
	case "decimal_floating_point_literal":
		return value{typ: "double"}
	case "instanceof_expression":
		return value{typ: "boolean"}
	case "array_access":
		typ, _ := strings.CutSuffix(r.typeOf(n.Get("array")).typ, "[]")
		return value{typ: typ}
	case "array_creation_expression":
		typ := r.typeName(n.Get("type"))
		for d := range n.Children() {
			if d.Is("dimensions_expr", "dimensions") && typ != "" {
				typ += strings.Repeat("[]", max(1, strings.Count(d.Text(), "[]")))
			}
		}
		return value{typ: typ}
	case "unary_expression":
		if n.Has("!") {
			return value{typ: "boolean"}
		}
		return value{typ: r.typeOf(n.Get("operand")).typ}
	case "binary_expression":
		return value{typ: r.binary(n)}
	case "ternary_expression":
		yes, no := n.Get("consequence"), n.Get("alternative")
		switch a, b := r.typeOf(yes), r.typeOf(no); {
		case a == b || no.Is("null_literal"):
			return a
		case yes.Is("null_literal"):
			return b
		}
	case "field_access":
		object, field := n.Get("object"), n.Get("field")
		if field.Is("this") { // Outer.this
			return value{typ: object.Text()}
		}
		if v := r.typeOf(object); v.typ != "" {
			if f, ok := r.fields[v.typ][field.Text()]; ok {
				return f
			}
			if strings.HasSuffix(v.typ, "[]") && field.Text() == "length" {
				return value{typ: "int"}
			}
		}
		return value{via: r.written(n)}
	case "method_invocation":
		object, name := n.Get("object"), n.Get("name").Text()
		if !object.Ok() && len(r.bodies) == 0 {
			for class := r.class; class != ""; class, _ = cutLast(class) {
				if typ, ok := r.results[class+"."+name]; ok && typ != "" {
					return value{typ: typ}
				}
			}
		}
		if v := r.typeOf(object); v.typ != "" {
			if typ, ok := r.results[v.typ+"."+name]; ok && typ != "" {
				return value{typ: typ}
			}
		}
		return value{via: r.written(n)}
	}
	return value{}
}

// binary is the type of an operation, "" where it is not known.
func (r *javaReader) binary(n grammar.Node) string {
	switch n.Get("operator").Text() {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return "boolean"
	}
	a, b := r.typeOf(n.Get("left")).typ, r.typeOf(n.Get("right")).typ
	switch {
	case n.Has("+") && (a == "String" || b == "String"):
		return "String"
	case a == b && (a == "int" || a == "long" || a == "double"):
		return a
	}
	return ""
}

// fieldOf is what a field of the classes around the place holds.
func (r *javaReader) fieldOf(name string) value {
	for class := r.class; class != ""; class, _ = cutLast(class) {
		if v, ok := r.fields[class][name]; ok {
			return v
		}
	}
	return value{}
}

// self is the class that `this` is of.
func (r *javaReader) self() string {
	if len(r.bodies) > 0 {
		return r.bodies[len(r.bodies)-1].base
	}
	return r.class
}

// written is an expression of names and calls, with the type in the place of
// a local name and without arguments: "Store.open().lines"; "" of other
// expressions, and where the type of a local name is not known.
func (r *javaReader) written(n grammar.Node) string { return r.memo.written(n, r.write) }

func (r *javaReader) write(n grammar.Node) string {
	switch n.Kind() {
	case "identifier":
		if v, local := r.lookup(n.Text()); local {
			return v.typ + v.via
		}
		return n.Text()
	case "this":
		return r.self()
	case "super":
		return "super"
	case "parenthesized_expression", "cast_expression", "object_creation_expression", "string_literal", "class_literal":
		v := r.typeOf(n)
		return v.typ + v.via
	case "field_access":
		if o := r.written(n.Get("object")); o != "" && n.Get("field").Is("identifier") {
			return o + "." + n.Get("field").Text()
		}
	case "method_invocation":
		object, name := n.Get("object"), n.Get("name").Text()
		switch o := r.written(object); {
		case !object.Ok() && n.Has("super"):
			return "super." + name + placeholders(n.Get("arguments"))
		case !object.Ok() && r.baseOf(name) == "":
			return name + placeholders(n.Get("arguments"))
		case o != "":
			return o + "." + name + placeholders(n.Get("arguments"))
		}
	}
	return ""
}

// javaLang holds the types that Java gives every file.
var javaLang = names(`AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException
	AssertionError AutoCloseable Boolean Byte CharSequence Character Class ClassCastException ClassLoader
	ClassNotFoundException CloneNotSupportedException Cloneable Comparable Deprecated Double Enum Error Exception
	ExceptionInInitializerError Float FunctionalInterface IllegalAccessException IllegalArgumentException
	IllegalStateException IndexOutOfBoundsException InheritableThreadLocal InstantiationException Integer
	InterruptedException Iterable LinkageError Long Math Module NegativeArraySizeException NoSuchFieldException
	NoSuchMethodException NullPointerException Number NumberFormatException Object OutOfMemoryError Override Package
	Process ProcessBuilder Readable Record ReflectiveOperationException Runnable Runtime RuntimeException SafeVarargs
	SecurityException Short StackOverflowError StackTraceElement StrictMath String StringBuffer StringBuilder
	StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadGroup ThreadLocal Throwable
	UnsupportedOperationException VirtualMachineError Void var`)
