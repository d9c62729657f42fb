package assemble

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// WriteDir makes dir hold exactly the bundle. It is written beside dir and
// takes dir's place in one step, so that a reader finds the older bundle or
// this one, whatever ends the write. A directory that holds anything else is
// refused untouched, as [CheckDir] does. Two builds into one directory write
// one after the other; ctx ends the wait and the write.
func (r *Result) WriteDir(ctx context.Context, dir string) error {
	if err := CheckDir(dir); err != nil {
		return err
	}
	made := !exists(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := r.writeLocked(ctx, dir)
	if err != nil && made {
		_ = os.Remove(dir) // stays if anything is in it
	}
	return err
}

func (r *Result) writeLocked(ctx context.Context, dir string) error {
	real, err := realDir(dir)
	if err != nil {
		return err
	}
	unlock, err := lockDir(ctx, real)
	if err != nil {
		return err
	}
	defer unlock()
	if err := CheckDir(real); err != nil { // another build may have been here
		return err
	}
	err = r.swap(ctx, real)
	if errors.Is(err, errNoSwap) {
		return r.writeInto(context.WithoutCancel(ctx), real) // what is begun in place is finished
	}
	return err
}

// realDir is the directory behind links, which stay. It may be missing for
// the moment in which another build puts its own there.
func realDir(dir string) (real string, err error) {
	for range 20 {
		real, err = filepath.EvalSymlinks(dir)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
	}
	return real, err
}

// errNoSwap means that nothing can take the directory's place: it is a mount
// point, or the one above may not be written.
var errNoSwap = errors.New("the directory cannot be replaced")

// swap writes a new directory beside dir and renames it.
func (r *Result) swap(ctx context.Context, dir string) error {
	st, err := os.Stat(dir)
	if err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-")
	if err != nil {
		return errNoSwap
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, st.Mode().Perm()|0o700); err != nil {
		return err
	}
	if err := r.writeInto(ctx, fresh); err != nil {
		return err
	}
	old := strings.Replace(fresh, ".new-", ".old-", 1)
	for {
		if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errNoSwap
		}
		err := os.Rename(fresh, dir)
		switch {
		case errors.Is(err, fs.ErrExist): // another build was faster by a moment
			if err := os.RemoveAll(old); err != nil {
				return err
			}
			continue
		case err != nil:
			return errors.Join(err, os.Rename(old, dir))
		}
		if err := os.RemoveAll(old); err != nil {
			return fmt.Errorf("the bundle is in place, but the older one cannot be removed: %w", err)
		}
		return nil
	}
}

// writeInto writes the bundle into a directory that holds nothing but an
// older one. What a reader begins with goes first and comes last, so that it
// takes no half of a bundle for a whole one.
func (r *Result) writeInto(ctx context.Context, dir string) error {
	if err := clearDir(dir); err != nil {
		return err
	}
	names, err := r.Files.List()
	if err != nil {
		return err
	}
	slices.SortFunc(names, byReading)
	slices.Reverse(names)
	made := ""
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := filepath.Join(dir, filepath.FromSlash(name))
		if parent := filepath.Dir(at); parent != made {
			if err := os.MkdirAll(parent, 0o755); err != nil {
				return err
			}
			made = parent
		}
		data, err := r.Files.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// readFirst are the files that readers begin with.
var readFirst = []string{bundle.ManifestName, bundle.BuildName, bundle.GraphName}

// byReading orders names as readers come to the files.
func byReading(a, b string) int {
	rank := func(name string) int {
		if i := slices.Index(readFirst, name); i >= 0 {
			return i
		}
		return len(readFirst)
	}
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra - rb
	}
	return strings.Compare(a, b)
}

// CheckDir reports why a bundle may not be written to dir: it is no
// directory, or a [*ForeignDirError]. A directory that does not exist may
// become one.
func CheckDir(dir string) error {
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !st.IsDir():
		return &NotDirError{dir}
	}
	if _, err = oldBundle(dir); errors.Is(err, fs.ErrNotExist) {
		return nil // another build puts its own there just now
	}
	return err
}

// oldBundle lists the files of a directory that holds nothing but a bundle.
func oldBundle(dir string) ([]string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	names, err := bundle.Dir(real).List()
	for _, name := range names {
		if !bundle.ValidName(name) {
			return nil, &ForeignDirError{dir, name}
		}
	}
	return names, err
}

// clearDir removes an older bundle. Files are removed, not overwritten: one
// may be a link to something else.
func clearDir(dir string) error {
	old, err := oldBundle(dir)
	if err != nil {
		return err
	}
	slices.SortFunc(old, byReading)
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
		_ = os.Remove(parent)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// A NotDirError is an output directory that is none.
type NotDirError struct{ Path string }

func (e *NotDirError) Error() string { return e.Path + " is not a directory" }

// Hint is the next step.
func (e *NotDirError) Hint() string { return "give --out an empty or new directory" }

// A ForeignDirError is an output directory with something else in it.
type ForeignDirError struct{ Dir, Name string }

func (e *ForeignDirError) Error() string {
	return fmt.Sprintf("%s holds %s, which belongs to no bundle; nothing was written", e.Dir, e.Name)
}

// Hint is the next step.
func (e *ForeignDirError) Hint() string { return "give --out an empty or new directory" }
