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
