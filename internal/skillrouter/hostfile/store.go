// Package hostfile changes files that belong to somebody else, and can give
// them back: what each was before is kept, so that a change is undone byte for
// byte when nobody edited the file since, and merged out of it when somebody
// did. All writes are atomic, under one lock.
package hostfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names of the files that a store keeps.
const (
	recordName = "setup.json"
	lockName   = "setup.lock"
)

// A File is what is kept of one file.
type File struct {
	Path    string `json:"path"` // absolute
	Kind    Kind   `json:"kind,omitempty"`
	Existed bool   `json:"existed"`          // before the first change
	Before  []byte `json:"before,omitempty"` // as it would be without our changes
	After   []byte `json:"after"`            // as it was last written
	Prior   []byte `json:"prior,omitempty"`  // as it was written before that: what is there when a write did not happen
}

// A Store is the record of all files, while it is locked.
type Store struct {
	dir    string
	unlock func()

	Files []*File           `json:"files"`
	Dirs  []string          `json:"dirs,omitempty"` // that were made
	Notes map[string]string `json:"notes,omitempty"`
}

// Open locks the record in a directory and reads it. The directory is made;
// [Store.Close] removes it again when nothing is left in it.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir, Notes: map[string]string{}}
	made := missing(dir)
	err := os.MkdirAll(dir, 0o700)
	if err != nil {
		return nil, err
	}
	if s.unlock, err = lock(filepath.Join(dir, lockName)); err != nil {
		return nil, err
	}
	data, err := read(filepath.Join(dir, recordName))
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, s)
	}
	if err != nil {
		s.unlock()
		return nil, &RecordError{filepath.Join(dir, recordName), err}
	}
	if s.Notes == nil {
		s.Notes = map[string]string{}
	}
	for _, d := range made {
		s.addDir(d)
	}
	for _, f := range s.Files {
		os.Remove(target(f.Path) + tempSuffix) // of a process that was killed
	}
	os.Remove(filepath.Join(dir, recordName+tempSuffix))
	return s, nil
}

// A RecordError is a record that cannot be used.
type RecordError struct {
	Path string
	Err  error
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("what the files of hosts were before is not known: %s: %v", e.Path, e.Err)
}
func (e *RecordError) Unwrap() error { return e.Err }

// Hint is the next step.
func (e *RecordError) Hint() string {
	return "move the file away; entries of mega-tron are then found by their marks"
}

// Peek reads the record without a lock, for those who only look.
func Peek(dir string) (*Store, error) {
	s := &Store{dir: dir, Notes: map[string]string{}}
	data, err := read(filepath.Join(dir, recordName))
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, s)
	}
	if err != nil {
		return nil, &RecordError{filepath.Join(dir, recordName), err}
	}
	return s, nil
}

// Close ends the lock. A store without files leaves nothing behind.
func (s *Store) Close() error {
	if len(s.Files) > 0 || len(s.Notes) > 0 {
		s.unlock()
		return nil
	}
	err := os.Remove(filepath.Join(s.dir, recordName))
	dropLock(filepath.Join(s.dir, lockName), s.unlock)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.addDir(s.dir)
	slices.SortFunc(s.Dirs, func(a, b string) int { return len(b) - len(a) })
	for _, d := range s.Dirs {
		os.Remove(d) // if it is empty
	}
	return nil
}

func (s *Store) save() error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return write(filepath.Join(s.dir, recordName), append(data, '\n'), 0o600)
}

// Note keeps a word beside the record; "" forgets it.
func (s *Store) Note(name, value string) error {
	if s.Notes[name] == value {
		return nil
	}
	if s.Notes[name] = value; value == "" {
		delete(s.Notes, name)
	}
	return s.save()
}

