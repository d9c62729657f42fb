package document

import (
	"bytes"
	"strconv"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// ParseJSON reads a JSON document that holds only objects, arrays, strings
// and whole numbers from 0. An error is an *[Error].
func ParseJSON(data []byte) (*Node, error) {
	if len(data) > MaxBytes {
		_, err := check(data)
		return nil, err
	}
	data = strictjson.TrimBOM(data)
	if err := strictjson.Check(data); err != nil {
		return nil, err
	}
	c, err := strictjson.NewCursor(data)
	if err != nil {
		return nil, err
	}
	r := &jsonReader{Cursor: c, data: data, line: 1}
	n, err := r.value()
	if err != nil {
		return nil, err
	}
	return n, c.End()
}

type jsonReader struct {
	*strictjson.Cursor
	data []byte
	seen int // bytes whose lines are counted in line
	line int
}

// lineHere is the line of the cursor; it only ever moves on.
func (r *jsonReader) lineHere() int {
	at := r.Offset()
	r.line += bytes.Count(r.data[r.seen:at], []byte("\n"))
	r.seen = at
	return r.line
}

func (r *jsonReader) value() (*Node, error) {
	n := &Node{Line: r.lineHere()}
	switch b := r.Peek(); {
	case b == '{':
		n.Kind = Mapping
		return n, r.Object(func(key []byte) error {
			m := Member{Key: string(key), Line: r.lineHere()}
			value, err := r.value()
			m.Value = value
			n.Members = append(n.Members, m)
			return err
		})
	case b == '[':
		n.Kind = List
		return n, r.Array(func() error {
			item, err := r.value()
			n.Items = append(n.Items, item)
			return err
		})
	case b == '"':
		text, err := r.String()
		n.Text = text
		return n, err
	case b-'0' <= 9:
		i, err := r.Int()
		n.Kind, n.Text = Integer, strconv.Itoa(i)
		return n, err
	}
	return nil, &Error{Line: n.Line, Column: r.Offset() - bytes.LastIndexByte(r.data[:r.Offset()], '\n'),
		Text: "a text, a whole number, a list or an object was expected"}
}
