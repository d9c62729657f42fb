// Package bundle is the format of a routing bundle and the way to read one.
//
// A bundle is a directory, or the tree of one commit, that holds JSON files
// and one Markdown digest. manifest.json lists every other file with its size
// and SHA-256; [Bundle.Read] gives only bytes that agree with it. Everything
// in a bundle is data from elsewhere: it is size-capped, checked and never
// executed.
//
// Compatibility: an unknown field is ignored, an unknown [Schema] is refused.
// docs/bundle-format.md describes every file for people.
package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// Schema is the major version of the format. A reader that does not know it
// must not guess.
const Schema = 1

// MaxFile is the largest file that is read, in bytes: the cap of MIP-0084 §5.2.
const MaxFile = 20 << 20

// MaxFiles bounds the number of files of one bundle.
const MaxFiles = 20_000

// Names of the files that every bundle has, and of the directories of those
// that are cut in pieces.
const (
	ManifestName = "manifest.json"
	BuildName    = "build.json"
	GraphName    = "graph.json"
	WiringName   = "wiring.json"
	DocCodeName  = "doc_code.json"
	WhyName      = "decisions.json"
	DigestName   = "routing-digest.md"
	IndexName    = "words/index.json"

	WordsDir   = "words/"
	NodesDir   = "nodes/"
	ChangesDir = "changes/"
	GraphDir   = "graph/"
)

// ValidName reports whether a bundle may hold a file of this name. Nothing
// else is ever read, published or fetched.
func ValidName(name string) bool {
	switch name {
	case ManifestName, BuildName, GraphName, WiringName, DocCodeName, WhyName, DigestName, IndexName:
		return true
	}
	dir, base, ok := strings.Cut(name, "/")
	base, json := strings.CutSuffix(base, ".json")
	if !ok || !json {
		return false
	}
	switch dir + "/" {
	case WordsDir, NodesDir, ChangesDir:
		return len(base) >= 2 && len(base) <= 4 && strings.Trim(base, "0123456789abcdef") == ""
	case GraphDir:
		return base != "" && len(base) <= 100 && base[0] != '.' && base[0] != '-' && strings.IndexFunc(base, notInName) < 0
	}
	return false
}

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '_' && r != '-'
}

// PieceName is the name of piece n of a file that is cut in pieces, as in
// "words/0a.json".
func PieceName(dir string, n int) string { return fmt.Sprintf("%s%02x.json", dir, n) }

// A Refused is bundle data that is not used, and why.
type Refused struct {
	File   string // the file of the bundle, or "" for the bundle as a whole
	Reason string
	Next   string // what to do about it

	notHere bool // see [ErrNotHere]
}

func (e *Refused) Error() string {
	if e.File == "" {
		return "the routing bundle is refused: " + e.Reason
	}
	return fmt.Sprintf("the routing bundle is refused: %s: %s", e.File, e.Reason)
}

// Hint is the next step.
func (e *Refused) Hint() string {
	if e.Next == "" {
		return "route fetch gets a fresh one; until then use git grep"
	}
	return e.Next
}

// Files is where the bytes of a bundle come from.
type Files interface {
	// ReadFile returns the whole file, or an error that is fs.ErrNotExist
	// when there is none. A file above [MaxFile] is a *Refused, decided
	// before its bytes are read.
	ReadFile(name string) ([]byte, error)
	// List returns the names of all files, sorted.
	List() ([]string, error)
}

// A Bundle reads one bundle and holds every byte to the manifest.
type Bundle struct {
	files    Files
	manifest Manifest
}

// Open reads the manifest. An error that is fs.ErrNotExist means that there
// is no bundle; a *Refused, that there is one which must not be used.
func Open(files Files) (*Bundle, error) {
	data, err := files.ReadFile(ManifestName)
	if err != nil {
		return nil, err
	}
	b := &Bundle{files: files}
	if b.manifest, err = parseManifest(data); err != nil {
		return nil, err
	}
	return b, nil
}

// A Prefetcher is a source that can read several files in one go.
type Prefetcher interface {
	// Prefetch says which files will be read next. It reports nothing:
	// trouble shows when a file is read.
	Prefetch(names ...string)
}

// Prefetch tells the source which listed files will be read next, if it can
// use that.
func (b *Bundle) Prefetch(names ...string) {
	if p, ok := b.files.(Prefetcher); ok && len(names) > 0 {
		p.Prefetch(names...)
	}
}

// Manifest returns what the bundle lists.
func (b *Bundle) Manifest() Manifest { return b.manifest }

// Has reports whether the manifest lists the file.
func (b *Bundle) Has(name string) bool { _, ok := b.manifest.row(name); return ok }

// Read returns the bytes of a file that agree with the manifest. A large file
// that is not at hand is [ErrNotHere].
func (b *Bundle) Read(name string) ([]byte, error) {
	row, ok := b.manifest.row(name)
	if !ok {
		return nil, &Refused{File: name, Reason: "the manifest does not list it"}
	}
	data, err := b.files.ReadFile(name)
	switch {
	case isMissing(err):
		return nil, missing(row)
	case err != nil:
		return nil, err
	case int64(len(data)) != row.Size:
		return nil, b.differs(row, "it has %d bytes, the manifest says %d", len(data), row.Size)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != row.SHA256 {
		return nil, b.differs(row, "its SHA-256 is not the manifest's")
	}
	return data, nil
}

// Decode reads a file of the bundle into v, strictly.
func (b *Bundle) Decode(name string, v any) error {
	data, err := b.Read(name)
	if err != nil {
		return err
	}
	if err := strictjson.Decode(data, v); err != nil {
		return &Refused{File: name, Reason: err.Error()}
	}
	return nil
}

// Encode writes JSON as every file of a bundle is written: UTF-8, no HTML
// escapes, one final newline.
func Encode(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// Dir reads a bundle from a directory.
type Dir string

// ReadFile implements [Files]. Only regular files are read.
func (d Dir) ReadFile(name string) ([]byte, error) {
	if !ValidName(name) {
		return nil, &Refused{File: name, Reason: "no bundle holds a file of this name"}
	}
	path := filepath.Join(string(d), filepath.FromSlash(name))
	st, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, &Refused{File: name, Reason: "it is not a regular file"}
	case st.Size() > MaxFile:
		return nil, tooLarge(name, st.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, st.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

func tooLarge(name string, size int64) error {
	return &Refused{File: name, Reason: fmt.Sprintf("it has %d bytes; at most %d are read", size, MaxFile)}
}

// TooLarge is the refusal of a file above [MaxFile].
func TooLarge(name string, size int64) error { return tooLarge(name, size) }

// List implements [Files]. A file that no bundle holds is listed too, so
// that verification can name it.
func (d Dir) List() ([]string, error) {
	var names []string
	err := filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(string(d), path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	slices.Sort(names)
	return names, err
}
