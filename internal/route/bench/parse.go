package bench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/bench/document"
	"github.com/marola-dev/marola-routing/internal/route/pattern"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// Names are the names that a question file has at a repository's top, in
// the order in which they are looked for.
var Names = []string{"routing-bench.yaml", "routing-bench.json"}

// Bounds of a question file. They are far above what a person writes and
// keep the result, which travels in every bundle, small.
const (
	version      = "1"
	maxQuestions = 1000
	maxWords     = 20  // arguments of one call
	maxPaths     = 20  // accepted answers of one question
	maxText      = 500 // bytes of a question, a note, a path or an argument
)

// A FileError is a question file that cannot be used, and where.
type FileError struct {
	File string
	Line int // from 1; 0 when the file as a whole is meant
	Text string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s: line %d: %s", e.File, e.Line, e.Text)
}

// Hint is the next step.
func (e *FileError) Hint() string {
	return "correct the question file; docs/bench.md describes its format"
}

// A missingError is a question file that is not there.
type missingError struct {
	name string
	err  error
}

func (e *missingError) Error() string { return "there is no question file " + e.name }

// Hint is the next step.
func (e *missingError) Hint() string {
	return "write a few questions into it; docs/bench.md shows how"
}

func (e *missingError) Unwrap() error { return e.err }

// Read reads the question file at path and calls it name in messages and
// results. An error that is fs.ErrNotExist means that there is none; one
// that is a *[FileError], that it cannot be used.
func Read(path, name string) (*File, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &missingError{name, err}
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, document.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

// Parse reads a question file: as JSON when name ends in .json, as YAML
// otherwise. An error is a *[FileError].
func Parse(name string, data []byte) (*File, error) {
	read := document.ParseYAML
	if strings.HasSuffix(strings.ToLower(name), ".json") {
		read = document.ParseJSON
	}
	root, err := read(data)
	if e := (*document.Error)(nil); errors.As(err, &e) {
		return nil, &FileError{name, e.Line, fmt.Sprintf("column %d: %s", e.Column, e.Text)}
	} else if err != nil {
		return nil, &FileError{name, 0, err.Error()}
	}
	r := reader{}
	f := r.file(root)
	if r.err != nil {
		r.err.File = name
		return nil, r.err
	}
	f.Name = name
	return f, nil
}

// A reader turns a tree into a question file and keeps the first mistake.
type reader struct {
	err   *FileError
	where string // `question "id": ` once the id is known
}

func (r *reader) fail(line int, format string, args ...any) {
	if r.err == nil {
		r.err = &FileError{Line: line, Text: r.where + fmt.Sprintf(format, args...)}
	}
}

// members returns the values of a mapping that may hold the given keys only;
// a key with a final "?" may be missing.
func (r *reader) members(n *document.Node, what string, keys ...string) map[string]*document.Node {
	values := map[string]*document.Node{}
	if n.Kind != document.Mapping {
		r.fail(n.Line, "%s must be a mapping, not %s", what, n.Kind)
		return values
	}
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Key) && !slices.Contains(keys, m.Key+"?") {
			known := strings.ReplaceAll(strings.Join(keys, ", "), "?", "")
			r.fail(m.Line, "%q is not a key of %s; the keys are %s", m.Key, what, known)
		}
		values[m.Key] = m.Value
	}
	for _, key := range keys {
		if values[key] == nil && !strings.HasSuffix(key, "?") {
			r.fail(n.Line, "%s has no %q", what, key)
		}
	}
	return values
}

// text returns a text of the document, checked; "" when there is none.
func (r *reader) text(n *document.Node, what string) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == document.Integer:
		r.fail(n.Line, "%s is the number %s; put it in quotes to mean the text", what, n.Text)
	case n.Kind != document.Text:
		r.fail(n.Line, "%s must be text, not %s", what, n.Kind)
	case strings.TrimSpace(n.Text) == "":
		r.fail(n.Line, "%s is empty", what)
	case len(n.Text) > maxText:
		r.fail(n.Line, "%s has %d bytes; at most %d are allowed", what, len(n.Text), maxText)
	case plaintext.Line(n.Text, maxText) != n.Text:
		r.fail(n.Line, "%s holds a control or text-direction character", what)
	}
	return n.Text
}

// texts returns a list of least to most texts.
func (r *reader) texts(n *document.Node, what string, least, most int) []string {
	if n == nil {
		return nil
	}
	if n.Kind != document.List {
		r.fail(n.Line, "%s must be a list, not %s", what, n.Kind)
		return nil
	}
	if len(n.Items) < least || len(n.Items) > most {
		r.fail(n.Line, "%s has %d entries; between %d and %d are allowed", what, len(n.Items), least, most)
		return nil
	}
	var texts []string
	for _, item := range n.Items {
		texts = append(texts, r.text(item, "an entry of "+what))
	}
	return texts
}

