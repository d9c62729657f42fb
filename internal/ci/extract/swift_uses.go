package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// swiftPredeclared holds names of the standard library.
var swiftPredeclared = names(`Any AnyClass AnyHashable AnyObject Array Bool CaseIterable Character Codable CodingKey Collection
	Comparable Decodable Dictionary Double Encodable Equatable Error Float Hashable Identifiable Int Int16 Int32 Int64
	Int8 Iterator IteratorProtocol Never OptionSet Optional Range RawRepresentable Result Self Sendable Sequence Set
	String StringProtocol Substring UInt UInt16 UInt32 UInt64 UInt8 Void abs assert assertionFailure
	dump fatalError max min numericCast precondition preconditionFailure print repeatElement sequence stride swap
	type unsafeBitCast withUnsafePointer withUnsafeBytes zip MainActor escaping autoclosure Sendable available
	discardableResult objc testable main inlinable usableFromInline frozen unknown IBAction IBOutlet nonobjc Test Suite`)

// typeUses tells the types that a type mentions.
func (r *swiftReader) typeUses(n grammar.Node) {
	if n.Is("user_type") {
		r.typeUse(References, n)
		return
	}
	for c := range n.Children() {
		r.typeUses(c)
	}
}

// typeUse tells a use of a named type, and of its arguments.
func (r *swiftReader) typeUse(rel string, n grammar.Node) {
	if n.Is("user_type") {
		before, last := cutLast(swiftType(n))
		if !(swiftPredeclared[last] && before == "") && !r.local(last) {
			r.refer(Reference{From: r.from, Relation: rel, Name: last, Qualifier: before, Line: n.Line()})
		}
	}
	for c := range n.Children() {
		r.typeUses(c)
	}
}

func (r *swiftReader) attributes(n grammar.Node) {
	for a := range n.Child("modifiers").Children() {
		if a.Is("attribute") {
			r.typeUses(a.Child("user_type"))
		}
	}
}

// constraints binds type parameters and tells what bounds them.
func (r *swiftReader) constraints(n grammar.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case "type_parameters":
			for p := range c.Children() {
				r.bind(p.Child("type_identifier").Text(), value{})
				r.typeUses(p.Get("name"))
			}
		case "type_constraints":
			r.typeUses(c)
		}
	}
}

func (r *swiftReader) children(n grammar.Node) {
	r.bindNames(n)
	r.members(n)
}

// bindNames binds what `if let x`, `for x in` and the like bind.
func (r *swiftReader) bindNames(n grammar.Node) {
	for c := range n.Children() {
		if c.Field() == "bound_identifier" || n.Is("pattern") && c.Is("simple_identifier") {
			r.bind(c.Text(), value{})
		}
	}
}

func (r *swiftReader) expression(n grammar.Node) {
	switch n.Kind() {
	case "call_expression":
		r.call(n)
	case "constructor_expression":
		r.typeUse(Calls, n.Get("constructed_type"))
		r.children(n)
	case "navigation_expression":
		r.expression(n.Get("target"))
		r.children(n.Get("suffix"))
	case "simple_identifier":
		if name := n.Text(); capital(name) && !swiftPredeclared[name] && !r.local(name) {
			r.use(References, n, "", value{})
		}
	case "user_type":
		r.typeUse(References, n)
	case "value_argument":
		r.expression(n.Get("value"))
	case "navigation_suffix", "value_argument_label", "comment", "multiline_comment", "attribute", "line_str_text", "identifier":
	case "statements":
		r.push()
		r.children(n)
		r.pop()
	case "for_statement":
		r.push()
		r.expression(n.Get("collection"))
		r.children(n)
		r.pop()
	case "lambda_literal":
		r.push()
		r.lambdaParameters(n.Get("type"))
		r.children(n)
		r.pop()
	case "switch_entry", "catch_block":
		r.push()
		r.children(n)
		r.pop()
	default:
		r.children(n)
	}
}

// lambdaParameters binds the names of `{ (a: T, b) in … }`.
func (r *swiftReader) lambdaParameters(n grammar.Node) {
	for c := range n.Children() {
		if c.Is("lambda_parameter") {
			name := c.Get("name")
			if !name.Ok() {
				name = c.Child("simple_identifier")
			}
			r.bind(name.Text(), value{})
			continue
		}
		r.lambdaParameters(c)
	}
}

func (r *swiftReader) call(n grammar.Node) {
	callee := n.First()
	switch callee.Kind() {
	case "simple_identifier":
		if name := callee.Text(); !swiftPredeclared[name] && !r.local(name) {
			r.use(Calls, callee, "", value{})
		}
	case "navigation_expression":
		target, name := callee.Get("target"), callee.Get("suffix").Get("suffix")
		if name.Text() == "init" && target.Is("simple_identifier") {
			r.use(Calls, target, "", value{})
			break
		}
		if name.Is("simple_identifier") || name.Is("init") {
			r.use(Calls, name, short(target), r.typeOf(target))
		}
		r.expression(target)
	default:
		r.expression(callee)
	}
	for c := callee.Next(); c.Ok(); c = c.Next() {
		if c.Named() {
			r.children(c)
		}
	}
}

// typeOf is the type of an expression, as far as the file tells.
func (r *swiftReader) typeOf(n grammar.Node) value {
	switch n.Kind() {
	case "self_expression":
		return value{typ: r.class}
	case "simple_identifier":
		if v, ok := r.lookup(n.Text()); ok {
			return v
		}
		if v, ok := r.fields[r.class][n.Text()]; ok {
			return v
		}
		return r.fields[""][n.Text()]
	case "navigation_expression":
		if n.Get("target").Is("self_expression") {
			return r.fields[r.class][n.Get("suffix").Get("suffix").Text()]
		}
	case "call_expression":
		callee := n.First()
		if !callee.Is("simple_identifier") {
			return value{}
		}
		if name := callee.Text(); capital(name) {
			return value{typ: name}
		} else if !r.local(name) {
			return value{via: name}
		}
	case "try_expression", "await_expression":
		return r.typeOf(n.Get("expr"))
	case "postfix_expression": // a!
		return r.typeOf(n.Get("target"))
	case "as_expression":
		return value{typ: strings.TrimSpace(swiftType(n.Get("type")))}
	}
	return value{}
}
