package ruleset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ExtrasName is the file of extras in a directory without a manifest.
const ExtrasName = "bypass-extras.json"

// An Entry is a ruleset file with whom it is for.
type Entry struct {
	File   string // as it was named
	Value  Value
	Extras Extras
	// Assignment is whom the manifest says it is for; nil where none says it.
	Assignment *Assignment
}

// A Set is all that the given files say.
type Set struct {
	Entries  []Entry
	Apps     map[string]string // ids by slug
	Findings []Finding
}

// Errors are the findings that refuse the set.
func (s Set) Errors() []Finding { return Errors(s.Findings) }

// Load reads rulesets. Each path is a ruleset file, a manifest (its name ends
// in .yaml or .yml), or a directory: with a manifest.yaml, or else with
// ruleset files. extras, when not "", is a file of extras that takes the
// place of those the paths name. abs makes a path absolute.
func Load(abs func(string) string, paths []string, extras string) Set {
	l := &loader{abs: abs, set: Set{Apps: map[string]string{}}}
	if extras != "" {
		l.given = l.extras(extras)
	}
	for _, path := range paths {
		l.path(path)
	}
	if len(l.set.Entries) == 0 && len(l.set.Errors()) == 0 {
		l.set.Findings = append(l.set.Findings, Finding{File: strings.Join(paths, ", "), Text: "there is no ruleset file here"})
	}
	l.cross()
	return l.set
}

type loader struct {
	abs   func(string) string
	set   Set
	given *Extras // from the command line
}

func (l *loader) read(path string) ([]byte, bool) {
	data, err := readRegular(l.abs(path))
	if err != nil {
		l.set.Findings = append(l.set.Findings, Finding{File: path, Text: fileError(err)})
	}
	return data, err == nil
}

// fileError is an error of the file system without the path that a finding
// names already.
func fileError(err error) string {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// readRegular reads a file that is one, and not too large.
func readRegular(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case st.Size() > MaxSize:
		return nil, errors.New("the file is larger than 4 MiB")
	}
	return os.ReadFile(path)
}

func (l *loader) path(path string) {
	st, err := os.Stat(l.abs(path))
	switch {
	case err != nil:
		l.set.Findings = append(l.set.Findings, Finding{File: path, Text: fileError(err)})
	case st.IsDir():
		l.directory(path)
	case strings.HasSuffix(path, ".yaml"), strings.HasSuffix(path, ".yml"):
		l.manifest(path)
	default:
		l.entry(path, l.given, nil)
	}
}

func (l *loader) directory(dir string) {
	manifest := filepath.Join(dir, ManifestName)
	files, err := os.ReadDir(l.abs(dir))
	if err != nil {
		l.set.Findings = append(l.set.Findings, Finding{File: dir, Text: fileError(err)})
		return
	}
	if _, err := os.Stat(l.abs(manifest)); err == nil {
		listed := l.manifest(manifest)
		for _, f := range files {
			if strings.HasSuffix(f.Name(), ".json") && !slices.Contains(listed, f.Name()) {
				l.set.Findings = append(l.set.Findings, Finding{File: filepath.Join(dir, f.Name()), Warning: true, Text: "the manifest does not list this file, so it is for nobody"})
			}
		}
		return
	}
	extras := l.given
	for _, f := range files {
		if f.Name() == ExtrasName && extras == nil {
			extras = l.extras(filepath.Join(dir, f.Name()))
		}
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".json") && f.Name() != ExtrasName {
			l.entry(filepath.Join(dir, f.Name()), extras, nil)
		}
	}
}

