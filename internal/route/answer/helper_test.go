package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// A world is a small workspace that a test states: files with definitions,
// passages and past subjects, and edges between them.
type world struct {
	docs  []index.Document
	past  []past
	edges []edge
	extra map[string][]byte // further files of the bundle
}

// past is a commit: its subject, then the paths that it changed.
type past []string

// edge joins definitions by "path#Qualified", or files by "path".
type edge struct {
	from, relation, to string
	line               int
	certainty          int // 0 means 100
}

// file adds a file whose text is given; each of its definitions is a line
// "name" or "Container.name" of defs.
func (w *world) file(path, text string, defs ...index.Def) *index.Document {
	w.docs = append(w.docs, index.Document{Path: path, Lang: "go", Defs: defs, Passages: []index.Passage{passage(1, text)}})
	return &w.docs[len(w.docs)-1]
}

func passage(line int, text string) index.Passage {
	counts := map[string]int{}
	var order []string
	lexicon.Words(text, func(t string) {
		if counts[t]++; counts[t] == 1 {
			order = append(order, t)
		}
	})
	p := index.Passage{Line: line}
	for _, t := range order {
		p.Terms = append(p.Terms, index.TermCount{Term: t, Count: counts[t]})
	}
	return p
}

// def is a function "name" or a method "Container.name" at a line.
func def(name string, line int) index.Def {
	d := index.Def{Name: name, Kind: "function", Line: line, End: line + 5}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		d.Container, d.Name, d.Kind = name[:i], name[i+1:], "method"
	}
	return d
}

// withDoc is d with a doc sentence.
func withDoc(d index.Def, doc string) index.Def {
	d.Doc = doc
	return d
}

// filler adds files that share no word with a question, so that rarity means
// something.
func (w *world) filler(n int) {
	for i := range n {
		name := "filler" + strings.Repeat("z", i+1)
		w.file("pad/"+name+".go", "package pad body "+name, def(name+"Thing", 3))
	}
}

func (w *world) bundle(t testing.TB) *bundle.Bundle {
	t.Helper()
	paths := make([]string, len(w.docs))
	for i, d := range w.docs {
		paths[i] = d.Path
	}
	b := index.NewBuilder([]string{"umbrella", "app"}, paths)
	for _, d := range w.docs {
		b.Add(d)
	}
	for _, p := range w.past {
		b.Change(p[0], p[1:])
	}
	for _, e := range w.edges {
		from, fromDef := w.place(t, b, e.from)
		to, toDef := w.place(t, b, e.to)
		certainty := e.certainty
		if certainty == 0 {
			certainty = 100
		}
		b.Link(from, fromDef, to, toDef, index.Rule{Relation: e.relation, Resolver: "test", Certainty: certainty}, e.line)
	}
	files, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range w.extra {
		files[name] = data
	}
	m, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	files[bundle.ManifestName] = m.Encode()
	opened, err := bundle.Open(bundle.Memory(files))
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

func (w *world) place(t testing.TB, b *index.Builder, id string) (file, def int) {
	t.Helper()
	path, name, isDef := strings.Cut(id, "#")
	file, ok := b.Number(path)
	if !ok {
		t.Fatalf("there is no file %s", path)
	}
	if !isDef {
		return file, -1
	}
	i := slices.IndexFunc(w.docs, func(d index.Document) bool { return d.Path == path })
	def = slices.IndexFunc(w.docs[i].Defs, func(d index.Def) bool { return d.Qualified() == name })
	if def < 0 {
		t.Fatalf("there is no %s", id)
	}
	return file, def
}

func (w *world) engine(t testing.TB) *Engine {
	t.Helper()
	e, err := Open(w.bundle(t))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// query asks with room for every link.
func query(t testing.TB, e *Engine, question string) *Answer {
	t.Helper()
	a, err := e.Query(question, Narrow{}, 10, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// files lists the paths of an answer, best first.
func files(a *Answer) []string {
	var out []string
	for _, f := range a.Files {
		out = append(out, f.Path)
	}
	return out
}

// wantFirst asks and wants this file before all others, and the other file
// found but after it.
func wantFirst(t *testing.T, w *world, question, first, second string) {
	t.Helper()
	a := query(t, w.engine(t), question)
	got := files(a)
	if len(got) == 0 || got[0] != first {
		t.Errorf("%q finds %q, want %s first", question, got, first)
	}
	if second != "" && slices.Index(got, second) < 1 {
		t.Errorf("%q finds %q, want %s after the first", question, got, second)
	}
	if len(a.Files) > 1 && a.Files[0].Score == a.Files[1].Score {
		t.Errorf("%q: %s stands first by its place in the alphabet only, at %v", question, first, a.Files[0].Score)
	}
}

// why is what a signal gives the first file of an answer.
func why(a *Answer, signal string) float64 {
	for _, w := range a.Files[0].Why {
		if w.Signal == signal {
			return w.Value
		}
	}
	return 0
}
