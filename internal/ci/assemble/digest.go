package assemble

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// maxDigest is the digest's budget in bytes: 25,000 tokens (MIP-0084 §5.3) of
// four bytes, the usual measure for a chat project's knowledge.
const maxDigest = 25_000 * 4

// maxSymbols is how many top-level names one file shows at the most.
const maxSymbols = 40

// digest writes routing-digest.md: the wiring, then for each repository the
// top-level names of each source file. Where not all fits, every file gives
// up names before any file is left out, and the text says so.
func digest(w *workspace.Workspace, c *collected, wires *wiring.Wiring) []byte {
	head := digestHead(w, wires)
	for symbols := maxSymbols; symbols >= 0; symbols = symbols*3/4 - 1 {
		if body, fits := digestBody(w, c, symbols, maxDigest-len(head)); fits {
			return []byte(head + body)
		}
	}
	return []byte(head + digestFolders(w, c, maxDigest-len(head)))
}

func digestHead(w *workspace.Workspace, wires *wiring.Wiring) string {
	var b strings.Builder
	u := w.Repos[0]
	fmt.Fprintf(&b, "# Routing digest of %s\n\nMade from commit %.12s. It says where things are; the repositories say what they are.\n", u.Name, u.Head)
	rows := wires.Rows()
	if len(rows) > 0 {
		b.WriteString("\n## Wiring\n\n| What | Kind | Where |\n| --- | --- | --- |\n")
	}
	for i, r := range rows {
		if b.Len() > maxDigest/4 {
			fmt.Fprintf(&b, "\n%d more rows are in wiring.json.\n", len(rows)-i)
			break
		}
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
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(r.Name), r.Kind, cell(strings.Join(where, "; ")))
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
// text passes the budget, in bytes.
func digestBody(w *workspace.Workspace, c *collected, symbols, budget int) (text string, fits bool) {
	var b strings.Builder
	switch {
	case symbols == 0:
		b.WriteString("\nThere is room for the names of files only; what they define is left out.\n")
	case symbols < maxSymbols:
		fmt.Fprintf(&b, "\nOf each file, at most %d names are shown.\n", symbols)
	}
	for repo, r := range w.Repos {
		first, end := c.unitsOf(repo)
		titled := false
		for i := first; i < end; i++ {
			s := c.sources[i]
			if s.file.Lang == "" || index.ClassOfPath(s.path) != index.Source {
				continue
			}
			if !titled {
				fmt.Fprintf(&b, "\n## %s\n\n", r.Name)
				titled = true
			}
			fmt.Fprintf(&b, "- %s", s.path)
			names := topLevel(s.file)
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
			if b.Len() > budget {
				return "", false
			}
		}
	}
	return b.String(), true
}

// qualifies holds the languages in which a name at the top level has a part
// before it that nothing in the file stands for: a schema, the type of a
// resource.
var qualifies = map[string]bool{"hcl": true, "sql": true}

// topLevel lists the names at a file's top level, visible ones first.
func topLevel(f *extract.File) []string {
	var shown, hidden []string
	for _, d := range f.Definitions {
		qualified := qualifies[f.Lang] && d.Parent < 0
		switch {
		case d.Container != "" && !qualified || d.Test:
		case d.Exported:
			shown = append(shown, d.Qualified())
		default:
			hidden = append(hidden, d.Name)
		}
	}
	return slices.Compact(append(shown, hidden...))
}

// digestFolders is what is left for a workspace whose file names alone pass
// the budget: folders with the number of their source files, largest first.
func digestFolders(w *workspace.Workspace, c *collected, budget int) string {
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
		used := len(title)
		b.WriteString(title)
		for i, f := range folders {
			line := fmt.Sprintf("- %s/ (%d)\n", f, count[f])
			more := fmt.Sprintf("- … %d more folders\n", len(folders)-i)
			if used+len(line)+len(more) > share {
				b.WriteString(more)
				break
			}
			used += len(line)
			b.WriteString(line)
		}
	}
	if b.Len() > budget {
		return "\nThe workspace has too many repositories for a digest; ask route query.\n"
	}
	return b.String()
}
