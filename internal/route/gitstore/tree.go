package gitstore

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Modes of tree entries, as git stores them.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
	modeSymlink    = "120000"
	modeDir        = "40000"
	modeGitlink    = "160000"
)

// maxDepth and maxEntries bound a listing: a bundle has one level of
// directories.
const (
	maxDepth   = 8
	maxEntries = 2 * bundle.MaxFiles
)

type entry struct{ mode, hash string }

// A Tree is the tree of one commit, read as a bundle. It implements
// [bundle.Files]. Everything is read by hash, so a ref that moves meanwhile
// changes nothing.
type Tree struct {
	store  *Store
	commit Commit
	dirs   map[string]map[string]entry // path with slash, or "" → entries
	ahead  map[string]*request         // file → its blob, asked for by Prefetch
}

// Tree returns the tree of c.
func (s *Store) Tree(c Commit) *Tree {
	return &Tree{store: s, commit: c, dirs: map[string]map[string]entry{}, ahead: map[string]*request{}}
}

// Commit is the commit whose tree this is.
func (t *Tree) Commit() Commit { return t.commit }

// LacksLarge implements [bundle.Partial]: large files are not in the tree of
// the branch.
func (t *Tree) LacksLarge() bool { return true }

// ReadFile implements [bundle.Files].
func (t *Tree) ReadFile(name string) ([]byte, error) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	r, err := t.request(name)
	if err != nil {
		return nil, err
	}
	delete(t.ahead, name)
	if err := t.store.wait(r); err != nil {
		return nil, err
	}
	switch {
	case r.missing:
		return nil, fmt.Errorf("%w (%s)", ErrNotLocal, name)
	case r.found != r.kind:
		return nil, &bundle.Refused{File: name, Reason: fmt.Sprintf("it is a %s, not a file", r.found)}
	case r.size > r.max:
		return nil, bundle.TooLarge(name, r.size)
	}
	return r.data, nil
}

// Prefetch asks for files without waiting for them, so that git works while
// the caller reads what has come. Files that do not exist are left for
// ReadFile to report.
func (t *Tree) Prefetch(names ...string) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	for _, name := range names {
		if r, err := t.request(name); err == nil {
			t.ahead[name] = r
		}
	}
}

// request returns the request of a file's blob, which is on its way.
func (t *Tree) request(name string) (*request, error) {
	if !bundle.ValidName(name) {
		return nil, &bundle.Refused{File: name, Reason: "no bundle holds a file of this name"}
	}
	if r, ok := t.ahead[name]; ok {
		return r, nil
	}
	e, err := t.find(name)
	if err != nil {
		return nil, err
	}
	if e.mode != modeFile {
		return nil, &bundle.Refused{File: name, Reason: fmt.Sprintf("it is %s, not a plain file", modeName(e.mode))}
	}
	r := &request{name: e.hash, kind: "blob", max: bundle.MaxFile}
	t.store.ask(r)
	return r, nil
}

func (t *Tree) find(name string) (entry, error) {
	dir, hash := "", t.commit.Tree
	base := name
	if i := strings.IndexByte(name, '/'); i >= 0 {
		top, err := t.dir("", hash)
		if err != nil {
			return entry{}, err
		}
		e, ok := top[name[:i]]
		if !ok {
			return entry{}, notThere(name)
		}
		if e.mode != modeDir {
			return entry{}, &bundle.Refused{File: name[:i], Reason: fmt.Sprintf("it is %s, not a directory", modeName(e.mode))}
		}
		dir, base, hash = name[:i+1], name[i+1:], e.hash
	}
	entries, err := t.dir(dir, hash)
	if err != nil {
		return entry{}, err
	}
	e, ok := entries[base]
	if !ok {
		return entry{}, notThere(name)
	}
	return e, nil
}

func notThere(name string) error {
	return &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
}

// dir reads one directory, once.
func (t *Tree) dir(path, hash string) (map[string]entry, error) {
	if entries, ok := t.dirs[path]; ok {
		return entries, nil
	}
	r := &request{name: hash, kind: "tree", max: maxTree}
	t.store.ask(r)
	if err := t.store.wait(r); err != nil {
		return nil, err
	}
	label := path
	if label == "" {
		label = "its tree"
	}
	switch {
	case r.missing:
		return nil, fmt.Errorf("%w (%s)", ErrNotLocal, label)
	case !r.acceptable():
		return nil, &bundle.Refused{Reason: fmt.Sprintf("%s is a %s of %d bytes; a directory has at most %d", label, r.found, r.size, r.max)}
	}
	entries, err := parseTree(r.data, len(r.hash)/2)
	if err != nil {
		return nil, &bundle.Refused{Reason: fmt.Sprintf("%s: %v", label, err)}
	}
	t.dirs[path] = entries
	return entries, nil
}

// parseTree reads a raw tree whose hashes have n bytes.
func parseTree(data []byte, n int) (map[string]entry, error) {
	entries := map[string]entry{}
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte(" "))
		if !ok {
			return nil, fmt.Errorf("the tree is damaged")
		}
		name, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok || len(rest) < n {
			return nil, fmt.Errorf("the tree is damaged")
		}
		if _, twice := entries[string(name)]; twice {
			return nil, fmt.Errorf("the tree has %.80q twice", name)
		}
		entries[string(name)] = entry{string(mode), hex.EncodeToString(rest[:n])}
		data = rest[n:]
	}
	return entries, nil
}

// List implements [bundle.Files]: every entry but directories, those
// included that ReadFile refuses.
func (t *Tree) List() ([]string, error) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	var names []string
	seen := 0
	err := t.walk("", t.commit.Tree, 0, func(path string, e entry) error {
		if seen++; seen > maxEntries {
			return &bundle.Refused{Reason: fmt.Sprintf("it has more than %d entries", maxEntries)}
		}
		if e.mode != modeDir {
			names = append(names, path)
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

func (t *Tree) walk(path, hash string, depth int, visit func(string, entry) error) error {
	if depth > maxDepth {
		return &bundle.Refused{File: path, Reason: fmt.Sprintf("directories are nested deeper than %d levels", maxDepth)}
	}
	entries, err := t.dir(path, hash)
	if err != nil {
		return err
	}
	for name, e := range entries {
		if err := visit(path+name, e); err != nil {
			return err
		}
		if e.mode == modeDir {
			if err := t.walk(path+name+"/", e.hash, depth+1, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func modeName(mode string) string {
	switch mode {
	case modeExecutable:
		return "an executable"
	case modeSymlink:
		return "a symbolic link"
	case modeDir:
		return "a directory"
	case modeGitlink:
		return "a submodule"
	}
	return fmt.Sprintf("an entry of mode %.10q", mode)
}
