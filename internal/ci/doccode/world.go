package doccode

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// A world is what of the workspace the documents may name.
type world struct {
	repos   []Repo
	wanted  map[string]bool         // last parts of names
	bases   map[string]bool         // base names of paths
	indexed map[string]bool         // documents that are indexed files
	docs    map[string]bool         // documents
	names   map[string][]*candidate // by last part of the name
	files   map[string][]file       // by base name
	seen    map[string]bool         // folders
	paths   map[string]bool         // of files and folders, those with a final slash
}

// Bounds of what is compared for one mention: what has more namesakes than
// that is told by its whole path only, or not at all.
const (
	maxNamesakes = 2_000 // definitions, or files, of one name
	maxCompared  = 300   // of those that fit a name, for which the context is searched
)

// A file is one that is no document.
type file struct {
	repo int
	path string
	code bool // of source, not of tests, data or documents
}

// A candidate is a definition that a name may mean.
type candidate struct {
	repo      int
	file      string
	lang      string
	container []string
	module    []string
	kind      extract.Kind
	line, end int
	exported  bool
	ofItself  bool // a field that is called as its type is
}

func (c *candidate) node(last string) doccode.Node {
	n := doccode.Node{File: c.file, Name: last, Kind: string(c.kind), Line: c.line}
	if len(c.container) > 0 {
		n.Name = strings.Join(c.container, ".") + "." + last
	}
	return n
}

func newWorld(repos []Repo, docs []*document) *world {
	w := &world{repos: repos, wanted: map[string]bool{}, bases: map[string]bool{}, indexed: map[string]bool{}, docs: map[string]bool{},
		names: map[string][]*candidate{}, files: map[string][]file{}, seen: map[string]bool{}, paths: map[string]bool{}}
	for _, d := range docs {
		w.docs[d.path] = true
		for _, m := range d.mentions {
			if m.name.last != "" {
				w.wanted[m.name.last] = true
			}
			if m.path != "" {
				w.bases[path.Base(cleanPath(m.path))] = true
			}
		}
	}
	return w
}

// named are the kinds of definitions that documents name by themselves;
// members and keys are named with what holds them.
var named = map[extract.Kind]bool{extract.Function: true, extract.Method: true, extract.Class: true, extract.Interface: true, extract.Trait: true,
	extract.Object: true, extract.Enum: true, extract.Type: true, extract.Constant: true, extract.Variable: true, extract.Given: true,
	extract.Component: true, extract.Table: true, extract.View: true, extract.Mixin: true}

var members = map[extract.Kind]bool{extract.Field: true, extract.EnumCase: true}

// take adds one file of the workspace.
func (w *world) take(s Source) {
	if w.docs[s.Path] {
		w.indexed[s.Path] = true
	}
	class := index.ClassOfPath(s.Path)
	if class == index.Doc {
		return
	}
	w.takeFile(s, class)
	if class == index.Test {
		return
	}
	var module []string
	for i := range s.Defs {
		d := &s.Defs[i]
		if !w.wanted[d.Name] || d.Test || !named[d.Kind] && !members[d.Kind] {
			continue
		}
		if d.Parent >= 0 && (s.Defs[d.Parent].Kind == extract.Function || s.Defs[d.Parent].Kind == extract.Method) {
			continue // local to a function
		}
		if module == nil {
			module = strings.FieldsFunc(s.Module, func(r rune) bool { return r == '.' || r == '/' || r == ':' || r == '\\' })
		}
		c := &candidate{repo: s.Repo, file: s.Path, lang: family(s.Lang), module: module, kind: d.Kind, line: d.Line, end: d.EndLine, exported: d.Exported}
		c.ofItself = members[d.Kind] && strings.Count(d.Signature, d.Name) > 1
		if d.Container != "" {
			c.container = strings.Split(d.Container, ".")
		}
		w.names[d.Name] = append(w.names[d.Name], c)
	}
}

func (w *world) takeFile(s Source, class index.Class) {
	base := path.Base(s.Path)
	if w.bases[base] {
		w.paths[s.Path] = true
		w.files[base] = append(w.files[base], file{s.Repo, s.Path, class == index.Source})
	}
	for dir := path.Dir(s.Path); dir != "." && !w.seen[dir]; dir = path.Dir(dir) {
		w.seen[dir] = true
		if w.bases[path.Base(dir)] {
			w.paths[dir+"/"] = true
		}
	}
}

// order brings everything in one order, whatever order the files came in.
func (w *world) order() {
	for name, list := range w.names {
		if len(list) > maxNamesakes {
			delete(w.names, name)
			continue
		}
		slices.SortFunc(list, func(a, b *candidate) int {
			return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), strings.Compare(strings.Join(a.container, "."), strings.Join(b.container, ".")), strings.Compare(string(a.kind), string(b.kind)))
		})
	}
	for base, list := range w.files {
		if len(list) > maxNamesakes {
			delete(w.files, base)
			continue
		}
		slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.path, b.path) })
	}
}
