// Package skillslock is skills.lock: the file that says where each vendored
// skill came from, at which commit, and what each of its files must be.
//
// A lock is read strictly and written carefully. Rows that nobody changed
// keep their bytes, and a lock that nobody changed is the same file: locks of
// other tools pass through. Keys that this package does not know stay.
package skillslock

import (
	"bytes"

	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// Version is the only version of the format.
const Version = 1

// Bounds of a lock. A real one has a few rows of a few dozen files.
const (
	MaxSize  = 1 << 20 // bytes
	MaxRows  = 500
	MaxFiles = 2000 // of one skill
)

// Name is what the file is called.
const Name = "skills.lock"

// A Row is one skill. Maps are nil where the lock has no such key.
type Row struct {
	Upstream   string            // owner/repo, or an address that git understands
	Path       string            // directory upstream, with slashes; "" is the root
	Commit     string            // 40 hex digits, or "" where it is not known
	Files      map[string]string // path below the skill's directory → git's hash of the contents
	License    string            // SPDX, or ""
	LocalEdits string            // a patch, relative to the lock's directory, or ""
	Hold       string            // why it is not updated, or ""

	Paths         map[string]string // vendored file → its path upstream, where it is outside of Path
	UpstreamFiles map[string]string // file → hash before the local edits, or nil without edits
	Modes         map[string]string // executable file → "100755"; nil where modes are not recorded
	Platforms     []string          // whose programs are vendored, as in "linux-amd64"; nil means no choice was made
	Follow        string            // "releases" for the newest release tag; "" for the default branch
	Toolchain     string            // that built the programs, as in "go1.26.8", or ""

	extra []member // what this package does not know
}

// A Lock is the whole file.
type Lock struct {
	source []byte // as read, without a byte order mark
	skills span   // the object of rows
	rows   []rowAt
	head   []byte // a byte order mark
	crlf   bool
}

type span struct{ from, to int }

type rowAt struct {
	name    string
	at      span // of key and value
	row     Row
	changed bool
	added   bool
}

type member struct {
	name string
	raw  []byte
}

// An Error is a lock that is refused.
type Error struct{ Text string }

func (e *Error) Error() string { return Name + ": " + e.Text }

// Hint is the next step.
func (e *Error) Hint() string {
	return "mend the file by hand, or take it from the last commit that had it in order"
}

func refuse(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// New is a lock without rows.
func New() *Lock {
	l, err := Parse([]byte("{\n  \"version\": 1,\n  \"skills\": {}\n}\n"))
	if err != nil {
		panic(err)
	}
	return l
}

// Parse reads a lock.
func Parse(data []byte) (*Lock, error) {
	if len(data) > MaxSize {
		return nil, refuse("it has %d bytes; at most %d are read", len(data), MaxSize)
	}
	body := strictjson.TrimBOM(data)
	l := &Lock{source: slices.Clone(body), head: slices.Clone(data[:len(data)-len(body)]), crlf: bytes.Contains(body, []byte("\r\n"))}
	if err := strictjson.Check(body); err != nil {
		return nil, refuse("%v", err)
	}
	top, err := members(body, 0)
	if err != nil {
		return nil, err
	}
	version, hasSkills := 0, false
	for _, m := range top {
		switch m.name {
		case "version":
			if err := json.Unmarshal(body[m.value.from:m.value.to], &version); err != nil {
				return nil, refuse("version is not a number")
			}
		case "skills":
			hasSkills, l.skills = true, m.value
		}
	}
	if version != Version {
		return nil, refuse("its version is %d, and only %d is known", version, Version)
	}
	if !hasSkills {
		return nil, refuse("it has no skills")
	}
	rows, err := members(body[:l.skills.to], l.skills.from)
	if err != nil {
		return nil, refuse("skills: %v", err)
	}
	if len(rows) > MaxRows {
		return nil, refuse("it has %d skills; at most %d are read", len(rows), MaxRows)
	}
	for _, m := range rows {
		if !ValidName(m.name) {
			return nil, refuse("%q is not a skill's name", m.name)
		}
		row, err := parseRow(body[:m.value.to], m.value.from)
		if err != nil {
			return nil, refuse("%s: %v", m.name, err)
		}
		l.rows = append(l.rows, rowAt{name: m.name, at: span{m.key, m.value.to}, row: row})
	}
	return l, nil
}

// at is one member of an object: where its key begins and where its value
// stands.
type at struct {
	name  string
	key   int
	value span
}

// members lists the members of the object that begins at from. The data has
// been checked.
func members(data []byte, from int) (found []at, err error) {
	d := json.NewDecoder(bytes.NewReader(data[from:]))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("it is not an object")
	}
	for d.More() {
		before := from + int(d.InputOffset())
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		to := from + int(d.InputOffset())
		name, _ := key.(string)
		found = append(found, at{name, before + bytes.IndexByte(data[before:], '"'), span{to - len(raw), to}})
	}
	return found, nil
}

// Names are the skills, in the lock's order.
func (l *Lock) Names() []string {
	var names []string
	for _, r := range l.rows {
		names = append(names, r.name)
	}
	return names
}

// Row is the row of a skill.
func (l *Lock) Row(name string) (Row, bool) {
	i := l.index(name)
	if i < 0 {
		return Row{}, false
	}
	return l.rows[i].row.clone(), true
}

func (l *Lock) index(name string) int {
	return slices.IndexFunc(l.rows, func(r rowAt) bool { return r.name == name })
}

// Set gives a skill this row. A row that says the same as before keeps its
// bytes.
func (l *Lock) Set(name string, row Row) error {
	if !ValidName(name) {
		return refuse("%q is not a skill's name", name)
	}
	if err := row.check(); err != nil {
		return refuse("%s: %v", name, err)
	}
	row = row.clone()
	if i := l.index(name); i >= 0 {
		row.extra = l.rows[i].row.extra
		if !l.rows[i].row.equal(row) {
			l.rows[i].row, l.rows[i].changed = row, true
		}
		return nil
	}
	if len(l.rows) >= MaxRows {
		return refuse("it has %d skills already", len(l.rows))
	}
	i := slices.IndexFunc(l.rows, func(r rowAt) bool { return r.name > name })
	if i < 0 {
		i = len(l.rows)
	}
	l.rows = slices.Insert(l.rows, i, rowAt{name: name, row: row, added: true})
	return nil
}

// Bytes is the file. What was not changed has the bytes that were read.
func (l *Lock) Bytes() []byte {
	changed := slices.ContainsFunc(l.rows, func(r rowAt) bool { return r.changed || r.added })
	if !changed {
		return append(slices.Clone(l.head), l.source...)
	}
	out := slices.Clone(l.head)
	copied := 0
	if slices.ContainsFunc(l.rows, func(r rowAt) bool { return r.added }) {
		// What stands between rows is not worth keeping when rows are put there.
		out = append(out, l.source[:l.skills.from]...)
		out = append(out, '{')
		for i, r := range l.rows {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, l.newline()+"    "...)
			if r.changed || r.added {
				out = append(out, l.encode(r)...)
			} else {
				out = append(out, l.source[r.at.from:r.at.to]...)
			}
		}
		out = append(out, l.newline()+"  }"...)
		return append(out, l.source[l.skills.to:]...)
	}
	for _, r := range l.rows {
		if !r.changed {
			continue
		}
		out = append(out, l.source[copied:r.at.from]...)
		out = append(out, l.encode(r)...)
		copied = r.at.to
	}
	return append(out, l.source[copied:]...)
}

