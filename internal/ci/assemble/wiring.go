package assemble

import (
	"context"
	"io/fs"

	"github.com/marola-dev/marola-routing/internal/ci/wire"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Wiring finds the facts of a workspace. callees holds called workflows from
// outside of it; nil means none.
func Wiring(ctx context.Context, w *workspace.Workspace, callees fs.FS) (*wiring.Wiring, error) {
	repos := make([]wire.Repo, len(w.Repos))
	for i, r := range w.Repos {
		files := make([]wire.File, len(r.Files))
		for n, f := range r.Files {
			files[n] = wire.File{Path: f.Path, Blob: f.Blob, Size: f.Size}
		}
		err := r.Read(ctx, func(n int) bool { return wire.Wanted(files[n].Path, files[n].Size) }, func(n int, data []byte) error {
			files[n].Data = data
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		repos[i] = wire.Repo{Name: r.Name, Path: r.Path, URL: r.URL, Head: r.Head, Files: files}
	}
	var failed error
	at := func(repo int, ref, path string) ([]byte, bool) {
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
