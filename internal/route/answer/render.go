package answer

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// BytesPerToken turns a budget into bytes: ⌈bytes/3⌉ tokens, which
// overestimates what models count, so that a budget is never passed.
const BytesPerToken = 3

// The longest texts of a bundle that an answer shows, in bytes.
const (
	maxLabel     = 120
	maxWord      = 40 // a kind, a language, a relation, a resolver
	maxRepo      = 80
	maxSignature = 240
	maxSentence  = 320
	maxPath      = 4096
)

// Src is the place of a node as every answer writes it: path:line.
func (n Node) Src() string { return fmt.Sprintf("%s:%d", plaintext.Line(n.Path, maxPath), n.Line) }

// line is a node's line in an answer.
func (n Node) line() string { return fmt.Sprintf("NODE %s  src=%s\n", n.Label, n.Src()) }

// line is a link's line. The place is that of the end that is not among the
// nodes shown.
func (l Link) line() string {
	return fmt.Sprintf("  %s %s → %s  src=%s\n", l.Source.Label, strings.ReplaceAll(l.Relation, "_", " "), l.Target.Label, l.Far().Src())
}

// Far is the end of the link that is not the node it was found from.
func (l Link) Far() Node {
	if l.far == nearTarget {
		return l.Source
	}
	return l.Target
}

// Render writes an answer: the first line, the nodes best first, then the
// links, and what was left out. It is never longer than budget tokens; a
// budget too small for the first line and a remainder gives "".
func (a *Answer) Render(first string, budget int) string {
	l := listing{first: first, none: "no word of the question is in the index; use git grep", more: a.More, moreLinks: a.MoreLinks,
		linksGrow: true, rest: "a larger --limit shows more"}
	for _, n := range a.Nodes {
		l.items = append(l.items, n.line())
	}
	for _, x := range a.Links {
		l.links = append(l.links, x.line())
	}
	return l.render(budget)
}

// A listing is an answer in whole lines: what it comes from, then items, then
// links, each best first.
type listing struct {
	first string
	none  string // stands for the items when there are none
	noun  string // what an item is; "" means node
	items []string
	links []string

	more, moreLinks int // what was found and is not even listed
	unread          int // what may be one of the items and was not looked at

	linksGrow bool   // a larger budget lists links of moreLinks, too
	rest      string // how to get at what no budget shows
	tail      string // lines that always stand behind everything
}

// maxBudget is the largest budget that is told from a larger one, in tokens.
const maxBudget = 1 << 28

// Room is how many bytes a budget in tokens gives.
func Room(budget int) int { return min(budget, maxBudget) * BytesPerToken }

// render lays out what fits in a budget of tokens and says how much was left
// out. Where not even that fits it gives "".
func (l *listing) render(budget int) string {
	budget = min(budget, maxBudget)
	room := Room(budget) - len(l.tail)
	var text strings.Builder
	write := func(s string, reserve int) bool {
		fits := text.Len()+len(s)+reserve <= room
		if fits {
			text.WriteString(s)
		}
		return fits
	}
	head := l.first + "\n"
	if len(l.items) == 0 && l.none != "" {
		head += l.none + "\n"
	}
	if !write(head, 0) {
		return ""
	}
	items, links := 0, 0
	for items < len(l.items) && write(l.items[items], len(l.leftOut(items+1, 0, budget))) {
		items++
	}
	if items == len(l.items) {
		for links < len(l.links) && write(l.links[links], len(l.leftOut(items, links+1, budget))) {
			links++
		}
	}
	if !write(l.leftOut(items, links, budget), 0) {
		return ""
	}
	return text.String() + l.tail
}

// leftOut is the last line of an answer that shows so many items and links,
// or "" when that is all.
func (l *listing) leftOut(items, links, budget int) string {
	var parts []string
	hiddenItems, hiddenLinks := len(l.items)-items, len(l.links)-links
	if n := hiddenItems + l.more; n > 0 {
		parts = append(parts, count(n, cmp.Or(l.noun, "node")))
	}
	if n := hiddenLinks + l.moreLinks; n > 0 {
		parts = append(parts, count(n, "link"))
	}
	if l.unread > 0 {
		parts = append(parts, fmt.Sprintf("%d of that name not looked at", l.unread))
	}
	switch {
	case len(parts) == 0:
		return ""
	case hiddenItems > 0 || hiddenLinks > 0 || l.linksGrow && l.moreLinks > 0:
		return fmt.Sprintf("left out: %s; --budget %d shows more\n", strings.Join(parts, ", "), max(1, budget)*2)
	}
	return fmt.Sprintf("left out: %s; %s\n", strings.Join(parts, ", "), l.rest)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
