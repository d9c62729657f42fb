package strictjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

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
