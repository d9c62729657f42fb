package assemble

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// WriteDir makes dir hold exactly the bundle. The manifest goes first and
// comes last, so that a reader never takes a half-written directory for a
// bundle. A directory that holds anything else is refused untouched.
func (r *Result) WriteDir(dir string) error {
	old, err := bundle.Dir(dir).List()
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, name := range old {
		if !bundle.ValidName(name) {
			return &ForeignDirError{dir, name}
		}
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	if slices.Contains(old, bundle.ManifestName) {
		if err := os.Remove(at(bundle.ManifestName)); err != nil {
			return err
		}
	}
	for _, name := range old {
		if _, keep := r.Files[name]; keep || name == bundle.ManifestName {
			continue
		}
		if err := os.Remove(at(name)); err != nil {
			return err
		}
	}
	names := make([]string, 0, len(r.Files))
	made := map[string]bool{}
	for name := range r.Files {
		if d := filepath.Dir(at(name)); !made[d] {
			if err := os.MkdirAll(d, 0o755); err != nil {
				return err
			}
			made[d] = true
		}
		if name != bundle.ManifestName {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range append(names, bundle.ManifestName) {
		if err := os.WriteFile(at(name), r.Files[name], 0o644); err != nil {
			return err
		}
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
