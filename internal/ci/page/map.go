package page

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/graph"
)

// Bounds on what the map shows; what is beyond them is counted.
const (
	maxModules = 20_000 // rectangles that a browser still draws in one frame
	maxEdges   = 60_000
	maxTop     = 6 // definitions that a module names, those most used
)

// contains is the relation of a file or type to what it defines, which is no
// use of it.
const contains = "contains"

// A Map is what the page draws: modules of repositories and what they use of
// each other.
type Map struct {
	Repos   []MapRepo `json:"repos"`
	Modules []Module  `json:"modules"` // by repository, then path
	Edges   [][3]int  `json:"edges"`   // from module, to module, how many relations; the most first
	LeftOut int       `json:"left_out"`
}

// A MapRepo is one repository of the workspace.
type MapRepo struct {
	Name string `json:"name"`
	Path string `json:"path"` // its folder, "" for the umbrella
	Head string `json:"head"`
	Web  string `json:"web"` // the address of a file begins with it; "" where none is known
}

// A Module is a folder that holds files of code.
type Module struct {
	Repo  int    `json:"r"`
	Path  string `json:"p"` // from the workspace's root, "" for the root
	Files int    `json:"f"`
	Defs  int    `json:"d"`
	Lang  string `json:"l"` // the one of most definitions
	Top   []Top  `json:"t"`
}

// A Top is a definition that many others use.
type Top struct {
	Label string `json:"n"`
	File  string `json:"f"`
	Line  int    `json:"l"`
	Uses  int    `json:"u"` // relations that lead to it
}

// readGraph reads the graph with its parts.
func readGraph(ctx context.Context, b *bundle.Bundle) (*graph.Graph, error) {
	whole := &graph.Graph{}
	names := []string{bundle.GraphName}
	for i := 0; i < len(names); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := b.Read(names[i])
		if err != nil {
			return nil, err
		}
		g, err := graph.Parse(data)
		if err != nil {
			return nil, &bundle.Refused{File: names[i], Reason: err.Error()}
		}
		whole.Nodes = append(whole.Nodes, g.Nodes...)
		whole.Links = append(whole.Links, g.Links...)
		if i == 0 {
			names = append(names, g.Parts...)
		}
	}
	return whole, nil
}

// web is the address that the address of each file of a repository begins
// with, "" where the repository's own is none of the web.
func web(repo, head string) string {
	if repo == "" || head == "" {
		return ""
	}
	u, err := url.Parse(strings.TrimSuffix(strings.TrimRight(repo, "/"), ".git"))
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	blob := "/blob/"
	if strings.Contains(u.Host, "gitlab") {
		blob = "/-/blob/"
	}
	return u.String() + blob + head + "/"
}

func reposOf(b bundle.Build) []MapRepo {
	repos := []MapRepo{{b.Repo, "", b.Head, web(b.URL, b.Head)}}
	for _, s := range b.Submodules {
		repos = append(repos, MapRepo{s.Name, s.Path, s.Head, web(s.URL, s.Head)})
	}
	return repos
}

// repoAt is the number of the repository that a file lies in, the innermost.
func repoAt(repos []MapRepo, file string) int {
	best := 0
	for i, r := range repos {
		if r.Path != "" && strings.HasPrefix(file, r.Path+"/") && len(r.Path) > len(repos[best].Path) {
			best = i
		}
	}
	return best
}

func newMap(b bundle.Build, g *graph.Graph) *Map {
	m := &Map{Repos: reposOf(b), Modules: []Module{}, Edges: [][3]int{}}
	type module struct {
		Module
		files map[string]bool
		langs map[string]int
		tops  []Top
	}
	byPath := map[string]*module{}
	used := map[string]int{}
	for _, l := range g.Links {
		if l.Relation != contains {
			used[l.Target]++
		}
	}
	folder := make(map[string]string, len(g.Nodes)) // node → module
	for _, n := range g.Nodes {
		if n.File == "" || n.FileType != "code" {
			continue
		}
		dir := path.Dir(n.File)
		if dir == "." {
			dir = ""
		}
		folder[n.ID] = dir
		mod := byPath[dir]
		if mod == nil {
			mod = &module{Module: Module{Repo: repoAt(m.Repos, n.File), Path: dir, Top: []Top{}}, files: map[string]bool{}, langs: map[string]int{}}
			byPath[dir] = mod
		}
		mod.files[n.File] = true
		mod.langs[n.Lang]++
		if n.Kind == "file" {
			continue
		}
		mod.Defs++
		if uses := used[n.ID]; uses > 0 {
			mod.tops = append(mod.tops, Top{n.Label, n.File, n.Line, uses})
		}
	}
	var all []*module
	for _, mod := range byPath {
		mod.Files = len(mod.files)
		for lang, n := range mod.langs {
			if best := mod.langs[mod.Lang]; n > best || n == best && lang < mod.Lang {
				mod.Lang = lang
			}
		}
		slices.SortFunc(mod.tops, func(a, b Top) int {
			return cmp.Or(b.Uses-a.Uses, strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Label, b.Label))
		})
		mod.Top = append(mod.Top, mod.tops[:min(maxTop, len(mod.tops))]...)
		all = append(all, mod)
	}
	slices.SortFunc(all, func(a, b *module) int { // the largest stay
		return cmp.Or(b.Defs-a.Defs, b.Files-a.Files, strings.Compare(a.Path, b.Path))
	})
	if len(all) > maxModules {
		m.LeftOut = len(all) - maxModules
		all = all[:maxModules]
	}
	slices.SortFunc(all, func(a, b *module) int { return cmp.Or(a.Repo-b.Repo, strings.Compare(a.Path, b.Path)) })
	number := map[string]int{}
	for i, mod := range all {
		number[mod.Path] = i
		m.Modules = append(m.Modules, mod.Module)
	}
	m.addEdges(g, folder, number)
	return m
}

func (m *Map) addEdges(g *graph.Graph, folder map[string]string, number map[string]int) {
	counts := map[[2]int]int{}
	for _, l := range g.Links {
		from, ok := folder[l.Source]
		to, ok2 := folder[l.Target]
		if !ok || !ok2 || from == to || l.Relation == contains {
			continue
		}
		a, ok := number[from]
		b, ok2 := number[to]
		if ok && ok2 {
			counts[[2]int{a, b}]++
		}
	}
	for at, n := range counts {
		m.Edges = append(m.Edges, [3]int{at[0], at[1], n})
	}
	slices.SortFunc(m.Edges, func(a, b [3]int) int { return cmp.Or(b[2]-a[2], a[0]-b[0], a[1]-b[1]) })
	if len(m.Edges) > maxEdges {
		m.LeftOut += len(m.Edges) - maxEdges
		m.Edges = m.Edges[:maxEdges]
	}
}
