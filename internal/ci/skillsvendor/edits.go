package skillsvendor

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
)

// edits are the changes to a checkout that are planned; nothing is written
// before all of them are known.
type edits struct {
	top     string
	root    *os.Root
	hadLock bool
	planned map[string]edit
	kept    []string // files that an undo leaves, for they were changed
}

type edit struct {
	data   []byte // nil: remove the file
	mode   fs.FileMode
	was    bool // that it is there
	before []byte
}

func openEdits(top string) (*edits, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	return &edits{top: top, root: root, planned: map[string]edit{}}, nil
}

func (e *edits) close() { _ = e.root.Close() }

// read is a file as it is planned, or as it is. A link is not followed: what
// it leads to may be somebody else's.
func (e *edits) read(name string) (data []byte, there bool, err error) {
	if p, ok := e.planned[name]; ok {
		return p.data, p.data != nil, nil
	}
	var above []string
	for at := name; at != "."; at = path.Dir(at) {
		above = append(above, at)
	}
	for _, at := range slices.Backward(above) {
		st, err := e.root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, false, nil
		case err != nil:
			return nil, false, err
		case st.Mode()&fs.ModeSymlink != 0 || at == name && !st.Mode().IsRegular() || at != name && !st.IsDir():
			return nil, false, stopf("replace it by a plain file", "%s is not a plain file or directory", at)
		case at == name && st.Size() > skillslock.MaxFile:
			return nil, false, stopf("look at what the file is", "%s has %d bytes, more than is read", name, st.Size())
		}
	}
	f, err := e.root.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, skillslock.MaxFile))
	if data == nil {
		data = []byte{}
	}
	return data, true, err
}

// put plans a file; one that is as it must be is no change.
func (e *edits) put(name string, data []byte, mode fs.FileMode) {
	old, there, err := e.read(name)
	if err == nil && there && bytes.Equal(old, data) && mode&0o111 == 0 {
		return
	}
	was, before := there, old
	if p, ok := e.planned[name]; ok {
		was, before = p.was, p.before
	}
	e.planned[name] = edit{data: data, mode: mode, was: was, before: before}
}

func (e *edits) remove(name string) { e.planned[name] = edit{was: true} }

func (e *edits) lock() (*skillslock.Lock, error) {
	data, there, err := e.read(lockName)
	if err != nil {
		return nil, err
	}
	if e.hadLock = there; !there {
		return skillslock.New(), nil
	}
	return skillslock.Parse(data)
}

func (e *edits) names() []string {
	var names []string
	for name := range e.planned {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// tell says what is done, one file a line.
func (e *edits) tell(w io.Writer, dryRun bool) {
	would := ""
	if dryRun {
		would = "would "
	}
	for _, name := range e.names() {
		switch p := e.planned[name]; {
		case p.data == nil:
			fmt.Fprintf(w, "%sremove %s\n", would, name)
		case p.was:
			fmt.Fprintf(w, "%schange %s\n", would, name)
		default:
			fmt.Fprintf(w, "%smake %s\n", would, name)
		}
	}
	if len(e.planned) == 0 {
		fmt.Fprintln(w, "nothing to do")
	}
}

// apply writes what is planned. The lock comes last, so that what was begun
// and not ended can be done again.
func (e *edits) apply() error {
	names := e.names()
	if i := slices.Index(names, lockName); i >= 0 {
		names = append(slices.Delete(names, i, i+1), lockName)
	}
	for _, name := range names {
		p := e.planned[name]
		if p.data != nil {
			if st, err := e.root.Stat(name); err == nil && p.mode&0o111 == 0 {
				p.mode = st.Mode().Perm() // a file that is changed keeps its mode
			}
			if err := replace(e.root, name, p.data, p.mode); err != nil {
				return err
			}
			continue
		}
		if err := e.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for dir := path.Dir(name); dir != "." && e.root.Remove(dir) == nil; {
			dir = path.Dir(dir) // git has no empty directories
		}
	}
	return nil
}

//go:embed skills.yml
var workflowTemplate string

// workflow is the workflow of a repository that has none, with the commit of
// the release.
func workflow(commit string) []byte {
	return []byte(strings.ReplaceAll(workflowTemplate, "FULL_COMMIT_HASH", commit))
}
