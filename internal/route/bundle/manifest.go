package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A Manifest lists the files of a bundle, sorted by name, itself excepted.
type Manifest struct {
	Schema int    `json:"schema"`
	Files  []File `json:"files"`
}

// A File is one row of the manifest.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // of the bytes as published, 64 hex digits

	// Large says that in git the file stands on the large ref, not on the
	// branch; see [LargeRef]. In a directory all files lie together.
	Large bool `json:"large,omitempty"`
}

// row finds a file by its name.
func (m Manifest) row(name string) (File, bool) {
	i, ok := slices.BinarySearchFunc(m.Files, name, func(f File, name string) int { return strings.Compare(f.Name, name) })
	if !ok {
		return File{}, false
	}
	return m.Files[i], true
}

// parseManifest reads a manifest front to back; a bundle of thousands of
// pieces is opened for every question, so this must stay quick.
func parseManifest(data []byte) (Manifest, error) {
	refuse := func(format string, args ...any) error {
		return &Refused{File: ManifestName, Reason: fmt.Sprintf(format, args...)}
	}
	var m Manifest
	c, err := strictjson.NewCursor(data)
	if err != nil {
		return m, refuse("%v", err)
	}
	const shortestRow = 100 // bytes: a hash and its keys
	m.Files = make([]File, 0, len(data)/shortestRow)
	err = c.Object(func(key []byte) (err error) {
		switch string(key) {
		case "schema":
			m.Schema, err = c.Int()
			return err
		case "files":
			return c.Array(func() error {
				f, err := readRow(c)
				m.Files = append(m.Files, f)
				return err
			})
		}
		return c.Skip()
	})
	if err == nil {
		err = c.End()
	}
	switch {
	case err != nil:
		return m, refuse("%v", err)
	case m.Schema != Schema:
		return m, &Refused{File: ManifestName, Reason: fmt.Sprintf("its format is version %d, this program reads version %d", m.Schema, Schema),
			Next: "update the routing skill (skills-vendor update routing), or use git grep"}
	case len(m.Files) > MaxFiles:
		return m, refuse("it lists %d files; at most %d are allowed", len(m.Files), MaxFiles)
	}
	last := ""
	for _, f := range m.Files {
		switch order := cmp.Compare(last, f.Name); {
		case !ValidName(f.Name) || f.Name == ManifestName:
			return m, refuse("it lists %q, which no bundle holds", f.Name)
		case order == 0:
			return m, refuse("it lists %s twice", f.Name)
		case order > 0:
			return m, refuse("its files are not in order: %s stands after %s", f.Name, last)
		case f.Size < 0 || f.Size > MaxFile:
			return m, refuse("it gives %s %d bytes; at most %d are allowed", f.Name, f.Size, MaxFile)
		case len(f.SHA256) != 64:
			return m, refuse("%s has no SHA-256", f.Name)
		case f.Large && !MayBeLarge(f.Name):
			return m, refuse("it calls %s large, which must stand on the branch", f.Name)
		}
		last = f.Name
	}
	return m, nil
}

func readRow(c *strictjson.Cursor) (f File, err error) {
	err = c.Object(func(key []byte) (err error) {
		switch string(key) {
		case "name":
			f.Name, err = c.String()
		case "size":
			var n int
			n, err = c.Int()
			f.Size = int64(n)
		case "sha256":
			f.SHA256, err = c.String()
		case "large":
			f.Large, err = c.Bool()
		default:
			err = c.Skip()
		}
		return err
	})
	return f, err
}

// NewManifest makes the manifest of the given files. It refuses a name that
// no bundle holds and a file above [MaxFile]. No file is marked large.
func NewManifest(files map[string][]byte) (Manifest, error) { return ManifestOf(Memory(files)) }

// ManifestOf is [NewManifest] of files that need not be in memory.
func ManifestOf(files Files) (Manifest, error) {
	m := Manifest{Schema: Schema, Files: []File{}}
	names, err := files.List()
	if err != nil {
		return m, err
	}
	for _, name := range names {
		if name == ManifestName {
			continue
		}
		if !ValidName(name) {
			return m, &Refused{File: name, Reason: "no bundle holds a file of this name"}
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return m, err
		}
		sum := sha256.Sum256(data)
		m.Files = append(m.Files, File{Name: name, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])})
	}
	return m, nil
}

// Encode writes the manifest, one file a line.
func (m Manifest) Encode() []byte {
	out := fmt.Appendf(nil, `{"schema":%d,"files":[`, m.Schema)
	for i, f := range m.Files {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "\n"+`{"name":%q,"size":%d,"sha256":%q`, f.Name, f.Size, f.SHA256)
		if f.Large {
			out = append(out, `,"large":true`...)
		}
		out = append(out, '}')
	}
	return append(out, "\n]}\n"...)
}
