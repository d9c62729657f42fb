package answer

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/decisions"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// Docs returns the places where documents name what a term means, best
// first, safe to print.
func (e *Engine) Docs(term string) ([]doccode.Mention, error) {
	d, err := e.docCode()
	if err != nil {
		return nil, err
	}
	return readable(d.Naming(term)), nil
}

// Code returns the code that documents name where a term says, safe to
// print.
func (e *Engine) Code(term string) ([]doccode.Mention, error) {
	d, err := e.docCode()
	if err != nil {
		return nil, err
	}
	return readable(d.NamedAt(term)), nil
}

// docCode reads the bundle's links. A bundle without is one in which no
// document names code.
func (e *Engine) docCode() (*doccode.DocCode, error) {
	d := &doccode.DocCode{}
	return d, e.optional(bundle.DocCodeName, d, d.Check)
}

// optional reads and checks a file that a bundle may lack.
func (e *Engine) optional(name string, v any, check func() error) error {
	if !e.bundle.Has(name) {
		return nil
	}
	if err := e.bundle.Decode(name, v); err != nil {
		return err
	}
	if err := check(); err != nil {
		return &bundle.Refused{File: name, Reason: err.Error()}
	}
	return nil
}

func readable(list []doccode.Mention) []doccode.Mention {
	out := []doccode.Mention{}
	for _, m := range list {
		m.File, m.Text, m.How = plaintext.Line(m.File, maxPath), plaintext.Line(m.Text, maxLabel), plaintext.Line(m.How, maxWord)
		var heading []string
		for _, h := range m.Heading {
			heading = append(heading, plaintext.Line(h, maxLabel))
		}
		var nodes []doccode.Node
		for _, n := range m.Nodes {
			nodes = append(nodes, doccode.Node{File: plaintext.Line(n.File, maxPath), Name: plaintext.Line(n.Name, maxLabel), Kind: plaintext.Line(n.Kind, maxWord), Line: n.Line})
		}
		m.Heading, m.Nodes = heading, nodes
		out = append(out, m)
	}
	return out
}

// RenderDocs writes where documents name something, within a budget in
// tokens.
func RenderDocs(first, term string, list []doccode.Mention, budget int) string {
	l := listing{first: first, noun: "place", none: fmt.Sprintf("no document names %q; route query finds documents by their words", plaintext.Line(term, maxLabel))}
	for _, m := range list {
		heading := ""
		if len(m.Heading) > 0 {
			heading = m.Heading[len(m.Heading)-1] + "  "
		}
		l.items = append(l.items, fmt.Sprintf("DOC %ssrc=%s:%d  %q is %s\n", heading, m.File, m.Line, m.Text, meanings(m)))
	}
	return l.render(budget)
}

// RenderCode writes the code that documents name, within a budget in tokens.
func RenderCode(first, term string, list []doccode.Mention, budget int) string {
	l := listing{first: first, noun: "node", none: fmt.Sprintf("no passage of a document that names code is %q; give a path, path:line, path#heading or words of a heading", plaintext.Line(term, maxLabel))}
	for _, m := range list {
		if m.Ambiguous {
			l.items = append(l.items, fmt.Sprintf("NODE? %s  is %s, at %s:%d\n", m.Text, meanings(m), m.File, m.Line))
			continue
		}
		n := m.Nodes[0]
		name := n.Name
		if name == "" {
			name = strings.TrimSuffix(n.File, "/")
			name = name[strings.LastIndexByte(name, '/')+1:]
		}
		l.items = append(l.items, fmt.Sprintf("NODE %s  src=%s  named at %s:%d\n", name, nodePlace(n), m.File, m.Line))
	}
	return l.render(budget)
}

// meaningsShown is how many nodes of an ambiguous name one line shows.
const meaningsShown = 4

// meanings writes what a mention leads to.
func meanings(m doccode.Mention) string {
	if !m.Ambiguous {
		return nodePlace(m.Nodes[0])
	}
	var places []string
	for i, n := range m.Nodes {
		if i == meaningsShown {
			places = append(places, fmt.Sprintf("and %d more", len(m.Nodes)-i))
			break
		}
		places = append(places, nodePlace(n))
	}
	return fmt.Sprintf("one of %d: %s", len(m.Nodes), strings.Join(places, ", "))
}

// nodePlace is where a node is: path:line, or the path where it is a file.
func nodePlace(n doccode.Node) string {
	if n.Line == 0 {
		return n.File
	}
	return fmt.Sprintf("%s:%d", n.File, n.Line)
}

// Why returns the statements of decision records that share words with a
// question, best first, safe to print.
func (e *Engine) Why(question string) ([]decisions.Row, error) {
	d := &decisions.Decisions{}
	if err := e.optional(bundle.WhyName, d, d.Check); err != nil {
		return nil, err
	}
	out := []decisions.Row{}
	for _, r := range d.Rank(question) {
		r.File, r.Title, r.Text = plaintext.Line(r.File, maxPath), plaintext.Line(r.Title, decisions.MaxTitle), plaintext.Line(r.Text, decisions.MaxText)
		r.Part, r.Status, r.Date = plaintext.Line(r.Part, maxWord), plaintext.Line(r.Status, maxWord), plaintext.Line(r.Date, maxWord)
		out = append(out, r)
	}
	return out, nil
}

// RenderWhy writes statements of decision records within a budget in tokens.
func RenderWhy(first, question string, rows []decisions.Row, budget int) string {
	l := listing{first: first, noun: "statement", none: fmt.Sprintf("no decision record says a word of %q; git log says why a line changed", plaintext.Line(question, maxLabel))}
	for _, r := range rows {
		about := r.Part
		for _, s := range []string{r.Status, r.Date} {
			if s != "" {
				about += ", " + s
			}
		}
		l.items = append(l.items, fmt.Sprintf("WHY %s (%s)  src=%s:%d\n  %s\n", r.Title, about, r.File, r.Line, r.Text))
	}
	return l.render(budget)
}
