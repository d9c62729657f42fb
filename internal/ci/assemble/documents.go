package assemble

import (
	"context"
	"iter"
	"path"

	"github.com/marola-dev/marola-routing/internal/ci/committed"
	"github.com/marola-dev/marola-routing/internal/ci/decisions"
	"github.com/marola-dev/marola-routing/internal/ci/doccode"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	decided "github.com/marola-dev/marola-routing/internal/route/decisions"
	linked "github.com/marola-dev/marola-routing/internal/route/doccode"
)

// eachDocument takes one document: the number of its repository, its path
// from the workspace's root, and its bytes.
type eachDocument func(repo int, path string, data []byte)

// isDocument reports a file whose text is looked into.
func isDocument(f workspace.File) bool {
	return doccode.Wanted(f.Path) && f.Size <= maxSize && extract.LeftOut(f.Path, nil) == ""
}

func readDocuments(ctx context.Context, w *workspace.Workspace, each eachDocument) error {
	for i, r := range w.Repos {
		err := r.Read(ctx, func(n int) bool { return isDocument(r.Files[n]) }, func(n int, data []byte) error {
			each(i, path.Join(r.Path, r.Files[n].Path), data)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addDocuments writes what the documents of the workspace tell.
func addDocuments(files *Store, w *workspace.Workspace, c *collected, read func(eachDocument) error) error {
	repos := make([]doccode.Repo, len(w.Repos))
	for i, r := range w.Repos {
		repos[i] = doccode.Repo{Name: r.Name, Path: r.Path, URL: r.URL}
	}
	links, why := doccode.New(repos), &decisions.Finder{}
	indexed := map[string]bool{}
	for i := range c.sources {
		if doccode.Wanted(c.sources[i].path) {
			indexed[c.sources[i].path] = true
		}
	}
	err := read(func(repo int, path string, data []byte) {
		if indexed[path] && !committed.Made(data) {
			links.Add(repo, path, data)
			why.Add(path, data)
		}
	})
	if err != nil {
		return err
	}
	for name, v := range map[string]any{bundle.DocCodeName: links.Find(c.documented()), bundle.WhyName: why.Find()} {
		data, err := bundle.Encode(v)
		if err == nil {
			err = files.Put(name, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// documented are the files that documents may name.
func (c *collected) documented() iter.Seq[doccode.Source] {
	return func(yield func(doccode.Source) bool) {
		for i := range c.sources {
			s := &c.sources[i]
			if !yield(doccode.Source{Repo: s.repo, Path: s.path, Lang: s.file.Lang, Module: s.file.Module, Defs: s.file.Definitions}) {
				return
			}
		}
	}
}

// readTold reads what addDocuments wrote as readers do.
func readTold(files bundle.Files) error {
	b, err := bundle.Open(files)
	if err != nil {
		return err
	}
	links, why := &linked.DocCode{}, &decided.Decisions{}
	for name, v := range map[string]interface{ Check() error }{bundle.DocCodeName: links, bundle.WhyName: why} {
		if !b.Has(name) {
			continue // so of tests that seal a few files
		}
		if err := b.Decode(name, v); err != nil {
			return err
		}
		if err := v.Check(); err != nil {
			return &bundle.Refused{File: name, Reason: err.Error()}
		}
	}
	return nil
}
