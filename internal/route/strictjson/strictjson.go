// Package strictjson reads JSON that somebody else wrote.
//
// encoding/json keeps the last of two equal keys, matches keys without
// regard to case, replaces invalid UTF-8 and has no limit on depth below
// 10,000. In a file that directs an agent each of these is a place to hide
// something, so this package refuses them all, with line and column.
//
// [Decode] is the ordinary way in. [Cursor] reads a document front to back
// without building it, for the index pieces a query touches.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxDepth is the deepest nesting that is read: no format of ours passes 8,
// and a foreign graph has no reason to pass 64.
const MaxDepth = 64

// An Error is a document that is refused, and where.
type Error struct {
	Line, Column int // both from 1; the column counts bytes
	Text         string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// Decode checks data as one strict JSON document and decodes it into v.
// Unknown fields are ignored.
func Decode(data []byte, v any) error {
	data = TrimBOM(data)
	if err := Check(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		var where int64
		switch e := err.(type) {
		case *json.UnmarshalTypeError:
			where = e.Offset
			err = fmt.Errorf("%s must be %s, not %s", orRoot(e.Field), e.Type, e.Value)
		case *json.SyntaxError:
			where = e.Offset
		}
		return errorAt(data, int(where), err.Error())
	}
	return nil
}

func orRoot(field string) string {
	if field == "" {
		return "the document"
	}
	return field
}

// TrimBOM removes one UTF-8 byte order mark, which some editors write.
func TrimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// Check reports the first reason why data is not one JSON value of valid
// UTF-8, nested at most [MaxDepth] deep, without keys that are equal (also
// when case is ignored), and with nothing after it.
func Check(data []byte) error {
	c, err := NewCursor(data)
	if err != nil {
		return err
	}
	c.fold = true
	if err := c.Skip(); err != nil {
		return err
	}
	return c.End()
}

func errorAt(data []byte, at int, text string) *Error {
	at = max(0, min(at, len(data)))
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(data[:at], '\n')
	return &Error{Line: line, Column: column, Text: text}
}

// A Cursor reads one document front to back.
type Cursor struct {
	data  []byte
	text  string // data, once a string of it was asked for
	at    int
	depth int
	fold  bool     // keys that differ by case only are equal
	keys  [][]byte // keys of the objects that are open, outermost first
}

// NewCursor returns a cursor before the first value of data. It refuses
// what is not UTF-8; a byte order mark is passed over.
func NewCursor(data []byte) (*Cursor, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")):
		return nil, &Error{1, 1, "the file is UTF-16; it must be UTF-8"}
	case !utf8.Valid(data):
		at := 0
		for rest := data; ; {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n <= 1 {
				break
			}
			at, rest = at+n, rest[n:]
		}
		return nil, errorAt(data, at, "invalid UTF-8")
	}
	c := &Cursor{data: TrimBOM(data)}
	c.space()
	return c, nil
}

func (c *Cursor) fail(format string, args ...any) error {
	return errorAt(c.data, c.at, fmt.Sprintf(format, args...))
}

func (c *Cursor) space() {
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case ' ', '\n', '\t', '\r':
			c.at++
		default:
			return
		}
	}
}

// End reports anything that follows the value read.
func (c *Cursor) End() error {
	if c.space(); c.at < len(c.data) {
		return c.fail("something follows the end of the document")
	}
	return nil
}

// Offset is the cursor's place in the document, in bytes after a byte order
// mark; it stands before the next value.
func (c *Cursor) Offset() int { return c.at }

// Peek returns the first byte of the next value, or 0 at the end.
func (c *Cursor) Peek() byte {
	if c.at >= len(c.data) {
		return 0
	}
	return c.data[c.at]
}

func (c *Cursor) expect(b byte) error {
	if c.Peek() != b {
		return c.unexpected(fmt.Sprintf("%q", b))
	}
	c.at++
	c.space()
	return nil
}

func (c *Cursor) unexpected(want string) error {
	if c.at >= len(c.data) {
		return c.fail("the file ends where %s was expected", want)
	}
	r, _ := utf8.DecodeRune(c.data[c.at:])
	return c.fail("%s was expected, not %q", want, r)
}