func (s *Store) file(path string) *File {
	for _, f := range s.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// An Edit makes a new text of a file: now is what is there, nil for nothing;
// before is what is there without any change of ours.
type Edit func(now, before []byte) ([]byte, error)

// A Change is what an edit would make of a file, or has made.
type Change struct {
	Path     string
	Kind     Kind
	Now, New []byte // nil: no file
	before   []byte
}

// Different reports whether anything changes.
func (c *Change) Different() bool {
	return (c.Now == nil) != (c.New == nil) || !bytes.Equal(c.Now, c.New)
}

// Plan says what an edit makes of a file, and writes nothing.
func (s *Store) Plan(path string, kind Kind, edit Edit) (*Change, error) {
	now, err := read(path)
	if err != nil {
		return nil, err
	}
	c := &Change{Path: path, Kind: kind, Now: now, before: now}
	if f := s.file(path); f != nil {
		if c.before, err = f.without(now); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if c.New, err = edit(now, c.before); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Apply writes a planned change. What the file was is kept first. A file that
// is as it would be without us is forgotten.
func (s *Store) Apply(c *Change) error {
	if !c.Different() {
		return nil
	}
	if (c.New == nil) == (c.before == nil) && bytes.Equal(c.New, c.before) {
		return s.Restore(c) // nothing of ours is left in it
	}
	f := s.file(c.Path)
	if f == nil {
		f = &File{Path: c.Path, Kind: c.Kind, Existed: c.Now != nil}
		s.Files = append(s.Files, f)
	}
	f.Before, f.Prior, f.After = c.before, c.Now, c.New
	dir := filepath.Dir(target(c.Path))
	for _, d := range missing(dir) {
		s.addDir(d)
	}
	if err := s.save(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return write(c.Path, c.New, 0o600)
}

// Change plans and applies an edit.
func (s *Store) Change(path string, kind Kind, edit Edit) (*Change, error) {
	c, err := s.Plan(path, kind, edit)
	if err != nil {
		return nil, err
	}
	return c, s.Apply(c)
}

// PlanRestore says what giving a file back would make of it. clean takes away
// what still carries our marks when the file was edited since.
func (s *Store) PlanRestore(path string, kind Kind, clean func([]byte) ([]byte, error)) (*Change, error) {
	now, err := read(path)
	if err != nil {
		return nil, err
	}
	c := &Change{Path: path, Kind: kind, Now: now, New: now}
	f := s.file(path)
	if now == nil {
		return c, nil
	}
	exact := false
	if f != nil {
		exact = f.ours(now) || bytes.Equal(now, f.Before)
		if c.New, err = f.without(now); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if !exact {
		if c.New, err = clean(c.New); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if hollow(c.New) && (f == nil && !hollow(now) || f != nil && !f.Existed) {
		c.New = nil // there was nothing but ours
	}
	return c, nil
}

// hollow is a file that says nothing.
func hollow(text []byte) bool {
	rest := strings.Join(strings.Fields(string(text)), "")
	return rest == "" || rest == "{}"
}

// Restore writes what [Store.PlanRestore] planned and forgets the file.
func (s *Store) Restore(c *Change) error {
	if c.Different() {
		if c.New == nil {
			during("begin " + c.Path)
			if err := os.Remove(target(c.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			during("removed " + c.Path)
			s.removeDirs(filepath.Dir(target(c.Path)))
		} else if err := write(c.Path, c.New, 0o600); err != nil {
			return err
		}
	}
	n := len(s.Files)
	if s.Files = slices.DeleteFunc(s.Files, func(f *File) bool { return f.Path == c.Path }); len(s.Files) == n {
		return nil
	}
	return s.save()
}

// ours reports whether a text is one that we wrote.
func (f *File) ours(text []byte) bool {
	return bytes.Equal(text, f.After) || f.Prior != nil && bytes.Equal(text, f.Prior)
}

// without is a text of the file without our changes.
func (f *File) without(text []byte) ([]byte, error) {
	switch {
	case text == nil:
		return nil, nil
	case f.ours(text):
		return f.Before, nil
	}
	return f.Kind.revert(text, f.After, f.Before)
}

// removeDirs removes a directory and those above it, as far as they were made
// and are empty.
func (s *Store) removeDirs(dir string) {
	for ; slices.Contains(s.Dirs, dir) && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		s.Dirs = slices.DeleteFunc(s.Dirs, func(d string) bool { return d == dir })
	}
}

func (s *Store) addDir(dir string) {
	if !slices.Contains(s.Dirs, dir) {
		s.Dirs = append(s.Dirs, dir)
	}
}

// missing is a directory and those above it, as far as they are not there.
func missing(dir string) (dirs []string) {
	for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil {
			break
		}
		dirs = append(dirs, d)
	}
	return dirs
}
