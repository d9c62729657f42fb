package assemble

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// graphCap is the size above which graph.json is cut by repository, in
// bytes: below bundle.MaxFile, so that every part can be read.
const graphCap = 18 << 20

// A graphWriter writes node-link JSON as graphify's readers take it, one
// node or link a line.
type graphWriter struct {
	c       *collected
	edges   *resolve.Edges
	limit   int                    // of one part, in bytes
	test    []bool                 // per unit: it is a test file
	renamed map[resolve.Ref]string // ids that are not what the path and the name say
}

// addGraph writes graph.json, cut per repository where it would pass limit
// bytes. A repository that passes it alone is cut further.
func addGraph(files *Store, w *workspace.Workspace, c *collected, edges *resolve.Edges, limit int) error {
	g := &graphWriter{c: c, edges: edges, limit: limit, test: make([]bool, len(c.units))}
	for i, u := range c.units {
		g.test[i] = index.ClassOfPath(u.Path) == index.Test
	}
	g.assignIDs()
	var first []byte
	whole := true
	g.cut(0, len(c.units), func(data []byte) bool {
		whole = first == nil
		first = data
		return whole
	})
	if whole {
		return files.Put(bundle.GraphName, first)
	}
	var parts []string
	var err error
	for i, r := range w.Repos {
		start, end := c.unitsOf(i)
		g.cut(start, end, func(data []byte) bool {
			name := partName(r.Name, len(parts))
			parts = append(parts, name)
			err = files.Put(name, data)
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	list, err := json.Marshal(parts)
	if err != nil {
		return err
	}
	return files.Put(bundle.GraphName, fmt.Appendf(nil, `{"directed":true,"multigraph":true,"graph":{"parts":%s},"nodes":[],"links":[]}`+"\n", list))
}

// A part is a graph that grows until it is full.
type part struct{ nodes, links []byte }

const (
	partHead  = `{"directed":true,"multigraph":true,"graph":{},"nodes":[`
	partLinks = "],\n\"links\":["
	partTail  = "]}\n"
)

func (p *part) size() int {
	return len(partHead) + len(p.nodes) + len(partLinks) + len(p.links) + len(partTail)
}

func (p *part) bytes() []byte {
	return slices.Concat([]byte(partHead), p.nodes, []byte(partLinks), p.links, []byte(partTail))
}

// cut writes the nodes of a run of files and the links that start there, in
// as many parts as the limit asks for, at least one, and gives each to yield
// until that wants no more.
func (g *graphWriter) cut(first, end int, yield func([]byte) bool) {
	p := &part{}
	var line []byte
	add := func(to *[]byte) bool {
		if p.size()+len(line)+2 > g.limit && len(p.nodes)+len(p.links) > 0 {
			if !yield(p.bytes()) {
				return false
			}
			p.nodes, p.links = p.nodes[:0], p.links[:0]
		}
		if len(*to) > 0 {
			*to = append(*to, ',')
		}
		*to = append(append(*to, '\n'), line...)
		return true
	}
	for i := first; i < end; i++ {
		u := g.c.units[i]
		for d := -1; d < len(u.File.Definitions); d++ {
			if !g.shown(resolve.Ref{Unit: i, Def: d}) {
				continue
			}
			line = g.appendNode(line[:0], i, d)
			if !add(&p.nodes) {
				return
			}
		}
	}
	for i := first; i < end; i++ {
		for e := range g.edges.From(i) {
			if !g.shown(e.From) || !g.shown(e.To) {
				continue
			}
			line = g.appendLink(line[:0], e)
			if !add(&p.links) {
				return
			}
		}
	}
	yield(p.bytes())
}

// unitsOf is the run of units of one repository.
func (c *collected) unitsOf(repo int) (first, end int) {
	start := func(repo int) int {
		i, _ := slices.BinarySearchFunc(c.sources, repo, func(s source, repo int) int { return s.repo - repo })
		return i
	}
	return start(repo), start(repo + 1)
}

// partName is the file of one part: numbered, for two repositories may have
// one name.
func partName(repo string, n int) string {
	clean := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_') {
			return r
		}
		return '_'
	}, repo)
	return fmt.Sprintf("%s%02d-%.60s.json", bundle.GraphDir, n, clean)
}

// assignIDs gives each file its path and each definition its path, '#' and
// its qualified name. What would meet another id gets a number. Most files
// meet themselves only; those whose path goes on with '#' where that of
// another ends may meet each other.
func (g *graphWriter) assignIDs() {
	g.renamed = map[resolve.Ref]string{}
	related := g.related()
	shared, own := map[string]bool{}, map[string]bool{}
	for i, u := range g.c.units {
		if related[u.Path] {
			g.take(shared, resolve.Ref{Unit: i, Def: -1})
		}
	}
	for i, u := range g.c.units {
		used := shared
		if !related[u.Path] {
			if len(own) > 1<<12 { // clearing a large map takes long for every file that follows
				own = map[string]bool{}
			}
			clear(own)
			used = own
		}
		for d := range u.File.Definitions {
			g.take(used, resolve.Ref{Unit: i, Def: d})
		}
	}
}