// nested opens an array or object, calls item for each element and closes it.
func (c *Cursor) nested(opening, closing byte, item func() error) error {
	if err := c.expect(opening); err != nil {
		return err
	}
	if c.depth++; c.depth > MaxDepth {
		return c.fail("nested deeper than %d levels", MaxDepth)
	}
	if c.Peek() != closing {
		for {
			if err := item(); err != nil {
				return err
			}
			if c.Peek() == closing {
				break
			}
			if err := c.expect(','); err != nil {
				return err
			}
		}
	}
	c.depth--
	return c.expect(closing)
}

// Array calls item before each element; item must read it.
func (c *Cursor) Array(item func() error) error { return c.nested('[', ']', item) }

// Object calls member after each key; member must read the value. The key
// is valid until member returns.
func (c *Cursor) Object(member func(key []byte) error) error {
	base := len(c.keys)
	var many map[string]bool // keys of this object, once they are many
	err := c.nested('{', '}', func() error {
		at := c.at
		key, err := c.rawString()
		if err != nil {
			return err
		}
		twice := false
		if len(c.keys)-base < fewKeys {
			twice = c.hasKey(base, key)
			c.keys = append(c.keys, key)
		} else {
			if many == nil {
				many = map[string]bool{}
				for _, k := range c.keys[base:] {
					many[c.keyName(k)] = true
				}
			}
			name := c.keyName(key)
			twice = many[name]
			many[name] = true
		}
		if twice {
			c.at = at
			return c.fail("the key %q stands twice in one object", key)
		}
		if err := c.expect(':'); err != nil {
			return err
		}
		return member(key)
	})
	c.keys = c.keys[:base]
	return err
}

// fewKeys is how many keys are compared one by one before a map pays.
const fewKeys = 16

// hasKey reports whether a key of the innermost open object, whose keys
// begin at base, equals key.
func (c *Cursor) hasKey(base int, key []byte) bool {
	for _, k := range c.keys[base:] {
		if bytes.Equal(k, key) || c.fold && len(k) == len(key) && bytes.EqualFold(k, key) {
			return true
		}
	}
	return false
}

func (c *Cursor) keyName(key []byte) string {
	if c.fold {
		return strings.ToLower(string(key))
	}
	return string(key)
}

// String reads a string value. Strings share one copy of the document, so
// that a document of many costs one allocation.
func (c *Cursor) String() (string, error) {
	start := c.at + 1
	b, err := c.rawString()
	if err != nil {
		return "", err
	}
	if end := start + len(b); end < len(c.data) && c.data[end] == '"' && len(b) > 0 && &c.data[start] == &b[0] {
		if c.text == "" {
			c.text = string(c.data)
		}
		return c.text[start:end], nil
	}
	return string(b), nil // it held an escape
}

// rawString reads a string; the bytes are those of the document where it
// holds no escape.
func (c *Cursor) rawString() ([]byte, error) {
	if c.Peek() != '"' {
		return nil, c.unexpected("a string")
	}
	start := c.at + 1
	for i := start; i < len(c.data); i++ {
		if plain[c.data[i]] {
			continue
		}
		switch c.data[i] {
		case '"':
			c.at = i + 1
			c.space()
			return c.data[start:i], nil
		case '\\':
			return c.escaped(start)
		}
		c.at = i
		return nil, c.fail("a control character in a string")
	}
	return nil, c.fail("a string without an end")
}

// plain marks the bytes that stand for themselves in a string.
var plain = func() (t [256]bool) {
	for b := range t {
		t[b] = b >= ' ' && b != '"' && b != '\\'
	}
	return t
}()

// escaped reads a string that holds an escape; encoding/json knows them all.
func (c *Cursor) escaped(start int) ([]byte, error) {
	for i := start; i < len(c.data); i++ {
		switch c.data[i] {
		case '\\':
			i++
		case '"':
			var s string
			if err := json.Unmarshal(c.data[start-1:i+1], &s); err != nil {
				return nil, c.fail("a wrong escape in a string")
			}
			if strings.ContainsRune(s, utf8.RuneError) && hasLoneSurrogate(c.data[start:i]) {
				return nil, c.fail("half of a surrogate pair in a string")
			}
			c.at = i + 1
			c.space()
			return []byte(s), nil
		}
	}
	return nil, c.fail("a string without an end")
}

