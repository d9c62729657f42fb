package githost

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // it is how git names objects
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var errAbsent = errors.New("there is no such object")

var hash = regexp.MustCompile(`^[0-9a-f]{40}$`)

// put writes an object as git does, loose, and returns its name. It is
// complete from the moment that it is there.
func (r *Repository) put(kind string, data []byte) (string, error) {
	whole := append(fmt.Appendf(nil, "%s %d\x00", kind, len(data)), data...)
	sum := sha1.Sum(whole) //nolint:gosec // as above
	name := hex.EncodeToString(sum[:])
	path := r.loose(name)
	if _, err := os.Stat(path); err == nil {
		return name, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "tmp_obj_")
	if err != nil {
		return "", err
	}
	z, _ := zlib.NewWriterLevel(f, zlib.BestSpeed) // the level is a right one
	_, err = z.Write(whole)
	err = errors.Join(err, z.Close(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return name, err
}

func (r *Repository) loose(name string) string {
	return filepath.Join(r.Dir, "objects", name[:2], name[2:])
}

// get reads an object: a loose one itself, a packed one with git.
func (r *Repository) get(name string) (kind string, data []byte, err error) {
	if !hash.MatchString(name) {
		return "", nil, errAbsent
	}
	if f, err := os.Open(r.loose(name)); err == nil {
		defer f.Close()
		z, err := zlib.NewReader(f)
		if err != nil {
			return "", nil, err
		}
		whole, err := io.ReadAll(z)
		head, data, ok := bytes.Cut(whole, []byte{0})
		if err != nil || !ok {
			return "", nil, fmt.Errorf("the object %s is damaged: %w", name, err)
		}
		kind, _, _ = strings.Cut(string(head), " ")
		return kind, data, nil
	}
	kind, err = r.host.run("", "-C", r.Dir, "cat-file", "-t", name)
	if err != nil {
		return "", nil, errAbsent
	}
	kind = strings.TrimSpace(kind)
	text, err := r.host.run("", "-C", r.Dir, "cat-file", kind, name)
	return kind, []byte(text), err
}

// is reports whether an object is there, and of a kind.
func (r *Repository) is(kind, name string) bool {
	have, _, err := r.get(name)
	return err == nil && have == kind
}

// An entry is one of a tree.
type entry struct {
	Path string // of the whole tree, where it was read with what is in it
	Mode string // six digits
	Type string
	SHA  string
}

// readTree lists a tree, with what is in its folders if deep.
func (r *Repository) readTree(name, folder string, deep bool) (entries []entry, err error) {
	kind, data, err := r.get(name)
	if err != nil || kind != "tree" {
		return nil, errAbsent
	}
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, base, named := strings.Cut(string(head), " ")
		if !ok || !named || len(rest) < 20 {
			return nil, fmt.Errorf("the tree %s is damaged", name)
		}
		e := entry{Path: folder + base, Mode: fmt.Sprintf("%06s", mode), Type: "blob", SHA: hex.EncodeToString(rest[:20])}
		data = rest[20:]
		switch e.Mode {
		case "040000":
			e.Type = "tree"
		case "160000":
			e.Type = "commit"
		}
		entries = append(entries, e)
		if deep && e.Type == "tree" {
			inner, err := r.readTree(e.SHA, e.Path+"/", true)
			if err != nil {
				return nil, err
			}
			entries = append(entries, inner...)
		}
	}
	return entries, nil
}

// writeTree writes a tree of files, and the trees of their folders.
func (r *Repository) writeTree(files []entry) (string, error) {
	folders := map[string][]entry{}
	var here []entry
	for _, f := range files {
		folder, rest, nested := strings.Cut(f.Path, "/")
		if !nested {
			here = append(here, f)
			continue
		}
		f.Path = rest
		folders[folder] = append(folders[folder], f)
	}
	for folder, inner := range folders {
		name, err := r.writeTree(inner)
		if err != nil {
			return "", err
		}
		here = append(here, entry{Path: folder, Mode: "040000", Type: "tree", SHA: name})
	}
	slices.SortFunc(here, func(a, b entry) int { return cmp.Compare(sortName(a), sortName(b)) })
	var data []byte
	for _, e := range here {
		raw, err := hex.DecodeString(e.SHA)
		if err != nil {
			return "", err
		}
		data = append(append(data, strings.TrimLeft(e.Mode, "0")+" "+e.Path+"\x00"...), raw...)
	}
	return r.put("tree", data)
}

// sortName is what git sorts by: a folder's name ends in a slash.
func sortName(e entry) string {
	if e.Type == "tree" {
		return e.Path + "/"
	}
	return e.Path
}

// A commit is one that was read.
type commit struct {
	tree, message     string
	parents           []string
	author, committer signature
	signed            string
}

type signature struct{ name, email, date string }

func (r *Repository) commit(name string) (c commit, err error) {
	kind, data, err := r.get(name)
	if err != nil || kind != "commit" {
		return c, errAbsent
	}
	head, message, _ := strings.Cut(string(data), "\n\n")
	c.message = message
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch key {
		case "tree":
			c.tree = value
		case "parent":
			c.parents = append(c.parents, value)
		case "author":
			c.author = parseSignature(value)
		case "committer":
			c.committer = parseSignature(value)
		case "gpgsig":
			c.signed = value
		}
	}
	return c, nil
}
