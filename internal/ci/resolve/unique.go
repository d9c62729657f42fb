package resolve

import (
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// uniqueNames finds the methods whose name nothing else in the workspace has
// in the same family of languages.
type uniqueNames []map[string]Ref // by family; a Ref with Def -1 is a name of several

func newUniqueNames(w *workspace, families []family) uniqueNames {
	names := make(uniqueNames, len(families))
	for i := range names {
		names[i] = make(map[string]Ref)
	}
	for u := range w.units {
		f := w.file(u)
		i := slices.IndexFunc(families, func(fam family) bool { return fam.speaks(f.Lang) })
		if i < 0 {
			continue
		}
		for d := range f.Definitions {
			r, name := Ref{u, d}, f.Definitions[d].Name
			if _, taken := names[i][name]; taken || !w.isMethod(r) || foreignMember[f.Lang][name] {
				r.Def = -1
			}
			names[i][name] = r
		}
	}
	return names
}

// isMethod reports whether a definition is a callable member of a type.
func (w *workspace) isMethod(r Ref) bool {
	p := w.parent(r)
	return p >= 0 && isCallable(w.def(r).Kind) && isType(w.def(Ref{r.Unit, p}).Kind)
}

// guess takes a called member of a value whose type nobody knows for the
// only method of that name, when the caller's file is the method's own or
// imports it. Names that the languages' own values have are never guessed.
func (names uniqueNames) guess(family int, imported map[int]bool, r *extract.Reference) found {
	if r.Relation != extract.Calls || r.Qualifier == "" || len(r.Name) < 4 || commonMember[r.Name] {
		return found{}
	}
	to, ok := names[family][r.Name]
	if !ok || to.Def < 0 || !imported[to.Unit] {
		return found{}
	}
	return one(to, likely("unique-name", 0.6))
}
