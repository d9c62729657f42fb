// Package document reads the two spellings of a question file, a strict
// subset of YAML and strict JSON, into one tree whose nodes know their line.
//
// The subset is what a list of questions needs and no more: block mappings,
// block lists, one-line lists in brackets, and scalars that are text or a
// whole number. What it accepts, every YAML reader accepts with the same
// value; text that YAML 1.1 or 1.2 would take for something else (yes, null,
// 1.0, a date) must stand in quotes. docs/bench.md describes it for people.
package document

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// MaxBytes is the largest document that is read.
const MaxBytes = 1 << 20

// maxDepth is the deepest nesting of a YAML document.
const maxDepth = 16

// An Error is a document that is refused, with line and column from 1.
type Error = strictjson.Error

// A Kind says what a node is.
type Kind int

// The kinds of nodes.
const (
	Text    Kind = iota // a string
	Integer             // a whole number; Node.Text holds its digits
	List
	Mapping
)

func (k Kind) String() string {
	return [...]string{"text", "a number", "a list", "a mapping"}[k]
}

// A Node is one value of a document.
type Node struct {
	Kind    Kind
	Line    int     // where it starts, from 1
	Text    string  // of Text and Integer
	Items   []*Node // of List
	Members []Member
}

// A Member is one key of a mapping, in the order of the document.
type Member struct {
	Key   string
	Line  int
	Value *Node
}

// check refuses bytes that no document may hold and returns the others
// without a byte order mark.
func check(data []byte) ([]byte, error) {
	switch {
	case len(data) > MaxBytes:
		return nil, &Error{Line: 1, Column: 1, Text: fmt.Sprintf("the file has %d bytes; at most %d are read", len(data), MaxBytes)}
	case bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")):
		return nil, &Error{Line: 1, Column: 1, Text: "the file is UTF-16; it must be UTF-8"}
	}
	data = strictjson.TrimBOM(data)
	line, start := 1, 0
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		text := ""
		switch {
		case r == '\n':
			line, start = line+1, at+1
		case r == utf8.RuneError && n == 1:
			text = "invalid UTF-8"
		case r == '\r' && at+1 < len(data) && data[at+1] == '\n':
		case r == '\t':
			text = "a tab; use spaces, or \\t inside double quotes"
		case !printable(r):
			text = fmt.Sprintf("the invisible character U+%04X", r)
		}
		if text != "" {
			return nil, &Error{Line: line, Column: at - start + 1, Text: text}
		}
		at += n
	}
	return data, nil
}

// printable reports whether r may stand in a document: no control
// character, no line break but LF, nothing that reorders the text around it.
func printable(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r <= 0x9f:
		return false
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return false
	case r == 0xfeff, r&0xfffe == 0xfffe:
		return false
	}
	return true
}
