package doccode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A writer gathers links.
type writer struct {
	docs    []found
	leftOut int
}

// A found document has its links still with nodes in place of numbers.
type found struct {
	doc      *document
	passages map[int][]link // by section
}

type link struct {
	doccode.Link
	to []doccode.Node
}

// doc resolves the mentions of one document. In a passage the first mention
// of something counts.
func (o *writer) doc(w *world, d *document) {
	f := found{doc: d, passages: map[int][]link{}}
	files := map[string]bool{} // that the document names something of
	means := make([][]doccode.Node, len(d.mentions))
	var later []int
	for i, m := range d.mentions {
		list, how := w.nodes(d, m)
		switch {
		case how == no || len(list) == 0:
			continue
		case how == maybe:
			later = append(later, i)
		case len(list) == 1:
			files[list[0].File] = true
		}
		means[i] = list
	}
	for _, i := range later {
		if !files[means[i][0].File] {
			means[i] = nil
		}
	}
	said := map[string]bool{}
	for i, m := range d.mentions {
		l := link{Link: doccode.Link{Text: plaintext.Line(secret.Mask(m.text), doccode.MaxText), Line: m.line, How: m.how}, to: means[i]}
		if len(l.to) == 0 || len(l.to) > doccode.MaxTo || l.Text == "" {
			continue
		}
		var key strings.Builder
		key.WriteString(strconv.Itoa(m.section))
		for _, n := range l.to {
			key.WriteString("\x00" + n.String())
		}
		if !said[key.String()] {
			said[key.String()] = true
			f.passages[m.section] = append(f.passages[m.section], l)
		}
	}
	if len(f.passages) > 0 {
		o.docs = append(o.docs, f)
	}
}

// nodes are what a mention means: a path before a name.
func (w *world) nodes(d *document, m mention) ([]doccode.Node, surety) {
	var list []doccode.Node
	if m.path != "" {
		for _, p := range w.meant(d, m) {
			list = append(list, doccode.Node{File: p})
		}
	}
	if len(list) > 0 {
		return list, sure
	}
	means, how := w.definitions(d, m)
	for _, c := range means {
		n := c.node(m.name.last)
		if len(n.Name) <= doccode.MaxName {
			list = append(list, n)
		}
	}
	return list, how
}

// ranks says what goes first where not all fits: what is least sure.
var ranks = []func(link) bool{
	func(link) bool { return false },
	func(l link) bool { return len(l.to) > 1 },
	func(l link) bool { return l.How == doccode.Prose },
	func(l link) bool { return l.How == doccode.Block },
}

// write numbers the nodes and sorts everything.
func (o *writer) write() *doccode.DocCode {
	for _, drop := range ranks {
		n := 0
		for _, f := range o.docs {
			for s, links := range f.passages {
				kept := slices.DeleteFunc(links, drop)
				o.leftOut += len(links) - len(kept)
				f.passages[s] = kept
				n += len(kept)
			}
		}
		if n <= doccode.MaxLinks {
			break
		}
	}
	slices.SortFunc(o.docs, func(a, b found) int { return strings.Compare(a.doc.path, b.doc.path) })
	out := &doccode.DocCode{Schema: doccode.Schema, Nodes: []doccode.Node{}, Docs: []doccode.Doc{}}
	o.cut()
	number := o.number(out)
	for _, f := range o.docs {
		d := doccode.Doc{File: f.doc.path}
		for s, section := range f.doc.sections {
			p := doccode.Passage{Line: section.Line}
			for _, h := range section.Heading[:min(len(section.Heading), doccode.MaxDepth)] {
				p.Heading = append(p.Heading, plaintext.Line(secret.Mask(h), doccode.MaxHeading))
			}
			for _, l := range f.passages[s] {
				for _, n := range l.to {
					l.To = append(l.To, number[n])
				}
				slices.Sort(l.To)
				p.Links = append(p.Links, l.Link)
			}
			if len(p.Links) > 0 {
				slices.SortStableFunc(p.Links, func(a, b doccode.Link) int { return cmp.Compare(a.Line, b.Line) })
				d.Passages = append(d.Passages, p)
			}
		}
		if len(d.Passages) > 0 {
			out.Docs = append(out.Docs, d)
		}
	}
	out.LeftOut = o.leftOut
	return out
}

// cut keeps to the numbers that a reader takes: what comes last in the order
// of documents goes.
func (o *writer) cut() {
	links := 0
	nodes := map[doccode.Node]bool{}
	for _, f := range o.docs {
		for s := range f.doc.sections {
			f.passages[s] = slices.DeleteFunc(f.passages[s], func(l link) bool {
				if links++; links <= doccode.MaxLinks && len(nodes)+len(l.to) <= doccode.MaxNodes {
					for _, n := range l.to {
						nodes[n] = true
					}
					return false
				}
				o.leftOut++
				return true
			})
		}
	}
}

// number lists the nodes in order, and says which number each has.
func (o *writer) number(out *doccode.DocCode) map[doccode.Node]int {
	number := map[doccode.Node]int{}
	for _, f := range o.docs {
		for _, links := range f.passages {
			for _, l := range links {
				for _, n := range l.to {
					number[n] = 0
				}
			}
		}
	}
	for n := range number {
		out.Nodes = append(out.Nodes, n)
	}
	slices.SortFunc(out.Nodes, func(a, b doccode.Node) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name), strings.Compare(a.Kind, b.Kind))
	})
	for i, n := range out.Nodes {
		number[n] = i
	}
	return number
}
