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
	c    *collected
	test []bool     // per unit: it is a test file
	ids  [][]string // per unit: the file's id, then one per definition
}

// addGraph writes graph.json, cut per repository where it would pass limit
// bytes. A repository that passes it alone is cut further.
func addGraph(files map[string][]byte, w *workspace.Workspace, c *collected, edges []resolve.Edge, limit int) error {
	g := &graphWriter{c: c, test: make([]bool, len(c.units))}
	for i, u := range c.units {
		g.test[i] = index.ClassOfPath(u.Path) == index.Test
	}
	g.assignIDs()
	if whole := g.cut(0, len(c.units), edges, limit); len(whole) == 1 {
		files[bundle.GraphName] = whole[0]
		return nil
	}
	var parts []string
	for i, r := range w.Repos {
		first, end := c.unitsOf(i)
		for _, data := range g.cut(first, end, edges, limit) {
			name := partName(r.Name, len(parts))
			files[name] = data
			parts = append(parts, name)
		}
	}
	list, err := json.Marshal(parts)
	if err != nil {
		return err
	}
	files[bundle.GraphName] = fmt.Appendf(nil, `{"directed":true,"multigraph":true,"graph":{"parts":%s},"nodes":[],"links":[]}`+"\n", list)
	return nil
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
// as many parts as limit asks for; at least one.
func (g *graphWriter) cut(first, end int, edges []resolve.Edge, limit int) [][]byte {
	var parts [][]byte
	p := &part{}
	var line []byte
	add := func(to *[]byte) {
		if p.size()+len(line)+2 > limit && len(p.nodes)+len(p.links) > 0 {
			parts = append(parts, p.bytes())
			p.nodes, p.links = p.nodes[:0], p.links[:0]
		}
		if len(*to) > 0 {
			*to = append(*to, ',')
		}
		*to = append(append(*to, '\n'), line...)
	}
	for i := first; i < end; i++ {
		u := g.c.units[i]
		if u.File.Lang == "" {
			continue
		}
		line = g.appendNode(line[:0], i, -1)
		add(&p.nodes)
		for d := range u.File.Definitions {
			if g.shown(resolve.Ref{Unit: i, Def: d}) {
				line = g.appendNode(line[:0], i, d)
				add(&p.nodes)
			}
		}
	}
	for _, e := range edges {
		if e.From.Unit >= first && e.From.Unit < end && g.shown(e.From) && g.shown(e.To) {
			line = g.appendLink(line[:0], e)
			add(&p.links)
		}
	}
	return append(parts, p.bytes())
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
// its qualified name. What would meet another id gets a number.
func (g *graphWriter) assignIDs() {
	used := map[string]bool{}
	unique := func(id string) string {
		if used[id] {
			for n := 2; ; n++ {
				if next := id + "~" + strconv.Itoa(n); !used[next] {
					id = next
					break
				}
			}
		}
		used[id] = true
		return id
	}
	g.ids = make([][]string, len(g.c.units))
	for i, u := range g.c.units {
		g.ids[i] = append(g.ids[i], unique(u.Path))
	}
	for i, u := range g.c.units {
		for _, d := range u.File.Definitions {
			g.ids[i] = append(g.ids[i], unique(u.Path+"#"+d.Qualified()))
		}
	}
}

func (g *graphWriter) id(r resolve.Ref) string { return g.ids[r.Unit][r.Def+1] }

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
