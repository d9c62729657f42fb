package skillsvendor

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// skillsDir is where a repository has its skills, below its root.
const skillsDir = ".claude/skills"

// A shelf is a lock and the directory with its skills.
type shelf struct {
	file  string // of the lock, absolute
	root  *os.Root
	lock  *skillslock.Lock
	found bool // that the lock is there
	held  []byte
}

func lockFlag(fs *flag.FlagSet) *string {
	return fs.String("lock", "", "the lock `FILE`; default: .claude/skills/skills.lock at the repository's root")
}

// openShelf opens the lock that the flag names, or the repository's. Where
// there is none, found is false; its directory may then be absent, too.
func openShelf(p command.Process, file string) (*shelf, error) {
	if file != "" {
		file = p.Abs(file)
	} else {
		place, ok := gitstore.Locate(p.Dir)
		if !ok || place.Top == "" {
			return nil, stopf("run it in a clone, or name the lock with --lock FILE", "this directory is not in a checkout of a git repository")
		}
		file = filepath.Join(place.Top, filepath.FromSlash(skillsDir), skillslock.Name)
	}
	s := &shelf{file: file, lock: skillslock.New()}
	root, err := os.OpenRoot(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the directory of the lock cannot be read: %w", err)
	}
	s.root = root
	f, err := root.Open(filepath.Base(file))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the lock cannot be read: %w", err)
	}
	defer f.Close()
	if s.held, err = io.ReadAll(io.LimitReader(f, skillslock.MaxSize+1)); err != nil {
		return nil, fmt.Errorf("the lock cannot be read: %w", err)
	}
	s.found = true
	s.lock, err = skillslock.Parse(s.held)
	return s, err
}

func (s *shelf) close() {
	if s != nil && s.root != nil {
		_ = s.root.Close()
	}
}

// wantLock refuses a shelf without a lock.
func (s *shelf) wantLock() error {
	if s.found {
		return nil
	}
	return stopf("skills-vendor init NAME --upstream OWNER/REPO --path DIR makes one", "there is no lock at %s", plaintext.Line(s.file, 300))
}

// hasBits reports whether files here have an executable bit, and foldsLines
// whether checkouts may have other line ends.
func hasBits() bool    { return runtime.GOOS != "windows" }
func foldsLines() bool { return runtime.GOOS == "windows" }

// scan reads a skill's directory.
func (s *shelf) scan(name string, row skillslock.Row) (map[string]skillslock.File, error) {
	if s.root == nil {
		return map[string]skillslock.File{}, nil
	}
	return skillslock.Scan(s.root, name, row.Files, foldsLines())
}

// save writes the lock if it says something else.
func (s *shelf) save() error {
	data := s.lock.Bytes()
	if s.found && string(data) == string(s.held) {
		return nil
	}
	if s.root == nil {
		return fmt.Errorf("there is no directory for %s", s.file)
	}
	if err := replace(s.root, filepath.Base(s.file), data, 0o644); err != nil {
		return err
	}
	s.found, s.held = true, data
	return nil
}

// replace writes a file beside and moves it into its place, so that nobody
// reads half of it.
func replace(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	tmp := name + ".skills-vendor"
	if err := root.WriteFile(tmp, data, mode); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	err := root.Chmod(tmp, mode)
	if err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		_ = root.Remove(tmp)
	}
	return err
}
