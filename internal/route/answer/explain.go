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
	x := &Explanation{Node: n, ID: rec.Path, Repo: e.repo(rec), Lang: plaintext.Line(rec.Lang, maxWord), Links: []Link{}}
	doc := rec.Doc
	if r.def >= 0 {
		d, err := rec.Def(r.def)
		if err != nil {
			return nil, err
		}
		if x.ID, err = id(rec, r.def); err != nil {
			return nil, err
		}
		x.Signature, x.End, doc = plaintext.Line(d.Signature, maxSignature), d.End, d.Doc
	}
	x.Doc = plaintext.Line(doc, maxSentence)
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
	l := Link{Source: n, Target: far, Relation: plaintext.Line(nb.Relation, maxWord), Resolver: plaintext.Line(nb.Resolver, maxWord), Certainty: nb.Certainty, Line: nb.line}
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
	facts := []string{x.Node.Kind}
	if x.Lang != "" {
		facts = append(facts, x.Lang)
	}
	if x.Repo != "" {
		facts = append(facts, "repo "+x.Repo)
	}
	if x.End > x.Node.Line {
		facts = append(facts, fmt.Sprintf("lines %d-%d", x.Node.Line, x.End))
	}
	head := x.Node.line() + "  " + strings.Join(facts, " · ") + "\n"
	if x.Signature != "" {
		head += "  " + x.Signature + "\n"
	}
	if x.Doc != "" {
		head += "  doc: " + x.Doc + "\n"
	}
	l := listing{first: first, items: []string{head}, moreLinks: x.More, rest: "git grep finds the rest"}
	for _, link := range x.Links {
		l.links = append(l.links, link.line())
	}
	return l.render(budget)
}

// Candidates writes what an unclear or unknown name may mean.
func (l *Lookup) Candidates(first string, budget int) string {
	term := plaintext.Line(l.Term, maxLabel)
	out := listing{first: first, noun: "meaning", more: l.More, unread: l.Unread, rest: "only file:name or path:line narrows it"}
	list := l.Found
	switch {
	case len(l.Found) == 0 && l.Unread > 0:
		out.none = fmt.Sprintf("none of the first %d definitions of that name fits %q", maxMeanings, term)
		list = nil
	case len(l.Found) > 0:
		out.first += fmt.Sprintf("\n%q is ambiguous; ask again with file:name or path:line:", term)
	case len(l.Nearest) > 0:
		out.first += fmt.Sprintf("\nno definition is called %q; the nearest are:", term)
		list = l.Nearest
	default:
		out.none = fmt.Sprintf("no definition is called %q; use git grep", term)
	}
	for _, n := range list {
		out.items = append(out.items, n.line())
	}
	return out.render(budget)
}
