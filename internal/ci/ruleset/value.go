package ruleset

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A Kind is a kind of JSON value.
type Kind uint8

// The kinds of a [Value]. The zero Value is Absent: a member that is not
// there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// A Value is one JSON value, kept whole: the order of members, those nobody
// knows, and the digits of numbers. It is immutable; the zero Value is
// absent.
type Value struct {
	kind    Kind
	text    string // a string, or the letters of a number, true, false
	items   []Value
	members []Member
	Line    int // from 1, in the file it was read from; 0 when made

	implied bool // a default that the document does not spell out
	set     bool // an array whose order means nothing, sorted
}

// A Member is one member of an object.
type Member struct {
	Name  string
	Value Value
}

// MaxSize is how large a document may be, in bytes.
const MaxSize = 4 << 20

// Parse reads one strict JSON document: UTF-8, with or without a byte order
// mark, without keys that are equal when case is ignored, nested at most
// [strictjson.MaxDepth] deep, and nothing after it. Errors have line and
// column.
func Parse(data []byte) (Value, error) {
	if len(data) > MaxSize {
		return Value{}, &strictjson.Error{Line: 1, Column: 1, Text: "the file is larger than 4 MiB"}
	}
	if err := strictjson.Check(data); err != nil {
		return Value{}, err
	}
	cursor, err := strictjson.NewCursor(data)
	if err != nil {
		return Value{}, err
	}
	p := parser{cursor: cursor, data: strictjson.TrimBOM(data), line: 1}
	return p.value()
}

// ParseObject is [Parse] for a document that must be an object.
func ParseObject(data []byte) (Value, error) {
	v, err := Parse(data)
	if err == nil && v.kind != Object {
		err = &strictjson.Error{Line: 1, Column: 1, Text: "the document must be an object, in braces"}
	}
	return v, err
}

type parser struct {
	cursor *strictjson.Cursor
	data   []byte
	line   int // at offset seen
	seen   int
}

func (p *parser) here() int {
	at := p.cursor.Offset()
	p.line += bytes.Count(p.data[p.seen:at], []byte("\n"))
	p.seen = at
	return p.line
}

func (p *parser) value() (v Value, err error) {
	v.Line = p.here()
	switch b := p.cursor.Peek(); b {
	case '{':
		v.kind = Object
		err = p.cursor.Object(func(key []byte) error {
			name := string(key)
			item, err := p.value()
			v.members = append(v.members, Member{name, item})
			return err
		})
	case '[':
		v.kind = Array
		err = p.cursor.Array(func() error {
			item, err := p.value()
			v.items = append(v.items, item)
			return err
		})
	case '"':
		v.kind = String
		v.text, err = p.cursor.String()
	default:
		var raw []byte
		raw, err = p.cursor.Raw()
		v.text = string(bytes.TrimSpace(raw))
		switch b {
		case 'n':
			v.kind, v.text = Null, ""
		case 't', 'f':
			v.kind = Bool
		default:
			v.kind = Number
		}
	}
	return v, err
}

// Kind is the value's kind.
func (v Value) Kind() Kind { return v.kind }

// Text is a string's text; "" for any other kind.
func (v Value) Text() string {
	if v.kind == String {
		return v.text
	}
	return ""
}

// Digits are the letters of a number as the document has them; "" for any
// other kind.
func (v Value) Digits() string {
	if v.kind == Number {
		return v.text
	}
	return ""
}

// True reports whether the value is the word true.
func (v Value) True() bool { return v.kind == Bool && v.text == "true" }

// Items are an array's elements.
func (v Value) Items() []Value { return v.items }

// Members are an object's members, in the document's order.
func (v Value) Members() []Member { return v.members }

// Member is an object's member of that name, or the absent value.
func (v Value) Member(name string) Value {
	for _, m := range v.members {
		if m.Name == name {
			return m.Value
		}
	}
	return Value{}
}

// Has reports whether an object has a member of that name.
func (v Value) Has(name string) bool { return v.Member(name).kind != Absent }

// With is the object with a member set, in its place or at the end.
func (v Value) With(name string, item Value) Value {
	v.members = slices.Clone(v.members)
	for i := range v.members {
		if v.members[i].Name == name {
			v.members[i].Value = item
			return v
		}
	}
	v.members = append(v.members, Member{name, item})
	return v
}

// Without is the object without the named members.
func (v Value) Without(names ...string) Value {
	v.members = slices.DeleteFunc(slices.Clone(v.members), func(m Member) bool { return slices.Contains(names, m.Name) })
	return v
}

// Append is the array with elements at its end.
func (v Value) Append(items ...Value) Value {
	v.kind, v.items = Array, append(slices.Clone(v.items), items...)
	return v
}

// Replace is the value with every string for which with returns another value
// put in its place.
func (v Value) Replace(with func(string) (Value, bool)) Value {
	switch v.kind {
	case String:
		if other, ok := with(v.text); ok {
			other.Line = v.Line
			return other
		}
	case Array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			v.items[i] = v.items[i].Replace(with)
		}
	case Object:
		v.members = slices.Clone(v.members)
		for i := range v.members {
			v.members[i].Value = v.members[i].Value.Replace(with)
		}
	}
	return v
}

// StringValue is a string.
func StringValue(s string) Value { return Value{kind: String, text: s} }

// NumberValue is a number of these digits, which must be a JSON number.
func NumberValue(digits string) Value { return Value{kind: Number, text: digits} }

// ArrayValue is an array.
func ArrayValue(items ...Value) Value { return Value{kind: Array, items: items} }

// JSON is the value as one line of JSON that means the same.
func (v Value) JSON() []byte {
	var b bytes.Buffer
	v.write(&b, "", "")
	return b.Bytes()
}

// Indented is the value as JSON for people: two spaces a level, a newline at
// the end.
func (v Value) Indented() []byte {
	var b bytes.Buffer
	v.write(&b, "\n", "  ")
	return append(b.Bytes(), '\n')
}

// write puts the value into b. newline begins a line, and holds the depth
// that is reached; an empty one writes everything on one line.
func (v Value) write(b *bytes.Buffer, newline, indent string) {
	switch v.kind {
	case String:
		b.Write(quote(v.text))
	case Bool, Number:
		b.WriteString(v.text)
	case Array:
		list(b, '[', ']', newline, indent, len(v.items), func(i int, inner string) { v.items[i].write(b, inner, indent) })
	case Object:
		list(b, '{', '}', newline, indent, len(v.members), func(i int, inner string) {
			b.Write(quote(v.members[i].Name))
			b.WriteByte(':')
			if inner != "" {
				b.WriteByte(' ')
			}
			v.members[i].Value.write(b, inner, indent)
		})
	default:
		b.WriteString("null")
	}
}

func list(b *bytes.Buffer, opening, closing byte, newline, indent string, n int, item func(i int, inner string)) {
	b.WriteByte(opening)
	inner := newline + indent
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inner)
		item(i, inner)
	}
	if n > 0 {
		b.WriteString(newline)
	}
	b.WriteByte(closing)
}

func quote(s string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be written
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
