package wiring

import (
	"cmp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A Table is one table of the wiring as people read it: Markdown cells, safe
// to print.
type Table struct {
	Head []string
	Rows [][]string // as many cells as Head
}

// Roots are the folders of a workspace's repositories by their short names,
// "" for the umbrella. With them a table names files within their repository.
type Roots map[string]string

// Tables are the four tables of w: artifacts that the workspace publishes or
// shares, dispatches, the files whose change moves something, and deploys.
// Lines are left out, so that an edit elsewhere in a file changes no table.
func (w *Wiring) Tables(roots Roots) []Table {
	v := view{w, roots}
	return []Table{
		{[]string{"Artifact", "Published by", "Pinned in", "Read by"}, append(v.artifacts(), v.tags()...)},
		{[]string{"Dispatch", "Sent by", "Triggers"}, v.dispatches()},
		{[]string{"Pin bump", "Workflow"}, v.bumps()},
		{[]string{"Deploy", "Site"}, v.deploys()},
	}
}

// Markdown writes a table: its head, then a line for each row.
func (t Table) Markdown() string {
	var b strings.Builder
	b.WriteString(t.Header())
	for i := range t.Rows {
		b.WriteString(t.Line(i))
	}
	return b.String()
}

// Header is the two lines above the rows.
func (t Table) Header() string {
	return line(t.Head) + "|" + strings.Repeat("---|", len(t.Head)) + "\n"
}

// Line is row i as one line. An empty cell is a dash.
func (t Table) Line(i int) string { return line(t.Rows[i]) }

func line(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = cmp.Or(c, "—")
	}
	return "| " + strings.Join(out, " | ") + " |\n"
}

// A view writes the facts of w as cells.
type view struct {
	w     *Wiring
	roots Roots
}

// inTable is the order of the kinds of artifacts that a table has. What the
// jobs of one workflow hand to each other is nobody else's business, and a
// release without files is nothing that can be read.
var inTable = []string{Image, ReleaseAsset, Branch, PullRequest, Push, Package, Chart, "plugin"}

func (v view) artifacts() [][]string {
	var list []Artifact
	for _, a := range v.w.Artifacts {
		if len(a.Published) > 0 && slices.Contains(inTable, a.Kind) && !internal(a) {
			list = append(list, a)
		}
	}
	order.Stable(list, func(a, b Artifact) int {
		return cmp.Or(slices.Index(inTable, a.Kind)-slices.Index(inTable, b.Kind), strings.Compare(a.Name, b.Name))
	})
	var rows [][]string
	for i := 0; i < len(list); i++ {
		a := list[i]
		title := v.title(a)
		if v.ofItself(a) { // each of several repositories has its own branch of the name
			for i+1 < len(list) && list[i+1].Kind == a.Kind && list[i+1].Name == a.Name && v.ofItself(list[i+1]) {
				i++
				a.Published, a.Pinned, a.Read = slices.Concat(a.Published, list[i].Published), slices.Concat(a.Pinned, list[i].Pinned), slices.Concat(a.Read, list[i].Read)
			}
		}
		rows = append(rows, []string{title, v.by(a.Published), v.in(a.Pinned), cmp.Or(v.in(a.Read), v.receivers(a))})
	}
	return rows
}

// internal reports a package that one repository declares and uses, and that
// nothing publishes.
func internal(a Artifact) bool {
	for _, p := range a.Published {
		if p.Note != "home" {
			return false
		}
	}
	return !slices.ContainsFunc(slices.Concat(a.Published, a.Pinned, a.Read), func(p Place) bool { return p.Repo != a.Published[0].Repo })
}

// ofItself reports a branch that the repository which has it writes.
func (v view) ofItself(a Artifact) bool {
	return a.Kind == Branch && !slices.ContainsFunc(a.Published, func(p Place) bool { return p.Repo != a.Repo })
}

