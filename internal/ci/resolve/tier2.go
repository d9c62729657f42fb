package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A tier2Family resolves the languages of one group. A definition's address
// is its package, the names of what it stands in, and its own, with dots
// between.
type tier2Family struct {
	w         *workspace
	langs     map[string]*tier2Language
	addresses map[string][]Ref
	named     map[int]map[string][]int // unit → name → imports that bind it
	wild      map[int][]int            // unit → imports of all that something has
	files     *fileImports
	heritage  heritage
}

// newTier2Families makes a family of each group that the workspace speaks.
func newTier2Families(w *workspace) []family {
	spoken := make(map[string]bool)
	for u := range w.units {
		spoken[w.file(u).Lang] = true
	}
	groups := make(map[string]*tier2Family)
	var out []family
	for i := range tier2Languages {
		l := &tier2Languages[i]
		group := l.group
		if group == "" {
			group = l.name
		}
		if groups[group] == nil {
			groups[group] = &tier2Family{w: w, langs: make(map[string]*tier2Language)}
		}
		if t := groups[group]; spoken[l.name] && len(t.langs) == 0 {
			out = append(out, t)
		}
		if spoken[l.name] {
			groups[group].langs[l.name] = l
		}
	}
	for _, t := range out {
		t.(*tier2Family).read()
	}
	return out
}

func (t *tier2Family) speaks(lang string) bool { return t.langs[lang] != nil }

func (t *tier2Family) lang(u int) *tier2Language { return t.langs[t.w.file(u).Lang] }

func (t *tier2Family) read() {
	t.addresses = make(map[string][]Ref)
	t.named = make(map[int]map[string][]int)
	t.wild = make(map[int][]int)
	t.files = newFileImports(t.w, t.langs)
	t.heritage = newHeritage(t.w, t.speaks, func(class Ref, b *extract.Reference) (Ref, bool) {
		refs := t.typed(Ref{class.Unit, t.w.parent(class)}, qualified(b.Qualifier, b.Name)).refs
		if len(refs) == 0 || len(refs) > 1 && !t.lang(class.Unit).parts {
			return Ref{}, false
		}
		return refs[0], true
	})
	for u := range t.w.units {
		l := t.lang(u)
		if l == nil {
			continue
		}
		f := t.w.file(u)
		for d := range f.Definitions {
			key := l.key(t.address(Ref{u, d}))
			t.addresses[key] = append(t.addresses[key], Ref{u, d})
		}
		for i, im := range f.Imports {
			switch {
			case im.Name == "*":
				t.wild[u] = append(t.wild[u], i)
			case im.Name != "":
				if t.named[u] == nil {
					t.named[u] = make(map[string][]int)
				}
				name := l.key(importedAs(im))
				t.named[u][name] = append(t.named[u][name], i)
			}
		}
	}
}

// key is an address as the table has it.
func (l *tier2Language) key(address string) string {
	if l.fold {
		return strings.ToLower(address)
	}
	return address
}

// plain makes a written name one with dots; ok is false for what is more
// than a name. A name that begins with a dot is a whole address.
func (l *tier2Language) plain(name string) (string, bool) {
	if l.path != nil {
		if name = l.path.Replace(name); name == "." {
			return "", true // what has no package
		}
		if strings.HasPrefix(name, "..") {
			name = name[1:]
		}
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; !isNameByte(c) && c != '.' && c != '-' && c != '?' && c != '!' {
			return "", false
		}
	}
	return name, name != "" && !strings.HasSuffix(name, ".")
}

// module is a unit's package, with dots.
func (t *tier2Family) module(u int) string {
	m := t.w.file(u).Module
	if l := t.lang(u); l.path != nil {
		m = l.path.Replace(m)
	}
	return m
}

// address is where a definition can be reached; of a file, its package.
func (t *tier2Family) address(r Ref) string {
	if r.Def < 0 {
		return t.module(r.Unit)
	}
	return dotted(t.module(r.Unit), t.w.def(r).Qualified())
}

func (t *tier2Family) imports(u int) []link {
	var out []link
	f, l := t.w.file(u), t.lang(u)
	for _, im := range f.Imports {
		if im.Name == "" {
			if to, p, ok := t.files.find(u, im.Path); ok {
				out = append(out, link{Ref{u, -1}, Ref{to, -1}, extract.ImportsRel, im.Line, p})
			}
			continue
		}
		target, ok := l.plain(im.Path)
		if !ok {
			continue
		}
		refs := t.at(u, dotted(target, im.Name))
		if len(refs) == 0 { // all of a class, or a member of one
			refs = t.at(u, target)
			refs = slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool { return !isType(t.w.def(r).Kind) })
		}
		if len(refs) > 0 && !slices.ContainsFunc(refs, func(r Ref) bool { return r.Unit != refs[0].Unit }) {
			out = append(out, link{Ref{u, -1}, Ref{refs[0].Unit, -1}, extract.ImportsRel, im.Line, certain("import")})
		}
	}
	return append(out, t.distant(u)...)
}

// distant lists the members that a file writes for a type of another file.
func (t *tier2Family) distant(u int) []link {
	var out []link
	for d, def := range t.w.file(u).Definitions {
		if def.Container == "" || t.w.parent(Ref{u, d}) >= 0 {
			continue
		}
		owners := t.keep(t.at(u, dotted(t.module(u), def.Container)), aType)
		if len(owners) == 1 {
			t.w.distant[Ref{u, d}] = true
			out = append(out, link{owners[0], Ref{u, d}, extract.Contains, def.Line, certain("same-type")})
		}
	}
	return out
}

func (t *tier2Family) keep(refs []Ref, want wants) []Ref {
	var out []Ref
	for _, r := range refs {
		if want(t.w.def(r)) {
			out = append(out, r)
		}
	}
	return out
}
