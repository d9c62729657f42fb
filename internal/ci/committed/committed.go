// Package committed writes what a bundle tells of documents as Markdown that
// a repository may commit: DOC-CODE.md and DECISIONS.md. Lines of documents
// and of code are not in it, for an edit above them would make it stale; a
// bundle has them.
package committed

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/route/decisions"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

// Mark begins every such file. What has it is no document: it would name
// again all that it names.
const Mark = "<!-- made by bundle-publish docs; edits are lost -->\n"

// Made reports whether a file was made by this package.
func Made(data []byte) bool {
	return bytes.HasPrefix(data, []byte(Mark)) || bytes.HasPrefix(data, []byte(strings.TrimSuffix(Mark, "\n")+"\r\n"))
}

// maxCell is the most that a cell shows of one text, in bytes.
const maxCell = 300

// DocCode is DOC-CODE.md: for each document and each of its passages the code
// that it names.
func DocCode(d *doccode.DocCode) []byte {
	var b strings.Builder
	b.WriteString(Mark + "# Documents and code\n\nWhich passage of a document names which code. `route docs` and `route code` have the lines.\n")
	for _, doc := range d.Docs {
		fmt.Fprintf(&b, "\n## %s\n\n| Passage | Code |\n| --- | --- |\n", actions.Code(doc.File, maxCell))
		for _, p := range doc.Passages {
			var names []string
			for _, l := range p.Links {
				var nodes []string
				for _, n := range l.To {
					nodes = append(nodes, actions.Code(d.Nodes[n].String(), maxCell))
				}
				if l.Ambiguous() {
					names = append(names, fmt.Sprintf("%s: one of %s", actions.Code(l.Text, maxCell), strings.Join(nodes, " or ")))
				} else {
					names = append(names, nodes[0])
				}
			}
			fmt.Fprintf(&b, "| %s | %s |\n", actions.Code(strings.Join(p.Heading, " > "), maxCell), strings.Join(names, ", "))
		}
	}
	return []byte(b.String())
}

// Decisions is DECISIONS.md: for each record what it says.
func Decisions(d *decisions.Decisions) []byte {
	var b strings.Builder
	b.WriteString(Mark + "# Decisions\n\nWhat the records say, in their own words. `route why` ranks them and has the lines.\n")
	file, title := "", ""
	for _, r := range d.Rows {
		if r.File != file || r.Title != title {
			file, title = r.File, r.Title
			about := actions.Code(r.File, maxCell)
			for _, s := range []string{r.Status, r.Date} {
				if s != "" {
					about += ", " + actions.Code(s, maxCell)
				}
			}
			fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| Part | Statement |\n| --- | --- |\n", actions.Code(r.Title, maxCell), about)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", r.Part, actions.Code(r.Text, 2*maxCell))
	}
	return []byte(b.String())
}

// Rows counts the rows of the tables of such a file.
func Rows(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("| ")) && !bytes.HasPrefix(line, []byte("| ---")) && !bytes.HasPrefix(line, []byte("| Passage |")) && !bytes.HasPrefix(line, []byte("| Part |")) {
			n++
		}
	}
	return n
}

// A ShrinkError is a file that would lose more than half of its rows. That
// mostly means that something was not read, not that it is gone.
type ShrinkError struct {
	File        string
	Before, Now int // rows
}

func (e *ShrinkError) Error() string {
	return fmt.Sprintf("%s would have %d rows in place of %d, less than half; it was not written", e.File, e.Now, e.Before)
}

// Hint is the next step.
func (e *ShrinkError) Hint() string {
	return "see whether the bundle was built of the whole workspace; --allow-shrink writes it all the same"
}

// A ForeignError is a file that was made by hand.
type ForeignError struct{ File string }

func (e *ForeignError) Error() string {
	return e.File + " was not made by bundle-publish docs, so it is not replaced"
}

// Hint is the next step.
func (e *ForeignError) Hint() string { return "name another file, or remove this one" }

// Check reports why a file of this content is not to be replaced by the new
// one: a *[ForeignError] or a *[ShrinkError]. nil content is no file.
func Check(name string, have, want []byte, allowShrink bool) error {
	switch {
	case have == nil:
		return nil
	case len(have) > 0 && !Made(have):
		return &ForeignError{name}
	case !allowShrink && 2*Rows(want) < Rows(have):
		return &ShrinkError{name, Rows(have), Rows(want)}
	}
	return nil
}
