package assemble

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A PartError is a part that is not used, or a set of parts that make no
// whole.
type PartError struct {
	Part   string // its file, or what it is of; "" for the set
	Reason string
	Next   string
}

func (e *PartError) Error() string {
	if e.Part == "" {
		return "the parts make no bundle: " + e.Reason
	}
	return fmt.Sprintf("the part %s is refused: %s", plaintext.Line(e.Part, 1000), e.Reason)
}

// Hint is the next step.
func (e *PartError) Hint() string { return e.Next }

func clipPart(s string) string { return plaintext.Line(s, 200) }

// Join makes the bundle of a workspace of the parts of its repositories, in
// any order: the same bytes as [Build]. Errors of the parts are *[PartError].
func Join(ctx context.Context, parts []*Part, o Options) (*Result, error) {
	o.defaults()
	parts, err := inOrder(parts)
	if err != nil {
		return nil, err
	}
	u := parts[0].umbrella
	w := &workspace.Workspace{Branch: u.Branch, CommitTime: u.CommitTime}
	o.Private = u.Private
	c := newCollected(newShelf(o.held))
	defer c.shelf.away.Close()
	var h histories
	repos := make([]wire.Repo, len(parts))
	for i, p := range parts {
		r := &workspace.Repo{Name: u.Name, URL: u.URL, Head: p.Head, Path: p.Path}
		if i > 0 {
			r.Name, r.URL = path.Base(p.Path), u.Submodules[i-1].URL
		}
		results := make([]parsed, len(p.files))
		files := make([]wire.File, len(p.files))
		for n, f := range p.files {
			at := path.Join(p.Path, f.Path)
			results[n], files[n] = c.shelf.put(f.parsed), wire.File{Path: f.Path, Blob: f.Blob, Size: f.Size}
			if f.reason == "" && unusual(at) {
				return nil, &PartError{p.Name(), "it holds a file whose path no workspace has", "build this part again, without the cached one"}
			}
			r.Files = append(r.Files, f.File)
			if f.wire {
				files[n].Data = f.data
			}
			if f.manifest {
				c.manifests[at] = f.data
			}
		}
		c.take(i, r, results)
		h.changes = append(h.changes, p.changes...)
		repos[i] = wire.Repo{Name: r.Name, Path: r.Path, URL: r.URL, Head: r.Head, Files: files}
		w.Repos = append(w.Repos, r)
	}
	find := late{documents: func(each eachDocument) error {
		for i, p := range parts {
			for _, f := range p.files {
				if f.document {
					each(i, path.Join(p.Path, f.Path), f.data)
				}
			}
		}
		return ctx.Err()
	}}
	find.wiring = func() (*wiring.Wiring, error) {
		at := func(repo int, ref, path string) ([]byte, bool) {
			if !callable(path) {
				return nil, false
			}
			data := parts[repo].revisions.ReadAt(ref, path)
			return data, data != nil
		}
		return wire.Extract(ctx, repos, wire.Options{At: at, Callees: o.Callees})
	}
	return o.join(ctx, w, c, func() histories { return h }, find)
}

// inOrder gives the umbrella's part, then one for each submodule in the order
// in which the umbrella has them.
func inOrder(parts []*Part) ([]*Part, error) {
	byPath := map[string]*Part{}
	for _, p := range parts {
		if byPath[p.Path] != nil {
			return nil, &PartError{"", "two are of " + clipPart(p.Name()), "give one part for each repository"}
		}
		byPath[p.Path] = p
	}
	first := byPath[""]
	if first == nil {
		return nil, &PartError{"", "the umbrella's is missing, which names the others", "bundle-publish build --part . builds it"}
	}
	list := []*Part{first}
	var missing []string
	for _, s := range first.umbrella.Submodules {
		p := byPath[s.Path]
		switch {
		case p == nil:
			missing = append(missing, s.Path)
		case p.Head != s.Head:
			return nil, &PartError{p.Path, fmt.Sprintf("it is of the commit %.7s, and the umbrella's commit %.7s records %.7s", p.Head, first.Head, s.Head), "build it again where the umbrella's commit is checked out; let the key of a cache name the submodule's commit"}
		}
		list = append(list, p)
		delete(byPath, s.Path)
	}
	if len(missing) > 0 {
		return nil, &PartError{"", clipPart(strings.Join(missing, ", ")) + " is missing", "bundle-publish build --part builds one; all that the umbrella records are needed"}
	}
	if delete(byPath, ""); len(byPath) > 0 {
		var odd []string
		for p := range byPath {
			odd = append(odd, p)
		}
		slices.Sort(odd)
		return nil, &PartError{"", "the umbrella records no submodule " + clipPart(strings.Join(odd, ", ")), "leave that part out, or build the umbrella's again"}
	}
	return list, nil
}

// Private returns the paths of the submodules that the umbrella's settings
// call private, where it is the umbrella's part.
func (p *Part) Private() []string {
	if p.umbrella == nil {
		return nil
	}
	return p.umbrella.Private
}
