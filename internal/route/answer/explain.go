package answer

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// An Explanation is one definition and everything that touches it.
type Explanation struct {
	Node      Node   `json:"node"`
	ID        string `json:"id"`
	Repo      string `json:"repo"`
	Lang      string `json:"lang,omitempty"`
	Signature string `json:"signature,omitempty"`
	Doc       string `json:"doc,omitempty"`
	End       int    `json:"end,omitempty"` // last line
	Links     []Link `json:"links"`
	More      int    `json:"left_out"` // links beyond the limit
}

// maxLinks bounds the links of an explanation: a hub has thousands.
const maxLinks = 200

// Explain describes the first definition that a lookup found.
func (e *Engine) Explain(l *Lookup) (*Explanation, error) {
	r := l.refs[0]
	rec, err := e.index.File(r.file)
	if err != nil {
		return nil, err
	}
	n, err := node(rec, r)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Node: n, Repo: e.repo(rec), Lang: rec.Lang, Doc: rec.Doc, Links: []Link{}}
	x.ID = rec.Path
	if r.def >= 0 {
		d, err := rec.Def(r.def)
		if err != nil {
			return nil, err
		}
		x.ID, x.Signature, x.Doc, x.End = rec.Path+"#"+d.Qualified(), d.Signature, d.Doc, d.End
	}
	list, err := e.neighbours(r)
	if err != nil {
		return nil, err
	}
	if len(list) > maxLinks {
		x.More = len(list) - maxLinks
		list = list[:maxLinks]
	}
	var files []int
	for _, nb := range list {
		files = append(files, nb.file)
	}
	e.index.Prefetch(files)
	for _, nb := range list {
		link, err := e.link(x.Node, nb)
		if err != nil {
			return nil, err
		}
		x.Links = append(x.Links, link)
	}
	return x, nil
}

// link makes the link between a node and one of its neighbours.
func (e *Engine) link(n Node, nb neighbour) (Link, error) {
	rec, err := e.index.File(nb.file)
	if err != nil {
		return Link{}, err
	}
	far, err := node(rec, nb.ref)
	if err != nil {
		return Link{}, err
	}
	l := Link{Source: n, Target: far, Relation: nb.Relation, Resolver: nb.Resolver, Certainty: nb.Certainty, Line: nb.line}
	if nb.out {
		return l, nil
	}
	l.Source, l.Target, l.far = l.Target, l.Source, nearTarget
	stated, err := rec.OutOf(nb.def) // the line stands where the relation is written
	for _, x := range stated {
		if x.File == n.ref.file && x.Other == n.ref.def && x.Rule == nb.Rule {
			l.Line = x.Line
			break
		}
	}
	return l, err
}

// Render writes an explanation within a budget in tokens.
func (x *Explanation) Render(first string, budget int) string {
	head := []string{x.Node.line()}
	facts := []string{x.Node.Kind}
	if x.Lang != "" {
		facts = append(facts, plaintext.Line(x.Lang, 30))
	}
	if x.Repo != "" {
		facts = append(facts, "repo "+plaintext.Line(x.Repo, 80))
	}
	if x.End > x.Node.Line {
		facts = append(facts, fmt.Sprintf("lines %d-%d", x.Node.Line, x.End))
	}
	head[0] += "  " + strings.Join(facts, " · ") + "\n"
	if x.Signature != "" {
		head[0] += "  " + plaintext.Line(x.Signature, 240) + "\n"
	}
	if x.Doc != "" {
		head[0] += "  doc: " + plaintext.Line(x.Doc, 320) + "\n"
	}
	var links []string
	for _, l := range x.Links {
		links = append(links, l.line())
	}
	return render(first, budget, head, links, 0, x.More, "")
}

// Candidates writes what an unclear or unknown name may mean.
func (l *Lookup) Candidates(first string, budget int) string {
	var lines []string
	if len(l.Found) > 0 {
		first += fmt.Sprintf("\n%q is ambiguous; ask again with file:name:", plaintext.Line(l.Term, 80))
		for _, n := range l.Found {
			lines = append(lines, n.line())
		}
		return render(first, budget, lines, nil, 0, 0, "")
	}
	none := fmt.Sprintf("no definition is called %q", plaintext.Line(l.Term, 80))
	if len(l.Nearest) == 0 {
		return render(first, budget, nil, nil, 0, 0, none+"; use git grep")
	}
	for _, n := range l.Nearest {
		lines = append(lines, n.line())
	}
	return render(first+"\n"+none+"; the nearest are:", budget, lines, nil, 0, 0, "")
}
