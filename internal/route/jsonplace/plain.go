package jsonplace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Plain is the text with blanks for its comments, for a comma before a closing
// bracket and for a byte order mark, so that places in it are places in the
// text. What is no JSON even so is an error that says where.
func Plain(text []byte) ([]byte, error) {
	out := Blank(text)
	if bytes.HasPrefix(out, []byte("\xef\xbb\xbf")) {
		copy(out, "   ")
	}
	if !json.Valid(out) {
		var whole json.RawMessage
		err := json.Unmarshal(out, &whole)
		if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
			at := min(max(int(s.Offset)-1, 0), len(text))
			line := 1 + bytes.Count(text[:at], []byte("\n"))
			column := at - bytes.LastIndexByte(text[:at], '\n')
			return nil, fmt.Errorf("line %d, column %d: %s", line, column, s.Error())
		}
		return nil, fmt.Errorf("it is not JSON: %v", err)
	}
	return out, nil
}