// manifest loads what a manifest lists, and returns the names of the files
// beside it that it needs.
func (l *loader) manifest(path string) (listed []string) {
	data, ok := l.read(path)
	if !ok {
		return nil
	}
	m, found := ParseManifest(path, data)
	l.set.Findings = append(l.set.Findings, found...)
	for slug, id := range m.Apps {
		if other := l.set.Apps[slug]; other != "" && other != id {
			l.set.Findings = append(l.set.Findings, Finding{File: path, Text: fmt.Sprintf("the App %s is %s here, and %s in another manifest", slug, id, other)})
		}
		l.set.Apps[slug] = id
	}
	extras := l.given
	if m.Extras != "" && extras == nil && beside(m.Extras) {
		extras = l.extras(filepath.Join(filepath.Dir(path), m.Extras))
	}
	listed = []string{m.Extras}
	for _, a := range m.Rulesets {
		listed = append(listed, a.File)
		of := &a
		if a.forNobody() {
			of = nil // the command line says for whom
		}
		l.entry(filepath.Join(filepath.Dir(path), a.File), extras, of)
	}
	return listed
}

func (l *loader) extras(path string) *Extras {
	e := Extras{File: path}
	if data, ok := l.read(path); ok {
		var found []Finding
		e, found = ParseExtras(path, data)
		l.set.Findings = append(l.set.Findings, found...)
	}
	return &e
}

func (l *loader) entry(path string, extras *Extras, a *Assignment) {
	data, ok := l.read(path)
	if !ok {
		return
	}
	v, err := ParseObject(data)
	if err != nil {
		l.set.Findings = append(l.set.Findings, broken(path, err))
		return
	}
	scope := AnyScope
	switch {
	case a != nil && a.Organization.Owner != "":
		scope = OrganizationScope
	case a != nil && (len(a.Repositories) > 0 || a.AllOf.Owner != ""):
		scope = RepositoryScope
	}
	l.set.Findings = append(l.set.Findings, Lint(path, v, scope)...)
	e := Entry{File: path, Value: v, Assignment: a}
	if extras != nil {
		e.Extras = *extras
	}
	l.set.Entries = append(l.set.Entries, e)
}

// cross finds what no file shows by itself: two rulesets of one name for one
// target, and extras that are refused, or for nothing.
func (l *loader) cross() {
	seen := map[string]string{}
	checked := map[string]bool{}
	for _, e := range l.set.Entries {
		if e.Assignment == nil { // for the targets of the command line, each of them
			if other := seen[e.Value.Name()]; other != "" {
				l.set.Findings = append(l.set.Findings, Finding{File: e.File, Text: fmt.Sprintf("it has the name %q, as %s has, and both are for the same repositories", short(e.Value.Name()), other)})
			}
			seen[e.Value.Name()] = e.File
			continue
		}
		for _, t := range e.targets() {
			key := strings.ToLower(t.String()) + "\n" + e.Value.Name()
			if other := seen[key]; other != "" {
				l.set.Findings = append(l.set.Findings, Finding{File: e.File, Text: fmt.Sprintf("%s is for %s and has the name %q, as %s has", e.File, t, short(e.Value.Name()), other)})
			}
			seen[key] = e.File
			_, found := e.Extras.Merge(e.Value, t)
			l.set.Findings = append(l.set.Findings, found...)
		}
		if x := e.Extras; x.File != "" && !checked[x.File] {
			checked[x.File] = true
			l.set.Findings = append(l.set.Findings, x.Unused(l.set.uses)...)
		}
	}
	slices.SortStableFunc(l.set.Findings, func(a, b Finding) int {
		switch {
		case a.Warning == b.Warning:
			return 0
		case b.Warning:
			return -1
		}
		return 1
	})
}

func (e Entry) targets() []Target {
	if e.Assignment.Organization.Owner != "" {
		return []Target{e.Assignment.Organization}
	}
	return e.Assignment.Repositories
}

// uses reports whether a file of the set gives the target a ruleset of that
// name. A file without a list of repositories may be for any.
func (s Set) uses(t Target, name string) bool {
	return slices.ContainsFunc(s.Entries, func(e Entry) bool {
		if e.Value.Name() != name {
			return false
		}
		return e.Assignment == nil || strings.EqualFold(e.Assignment.AllOf.Owner, t.Owner) || slices.ContainsFunc(e.Assignment.Repositories, t.Same)
	})
}
