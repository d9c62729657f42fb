package skillsvendor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// maxReport bounds the diffs of a report, in bytes: a pull request's text has
// at most 65,536 characters.
const maxReport = 60_000

// report is what changed, as Markdown. Whatever comes from an upstream stands
// in a code span or a fence that it cannot end.
func report(changes []*change) string {
	var b strings.Builder
	b.WriteString("# Vendored skills\n\n| skill | from | to | licence | status |\n|---|---|---|---|---|\n")
	var differ []*change
	for _, c := range changes {
		status, licence := c.plan.status, c.before.License
		switch {
		case c.changed():
			status = "updated"
			differ = append(differ, c)
			if licence != c.row.License {
				licence = fmt.Sprintf("**%s → %s**", orNone(licence), orNone(c.row.License))
			}
		case status == held:
			status += ": " + c.before.Hold
		}
		to := ""
		if c.row != nil {
			to = short(c.row.Commit)
			if c.plan.to.Tag != "" {
				to += " (" + c.plan.to.Tag + ")"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", c.name, short(c.before.Commit), to, cell(orNone(licence)), cell(status))
	}
	share := maxReport
	if len(differ) > 0 {
		share = maxReport / len(differ)
	}
	for _, c := range differ {
		fmt.Fprintf(&b, "\n## %s\n\n%s of %s, %s\n", c.name, code(orRoot(c.row.Path)), code(c.row.Upstream), c.plan.to.Date.Format("2006-01-02"))
		added, removed, _ := c.plan.changes()
		for _, l := range []struct {
			what  string
			files []string
		}{{"Added", added}, {"Removed", removed}, {"New upstream and not vendored", c.plan.left}, {"Newly executable", c.newlyExecutable()}} {
			if len(l.files) > 0 {
				fmt.Fprintf(&b, "\n%s: %s\n", l.what, list(l.files))
			}
		}
		if c.before.LocalEdits != "" {
			fmt.Fprintf(&b, "\nLocal edits were put on top: %s\n", code(c.before.LocalEdits))
		}
		if c.diff != "" {
			b.WriteString("\n" + fenced(c.diff, share))
		}
	}
	return b.String()
}

func (c *change) newlyExecutable() (files []string) {
	for _, file := range slices.Sorted(maps.Keys(c.row.Modes)) {
		if c.before.Modes[file] == "" {
			files = append(files, file)
		}
	}
	return files
}

func list(files []string) string {
	const most = 40
	var parts []string
	for i, file := range files {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(files)-most))
			break
		}
		parts = append(parts, code(file))
	}
	return strings.Join(parts, ", ")
}

// fenced is a diff in a fence that is longer than any row of backticks in it,
// cut after a whole line.
func fenced(diff string, most int) string {
	cut := false
	if len(diff) > most {
		diff, cut = diff[:most], true
		diff = diff[:strings.LastIndexByte(diff, '\n')+1]
	}
	longest, run := 0, 0
	for i := range len(diff) {
		if diff[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", max(3, longest+1))
	var b strings.Builder
	b.WriteString(fence + "diff\n")
	for line := range strings.Lines(diff) {
		b.WriteString(strings.TrimRight(clean(line), " ") + "\n")
	}
	b.WriteString(fence + "\n")
	if cut {
		b.WriteString("\nThe diff is cut; skills-vendor outdated shows all of it.\n")
	}
	return b.String()
}

// clean is one line of foreign text without what a terminal or a page would
// act on; tabs stay.
func clean(line string) string {
	parts := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
	for i, p := range parts {
		parts[i] = plaintext.Line(p, 4000)
	}
	return strings.Join(parts, "\t")
}

func code(s string) string { return "`" + strings.ReplaceAll(plaintext.Line(s, 300), "`", "'") + "`" }

// cell is text for one cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "[", `\[`, "@", "@\u200b").Replace(plaintext.Line(s, 300))
}

func orNone(s string) string {
	if s == "" {
		return "none known"
	}
	return s
}

func orRoot(s string) string {
	if s == "" {
		return "the root"
	}
	return s
}