func (l *Lock) newline() string {
	if l.crlf {
		return "\r\n"
	}
	return "\n"
}

func (r Row) clone() Row {
	r.Files, r.Paths, r.UpstreamFiles, r.Modes = maps.Clone(r.Files), maps.Clone(r.Paths), maps.Clone(r.UpstreamFiles), maps.Clone(r.Modes)
	r.Platforms = slices.Clone(r.Platforms)
	return r
}

func (r Row) equal(o Row) bool {
	same := func(a, b map[string]string) bool { return maps.Equal(a, b) && (a == nil) == (b == nil) }
	return r.Upstream == o.Upstream && r.Path == o.Path && r.Commit == o.Commit && r.License == o.License && r.LocalEdits == o.LocalEdits &&
		r.Hold == o.Hold && r.Follow == o.Follow && r.Toolchain == o.Toolchain && maps.Equal(r.Files, o.Files) && same(r.Paths, o.Paths) &&
		same(r.UpstreamFiles, o.UpstreamFiles) && same(r.Modes, o.Modes) && slices.Equal(r.Platforms, o.Platforms) && (r.Platforms == nil) == (o.Platforms == nil)
}

// Pristine are the hashes of the files as they are upstream.
func (r Row) Pristine() map[string]string {
	if r.UpstreamFiles != nil {
		return r.UpstreamFiles
	}
	return r.Files
}

// sortedNames are the keys of a map, in order.
func sortedNames(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
