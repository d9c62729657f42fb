package usage

import (
	"bufio"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The largest line of a transcript that is read, and the largest transcript
// that is one document, in bytes.
const (
	maxLine     = 8 << 20
	maxDocument = 64 << 20
)

// scan is the state of a [Scan].
type scan struct {
	since    time.Time
	client   string
	files    int
	seen     map[uint64]bool // calls that were counted: a session that goes on in another file repeats them
	sessions map[string]*Session
	report   Report

	// Of the file that is read:
	session  *Session
	path     string
	id, dir  string
	prompted bool // the last prompt of the person names what route does
}

// file reads one transcript.
func (s *scan) file(path string) {
	f, err := os.Open(path)
	if err != nil {
		s.report.Passed++
		return
	}
	defer f.Close()
	s.session, s.path, s.id, s.dir, s.prompted = nil, path, "", "", false
	if s.client == "gemini" && strings.HasSuffix(path, ".json") {
		s.document(f)
		return
	}
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := readLine(in)
		if len(line) > 0 {
			s.entry(line)
		} else if errors.Is(err, errLong) {
			s.report.Passed++
			continue
		}
		if err != nil {
			return
		}
	}
}

var errLong = errors.New("the line is too long")

// readLine reads a line of at most maxLine bytes; a longer one is passed over.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && err == nil:
			return nil, errLong
		case long:
			return nil, err
		}
		return line, err
	}
}

// document reads a transcript that is one JSON object with its messages in a
// list, one message at a time.
func (s *scan) document(f io.Reader) {
	d := json.NewDecoder(io.LimitReader(f, maxDocument))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		s.report.Passed++
		return
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			s.report.Passed++
			return
		}
		switch key {
		case "sessionId":
			err = d.Decode(&s.id)
		case "messages":
			err = s.messages(d)
		default:
			var skipped json.RawMessage
			err = d.Decode(&skipped)
		}
		if err != nil {
			s.report.Passed++
			return
		}
	}
}

func (s *scan) messages(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(err, errors.New("no list"))
	}
	for d.More() {
		var m json.RawMessage
		if err := d.Decode(&m); err != nil {
			return err
		}
		s.entry(m)
	}
	_, err := d.Token()
	return err
}

// entry reads one entry of a transcript.
func (s *scan) entry(line []byte) {
	var at struct {
		Timestamp time.Time `json:"timestamp"`
	}
	parsers := map[string]func([]byte) ([]call, bool){"claude": s.claude, "codex": s.codex, "gemini": s.gemini}
	calls, ok := parsers[s.client](line)
	if !ok {
		s.report.Passed++
		return
	}
	if json.Unmarshal(line, &at) != nil || at.Timestamp.Before(s.since) {
		return
	}
	one := s.current(at.Timestamp)
	for _, c := range calls {
		if s.repeated(c.id) {
			continue
		}
		counts := c.counts()
		if s.prompted {
			counts.Prompted = counts.Route
		}
		one.add(counts)
	}
}

// current is the session that the file belongs to.
func (s *scan) current(at time.Time) *Session {
	id := s.id
	if id == "" {
		id = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(s.path), ".jsonl"), ".json")
	}
	if s.session == nil || s.session.ID != id {
		one, ok := s.sessions[s.client+"\n"+id]
		if !ok {
			one = &Session{Client: s.client, ID: id, Start: at.UTC()}
			s.sessions[s.client+"\n"+id] = one
		}
		s.session = one
	}
	if s.session.Project == "" && s.dir != "" {
		s.session.Project = filepath.Base(filepath.FromSlash(strings.ReplaceAll(s.dir, `\`, "/")))
	}
	if !at.IsZero() && (s.session.Start.IsZero() || at.Before(s.session.Start)) {
		s.session.Start = at.UTC()
	}
	return s.session
}

// maxSeen bounds how many calls are remembered.
const maxSeen = 5_000_000

// repeated reports whether a call of this id was counted, and remembers it.
func (s *scan) repeated(id string) bool {
	if id == "" {
		return false
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, s.client+"\n"+id)
	key := h.Sum64()
	if s.seen[key] {
		return true
	}
	if len(s.seen) < maxSeen {
		s.seen[key] = true
	}
	return false
}