// hasLoneSurrogate reports whether raw string text holds an escape that
// decodes to U+FFFD without spelling it.
func hasLoneSurrogate(raw []byte) bool {
	lower := bytes.ToLower(raw)
	spelled := bytes.Count(lower, []byte(`\ufffd`)) + bytes.Count(raw, []byte("\uFFFD"))
	var s string
	if json.Unmarshal([]byte(`"`+string(raw)+`"`), &s) != nil {
		return true
	}
	return strings.Count(s, "\uFFFD") > spelled
}

// Int reads a whole number between −2⁵³ and 2⁵³.
func (c *Cursor) Int() (int, error) {
	i, n, neg := c.at, 0, false
	if i < len(c.data) && c.data[i] == '-' {
		neg = true
		i++
	}
	first := i
	for i < len(c.data) && c.data[i]-'0' <= 9 {
		n = n*10 + int(c.data[i]-'0')
		if n > 1<<53 {
			return 0, c.fail("a number out of range")
		}
		i++
	}
	if i == first {
		return 0, c.unexpected("a whole number")
	}
	if i < len(c.data) && (c.data[i] == '.' || c.data[i] == 'e' || c.data[i] == 'E') || c.data[first] == '0' && i > first+1 {
		return 0, c.fail("a whole number was expected")
	}
	c.at = i
	if c.at < len(c.data) && c.data[c.at] <= ' ' {
		c.space()
	}
	if neg {
		n = -n
	}
	return n, nil
}

// Ints reads an array of whole numbers and appends them to dst.
func (c *Cursor) Ints(dst []int) ([]int, error) {
	if dst == nil {
		end := bytes.IndexByte(c.data[c.at:], ']')
		dst = make([]int, 0, 1+bytes.Count(c.data[c.at:c.at+max(end, 0)], []byte{','}))
	}
	err := c.Array(func() error {
		n, err := c.Int()
		dst = append(dst, n)
		return err
	})
	return dst, err
}

// Strings reads an array of strings.
func (c *Cursor) Strings() ([]string, error) {
	list := []string{}
	err := c.Array(func() error {
		s, err := c.String()
		list = append(list, s)
		return err
	})
	return list, err
}

// Raw reads and checks one value and returns its bytes, to be read later by
// a cursor of their own.
func (c *Cursor) Raw() ([]byte, error) {
	start := c.at
	err := c.Skip()
	return c.data[start:c.at], err
}

// Skip reads and checks one value of any kind.
func (c *Cursor) Skip() error {
	switch b := c.Peek(); {
	case b == '{':
		return c.Object(func([]byte) error { return c.Skip() })
	case b == '[':
		if c.skipInts() {
			return nil
		}
		return c.Array(c.Skip)
	case b == '"':
		_, err := c.rawString()
		return err
	case b == '-' || b-'0' <= 9:
		return c.number()
	default:
		for _, word := range []string{"true", "false", "null"} {
			if bytes.HasPrefix(c.data[c.at:], []byte(word)) {
				c.at += len(word)
				c.space()
				return nil
			}
		}
		return c.unexpected("a value")
	}
}

// skipInts passes over an array of whole numbers without white space, which
// is most of an index. It moves only when the whole array is one.
func (c *Cursor) skipInts() bool {
	if c.depth+1 > MaxDepth {
		return false
	}
	for i := c.at + 1; i < len(c.data); {
		if c.data[i] == '-' {
			i++
		}
		first := i
		for i < len(c.data) && c.data[i]-'0' <= 9 {
			i++
		}
		if i == first || c.data[first] == '0' && i > first+1 || i == len(c.data) {
			return false
		}
		switch c.data[i] {
		case ',':
			i++
		case ']':
			c.at = i + 1
			c.space()
			return true
		default:
			return false
		}
	}
	return false
}

// number checks a number by the grammar of RFC 8259, section 6.
func (c *Cursor) number() error {
	i := c.at
	digits := func() bool {
		from := i
		for i < len(c.data) && c.data[i]-'0' <= 9 {
			i++
		}
		return i > from
	}
	if c.data[i] == '-' {
		i++
	}
	whole := i
	ok := digits() && !(c.data[whole] == '0' && i > whole+1)
	if ok && i < len(c.data) && c.data[i] == '.' {
		i++
		ok = digits()
	}
	if ok && i < len(c.data) && c.data[i]|0x20 == 'e' {
		i++
		if i < len(c.data) && (c.data[i] == '+' || c.data[i] == '-') {
			i++
		}
		ok = digits()
	}
	if !ok {
		return c.fail("not a number")
	}
	c.at = i
	c.space()
	return nil
}
