package assemble

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// maxDigest is the digest's budget in tokens (MIP-0084 §5.3).
const maxDigest = 25_000

// maxSymbols is how many top-level names one file shows at the most.
const maxSymbols = 40

// digest writes routing-digest.md: the wiring, then for each repository the
// top-level names of each source file, in both the most used first, so that a
// cut loses the least. Where not all fits, every file gives up names before any
// file is left out, and the text says so.
func digest(w *workspace.Workspace, c *collected, u *uses, wires *wiring.Wiring) []byte {
	head := digestHead(w, wires)
	room := maxDigest - tokens(head)
	for symbols := maxSymbols; symbols >= 0; symbols = symbols*3/4 - 1 {
		if body, fits := digestBody(w, c, u, symbols, room); fits {
			return []byte(head + body)
		}
	}
	return []byte(head + digestFolders(w, c, u, room))
}

func digestHead(w *workspace.Workspace, wires *wiring.Wiring) string {
	var b strings.Builder
	u := w.Repos[0]
	fmt.Fprintf(&b, "# Routing digest of %s\n\nMade from commit %.12s. It says where things are; the repositories say what they are.\n", u.Name, u.Head)
	rows := wires.Rows()
	if len(rows) > 0 {
		b.WriteString("\n## Wiring\n\n| What | Kind | Where |\n| --- | --- | --- |\n")
	}
	used := 0
	for i, r := range rows {
		var where []string
		for _, g := range r.Groups {
			for _, p := range g.Places {
				at := strings.TrimSpace(g.Role + " " + p.File)
				if p.Version != "" {
					at += fmt.Sprintf(" (%.12s)", p.Version)
				}
				where = append(where, at)
			}
		}
		row := fmt.Sprintf("| %s | %s | %s |\n", cell(r.Name), r.Kind, cell(strings.Join(where, "; ")))
		if used += tokens(row); used > maxDigest/4 {
			fmt.Fprintf(&b, "\n%d more rows are in wiring.json.\n", len(rows)-i)
			break
		}
		b.WriteString(row)
	}
	return b.String()
}

// cell makes text safe inside a table's cell.
func cell(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.ReplaceAll(s, "|", "\\|")
}

// digestBody names at most so many symbols of each file. It gives up when the
// text passes the budget, in tokens.
func digestBody(w *workspace.Workspace, c *collected, u *uses, symbols, budget int) (text string, fits bool) {
	var b strings.Builder
	counted, used := 0, 0 // bytes whose tokens are counted
	switch {
	case symbols == 0:
		b.WriteString("\nThere is room for the names of files only; what they define is left out.\n")
	case symbols < maxSymbols:
		fmt.Fprintf(&b, "\nOf each file, at most %d names are shown.\n", symbols)
	}
	for repo, r := range w.Repos {
		first, end := c.unitsOf(repo)
		titled := false
		for _, i := range u.order(c, first, end) {
			s := c.sources[i]
			if !titled {
				fmt.Fprintf(&b, "\n## %s\n\n", r.Name)
				titled = true
			}
			fmt.Fprintf(&b, "- %s", s.path)
			names := u.topLevel(i, s.file)
			for n, name := range names {
				if n == symbols {
					if symbols > 0 {
						fmt.Fprintf(&b, ", … %d more", len(names)-n)
					}
					break
				}
				if n == 0 {
					b.WriteString(": " + name)
				} else {
					b.WriteString(", " + name)
				}
			}
			b.WriteString("\n")
			used += tokens(b.String()[counted:])
			counted = b.Len()
			if used > budget {
				return "", false
			}
		}
	}
	return b.String(), true
}

// usedSymbols is how many names a file shows among the most used files.
const usedSymbols = 5

// digestFolders is what is left for a workspace whose file names alone pass
// the budget: folders with the number of their source files, largest first,
// and the most used files.
func digestFolders(w *workspace.Workspace, c *collected, u *uses, budget int) string {
	var b strings.Builder
	for repo, r := range w.Repos {
		count := map[string]int{}
		first, end := c.unitsOf(repo)
		for i := first; i < end; i++ {
			if s := c.sources[i]; s.file.Lang != "" && index.ClassOfPath(s.path) == index.Source {
				count[path.Dir(s.path)]++
			}
		}
		if len(count) == 0 {
			continue
		}
		folders := make([]string, 0, len(count))
		for f := range count {
			folders = append(folders, f)
		}
		slices.SortFunc(folders, func(a, b string) int {
			if count[a] != count[b] {
				return count[b] - count[a]
			}
			return strings.Compare(a, b)
		})
		title := fmt.Sprintf("\n## %s\n\nToo many files to name; folders with their number of source files:\n\n", r.Name)
		share := budget / len(w.Repos)
		used := tokens(title)
		b.WriteString(title)
		for i, f := range folders {
			line := fmt.Sprintf("- %s/ (%d)\n", f, count[f])
			more := fmt.Sprintf("- … %d more folders\n", len(folders)-i)
			if used+tokens(line)+tokens(more) > share/2 {
				b.WriteString(more)
				break
			}
			used += tokens(line)
			b.WriteString(line)
		}
		lead := "\nIts most used files:\n\n"
		for _, at := range u.order(c, first, end) {
			names := u.topLevel(at, c.sources[at].file)
			line := lead + "- " + c.sources[at].path
			if len(names) > 0 {
				line += ": " + strings.Join(names[:min(len(names), usedSymbols)], ", ")
			}
			line += "\n"
			if used+tokens(line) > share {
				break
			}
			used += tokens(line)
			b.WriteString(line)
			lead = ""
		}
	}
	if tokens(b.String()) > budget {
		return "\nThe workspace has too many repositories for a digest; ask route query.\n"
	}
	return b.String()
}
