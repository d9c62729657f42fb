package strictjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

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

// Bool reads true or false.
func (c *Cursor) Bool() (bool, error) {
	if b := c.Peek(); b != 't' && b != 'f' {
		return false, c.unexpected("true or false")
	}
	raw, err := c.Raw()
	return strings.TrimSpace(string(raw)) == "true", err
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
