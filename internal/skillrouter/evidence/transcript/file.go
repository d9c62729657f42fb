package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bounds on what is read, in bytes.
const (
	maxLine     = 8 << 20  // a longer one is passed over
	maxDocument = 64 << 20 // of a session that is one JSON document
	block       = 64 << 10
)

// A File is an open transcript.
type File struct {
	f        *os.File
	size     int64
	document bool
}

// Open opens a transcript. What is no regular file is refused: a path from
// outside may name a pipe, which would be waited for.
func Open(path string) (*File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t := &File{f: f, size: st.Size()}
	if t.document, err = isDocument(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// Close ends the use of the file.
func (t *File) Close() error { return t.f.Close() }

// isDocument tells one JSON document from JSON lines: its first line is not a
// value, or is one with messages.
func isDocument(r io.ReaderAt) (bool, error) {
	head := make([]byte, block)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	head = bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf"))
	line, _, _ := bytes.Cut(head, []byte("\n"))
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false, nil
	}
	if len(bytes.TrimSpace(line)) == 1 {
		return true, nil // an opening brace alone: laid out over lines
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false, nil
		}
		if key == "messages" {
			return true, nil
		}
		if key == "type" || key == "payload" || key == "role" {
			return false, nil
		}
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return false, nil
		}
	}
	return false, nil
}

// An End is how a session stands.
type End struct {
	Reply string // what the model said last, "" when it said nothing since the prompt
	Turn  string // names the prompt that it answers, "" when that is unknown
}

// Last reads the end of the transcript.
func (t *File) Last(ctx context.Context) (End, error) {
	if t.document {
		return t.lastOfDocument()
	}
	var e ending
	err := backwards(ctx, t.f, t.size, func(line []byte) bool { return e.before(quick(line)) })
	return End{e.reply(), e.turn}, err
}

// ending puts an end together from records that come last to first.
type ending struct {
	texts  []string // last first
	closed bool     // a tool was used after what comes now
	seen   map[string]bool
	skip   string // a record up to which all was taken back
	turn   string
}

// before takes the record that stands before those it has. It is false when
// no more is wanted.
func (e *ending) before(r Record) bool {
	if e.skip != "" {
		if r.ID == e.skip {
			e.skip = ""
		}
		return true
	}
	switch r.Kind {
	case Rewind:
		e.skip = r.ID
	case Result:
		e.closed = true
	case Prompt:
		e.turn = r.ID
		return false
	case Reply:
		if r.ID != "" && e.seen[r.ID] {
			return true // written again with more in it, which was read
		}
		if e.seen == nil {
			e.seen = map[string]bool{}
		}
		if r.ID != "" {
			e.seen[r.ID] = true
		}
		if !e.closed && r.Text != "" && len(e.texts) < maxTexts {
			e.texts = append(e.texts, r.Text)
		}
		if len(r.Calls) > 0 {
			e.closed = true
		}
	}
	return true
}

// maxTexts bounds the pieces of one reply.
const maxTexts = 256

func (e *ending) reply() string {
	var b bytes.Buffer
	for i := len(e.texts) - 1; i >= 0; i-- {
		b.WriteString(e.texts[i])
		b.WriteByte('\n')
	}
	return b.String()
}

// results are marks of a tool's result, which may be large and says nothing
// here. Inside a text they would be escaped.
var results = [][]byte{[]byte(`"type":"tool_result"`), []byte(`"type":"function_call_output"`), []byte(`"type":"custom_tool_call_output"`), []byte(`"role":"tool"`)}

// quick decodes a line, and a long one only when it may matter.
func quick(line []byte) Record {
	if len(line) > 4<<10 {
		for _, m := range results {
			if bytes.Contains(line, m) {
				return Record{Kind: Result}
			}
		}
	}
	return Decode(line)
}

// Calls gives each call of a tool in lines that hold one of the words, first
// to last, until see is false.
func (t *File) Calls(ctx context.Context, words []string, see func(Call) bool) error {
	if t.document {
		return t.messages(func(r Record) bool { return all(r.Calls, see) })
	}
	return forwards(ctx, io.NewSectionReader(t.f, 0, t.size), func(line []byte) bool {
		for _, w := range words {
			if bytes.Contains(line, []byte(w)) {
				return all(Decode(line).Calls, see)
			}
		}
		return true
	})
}

func all(calls []Call, see func(Call) bool) bool {
	for _, c := range calls {
		if !see(c) {
			return false
		}
	}
	return true
}

func (t *File) lastOfDocument() (End, error) {
	var list []Record
	err := t.messages(func(r Record) bool {
		if r.Kind == Prompt {
			list = list[:0]
		}
		list = append(list, r)
		return true
	})
	var e ending
	for i := len(list) - 1; i >= 0 && e.before(list[i]); i-- {
	}
	return End{e.reply(), e.turn}, err
}

// messages reads the elements of a document's messages.
func (t *File) messages(see func(Record) bool) error {
	if t.size > maxDocument {
		return fmt.Errorf("the transcript is one document of %d bytes; at most %d are read", t.size, maxDocument)
	}
	d := json.NewDecoder(io.NewSectionReader(t.f, 0, t.size))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key != "messages" {
			var skip json.RawMessage
			if err := d.Decode(&skip); err != nil {
				return err
			}
			continue
		}
		if _, err := d.Token(); err != nil {
			return err
		}
		for d.More() {
			var m json.RawMessage
			if err := d.Decode(&m); err != nil {
				return err
			}
			if !see(Decode(m)) {
				return nil
			}
		}
		return nil
	}
	return nil
}
