package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A workspace is the units in the order of their paths, with the tables that
// every language needs.
type workspace struct {
	units     []Unit
	manifests Manifests
	at        map[string]int // path → unit
	tables    []table
	roots     map[string]string // folder of a repository → its name
	distant   map[Ref]bool      // members whose container is in another file
}

// A table finds the definitions of one file by name.
type table struct {
	parents []int
	top     map[string][]int    // definitions that stand in no other
	members map[memberKey][]int // definitions that stand in one
}

type memberKey struct {
	def  int
	name string
}

// newWorkspace sorts the units and says which index each had before.
func newWorkspace(units []Unit, manifests Manifests) (*workspace, []int) {
	original := make([]int, len(units))
	for i := range original {
		original[i] = i
	}
	slices.SortStableFunc(original, func(a, b int) int {
		return strings.Compare(units[a].Path, units[b].Path)
	})
	w := &workspace{
		units:     make([]Unit, len(units)),
		manifests: manifests,
		at:        make(map[string]int, len(units)),
		tables:    make([]table, len(units)),
		roots:     make(map[string]string),
		distant:   make(map[Ref]bool),
	}
	for i, o := range original {
		w.units[i] = units[o]
		if w.units[i].File == nil {
			w.units[i].File = &extract.File{}
		}
		if _, taken := w.at[units[o].Path]; !taken {
			w.at[units[o].Path] = i
		}
		w.roots[units[o].Root] = units[o].Repo
		w.tables[i] = w.tabulate(i)
	}
	return w, original
}

func (w *workspace) tabulate(u int) table {
	defs := w.file(u).Definitions
	t := table{parents: parents(defs), top: make(map[string][]int, len(defs)), members: make(map[memberKey][]int)}
	for i, d := range defs {
		switch p := t.parents[i]; {
		case p >= 0:
			k := memberKey{p, d.Name}
			t.members[k] = append(t.members[k], i)
		case d.Container == "":
			t.top[d.Name] = append(t.top[d.Name], i)
		}
	}
	return t
}

func (w *workspace) file(u int) *extract.File { return w.units[u].File }

func (w *workspace) def(r Ref) *extract.Definition {
	return &w.units[r.Unit].File.Definitions[r.Def]
}

// dir is the folder of a unit, "" for the workspace's root.
func (w *workspace) dir(u int) string { return folder(w.units[u].Path) }

// repoAt names the repository that holds a folder.
func (w *workspace) repoAt(dir string) string {
	for {
		if repo, ok := w.roots[dir]; ok || dir == "" {
			return repo
		}
		dir = folder(dir)
	}
}

// folder is path.Dir with "" for the workspace's root.
func folder(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// join is path.Join, with "" for the workspace's root and ok only for a path
// that stays inside the workspace.
func join(elem ...string) (p string, ok bool) {
	p = path.Join(elem...)
	if p == "." {
		p = ""
	}
	return p, p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
}

// parent is the container of a definition in its own file, or -1.
func (w *workspace) parent(r Ref) int { return w.tables[r.Unit].parents[r.Def] }

// parents reads the containers of a file's definitions. What names no other
// definition, or leads around in a circle, counts as none, so that walking
// up always ends.
func parents(defs []extract.Definition) []int {
	out := make([]int, len(defs))
	for i := range defs {
		out[i] = defs[i].Parent
		p, steps := i, 0
		for p >= 0 && p < len(defs) && steps <= maxNesting {
			p = defs[p].Parent
			steps++
		}
		if p >= 0 || out[i] < -1 {
			out[i] = -1
		}
	}
	return out
}

// maxNesting bounds how deep definitions stand in each other.
const maxNesting = 64

// top gives the top-level definitions of that name in a file.
func (w *workspace) top(u int, name string) []Ref {
	return refs(u, w.tables[u].top[name])
}

// members gives the definitions of that name directly inside another.
func (w *workspace) members(in Ref, name string) []Ref {
	return refs(in.Unit, w.tables[in.Unit].members[memberKey{in.Def, name}])
}

func refs(u int, defs []int) []Ref {
	if len(defs) == 0 {
		return nil
	}
	out := make([]Ref, len(defs))
	for i, d := range defs {
		out[i] = Ref{u, d}
	}
	return out
}

// enclosing walks from a definition outwards, itself first.
func (w *workspace) enclosing(r Ref) func(yield func(Ref) bool) {
	return func(yield func(Ref) bool) {
		for r.Def >= 0 {
			if !yield(r) {
				return
			}
			r.Def = w.parent(r)
		}
	}
}

// holder is the innermost type that a definition stands in, itself included.
func (w *workspace) holder(r Ref) (Ref, bool) {
	for d := range w.enclosing(r) {
		if isType(w.def(d).Kind) {
			return d, true
		}
	}
	return Ref{}, false
}

func isType(k extract.Kind) bool {
	switch k {
	case extract.Class, extract.Interface, extract.Trait, extract.Object, extract.Enum, extract.Type:
		return true
	}
	return false
}

func isCallable(k extract.Kind) bool { return k == extract.Function || k == extract.Method }
