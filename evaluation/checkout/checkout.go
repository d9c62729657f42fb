// Package checkout reads a checkout for the evaluations as bundle-publish
// build does: what its commit has tracked, and that of its submodules.
package checkout

import (
	"context"
	"os"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
)

// A Tree is one checkout, parsed.
type Tree struct {
	Dir       string // absolute
	Head      string // the umbrella's commit
	Units     []resolve.Unit
	Manifests resolve.Manifests
}

// Open opens the workspace that holds dir.
func Open(ctx context.Context, dir string) (*workspace.Workspace, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return workspace.Open(ctx, workspace.Options{Dir: dir, Env: os.Environ()})
}

// Read parses the files of the workspace that holds dir. The program that
// calls it must call extract.WorkerMain first of all.
func Read(ctx context.Context, dir string) (*Tree, error) {
	w, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	t := &Tree{Head: w.Repos[0].Head}
	if t.Dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	t.Units, t.Manifests, err = assemble.Collect(ctx, w, assemble.Options{})
	return t, err
}