// title is the first cell of an artifact's row.
func (v view) title(a Artifact) string {
	switch a.Kind {
	case PullRequest:
		if listed(a) {
			return "PRs into each repo in " + code(a.Name)
		}
		var files []string
		for _, f := range a.Files {
			files = append(files, code(f))
		}
		if len(files) == 0 {
			return "PRs into " + text(a.Name)
		}
		return "PRs into " + text(a.Name) + ": " + strings.Join(files, ", ")
	case Push:
		return "pushes to " + text(a.Name)
	case Branch:
		if !v.ofItself(a) && a.Repo != "" {
			return code(a.Name) + " branch of " + text(a.Repo)
		}
	}
	return code(a.Name) + " " + text(a.Kind)
}

// listed reports pull requests into the repositories that a file lists.
func listed(a Artifact) bool {
	return slices.ContainsFunc(a.Published, func(p Place) bool { return strings.HasPrefix(p.Note, "into each repo") })
}

// receivers is who takes a change that another repository makes.
func (v view) receivers(a Artifact) string {
	if a.Kind != PullRequest && a.Kind != Push || listed(a) {
		return ""
	}
	name := a.Name[strings.LastIndexByte(a.Name, '/')+1:]
	if _, own := v.roots[name]; own {
		return text(name)
	}
	return text(a.Name)
}

func (v view) dispatches() (rows [][]string) {
	for _, d := range v.w.Dispatches {
		rows = append(rows, []string{code(d.Type), v.by(d.Sent), v.in(d.Heard)})
	}
	return rows
}

func (v view) bumps() (rows [][]string) {
	for _, b := range v.w.Bumps {
		if len(b.Starts) > 0 {
			rows = append(rows, []string{v.file(Place{Repo: b.Repo, File: b.File}), v.in(b.Starts)})
		}
	}
	return rows
}

func (v view) deploys() (rows [][]string) {
	for _, d := range v.w.Deploys {
		site := text(d.Site)
		if d.Kind != "" && d.Kind != "pages" {
			site += " (" + text(d.Kind) + ")"
		}
		for _, by := range unique(d.By, v.file) {
			rows = append(rows, []string{by, site})
		}
	}
	order.By(rows, slices.Compare)
	return rows
}

// by are publishers: repo `file` (via, when).
func (v view) by(list []Place) string {
	return strings.Join(unique(list, func(p Place) string {
		var notes []string
		if p.Via != "" {
			via, number, found := strings.Cut(p.Via, ":")
			if found && strings.Trim(number, "0123456789") != "" {
				via = p.Via
			}
			notes = append(notes, code(via))
		}
		if p.When != "" {
			notes = append(notes, prose(p.When))
		}
		if len(notes) == 0 {
			return v.file(p)
		}
		return v.file(p) + " (" + strings.Join(notes, ", ") + ")"
	}), ", ")
}

func (v view) in(list []Place) string { return strings.Join(unique(list, v.file), ", ") }

// file is a place without its line: a workflow by its name, any other file by
// its path in the repository.
func (v view) file(p Place) string {
	root, ok := v.roots[p.Repo]
	if !ok {
		root = p.Repo
	}
	name := p.File
	if root != "" {
		name = strings.TrimPrefix(name, root+"/")
	}
	if base, ok := strings.CutPrefix(name, ".github/workflows/"); ok {
		name = base
	}
	return text(p.Repo) + " " + code(name)
}

// unique are the texts of places, each once, in their order.
func unique(list []Place, as func(Place) string) (out []string) {
	seen := map[string]bool{}
	for _, p := range list {
		if s := as(p); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// text is foreign text in a cell: one line, no cell's end, no code span, no
// comment's beginning.
func text(s string) string { return strings.ReplaceAll(prose(s), "`", "'") }

// prose is text of ours with foreign names in code spans. Where these do not
// close, the names have signs of their own, and none is kept.
func prose(s string) string {
	s = strings.NewReplacer("|", `\|`, "<!--", "<!- -").Replace(plaintext.Line(s, MaxName))
	if strings.Count(s, "`")%2 != 0 {
		s = strings.ReplaceAll(s, "`", "'")
	}
	return s
}

// code is text in a code span.
func code(s string) string { return "`" + text(s) + "`" }
