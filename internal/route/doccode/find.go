package doccode

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/order"
)

// A Mention is a place in a document with the code that it names.
type Mention struct {
	File      string   `json:"file"` // the document
	Line      int      `json:"line"`
	Heading   []string `json:"heading,omitempty"`
	Text      string   `json:"text"`
	How       string   `json:"how"`
	Ambiguous bool     `json:"ambiguous,omitempty"`
	Nodes     []Node   `json:"nodes"` // one, or all that the text may mean

	grade int
}

// Naming returns the places where documents name what a term means: a name, a
// qualified name, file:name, a path or the end of one, path:line, or a node
// as answers write it. Places that name nothing else come before those that
// are ambiguous, and a name's own before those of what it holds.
func (d *DocCode) Naming(term string) []Mention {
	grades := make([]int, len(d.Nodes))
	any := false
	for i, n := range d.Nodes {
		grades[i] = n.grade(term)
		any = any || grades[i] > 0
	}
	if !any {
		return nil
	}
	var list []Mention
	for _, doc := range d.Docs {
		for _, p := range doc.Passages {
			for _, l := range p.Links {
				best := 0
				for _, n := range l.To {
					best = max(best, grades[n])
				}
				if best > 0 {
					list = append(list, d.mention(doc, p, l, best))
				}
			}
		}
	}
	order.Stable(list, func(a, b Mention) int {
		return cmp.Or(cmp.Compare(b.grade, a.grade), number(a.Ambiguous)-number(b.Ambiguous), number(b.inHeading())-number(a.inHeading()), howRank(a.How)-howRank(b.How), changes(a.File)-changes(b.File))
	})
	return list
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// howRank puts what a person marked as code before what was found in blocks
// and among words.
func howRank(how string) int {
	switch how {
	case Block:
		return 1
	case Prose:
		return 2
	}
	return 0
}

// changes is 1 for a document that tells of changes, which names much and
// explains little.
func changes(file string) int {
	base := strings.ToLower(path.Base(file))
	return number(strings.HasPrefix(base, "change") || strings.HasPrefix(base, "history") || strings.HasPrefix(base, "news"))
}

// inHeading reports whether the passage is about what it names.
func (m Mention) inHeading() bool {
	if len(m.Heading) == 0 || len(m.Nodes) == 0 {
		return false
	}
	name := m.Nodes[0].Name
	name = name[strings.LastIndexByte(name, '.')+1:]
	return name != "" && strings.Contains(m.Heading[len(m.Heading)-1], name)
}

func (d *DocCode) mention(doc Doc, p Passage, l Link, grade int) Mention {
	m := Mention{File: doc.File, Line: l.Line, Heading: p.Heading, Text: l.Text, How: l.How, Ambiguous: l.Ambiguous(), grade: grade}
	for _, n := range l.To {
		m.Nodes = append(m.Nodes, d.Nodes[n])
	}
	return m
}

// Grades of how well a node fits a term.
const (
	holds   = iota + 1 // the node is in the file that the term names
	folded             // called so in another case
	partly             // the end of its qualified name or path
	exactly            // its whole name, path or id
)

func (n Node) grade(term string) int {
	file := strings.TrimSuffix(n.File, "/")
	term = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(term), "/"), "()")
	term = strings.ReplaceAll(term, "::", ".")
	if term == "" {
		return 0
	}
	if term == n.String() || term == file {
		if term == file && n.Name != "" {
			return holds
		}
		return exactly
	}
	if at, name, ok := cutLast(term, ":#"); ok {
		if !ends(file, at) {
			return 0
		}
		if line, err := strconv.Atoi(name); err == nil {
			if n.Line == line {
				return exactly
			}
			return 0
		}
		return n.named(name)
	}
	if ends(file, term) {
		if n.Name == "" {
			return partly
		}
		return holds
	}
	return n.named(term)
}

// named grades a qualified name, or its end.
func (n Node) named(name string) int {
	switch {
	case n.Name == "":
		return 0
	case n.Name == name:
		return exactly
	case strings.HasSuffix(n.Name, "."+name):
		return partly
	case strings.EqualFold(n.Name, name) || strings.HasSuffix(strings.ToLower(n.Name), "."+strings.ToLower(name)):
		return folded
	}
	// What stands before the name may be its package or its file.
	if pack, last, ok := cutLast(name, "."); ok && n.Name == last {
		base := path.Base(n.File)
		if pack == strings.TrimSuffix(base, path.Ext(base)) || pack == path.Base(path.Dir(n.File)) {
			return exactly
		}
	}
	return 0
}

// ends reports whether a path is another, or ends with it after a slash.
func ends(file, end string) bool {
	return file == end || strings.HasSuffix(file, "/"+end)
}

func cutLast(s, marks string) (before, after string, ok bool) {
	i := strings.LastIndexAny(s, marks)
	if i <= 0 || i+1 == len(s) {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// NamedAt returns the code that documents name where a term says: a document's
// path or the end of one, path:line for the passage around that line,
// path#heading, or words of headings. It is in the order of the document.
func (d *DocCode) NamedAt(term string) []Mention {
	term = strings.TrimSpace(term)
	file, rest, cut := cutLast(term, ":#")
	line, err := strconv.Atoi(rest)
	byLine := cut && err == nil
	heading := ""
	switch {
	case !cut:
		file = term
	case !byLine:
		heading = plain(rest)
	}
	var list []Mention
	for _, doc := range d.Docs {
		if !ends(doc.File, file) {
			continue
		}
		for i, p := range doc.Passages {
			if byLine && !(p.Line <= line && (i+1 == len(doc.Passages) || line < doc.Passages[i+1].Line)) {
				continue
			}
			if heading != "" && !p.headed(heading) {
				continue
			}
			for _, l := range p.Links {
				list = append(list, d.mention(doc, p, l, exactly))
			}
		}
	}
	if len(list) == 0 && !cut {
		list = d.headed(term)
	}
	return once(list)
}

// headed reports whether a heading above the passage is called so.
func (p Passage) headed(plainly string) bool {
	return slices.ContainsFunc(p.Heading, func(h string) bool { return plain(h) == plainly })
}

// plain is a heading as the addresses of pages write it, and in any other
// form: its letters and digits.
func plain(heading string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// headed are the passages whose headings have the words, or most of them.
func (d *DocCode) headed(words string) []Mention {
	asked := lexicon.Parse(words + " ?").Terms
	var list []Mention
	for _, doc := range d.Docs {
		for _, p := range doc.Passages {
			have := map[string]bool{}
			lexicon.Words(strings.Join(p.Heading, " ")+" "+path.Base(doc.File), func(t string) { have[t] = true })
			n := 0
			for _, t := range asked {
				n += number(have[t])
			}
			if 2*n > len(asked) {
				for _, l := range p.Links {
					list = append(list, d.mention(doc, p, l, n))
				}
			}
		}
	}
	order.Stable(list, func(a, b Mention) int { return b.grade - a.grade })
	return list
}

// once keeps the first mention of the same nodes.
func once(list []Mention) []Mention {
	seen := map[string]bool{}
	var out []Mention
	for _, m := range list {
		key := ""
		for _, n := range m.Nodes {
			key += n.String() + "\x00"
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, m)
		}
	}
	return out
}
