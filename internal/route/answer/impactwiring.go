package answer

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// wiredTo lists what a change of these files reaches through the wiring:
// copies that must stay the same, who reads or pins what they publish, what a
// change starts, who calls them; then who pins or reads what their
// repositories make. A term that is the name of something wired counts, too.
func (e *Engine) wiredTo(terms, files, repos []string) ([]wiring.Row, error) {
	w, err := e.wires()
	if err != nil {
		return nil, err
	}
	rows := w.Rows()
	var near, far []wiring.Row
	named := map[string]bool{}
	for _, t := range terms {
		if r := wiring.Named(rows, t); r != nil {
			named[r.Kind+" "+r.Name] = true
		}
	}
	for _, r := range rows {
		t := touch{row: r, files: files, repos: repos}
		switch {
		case named[r.Kind+" "+r.Name], t.ofFile():
			near = append(near, t.others()...)
		case t.ofRepo():
			far = append(far, t.others()...)
		}
	}
	return printable(append(near, far...)), nil
}

// A touch asks whether a change of files reaches a row.
type touch struct {
	row          wiring.Row
	files, repos []string
}

// sources are the roles of places that make what a row is about.
var sources = []string{"published by", "sent by", "same in", "stated to be the same, and differs in", "stated in"}

func (t touch) ofFile() bool {
	switch t.row.Kind {
	case wiring.PinFile:
		return slices.Contains(t.files, t.row.Name)
	case wiring.CallWorkflow, wiring.CallAction, wiring.CallRun:
		return slices.ContainsFunc(t.called(), func(f string) bool { return strings.HasSuffix("/"+t.row.Name, "/"+f) })
	}
	return slices.ContainsFunc(t.row.Groups, func(g wiring.Group) bool {
		return slices.Contains(sources, g.Role) && slices.ContainsFunc(g.Places, t.changed)
	})
}

func (t touch) changed(p wiring.Place) bool { return slices.Contains(t.files, p.File) }

// called are the changed files as a call names them: repository, then the path
// in it, wherever that repository lies in the workspace.
func (t touch) called() (names []string) {
	for i, f := range t.files {
		repo := t.repos[i]
		if at := strings.LastIndex("/"+f, "/"+repo+"/"); at >= 0 {
			f = f[at+len(repo)+1:]
		}
		names = append(names, repo+"/"+f)
	}
	return names
}

// ofRepo reports whether a row is about a repository of the changed files, or
// about what that one publishes as a whole.
func (t touch) ofRepo() bool {
	switch t.row.Kind {
	case wiring.Repository:
		return slices.Contains(t.repos, path.Base(t.row.Name))
	case wiring.Image, wiring.ReleaseAsset, wiring.Release, wiring.Package, wiring.Chart:
		return slices.ContainsFunc(t.row.Groups, func(g wiring.Group) bool {
			return g.Role == sources[0] && slices.ContainsFunc(g.Places, func(p wiring.Place) bool { return slices.Contains(t.repos, p.Repo) })
		})
	}
	return false
}

// others is the row without what makes it and without the changed files; none
// where nothing is left.
func (t touch) others() []wiring.Row {
	out := wiring.Row{Name: t.row.Name, Kind: t.row.Kind}
	for _, g := range t.row.Groups {
		if g.Role == "published by" || g.Role == "sent by" || g.Role == "moved by" {
			continue
		}
		if g.Places = slices.DeleteFunc(slices.Clone(g.Places), t.changed); len(g.Places) > 0 {
			out.Groups = append(out.Groups, g)
		}
	}
	if len(out.Groups) == 0 {
		return nil
	}
	return []wiring.Row{out}
}

// WiredAs is a lookup of a name that no definition has but something wired, or
// nil.
func (e *Engine) WiredAs(name string) (*Lookup, error) {
	w, err := e.wires()
	if err != nil || wiring.Named(w.Rows(), name) == nil {
		return nil, err
	}
	return &Lookup{Term: name}, nil
}
