package answer

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// BytesPerToken turns a budget into bytes: ⌈bytes/3⌉ tokens, which
// overestimates what models count, so that a budget is never passed.
const BytesPerToken = 3

// maxLabel is the longest name that is shown, in bytes.
const maxLabel = 120

// Src is the place of a node as every answer writes it: path:line.
func (n Node) Src() string { return fmt.Sprintf("%s:%d", plaintext.Line(n.Path, 400), n.Line) }

func (n Node) label() string { return plaintext.Line(n.Label, maxLabel) }

// line is a node's line in an answer.
func (n Node) line() string { return fmt.Sprintf("NODE %s  src=%s\n", n.label(), n.Src()) }

// line is a link's line. The place is that of the end that is not among the
// nodes shown.
func (l Link) line() string {
	return fmt.Sprintf("  %s %s → %s  src=%s\n", l.Source.label(), plaintext.Line(strings.ReplaceAll(l.Relation, "_", " "), 40), l.Target.label(), l.Far().Src())
}

// Far is the end of the link that is not the node it was found from.
func (l Link) Far() Node {
	if l.far == nearTarget {
		return l.Source
	}
	return l.Target
}

// A page is text that is held to a budget in bytes.
type page struct {
	budget int
	text   strings.Builder
}

func (p *page) fits(s string, reserve int) bool { return p.text.Len()+len(s)+reserve <= p.budget }

// Render writes an answer: the first line, the nodes best first, then the
// links, and what was left out. It is never longer than budget tokens; a
// budget too small for the first line and a remainder gives "".
func (a *Answer) Render(first string, budget int) string {
	nodes, links := make([]string, len(a.Nodes)), make([]string, len(a.Links))
	for i, n := range a.Nodes {
		nodes[i] = n.line()
	}
	for i, l := range a.Links {
		links[i] = l.line()
	}
	return render(first, budget, nodes, links, a.More, a.MoreLinks, "no word of the question is in the index; use git grep")
}

// render lays out lines of two kinds under a budget. moreNodes and moreLinks
// count what was not even listed.
func render(first string, budget int, nodes, links []string, moreNodes, moreLinks int, none string) string {
	p := &page{budget: budget * BytesPerToken}
	head := first + "\n"
	if len(nodes) == 0 {
		head += none + "\n"
	}
	if !p.fits(head, 0) {
		return ""
	}
	p.text.WriteString(head)
	shownNodes, shownLinks := 0, 0
	rest := func(n, l int) string { return remainder(len(nodes)-n+moreNodes, len(links)-l+moreLinks, budget) }
	for i, s := range nodes {
		if !p.fits(s, len(rest(i+1, 0))) {
			break
		}
		p.text.WriteString(s)
		shownNodes++
	}
	if shownNodes == len(nodes) {
		for i, s := range links {
			if !p.fits(s, len(rest(shownNodes, i+1))) {
				break
			}
			p.text.WriteString(s)
			shownLinks++
		}
	}
	tail := rest(shownNodes, shownLinks)
	if !p.fits(tail, 0) {
		return ""
	}
	p.text.WriteString(tail)
	return p.text.String()
}

// remainder says what was left out, or "" when nothing was.
func remainder(nodes, links, budget int) string {
	var parts []string
	if nodes > 0 {
		parts = append(parts, count(nodes, "node"))
	}
	if links > 0 {
		parts = append(parts, count(links, "link"))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("left out: %s; --budget %d shows more\n", strings.Join(parts, ", "), max(1, budget)*2)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