func (r *reader) file(root *document.Node) *File {
	top := r.members(root, "a question file", "version", "questions")
	if v := top["version"]; v != nil && (v.Kind != document.Integer || v.Text != version) {
		r.fail(v.Line, "the version is not %s, the only one that this program reads", version)
	}
	f := &File{}
	list := top["questions"]
	if r.err != nil {
		return f
	}
	if list.Kind != document.List || len(list.Items) == 0 || len(list.Items) > maxQuestions {
		r.fail(list.Line, "\"questions\" must be a list of 1 to %d questions", maxQuestions)
		return f
	}
	first := map[string]int{}
	for _, item := range list.Items {
		q := r.question(item)
		if line := first[q.ID]; line != 0 {
			r.fail(q.Line, "the question of line %d has the same id", line)
		}
		first[q.ID] = q.Line
		f.Questions = append(f.Questions, q)
		r.where = ""
	}
	return f
}

var idPattern = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`^[a-z0-9][a-z0-9._-]{0,63}$`) })

// id reads the id of a question before anything else, so that every later
// mistake names it.
func (r *reader) id(n *document.Node) string {
	i := slices.IndexFunc(n.Members, func(m document.Member) bool { return m.Key == "id" })
	if i < 0 {
		return ""
	}
	value := n.Members[i].Value
	id := r.text(value, "\"id\"")
	if !idPattern().Match(id) {
		r.fail(value.Line, "the id %q is not of the form a-z, 0-9, \".\", \"_\", \"-\", at most 64 characters", id)
	}
	r.where = fmt.Sprintf("question %q: ", id)
	return id
}

func (r *reader) question(n *document.Node) Question {
	q := Question{ID: r.id(n), Line: n.Line}
	m := r.members(n, "a question", "id", "type", "question?", "ask", "expect", "note?")
	q.Type = r.text(m["type"], "\"type\"")
	if t := m["type"]; t != nil && !slices.Contains(Types, q.Type) {
		r.fail(t.Line, "there is no type %q; the types are %s", q.Type, strings.Join(Types, ", "))
	}
	q.Question = r.text(m["question"], "\"question\"")
	q.Note = r.text(m["note"], "\"note\"")
	if ask := m["ask"]; ask != nil {
		q.Verb, q.Args = r.ask(ask)
	}
	if expect := m["expect"]; expect != nil {
		q.Expect = r.expect(expect)
	}
	return q
}

// ask reads a call: a verb and its words.
func (r *reader) ask(n *document.Node) (string, []string) {
	words := r.texts(n, "\"ask\"", 1, maxWords+1)
	if r.err != nil {
		return "", nil
	}
	i := slices.IndexFunc(verbs, func(v verb) bool { return v.name == words[0] })
	if i < 0 {
		r.fail(n.Line, "route has no answering command %q; the commands are %s", words[0], verbNames())
		return "", nil
	}
	v, args := verbs[i], words[1:]
	switch {
	case len(args) < v.min || len(args) > v.max:
		want := fmt.Sprint(v.min)
		if v.max > v.min {
			want = fmt.Sprintf("%d to %d", v.min, v.max)
		}
		r.fail(n.Line, "route %s takes %s arguments, not %d", v.name, want, len(args))
	case slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") }):
		r.fail(n.Line, "a question asks with words; a flag is not one")
	}
	return v.name, args
}

func (r *reader) expect(n *document.Node) Expect {
	m := r.members(n, "\"expect\"", "repo?", "paths")
	e := Expect{Repo: r.text(m["repo"], "\"repo\""), Paths: r.texts(m["paths"], "\"paths\"", 1, maxPaths)}
	if r.err != nil {
		return e
	}
	if e.Repo != "" && !tidy(e.Repo) {
		r.fail(m["repo"].Line, "%q is not the name or the path of a repository", e.Repo)
	}
	for i, p := range e.Paths {
		if !tidy(strings.TrimSuffix(p, "/")) {
			r.fail(m["paths"].Items[i].Line, "%q is not a path from the repository's top, with slashes", p)
		}
		if slices.Contains(e.Paths[:i], p) {
			r.fail(m["paths"].Items[i].Line, "%q stands twice", p)
		}
	}
	return e
}

// tidy reports whether p is a relative slash path in its shortest form.
func tidy(p string) bool {
	return p != "." && path.Clean(p) == p && !path.IsAbs(p) && p != ".." && !strings.HasPrefix(p, "../") && !strings.Contains(p, `\`)
}
