// Package report says in Markdown what became of a bundle: how large it is,
// how it answers, and what it changes. A step summary shows it to whoever
// reviews a run.
//
// Names and paths in it are foreign. They stand in code spans, where nothing
// of Markdown or HTML counts.
package report

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// maxRows is how many rows a table shows at the most.
const maxRows = 200

const maxName = 300 // bytes of one name

// Score is how many of the questions are answered right first, as in "7/8";
// "" where none was asked.
func Score(b *bundle.Bench) string {
	if b == nil {
		return ""
	}
	return fmt.Sprintf("%d/%d", b.First, b.Questions)
}

// Heading is the first line of what a command has to say.
func Heading(command string, b bundle.Build) string {
	return fmt.Sprintf("## %s: %s at %s\n\n", command, code(b.Repo), code(fmt.Sprintf("%.12s", b.Head)))
}

// code is foreign text as a code span.
func code(s string) string { return actions.Code(s, maxName) }

// A table is written row by row, and cut at [maxRows].
type table struct {
	b    strings.Builder
	rows int
}

func newTable(head ...string) *table {
	t := &table{}
	fmt.Fprintf(&t.b, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	return t
}

func (t *table) row(cells ...string) {
	if t.rows++; t.rows <= maxRows {
		fmt.Fprintf(&t.b, "| %s |\n", strings.Join(cells, " | "))
	}
}

// String is the table with the empty line after it; "" without rows.
func (t *table) String() string {
	switch {
	case t.rows == 0:
		return ""
	case t.rows > maxRows:
		return fmt.Sprintf("%s\n%d rows more are left out.\n\n", t.b.String(), t.rows-maxRows)
	}
	return t.b.String() + "\n"
}
