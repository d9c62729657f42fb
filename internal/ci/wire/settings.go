package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// The umbrella's own words about its wiring.
const (
	allowName    = "wiring.allow"
	settingsName = "wiring.yaml"
)

// A SettingsError is a mistake in wiring.yaml or wiring.allow.
type SettingsError struct {
	File string // from the workspace's root
	Line int    // from 1
	Text string // what is wrong
	Next string // what to write instead
}

func (e *SettingsError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

// Hint is the next step.
func (e *SettingsError) Hint() string { return e.Next }

// settings are what the umbrella adds to the facts and takes from them.
type settings struct {
	add       []fact
	silences  []silence
	allows    []allow
	contracts []contract
}

// A silence takes facts away.
type silence struct {
	name, kind, file string
	at               wiring.Place
}

// An allow says why nobody needs to read an artifact.
type allow struct {
	name, reason string
	at           wiring.Place
}

// A contract names files that must be the same.
type contract struct {
	files []string // from the workspace's root
	at    wiring.Place
}

func isSettings(name string) bool { return name == allowName || name == settingsName }

// readSettings reads both files of the umbrella. An error is a
// *[SettingsError].
func readSettings(x *extraction) (*settings, error) {
	s := &settings{}
	for _, f := range x.files {
		if f.repo != 0 {
			continue
		}
		var err error
		switch f.path {
		case allowName:
			err = s.readAllow(f)
		case settingsName:
			err = s.readYAML(x, f)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readAllow reads lines of "artifact: reason" and "contract file file:
// reason".
func (s *settings) readAllow(f *file) error {
	f.line(1)
	seen := map[string]int{}
	for i := range f.lines {
		text := strings.TrimSpace(f.line(i + 1))
		if text == "" || text[0] == '#' {
			continue
		}
		name, reason, ok := strings.Cut(text, ": ")
		name, reason = strings.TrimSpace(name), strings.TrimSpace(reason)
		if before, after, joined := strings.Cut(text, ":"); !ok && joined && before != "" && after != "" {
			return &SettingsError{f.at, i + 1, "no space stands behind the colon", "write it as " + clip(before, 60) + ": " + clip(after, 60)}
		}
		if !ok || name == "" || reason == "" {
			return &SettingsError{f.at, i + 1, "an entry without a reason", "write it as NAME: why nobody needs to read it"}
		}
		if first := seen[name]; first > 0 {
			return &SettingsError{f.at, i + 1, fmt.Sprintf("%s stands in line %d already", clip(name, 60), first), "keep one of the two reasons"}
		}
		seen[name] = i + 1
		at := f.place(i + 1)
		at.Note = clip(reason, wiring.MaxText)
		if rest, ok := strings.CutPrefix(name, "contract "); ok {
			files := strings.Fields(rest)
			if len(files) < 2 {
				return &SettingsError{f.at, i + 1, "a contract of fewer than two files", "write it as contract FILE FILE: why they must be the same"}
			}
			for n := range files {
				files[n] = path.Clean(files[n])
			}
			s.contracts = append(s.contracts, contract{files, at})
			continue
		}
		s.allows = append(s.allows, allow{strings.Trim(name, "`"), reason, at})
	}
	return nil
}

// roles are the words that wiring.yaml has for what a place does.
var roleWords = map[string]role{"published": published, "pinned": pinned, "read": read, "sent": sent, "heard": heard, "deployed": deployed}

// A settingsEntry is one entry of wiring.yaml.
type settingsEntry struct {
	values map[string]string
	lines  map[string]int // of each key
	line   int            // where it begins
}

// at is the line of a key, or where the entry begins that lacks it.
func (e settingsEntry) at(key string) int {
	if line := e.lines[key]; line > 0 {
		return line
	}
	return e.line
}

// readYAML reads wiring.yaml: two lists, facts and silence, of tables whose
// values are plain text.
func (s *settings) readYAML(x *extraction, f *file) error {
	fail := func(line int, text, next string) error { return &SettingsError{f.at, max(1, line), text, next} }
	var doc, more yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(f.data))
	if err := in.Decode(&doc); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return notYAML(f, err)
	}
	if err := in.Decode(&more); err == nil {
		return fail(more.Line, "a second document, which would not be read", "put all entries under one facts and one silence, without a line ---")
	} else if !errors.Is(err, io.EOF) {
		return notYAML(f, err)
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return fail(root.Line, "it is no table", "give it the lists facts and silence")
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, list := root.Content[i], root.Content[i+1]
		if first := seen[key.Value]; first > 0 {
			return fail(key.Line, fmt.Sprintf("%s stands in line %d already", clip(key.Value, 60), first), "put all its entries into one list")
		}
		seen[key.Value] = key.Line
		allowed := map[string][]string{
			"facts":   {"artifact", "dispatch", "site", "kind", "repo", "role", "file", "line", "version", "reason"},
			"silence": {"name", "kind", "file", "reason"},
		}[key.Value]
		if allowed == nil {
			return fail(key.Line, fmt.Sprintf("the key %q means nothing", clip(key.Value, 60)), "it has the lists facts and silence")
		}
		if list.Kind != yaml.SequenceNode {
			return fail(list.Line, key.Value+" is no list", "begin each entry with a dash")
		}
		for _, item := range list.Content {
			e, err := newEntry(f, item, allowed)
			if err == nil && key.Value == "facts" {
				err = s.fact(x, f, e)
			} else if err == nil {
				err = s.silence(f, e)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// notYAML is the error of a parser, at the line that it names.
func notYAML(f *file, err error) error {
	text, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, what, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			text, line = what, n
		}
	}
	return &SettingsError{f.at, max(1, line), "it is no YAML: " + clip(text, wiring.MaxText), "mend this line, or one beside it"}
}

// newEntry reads one table of plain texts.
func newEntry(f *file, n *yaml.Node, allowed []string) (settingsEntry, error) {
	e := settingsEntry{map[string]string{}, map[string]int{}, n.Line}
	if n.Kind != yaml.MappingNode {
		return e, &SettingsError{f.at, n.Line, "an entry that is no table", "write it as key: value lines"}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		_, twice := e.values[key.Value]
		switch {
		case !slices.Contains(allowed, key.Value):
			return e, &SettingsError{f.at, key.Line, fmt.Sprintf("the key %q means nothing here", clip(key.Value, 60)), "the keys are " + strings.Join(allowed, ", ")}
		case twice:
			return e, &SettingsError{f.at, key.Line, fmt.Sprintf("the key %q stands twice", key.Value), "keep one"}
		case value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "":
			return e, &SettingsError{f.at, value.Line, fmt.Sprintf("%s has no text", key.Value), "give it one line of text, or leave the key out"}
		}
		e.values[key.Value], e.lines[key.Value] = clip(value.Value, wiring.MaxName), key.Line
	}
	if e.values["reason"] == "" {
		return e, &SettingsError{f.at, n.Line, "an entry without a reason", "add reason: and why the file cannot tell"}
	}
	return e, nil
}

func (s *settings) fact(x *extraction, f *file, e settingsEntry) error {
	v := e.values
	r, ok := roleWords[v["role"]]
	if !ok {
		return &SettingsError{f.at, e.at("role"), fmt.Sprintf("the role %q is none", v["role"]), "the roles are published, pinned, read, sent, heard, deployed"}
	}
	subject := map[role]string{sent: "dispatch", heard: "dispatch", deployed: "site"}[r]
	if subject == "" {
		subject = "artifact"
	}
	if v[subject] == "" {
		return &SettingsError{f.at, e.line, fmt.Sprintf("something %s has no %s", v["role"], subject), "add " + subject + ": and its name"}
	}
	for _, other := range []string{"artifact", "dispatch", "site"} {
		if other != subject && v[other] != "" {
			return &SettingsError{f.at, e.at(other), fmt.Sprintf("what is %s is no %s", v["role"], other), "leave " + other + " out"}
		}
	}
	at := path.Clean(v["file"])
	repo, inRepo := x.split(at)
	if v["file"] == "" || repo < 0 || !x.has(repo, inRepo) {
		return &SettingsError{f.at, e.at("file"), fmt.Sprintf("the workspace has no file %q", v["file"]), "name it by its path from the umbrella's root"}
	}
	line := 0
	if v["line"] != "" {
		if n, err := fmt.Sscanf(v["line"], "%d", &line); n != 1 || err != nil || line < 1 || fmt.Sprint(line) != v["line"] {
			return &SettingsError{f.at, e.at("line"), fmt.Sprintf("the line %q is no number from 1", v["line"]), "leave it out where the whole file is meant"}
		}
	}
	if read := x.fileOf(repo, inRepo); read != nil && line > bytes.Count(read.data, []byte("\n"))+1 {
		return &SettingsError{f.at, e.at("line"), fmt.Sprintf("%s has no line %d", clip(at, 200), line), "leave the line out where the whole file is meant"}
	}
	if r := v["repo"]; r != "" && !strings.Contains(r, "/") && !slices.ContainsFunc(x.repos, func(o Repo) bool { return o.Name == r }) {
		return &SettingsError{f.at, e.at("repo"), fmt.Sprintf("the workspace has no repository %q", r), "name it by its short name, or one elsewhere as owner/repo"}
	}
	p := wiring.Place{Repo: x.repos[repo].Name, File: at, Line: line, Version: v["version"], Note: clip(v["reason"], wiring.MaxText)}
	kind := v["kind"]
	if subject == "artifact" && kind == "" {
		return &SettingsError{f.at, e.line, "an artifact without a kind", "add kind: image, release asset, branch, package …"}
	}
	s.add = append(s.add, fact{role: r, kind: kind, name: v[subject], repo: v["repo"], place: p})
	return nil
}

func (s *settings) silence(f *file, e settingsEntry) error {
	if e.values["name"] == "" && e.values["file"] == "" {
		return &SettingsError{f.at, e.line, "an entry that silences everything", "add name: or file:"}
	}
	at := f.place(e.line)
	at.Note = e.values["reason"]
	s.silences = append(s.silences, silence{e.values["name"], e.values["kind"], e.values["file"], at})
	return nil
}

// split says which repository a path from the root is in, the innermost, and
// the path in it.
func (x *extraction) split(at string) (repo int, name string) {
	repo, name = -1, ""
	for i, r := range x.repos {
		rest, ok := at, r.Path == ""
		if !ok {
			rest, ok = strings.CutPrefix(at, r.Path+"/")
		}
		if ok && (repo < 0 || len(r.Path) > len(x.repos[repo].Path)) {
			repo, name = i, rest
		}
	}
	return repo, name
}

// has reports whether a repository has a file.
func (x *extraction) has(repo int, name string) bool {
	return slices.ContainsFunc(x.repos[repo].Files, func(f File) bool { return f.Path == name })
}

// blob is the object id of a file at a path from the root, "" for none.
func (x *extraction) blob(at string) (id, repo string) {
	i, name := x.split(at)
	if i < 0 {
		return "", ""
	}
	for _, f := range x.repos[i].Files {
		if f.Path == name {
			return f.Blob, x.repos[i].Name
		}
	}
	return "", ""
}
