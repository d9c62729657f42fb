package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/order"
)

// Bundle makes an index of the graph, in memory: names and paths are all it
// knows, so answers are poorer than a bundle's.
func (g *Graph) Bundle() (*bundle.Bundle, error) {
	byID := map[string]*placed{}
	byFile := map[string][]*placed{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.File == "" || n.FileType != "" && n.FileType != "code" || byID[n.ID] != nil || !index.ValidPath(n.File) {
			continue
		}
		p := &placed{node: n, def: -1}
		byID[n.ID] = p
		byFile[n.File] = append(byFile[n.File], p)
	}
	paths := make([]string, 0, len(byFile))
	for f := range byFile {
		paths = append(paths, f)
	}
	slices.Sort(paths)
	g.nest(byID)
	repos, repoNumber := g.repos()
	b := index.NewBuilder(repos, paths)
	for _, f := range paths {
		d := index.Document{Path: f}
		list := byFile[f]
		order.By(list, func(a, b *placed) int {
			return cmp.Or(cmp.Compare(a.node.Line, b.node.Line), strings.Compare(a.node.ID, b.node.ID))
		})
		for _, p := range list {
			d.Repo = repoNumber[p.node.Repo]
			if d.Lang == "" {
				d.Lang = p.node.Lang
			}
			if isFile(p.node) {
				d.Doc = p.node.Doc
				continue
			}
			p.def = len(d.Defs)
			name, kind := nameOf(p.node)
			d.Defs = append(d.Defs, index.Def{Name: name, Container: p.container(), Kind: kind, Line: p.node.Line, End: p.node.Line,
				Signature: p.node.Signature, Doc: p.node.Doc})
		}
		b.Add(d)
	}
	for _, l := range g.Links {
		from, to := byID[l.Source], byID[l.Target]
		if from == nil || to == nil || from == to || holding[l.Relation] && from.node.File == to.node.File {
			continue // an index tells what holds what by names
		}
		f, _ := b.Number(from.node.File)
		t, _ := b.Number(to.node.File)
		b.Link(f, from.def, t, to.def, index.Rule{Relation: l.Relation, Resolver: l.Resolver, Certainty: l.Certainty}, l.Line)
	}
	files, err := b.Files()
	if err != nil {
		return nil, err
	}
	m, err := bundle.NewManifest(files)
	if err != nil {
		return nil, err
	}
	files[bundle.ManifestName] = m.Encode()
	return bundle.Open(bundle.Memory(files))
}

// A placed node is one that an answer can name.
type placed struct {
	node   *Node
	parent *placed // what holds it in its file, or nil
	def    int     // number in its file; −1 is the file
}

// holding are the relations that say that one definition stands in another.
var holding = map[string]bool{"contains": true, "method": true, "defines": true}

// nest tells members what holds them.
func (g *Graph) nest(byID map[string]*placed) {
	for _, l := range g.Links {
		from, to := byID[l.Source], byID[l.Target]
		if holding[l.Relation] && from != nil && to != nil && from != to && to.parent == nil && !isFile(from.node) && from.node.File == to.node.File {
			to.parent = from
		}
	}
}

// maxNesting bounds how deep a name is nested: links may run in a circle.
const maxNesting = 8

// container is the qualified name of what holds p.
func (p *placed) container() string {
	name := ""
	for depth := 0; p.parent != nil && depth < maxNesting; depth++ {
		p = p.parent
		part, _ := nameOf(p.node)
		name = strings.TrimSuffix(part+"."+name, ".")
	}
	return name
}

func (g *Graph) repos() (names []string, number map[string]int) {
	number = map[string]int{}
	for _, n := range g.Nodes {
		if _, ok := number[n.Repo]; !ok {
			number[n.Repo] = len(names)
			names = append(names, n.Repo)
		}
	}
	return names, number
}

func isFile(n *Node) bool {
	return n.Kind == "file" || n.Kind == "" && n.Label == path.Base(n.File)
}

// nameOf reads name and kind from a label: "run()" is a function, ".run()" a
// method, "Server.run()" too.
func nameOf(n *Node) (name, kind string) {
	name, call := strings.CutSuffix(n.Label, "()")
	_, member := strings.CutPrefix(name, ".")
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case n.Kind != "":
		return name, n.Kind
	case call && (member || strings.Contains(n.Label, ".")):
		return name, "method"
	case call:
		return name, "function"
	}
	return name, "class"
}