// related are the paths that have a '#', those that stand before one, and
// those that two files claim.
func (g *graphWriter) related() map[string]bool {
	related, seen := map[string]bool{}, make(map[string]bool, len(g.c.units))
	for _, u := range g.c.units {
		if seen[u.Path] {
			related[u.Path] = true
		}
		seen[u.Path] = true
		for at, r := range u.Path {
			if r == '#' {
				related[u.Path], related[u.Path[:at]] = true, true
			}
		}
	}
	return related
}

// take makes the id of a node the first that is free.
func (g *graphWriter) take(used map[string]bool, r resolve.Ref) {
	id := g.id(r)
	if used[id] {
		for n := 2; ; n++ {
			if next := id + "~" + strconv.Itoa(n); !used[next] {
				id = next
				break
			}
		}
		g.renamed[r] = id
	}
	used[id] = true
}

func (g *graphWriter) id(r resolve.Ref) string {
	if len(g.renamed) > 0 {
		if id, ok := g.renamed[r]; ok {
			return id
		}
	}
	u := g.c.units[r.Unit]
	if r.Def < 0 {
		return u.Path
	}
	return u.Path + "#" + u.File.Definitions[r.Def].Qualified()
}

// shown says whether graph.json has a node. Fields, keys, cases and what test
// files define would be most of the graph and are seldom what a reader of the
// whole wants; the node pieces have them.
func (g *graphWriter) shown(r resolve.Ref) bool {
	if r.Def < 0 {
		return g.c.units[r.Unit].File.Lang != ""
	}
	d := g.c.units[r.Unit].File.Definitions[r.Def]
	return d.Kind != extract.Field && d.Kind != extract.EnumCase && d.Kind != extract.Key && !g.test[r.Unit]
}

func (g *graphWriter) appendNode(out []byte, unit, def int) []byte {
	u := g.c.units[unit]
	label, kind, line, sig, doc := path.Base(u.Path), "file", 1, "", u.File.Doc
	if def >= 0 {
		d := u.File.Definitions[def]
		kind, line, sig, doc = string(d.Kind), d.Line, d.Signature, d.Doc
		label = Label(d.Name, kind)
	}
	out = append(out, '{')
	out = appendField(out, "id", g.id(resolve.Ref{Unit: unit, Def: def}))
	out = appendField(out, "label", label)
	out = append(out, `"file_type":"code",`...)
	out = appendField(out, "source_file", u.Path)
	out = append(out, `"source_location":"L`...)
	out = strconv.AppendInt(out, int64(line), 10)
	out = append(out, `",`...)
	out = appendField(out, "norm_label", normLabel(label))
	out = appendField(out, "kind", kind)
	out = appendField(out, "lang", u.File.Lang)
	if sig != "" {
		out = appendField(out, "signature", sig)
	}
	if doc != "" {
		out = appendField(out, "doc", doc)
	}
	out = appendField(out, "repo", u.Repo)
	out[len(out)-1] = '}'
	return out
}

func (g *graphWriter) appendLink(out []byte, e resolve.Edge) []byte {
	out = append(out, '{')
	out = appendField(out, "source", g.id(e.From))
	out = appendField(out, "target", g.id(e.To))
	out = appendField(out, "relation", e.Relation)
	out = appendField(out, "confidence", e.Confidence)
	out = append(out, `"confidence_score":`...)
	out = strconv.AppendFloat(out, float64(certainty(e.Score))/100, 'f', -1, 64)
	out = append(out, ',')
	out = appendField(out, "source_file", g.c.units[e.From.Unit].Path)
	out = append(out, `"source_location":"L`...)
	out = strconv.AppendInt(out, int64(e.Line), 10)
	out = append(out, `",`...)
	out = appendField(out, "resolver", e.Resolver)
	out[len(out)-1] = '}'
	return out
}

func appendField(out []byte, key, value string) []byte {
	out = append(out, '"')
	out = append(out, key...)
	out = append(out, `":`...)
	out = index.AppendString(out, value)
	return append(out, ',')
}

// Label is a definition's name as graphify writes it: functions end in
// "()", methods begin with a dot too.
func Label(name, kind string) string {
	switch extract.Kind(kind) {
	case extract.Function:
		return name + "()"
	case extract.Method:
		return "." + name + "()"
	}
	return name
}

// normLabel is the label in lower case and without marks: "Größe" is "große"
// and "Café" is "cafe".
func normLabel(label string) string {
	ascii := true
	for i := 0; i < len(label) && ascii; i++ {
		ascii = label[i] < utf8.RuneSelf
	}
	if !ascii {
		label = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(label))
	}
	return strings.ToLower(label)
}
