package answer

import (
	"cmp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// An Outline is what a file, a definition, a folder or a repository defines.
type Outline struct {
	Of     string        `json:"of"`   // path, name of a repository, or label
	Kind   string        `json:"kind"` // "file", "definition", "folder", "repository", "workspace"
	Files  []OutlineFile `json:"-"`    // the most used first; one of a file
	More   int           `json:"-"`    // source files that were not looked at
	Others int           `json:"other_files,omitempty"`
}

// An OutlineFile is a file with what it defines.
type OutlineFile struct {
	Path    string          `json:"path"`
	Repo    string          `json:"repo"`
	Lang    string          `json:"lang,omitempty"`
	Doc     string          `json:"doc,omitempty"`
	Symbols []OutlineSymbol `json:"symbols"` // of a file by line; of a file among others what stands at its top, the most used first
	used    int             // by how many edges of other files
}

// An OutlineSymbol is one definition.
type OutlineSymbol struct {
	Node
	Signature string `json:"signature,omitempty"`
	Used      int    `json:"used"` // by how many definitions and files besides its own file
	depth     int
	exported  bool
}

// Outline describes what a path, the name of a repository or a lookup's one
// meaning holds, as far as it may fit in room bytes. "." is the workspace. It
// is nil where nothing is called so.
func (e *Engine) Outline(name string, room int) (*Outline, error) {
	path := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(name), "./"), "/")
	if path == "." || path == "" {
		return e.outlineUnder(&Outline{Of: ".", Kind: "workspace"}, "", -1, room)
	}
	if file, ok, err := e.fileAt(path); err != nil || ok {
		return e.outlineOf(ref{file, -1}, err)
	}
	x, err := e.outlineUnder(&Outline{Of: plaintext.Line(path, maxPath), Kind: "folder"}, path+"/", -1, room)
	if err != nil || len(x.Files)+x.Others > 0 {
		return x, err
	}
	for repo, called := range e.index.Header.Repos {
		if called != name {
			continue
		}
		folder, err := e.folderOf(repo, name)
		if err != nil {
			return nil, err
		}
		return e.outlineUnder(&Outline{Of: plaintext.Line(name, maxRepo), Kind: "repository"}, folder, repo, room)
	}
	return nil, nil
}

// OutlineFound is the outline of the one meaning of a lookup.
func (e *Engine) OutlineFound(l *Lookup) (*Outline, error) { return e.outlineOf(l.refs[0], nil) }

// folderOf is where a repository's files stand, as build.json has it: "" for
// the umbrella, and where nothing is said.
func (e *Engine) folderOf(repo int, name string) (string, error) {
	if repo == 0 || !e.bundle.Has(bundle.BuildName) {
		return "", nil
	}
	data, err := e.bundle.Read(bundle.BuildName)
	if err != nil {
		return "", err
	}
	b, err := bundle.ParseBuild(data)
	for _, m := range b.Submodules {
		if m.Name == name {
			return strings.TrimSuffix(m.Path, "/") + "/", err
		}
	}
	return "", err
}

// shortestOutline is about the shortest line of a file in an outline, in bytes.
const shortestOutline = 24

// outlineUnder lists the files whose paths begin with prefix, of one
// repository or of all (−1): sources, or where there are none, all files.
func (e *Engine) outlineUnder(x *Outline, prefix string, repo, room int) (*Outline, error) {
	var files []int
	for class := index.Source; int(class) < index.Classes; class++ {
		from, to, err := e.filesUnder(class, prefix, true)
		if err != nil {
			return nil, err
		}
		if class > index.Source && len(files) > 0 {
			x.Others += to - from
			continue
		}
		for f := from; f < to; f++ {
			files = append(files, f)
		}
	}
	h := &e.index.Header
	order.Stable(files, func(a, b int) int { return h.UsedOf(b) - h.UsedOf(a) })
	if most := room/shortestOutline + 1; repo < 0 && len(files) > most {
		x.More, files = len(files)-most, files[:most]
	}
	e.index.Prefetch(files)
	for _, f := range files {
		rec, err := e.index.File(f)
		if err != nil {
			return nil, err
		}
		if repo >= 0 && rec.Repo != repo {
			continue
		}
		if len(x.Files)*shortestOutline > room {
			x.More++
			continue
		}
		of, err := e.outlineFile(rec, f, -1)
		if err != nil {
			return nil, err
		}
		of.Symbols = topOf(of.Symbols)
		x.Files = append(x.Files, of)
	}
	// The index's digit is coarse; the records that were read tell more.
	order.Stable(x.Files, func(a, b OutlineFile) int { return b.used - a.used })
	return x, nil
}

// topOf keeps what stands at a file's top, the most used first.
func topOf(list []OutlineSymbol) []OutlineSymbol {
	top := []OutlineSymbol{}
	for _, s := range list {
		if s.depth == 0 {
			top = append(top, s)
		}
	}
	order.Stable(top, func(a, b OutlineSymbol) int {
		return cmp.Or(b.Used-a.Used, btoi(b.exported)-btoi(a.exported))
	})
	return top
}

// outlineOf is the outline of a file, or of a definition in it.
func (e *Engine) outlineOf(r ref, err error) (*Outline, error) {
	if err != nil {
		return nil, err
	}
	rec, err := e.index.File(r.file)
	if err != nil {
		return nil, err
	}
	n, err := node(rec, r)
	if err != nil {
		return nil, err
	}
	f, err := e.outlineFile(rec, r.file, r.def)
	x := &Outline{Of: rec.Path, Kind: "file", Files: []OutlineFile{f}}
	if r.def >= 0 {
		x.Of, x.Kind = n.Label, "definition"
	}
	return x, err
}

// outlineFile lists the definitions of a file by line, or those in one.
func (e *Engine) outlineFile(rec *index.Record, file, within int) (OutlineFile, error) {
	f := OutlineFile{Path: rec.Path, Repo: e.repo(rec), Lang: plaintext.Line(rec.Lang, maxWord), Doc: plaintext.Line(rec.Doc, maxSentence), Symbols: []OutlineSymbol{}}
	defs, err := rec.Defs()
	if err != nil {
		return f, err
	}
	in, err := rec.In()
	if err != nil {
		return f, err
	}
	used := make([]int, len(defs))
	for _, x := range in {
		if x.File == file || x.Relation == "contains" {
			continue
		}
		if f.used++; x.Def >= 0 {
			used[x.Def]++
		}
	}
	inside := ""
	if within >= 0 {
		inside = defs[within].Qualified()
	}
	for i, d := range defs {
		if inside != "" && i != within && d.Container != inside && !strings.HasPrefix(d.Container, inside+".") {
			continue
		}
		n, err := node(rec, ref{file, i})
		if err != nil {
			return f, err
		}
		depth := 0
		if d.Container != "" {
			depth = 1 + strings.Count(d.Container, ".")
		}
		f.Symbols = append(f.Symbols, OutlineSymbol{Node: n, Signature: plaintext.Line(d.Signature, maxSignature), Used: used[i], depth: depth, exported: d.Exported})
	}
	order.Stable(f.Symbols, func(a, b OutlineSymbol) int { return a.Line - b.Line })
	return f, nil
}
