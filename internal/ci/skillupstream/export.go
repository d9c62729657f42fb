package skillupstream

import (
	"context"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// Export writes what Go builds from of these paths of a commit, files and
// directories, below dir: neither tests nor what only tests read. A path that
// the commit does not have is no failure.
func (r *Repo) Export(ctx context.Context, commit, dir string, paths ...string) error {
	files, err := r.list(ctx, commit, "", paths...)
	if err != nil {
		return err
	}
	maps.DeleteFunc(files, func(name string, _ File) bool {
		return strings.HasSuffix(name, "_test.go") || slices.Contains(strings.Split(path.Dir(name), "/"), "testdata")
	})
	var blobs []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		blobs = append(blobs, files[name].Blob)
	}
	contents, err := r.Contents(ctx, commit, blobs)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, f := range files {
		if parent := path.Dir(name); parent != "." {
			if err := root.MkdirAll(parent, 0o755); err != nil {
				return err
			}
		}
		if err := root.WriteFile(name, contents[f.Blob], 0o644); err != nil {
			return err
		}
	}
	return nil
}
