package assemble

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// WriteDir makes dir hold exactly the bundle. The manifest goes first and
// comes last, so that a reader never takes a half-written directory for a
// bundle. A directory that holds anything else is refused untouched.
func (r *Result) WriteDir(dir string) error {
	if err := clearDir(dir); err != nil {
		return err
	}
	names := make([]string, 0, len(r.Files))
	for name := range r.Files {
		if name != bundle.ManifestName {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	made := ""
	for _, name := range append(names, bundle.ManifestName) {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if parent := filepath.Dir(at); parent != made {
			if err := os.MkdirAll(parent, 0o755); err != nil {
				return err
			}
			made = parent
		}
		if err := os.WriteFile(at, r.Files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// clearDir removes an older bundle, its manifest first. Files are removed,
// not overwritten: one may be a link to something else.
func clearDir(dir string) error {
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !st.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	old, err := bundle.Dir(dir).List()
	if err != nil {
		return err
	}
	for i, name := range old {
		if !bundle.ValidName(name) {
			return &ForeignDirError{dir, name}
		}
		if name == bundle.ManifestName {
			old[0], old[i] = old[i], old[0]
		}
	}
	emptied := map[string]bool{}
	for _, name := range old {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Remove(at); err != nil {
			return err
		}
		emptied[filepath.Dir(at)] = true
	}
	delete(emptied, filepath.Clean(dir))
	for parent := range emptied {
		_ = os.Remove(parent) // what a person keeps in it stays
	}
	return nil
}

// A ForeignDirError is an output directory with something else in it.
type ForeignDirError struct{ Dir, Name string }

func (e *ForeignDirError) Error() string {
	return fmt.Sprintf("%s holds %s, which belongs to no bundle; nothing was written", e.Dir, e.Name)
}

// Hint is the next step.
func (e *ForeignDirError) Hint() string { return "give --out an empty or new directory" }
