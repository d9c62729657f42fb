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

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
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
	Installed     []string          // files of the repository that were made with the row, for an undo

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
	removed bool
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
	top, err := jsonplace.Members(body, 0)
	if err != nil {
		return nil, refuse("%v", err)
	}
	version, hasSkills := 0, false
	for _, m := range top {
		switch m.Name {
		case "version":
			if err := json.Unmarshal(body[m.From:m.To], &version); err != nil {
				return nil, refuse("version is not a number")
			}
		case "skills":
			hasSkills, l.skills = true, span{m.From, m.To}
		}
	}
	if version != Version {
		return nil, refuse("its version is %d, and only %d is known", version, Version)
	}
	if !hasSkills {
		return nil, refuse("it has no skills")
	}
	rows, err := jsonplace.Members(body[:l.skills.to], l.skills.from)
	if err != nil {
		return nil, refuse("skills: %v", err)
	}
	if len(rows) > MaxRows {
		return nil, refuse("it has %d skills; at most %d are read", len(rows), MaxRows)
	}
	for _, m := range rows {
		if !ValidName(m.Name) {
			return nil, refuse("%q is not a skill's name", m.Name)
		}
		row, err := parseRow(body[:m.To], m.From)
		if err != nil {
			return nil, refuse("%s: %v", m.Name, err)
		}
		l.rows = append(l.rows, rowAt{name: m.Name, at: span{m.Key, m.To}, row: row})
	}
	return l, nil
}

// Names are the skills, in the lock's order.
func (l *Lock) Names() []string {
	var names []string
	for _, r := range l.rows {
		if !r.removed {
			names = append(names, r.name)
		}
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
	return slices.IndexFunc(l.rows, func(r rowAt) bool { return r.name == name && !r.removed })
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
	changed := slices.ContainsFunc(l.rows, func(r rowAt) bool { return r.changed || r.added || r.removed })
	if !changed {
		return append(slices.Clone(l.head), l.source...)
	}
	kept := slices.DeleteFunc(slices.Clone(l.rows), func(r rowAt) bool { return r.removed })
	out := slices.Clone(l.head)
	if !slices.ContainsFunc(l.rows, func(r rowAt) bool { return !r.added }) || len(kept) == 0 {
		// No row of before is left to stand beside.
		out = append(out, l.source[:l.skills.from+1]...)
		for i, r := range kept {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, l.newline()+"    "...)
			out = append(out, l.text(r)...)
		}
		if len(kept) > 0 {
			out = append(out, l.newline()+"  "...)
		}
		return append(out, l.source[l.skills.to-1:]...)
	}
	out = append(out, l.source[:l.firstKey()]...)
	for i, r := range kept {
		if i > 0 {
			out = append(out, l.between(r)...)
		}
		out = append(out, l.text(r)...)
	}
	return append(out, l.source[l.lastEnd():]...)
}

// firstKey is where the first row of the source begins, lastEnd where the
// last one ends.
func (l *Lock) firstKey() int {
	return l.rows[slices.IndexFunc(l.rows, func(r rowAt) bool { return !r.added })].at.from
}

func (l *Lock) lastEnd() int {
	end := 0
	for _, r := range l.rows {
		end = max(end, r.at.to)
	}
	return end
}

// between is what separates a row from the one before: what did in the
// source, where it had one before it there.
func (l *Lock) between(r rowAt) string {
	before := -1
	for _, o := range l.rows {
		if !o.added && o.at.to <= r.at.from {
			before = max(before, o.at.to)
		}
	}
	if r.added || before < 0 {
		return "," + l.newline() + "    "
	}
	return string(l.source[before:r.at.from])
}

func (l *Lock) text(r rowAt) []byte {
	if r.changed || r.added {
		return l.encode(r)
	}
	return l.source[r.at.from:r.at.to]
}

// Remove takes a skill's row away.
func (l *Lock) Remove(name string) {
	i := l.index(name)
	switch {
	case i < 0:
	case l.rows[i].added:
		l.rows = slices.Delete(l.rows, i, i+1)
	default:
		l.rows[i].removed = true
	}
}

func (l *Lock) newline() string {
	if l.crlf {
		return "\r\n"
	}
	return "\n"
}

func (r Row) clone() Row {
	r.Files, r.Paths, r.UpstreamFiles, r.Modes = maps.Clone(r.Files), maps.Clone(r.Paths), maps.Clone(r.UpstreamFiles), maps.Clone(r.Modes)
	r.Platforms, r.Installed = slices.Clone(r.Platforms), slices.Clone(r.Installed)
	return r
}

func (r Row) equal(o Row) bool {
	same := func(a, b map[string]string) bool { return maps.Equal(a, b) && (a == nil) == (b == nil) }
	return r.Upstream == o.Upstream && r.Path == o.Path && r.Commit == o.Commit && r.License == o.License && r.LocalEdits == o.LocalEdits &&
		r.Hold == o.Hold && r.Follow == o.Follow && r.Toolchain == o.Toolchain && maps.Equal(r.Files, o.Files) && same(r.Paths, o.Paths) &&
		same(r.UpstreamFiles, o.UpstreamFiles) && same(r.Modes, o.Modes) && slices.Equal(r.Platforms, o.Platforms) && (r.Platforms == nil) == (o.Platforms == nil) && slices.Equal(r.Installed, o.Installed)
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
