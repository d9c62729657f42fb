package assemble

import (
	"context"
	"io/fs"
	"path"

	"github.com/marola-dev/marola-routing/internal/ci/wire"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Wiring finds the facts of a workspace. callees holds called workflows
// from outside of it; nil means none.
func Wiring(ctx context.Context, w *workspace.Workspace, callees fs.FS) (*wiring.Wiring, error) {
	repos := make([]wire.Repo, len(w.Repos))
	for i, r := range w.Repos {
		var err error
		if repos[i], err = wireRepo(ctx, r); err != nil {
			return nil, err
		}
	}
	var failed error
	at := func(repo int, ref, path string) ([]byte, bool) {
		if !callable(path) {
			return nil, false
		}
		data, err := w.Repos[repo].ReadAt(ctx, ref, path, maxSize)
		if err != nil {
			failed = err
		}
		return data, data != nil
	}
	wires, err := wire.Extract(ctx, repos, wire.Options{At: at, Callees: callees})
	if failed != nil {
		err = failed
	}
	return wires, err
}

// wireRepo reads the files of a repository that say how it is wired.
func wireRepo(ctx context.Context, r *workspace.Repo) (wire.Repo, error) {
	files := make([]wire.File, len(r.Files))
	for n, f := range r.Files {
		files[n] = wire.File{Path: f.Path, Blob: f.Blob, Size: f.Size}
	}
	err := r.Read(ctx, func(n int) bool { return wire.Wanted(files[n].Path, files[n].Size) }, func(n int, data []byte) error {
		files[n].Data = data
		return ctx.Err()
	})
	return wire.Repo{Name: r.Name, Path: r.Path, URL: r.URL, Head: r.Head, Files: files, Links: r.Links()}, err
}

// workflowsDir is where the service looks for workflows, other than actions.
const workflowsDir = ".github/workflows"

// callable reports whether a workflow can call the file with this path of a
// repository at another commit; callables are git's patterns for the same.
func callable(name string) bool {
	dir, base := path.Split(name)
	ext := path.Ext(base)
	return base == "action.yml" || base == "action.yaml" || dir == workflowsDir+"/" && (ext == ".yml" || ext == ".yaml")
}

var callables = []string{":(glob)" + workflowsDir + "/*.yml", ":(glob)" + workflowsDir + "/*.yaml", ":(glob)**/action.yml", ":(glob)**/action.yaml"}
