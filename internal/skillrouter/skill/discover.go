package skill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bounds on what is walked.
const (
	maxSkills = 20_000
	maxDirs   = 100_000
	maxDepth  = 4 // folders of folders below a deep root
)

// A Source gives a SKILL.md's parsed form, so that a cache can give it
// without reading the file.
type Source interface {
	Read(path string, info fs.FileInfo) (Front, error)
}

// Files is the Source that reads each file.
type Files struct{}

// Read reads and parses one SKILL.md.
func (Files) Read(path string, info fs.FileInfo) (Front, error) {
	data, err := ReadFile(path, info)
	if err != nil {
		return Front{}, err
	}
	return Parse(data)
}

// ReadFile reads a SKILL.md that is not too large. It never waits: what is no
// regular file is refused before it is opened.
func ReadFile(path string, info fs.FileInfo) ([]byte, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	if info.Size() > MaxFile {
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", info.Size(), MaxFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, plainError(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, plainError(err)
	}
	if len(data) > MaxFile {
		return nil, fmt.Errorf("it has more than %d bytes", MaxFile)
	}
	return data, nil
}

// plainError is an error without the path, which is told beside it.
func plainError(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Discover reads the skills of the roots.
func Discover(roots []Root, source Source) *Catalogue {
	c := &Catalogue{Skills: []Skill{}, Rejects: []Reject{}, Collisions: []Collision{}}
	w := walk{catalogue: c, source: source, seen: map[string]bool{}}
	for _, r := range roots {
		w.root = r
		real, err := filepath.EvalSymlinks(r.Dir)
		if err != nil {
			w.reject(r.Dir, plainError(err).Error())
			continue
		}
		w.dir(r.Dir, real, 0)
	}
	c.settle()
	return c
}

type walk struct {
	catalogue *Catalogue
	source    Source
	root      Root
	seen      map[string]bool // real directories, so that links make no loop and no skill twice
	told      bool            // that not all is read
}

// dir reads the skills that are children of a directory. real is its path
// without links: only a link's own target is looked up, not each child's path.
func (w *walk) dir(dir, real string, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.reject(dir, plainError(err).Error())
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue // .system is a root of its own; the rest is hidden on purpose
		}
		child, childReal := filepath.Join(dir, e.Name()), filepath.Join(real, e.Name())
		if !e.IsDir() {
			if e.Type()&fs.ModeSymlink == 0 || !isDir(child) {
				continue
			}
			if childReal, err = filepath.EvalSymlinks(child); err != nil {
				continue
			}
		}
		if w.seen[childReal] {
			continue
		}
		if w.full(child) {
			return
		}
		w.seen[childReal] = true
		file := filepath.Join(child, FileName)
		info, err := os.Stat(file)
		switch {
		case err == nil:
			w.skill(child, file, info)
		case !errors.Is(err, fs.ErrNotExist):
			w.reject(file, plainError(err).Error())
		case w.root.Deep && depth+1 < maxDepth:
			w.dir(child, childReal, depth+1)
		}
	}
}

// full reports that enough was read, and tells it once.
func (w *walk) full(next string) bool {
	reason := ""
	switch {
	case len(w.catalogue.Skills) >= maxSkills:
		reason = fmt.Sprintf("there are more than %d skills; the rest is not read", maxSkills)
	case len(w.seen) >= maxDirs:
		reason = fmt.Sprintf("there are more than %d directories; the rest is not read", maxDirs)
	default:
		return false
	}
	if !w.told {
		w.reject(next, reason)
	}
	w.told = true
	return true
}

func (w *walk) skill(dir, file string, info fs.FileInfo) {
	front, err := w.source.Read(file, info)
	if err != nil {
		w.reject(file, err.Error())
		return
	}
	name := front.Name
	if name == "" {
		name = NameOf(dir)
	}
	w.catalogue.Skills = append(w.catalogue.Skills, Skill{Name: name, Description: front.Description, Dir: dir, Root: w.root,
		Body: front.Body, Meta: front.Meta, More: front.More, ModTime: info.ModTime()})
}

// NameOf is the name of a skill whose frontmatter has none: its directory's.
func NameOf(dir string) string { return collapse(filepath.Base(dir)) }

func (w *walk) reject(file, reason string) {
	w.catalogue.Rejects = append(w.catalogue.Rejects, Reject{file, reason})
}

func modified(path string) time.Time {
	st, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}

// settle leaves one skill of each name: the one with the better evidence, else
// the one found first.
func (c *Catalogue) settle() {
	at := map[string]int{}
	kept := c.Skills[:0]
	for _, s := range c.Skills {
		i, ok := at[s.Name]
		if !ok {
			at[s.Name] = len(kept)
			kept = append(kept, s)
			continue
		}
		winner, loser, reason := kept[i], s, "it was found first"
		if why := better(s.Meta, winner.Meta); why != "" {
			winner, loser, reason = s, kept[i], why
			kept[i] = s
		} else if why := better(kept[i].Meta, s.Meta); why != "" {
			reason = why
		}
		c.Collisions = append(c.Collisions, Collision{s.Name, winner.Dir, loser.Dir, reason})
	}
	c.Skills = slices.Clip(kept)
}

var standing = map[Status]int{Active: 2, Suspect: 1, Archived: 0}

// better says why a has better evidence than b, or "".
func better(a, b Meta) string {
	switch {
	case standing[a.Status] != standing[b.Status]:
		if standing[a.Status] > standing[b.Status] {
			return fmt.Sprintf("the other is %s", b.Status)
		}
	case a.Helpful-a.Harmful > b.Helpful-b.Harmful:
		return "it helped more often"
	}
	return ""
}

// BodyIn reads the text behind the frontmatter of a skill's directory, "" when
// it cannot be read.
func BodyIn(dir string) string {
	path := filepath.Join(dir, FileName)
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	front, err := Files{}.Read(path, info)
	if err != nil {
		return ""
	}
	return front.Body
}
