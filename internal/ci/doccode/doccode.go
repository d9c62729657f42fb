// Package doccode finds which passages of a workspace's Markdown documents
// name which code: by names and paths between backticks, links, blocks of
// code, and names among words that can mean one thing only.
//
// A name that several definitions have leads to one of them only where the
// document says which; else it is kept as ambiguous, with all of them. What
// may as well be a word, a command or somebody else's name leads nowhere.
package doccode

import (
	"iter"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/markdown"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// A Repo is a repository of the workspace.
type Repo struct {
	Name string
	Path string // folder in the workspace, "" for the umbrella
	URL  string
}

// A Source is an indexed file of the workspace, documents among them.
type Source struct {
	Repo   int
	Path   string // from the workspace's root
	Lang   string
	Module string // package that the file declares, or ""
	Defs   []extract.Definition
}

// Bounds of what is read of documents; what is past them is counted.
const (
	maxText     = 64 << 20 // bytes of all documents together
	maxMentions = 5_000    // of one document
	maxAll      = 200_000  // mentions of all documents together
)

// Wanted reports whether a file is a document that is looked into: what lies
// among tests is tried, not read, unless it tells of them.
func Wanted(name string) bool {
	if !markdown.Is(name) {
		return false
	}
	base := strings.ToLower(path.Base(name))
	about := strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "contributing")
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		switch strings.ToLower(part) {
		case "testdata", "fixtures", "__fixtures__", "__snapshots__", "snapshots":
			return false
		case "test", "tests", "__tests__", "spec", "specs":
			if !about {
				return false
			}
		}
	}
	return true
}

// A Finder gathers what documents name, and finds it once all are there.
type Finder struct {
	repos   []Repo
	docs    []*document
	text    int
	said    int // mentions
	leftOut int
}

// New is a finder for a workspace of these repositories.
func New(repos []Repo) *Finder { return &Finder{repos: repos} }

// Add reads one document of a repository.
func (f *Finder) Add(repo int, path string, data []byte) {
	if !index.ValidPath(path) {
		return
	}
	if f.text += len(data); f.text > maxText || f.said > maxAll || len(f.docs) >= doccode.MaxDocs {
		f.leftOut++
		return
	}
	if d := scan(f.repos[repo], repo, path, data); len(d.mentions) > 0 {
		f.said += len(d.mentions)
		f.docs = append(f.docs, d)
	}
}

// Find gives the links. sources are all indexed files, in any order; they are
// gone through once, and documents that are not among them count for nothing.
func (f *Finder) Find(sources iter.Seq[Source]) *doccode.DocCode {
	w := newWorld(f.repos, f.docs)
	for s := range sources {
		w.take(s)
	}
	w.order()
	out := &writer{leftOut: f.leftOut}
	for _, d := range f.docs {
		if w.indexed[d.path] {
			out.doc(w, d)
		}
	}
	return out.write()
}
