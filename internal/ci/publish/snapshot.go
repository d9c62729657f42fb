package publish

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// MaxTotal is the largest bundle that is published, in bytes. It is held in
// memory a few times over.
const MaxTotal = 256 << 20

// The author and committer of every commit that is pushed. It names no
// person and no time of day, so that equal bundles are equal commits.
const (
	authorName  = "routing-bundle"
	authorEmail = "routing-bundle@users.noreply.github.com"
)

// A Snapshot is a verified bundle as git objects in memory: what was checked
// is what is sent, whatever happens to the directory meanwhile.
type Snapshot struct {
	Build   bundle.Build
	Bytes   int64  // sizes of the files in the tree together
	Tree    string // name of the root tree
	Message string // of the commit
	Author  Author // of the commit; the zero value is an identity that names no person

	// Large are the files that the manifest marks large, for a ref of their
	// own; nil when there are none.
	Large *Snapshot

	time    time.Time // commit time of the umbrella's commit, in UTC
	objects *memory.Storage
	tree    plumbing.Hash
}

// An Author is who a commit says that it is of.
type Author struct{ Name, Email string }

// Sign sets the author of the snapshot's commits.
func (s *Snapshot) Sign(a Author) {
	s.Author = a
	if s.Large != nil {
		s.Large.Author = a
	}
}

// Load reads a whole bundle into memory and verifies it there. The error is
// a *[bundle.Refused], or the error of reading.
func Load(files bundle.Files) (*Snapshot, error) {
	held := content{}
	names, err := files.List()
	if err != nil {
		return nil, err
	}
	if len(names) > bundle.MaxFiles+1 {
		return nil, &bundle.Refused{Reason: fmt.Sprintf("it has %d files; at most %d are allowed", len(names), bundle.MaxFiles)}
	}
	total := int64(0)
	for _, name := range names {
		if !bundle.ValidName(name) {
			held[name] = nil // Verify names it
			continue
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if total += int64(len(data)); total > MaxTotal {
			return nil, &bundle.Refused{Reason: fmt.Sprintf("it has more than %d MB", MaxTotal>>20), Next: "leave out large generated files when building"}
		}
		held[name] = data
	}
	report, err := bundle.Verify(held)
	if err != nil {
		return nil, err
	}
	b, err := bundle.Open(held)
	if err != nil {
		return nil, err
	}
	large := content{}
	for _, f := range b.Manifest().Large() {
		large[f.Name] = held[f.Name]
		delete(held, f.Name)
	}
	s, err := newSnapshot(held, report.Build, "routing-bundle")
	if err == nil && len(large) > 0 {
		s.Large, err = newSnapshot(large, report.Build, "routing-bundle-large")
	}
	return s, err
}

// newSnapshot writes the blobs and trees of files of a verified bundle. The
// title begins the commit's message.
func newSnapshot(files content, build bundle.Build, title string) (*Snapshot, error) {
	at, err := build.Time()
	if err != nil {
		return nil, err
	}
	s := &Snapshot{
		Build:   build,
		Message: fmt.Sprintf("%s: %s@%s", title, plainName(build.Repo), build.Head),
		time:    at,
		objects: memory.NewStorage(),
	}
	folders := map[string][]object.TreeEntry{"": nil}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !bundle.ValidName(name) {
			return nil, &bundle.Refused{File: name, Reason: "no bundle holds a file of this name"}
		}
		s.Bytes += int64(len(files[name]))
		hash, err := s.blob(files[name])
		if err != nil {
			return nil, err
		}
		folder, base, nested := strings.Cut(name, "/")
		if !nested {
			folder, base = "", name
		}
		folders[folder] = append(folders[folder], object.TreeEntry{Name: base, Mode: filemode.Regular, Hash: hash})
	}
	root := folders[""]
	for folder, entries := range folders {
		if folder == "" {
			continue
		}
		hash, err := s.writeTree(entries)
		if err != nil {
			return nil, err
		}
		root = append(root, object.TreeEntry{Name: folder, Mode: filemode.Dir, Hash: hash})
	}
	if s.tree, err = s.writeTree(root); err != nil {
		return nil, err
	}
	s.Tree = s.tree.String()
	return s, nil
}

func (s *Snapshot) blob(data []byte) (plumbing.Hash, error) {
	o := s.objects.NewEncodedObject()
	o.SetType(plumbing.BlobObject)
	o.SetSize(int64(len(data)))
	w, err := o.Writer()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if _, err := w.Write(data); err != nil {
		return plumbing.ZeroHash, err
	}
	if err := w.Close(); err != nil {
		return plumbing.ZeroHash, err
	}
	return s.objects.SetEncodedObject(o)
}

func (s *Snapshot) writeTree(entries []object.TreeEntry) (plumbing.Hash, error) {
	sort.Sort(object.TreeEntrySorter(entries)) // git's order, which is not the plain one
	return s.store(&object.Tree{Entries: entries})
}

// commit writes the root commit: always the same one for the same bundle, so
// its times are in UTC, whose offset is part of a commit's name.
func (s *Snapshot) commit() (plumbing.Hash, error) {
	who := object.Signature{Name: cmp.Or(s.Author.Name, authorName), Email: cmp.Or(s.Author.Email, authorEmail), When: s.time.UTC()}
	return s.store(&object.Commit{Author: who, Committer: who, Message: s.Message + "\n", TreeHash: s.tree})
}

func (s *Snapshot) store(o interface {
	Encode(plumbing.EncodedObject) error
}) (plumbing.Hash, error) {
	e := s.objects.NewEncodedObject()
	if err := o.Encode(e); err != nil {
		return plumbing.ZeroHash, err
	}
	return s.objects.SetEncodedObject(e)
}

// plainName keeps a repository's name to one short line of plain text.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return '-'
	}, name)
	return name[:min(len(name), 100)]
}

// content is a bundle in memory.
type content map[string][]byte

// ReadFile implements [bundle.Files].
func (c content) ReadFile(name string) ([]byte, error) {
	data, ok := c[name]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return data, nil
}

// List implements [bundle.Files].
func (c content) List() ([]string, error) { return slices.Sorted(maps.Keys(c)), nil }
