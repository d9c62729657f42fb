package resolve

import (
	"path"
	"slices"
	"strings"
)

// at gives what stands at an address as seen from a file: of the file
// itself, else of one file that it sees, its own repository's before others.
// Of several files it is the nearest, else none, but for a type in parts.
func (t *tier2Family) at(u int, address string) []Ref {
	l := t.lang(u)
	all := t.addresses[l.key(address)]
	if len(all) == 0 {
		return nil
	}
	if own := inUnit(all, u); len(own) > 0 && !(l.parts && isType(t.w.def(own[0]).Kind)) {
		return own
	}
	if l.own != nil {
		all = slices.DeleteFunc(slices.Clone(all), func(r Ref) bool { return r.Unit != u && l.own(t.w.def(r)) })
	}
	if l.include || l.folder {
		all = slices.DeleteFunc(slices.Clone(all), func(r Ref) bool { return !t.sees(u, r.Unit) })
	}
	if own := slices.DeleteFunc(slices.Clone(all), func(r Ref) bool { return t.w.units[r.Unit].Repo != t.w.units[u].Repo }); len(own) > 0 {
		all = own
	}
	if len(all) == 0 || sameUnit(all) {
		return all
	}
	if l.parts && !slices.ContainsFunc(all, func(r Ref) bool {
		return !isType(t.w.def(r).Kind) || t.w.units[r.Unit].Repo != t.w.units[all[0].Unit].Repo
	}) {
		return all
	}
	if l.linked { // one definition and its declarations
		if whole := slices.DeleteFunc(slices.Clone(all), t.isDeclaration); len(whole) > 0 && sameUnit(whole) {
			return whole
		}
	}
	most := -1
	for _, r := range all {
		most = max(most, sharedFolders(t.w.units[u].Path, t.w.units[r.Unit].Path))
	}
	all = slices.DeleteFunc(slices.Clone(all), func(r Ref) bool { return sharedFolders(t.w.units[u].Path, t.w.units[r.Unit].Path) < most })
	if sameUnit(all) {
		return all
	}
	return nil
}

func inUnit(refs []Ref, u int) []Ref {
	var out []Ref
	for _, r := range refs {
		if r.Unit == u {
			out = append(out, r)
		}
	}
	return out
}

func sameUnit(refs []Ref) bool {
	return !slices.ContainsFunc(refs, func(r Ref) bool { return r.Unit != refs[0].Unit })
}

// sees reports whether a file knows the names of another one.
func (t *tier2Family) sees(u, other int) bool {
	l := t.lang(u)
	return u == other || l.folder && t.w.dir(u) == t.w.dir(other) || l.include && t.files.reach(u)[other]
}

func (t *tier2Family) isDeclaration(r Ref) bool {
	return strings.HasSuffix(t.w.def(r).Signature, ";") && isCallable(t.w.def(r).Kind)
}

// linked puts the definition in the place of its declarations, when the
// repository has just one that other files can see.
func (t *tier2Family) linked(from Ref, got found) found {
	l := t.lang(from.Unit)
	if !l.linked || !sameUnit(got.refs) || slices.ContainsFunc(got.refs, func(r Ref) bool { return !t.isDeclaration(r) }) {
		return got
	}
	declared := got.refs[0]
	var whole []Ref
	for _, r := range t.addresses[l.key(t.address(declared))] {
		if d := t.w.def(r); !t.isDeclaration(r) && isCallable(d.Kind) && d.Exported && t.w.units[r.Unit].Repo == t.w.units[declared.Unit].Repo {
			whole = append(whole, r)
		}
	}
	if len(whole) == 0 || !sameUnit(whole) || len(whole) != len(got.refs) {
		return got
	}
	return found{refs: whole, proof: likely("linkage", 0.9)}
}

// A fileImports finds the files that others import by path.
type fileImports struct {
	w       *workspace
	langs   map[string]*tier2Language
	named   map[string][]int // base name → units
	found   map[fileImport]target
	reached map[int]map[int]bool // unit → those that it sees
	kept    int                  // how many reached holds in all
}

type fileImport struct{ dir, path string }

type target struct {
	unit int // -1: none of the workspace
	proof
}

// The bounds on what is kept of who sees whom: in units for one file, and in
// entries for all.
const (
	maxReach = 4000
	maxSeen  = 1 << 20
)

func newFileImports(w *workspace, langs map[string]*tier2Language) *fileImports {
	f := &fileImports{w: w, langs: langs, named: make(map[string][]int), found: make(map[fileImport]target), reached: make(map[int]map[int]bool)}
	for u := range w.units {
		if langs[w.file(u).Lang] != nil {
			base := path.Base(w.units[u].Path)
			f.named[base] = append(f.named[base], u)
		}
	}
	return f
}

// find gives the file that an import of a unit names.
func (f *fileImports) find(u int, written string) (int, proof, bool) {
	key := fileImport{f.w.dir(u), f.w.file(u).Lang + " " + written}
	to, known := f.found[key]
	if !known {
		to = f.look(u, written)
		f.found[key] = to
	}
	return to.unit, to.proof, to.unit >= 0
}

// look goes where the path leads from the unit's folder, else from the
// nearest folder above it, else to the only file of the repository whose path
// ends so.
func (f *fileImports) look(u int, written string) target {
	l := f.langs[f.w.file(u).Lang]
	if l == nil || l.file == nil { // l is nil of a file that a file of another language names
		return target{unit: -1}
	}
	for _, p := range l.file(written) {
		for dir := f.w.dir(u); within(dir, f.w.units[u].Root); dir = folder(dir) {
			if at, ok := join(dir, p); ok {
				if to, ok := f.w.at[at]; ok && (l.any || f.langs[f.w.file(to).Lang] != nil) {
					return target{to, certain("path")}
				}
			}
			if dir == "" || relative(p) {
				break
			}
		}
		var only []int
		for _, to := range f.named[path.Base(p)] {
			if f.w.units[to].Repo == f.w.units[u].Repo && strings.HasSuffix(f.w.units[to].Path, "/"+p) {
				only = append(only, to)
			}
		}
		if len(only) == 1 && !relative(p) {
			return target{only[0], likely("path", 0.9)}
		}
	}
	return target{unit: -1}
}

// relative reports a path that counts from the file's own folder only.
func relative(p string) bool { return strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") }

// reach gives the files that a file sees: those that it imports, and those
// that they import.
func (f *fileImports) reach(u int) map[int]bool {
	if all := f.reached[u]; all != nil {
		return all
	}
	all := map[int]bool{u: true}
	for border := []int{u}; len(border) > 0 && len(all) < maxReach; border = border[1:] {
		for _, im := range f.w.file(border[0]).Imports {
			if im.Name != "" {
				continue
			}
			if to, _, ok := f.find(border[0], im.Path); ok && !all[to] {
				all[to] = true
				border = append(border, to)
			}
		}
	}
	if f.kept += len(all); f.kept > maxSeen {
		clear(f.reached)
		f.kept = len(all)
	}
	f.reached[u] = all
	return all
}
