package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/daemon"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/pool"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// leave deletes what can be made again and, for a purge, all else, and says
// where the rest is.
func leave(p command.Process, c *config.Config, purge bool) error {
	gone := []string{c.CacheDir()}
	if purge {
		if err := purgeSkills(p, c); err != nil {
			return err
		}
		entries, err := os.ReadDir(c.DataDir())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			gone = append(gone, filepath.Join(c.DataDir(), e.Name()))
		}
	}
	shelf, err := pool.Open(c)
	if err != nil {
		return err
	}
	for _, path := range gone {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) || path == shelf.Dir {
			continue // in the pool is what could not be moved back
		}
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("%s was not deleted: %w", path, err)
		}
		fmt.Fprintf(p.Stdout, "deleted %s\n", line(path))
	}
	os.Remove(c.DataDir()) // if it is empty
	if dir, err := daemon.Place(c); err == nil {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintf(p.Stderr, "mega-tron: %v\n", err)
		}
	}
	for _, left := range remains(c) {
		fmt.Fprintf(p.Stdout, "kept %s\n", line(left))
	}
	return nil
}

// wouldLeave says what [leave] would delete, and of a purge that it would go
// through all skills.
func wouldLeave(p command.Process, c *config.Config, purge bool) error {
	gone := []string{c.CacheDir()}
	if purge {
		gone = append(gone, c.DataDir())
		fmt.Fprintln(p.Stdout, "would move the skills of the pool back, and take the evidence out of skill files")
	}
	for _, path := range gone {
		if _, err := os.Lstat(path); err == nil {
			fmt.Fprintf(p.Stdout, "would delete %s\n", line(path))
		}
	}
	return nil
}

// remains are the files and directories of ours that stay.
func remains(c *config.Config) (paths []string) {
	entries, err := os.ReadDir(c.DataDir())
	if err == nil {
		for _, e := range entries {
			paths = append(paths, filepath.Join(c.DataDir(), e.Name()))
		}
	}
	if _, err := os.Stat(c.File); err == nil {
		paths = append(paths, c.File)
	}
	sort.Strings(paths)
	return paths
}

// purgeSkills moves the skills of the pool back to where they came from, and
// takes evidence out of skill files.
func purgeSkills(p command.Process, c *config.Config) error {
	shelf, err := pool.Open(c)
	if err != nil {
		return err
	}
	for _, name := range shelf.Names() {
		rows, err := shelf.Unpromote(name)
		if err != nil {
			return err
		}
		if err := tellPool(p, rows, false); err != nil && !errors.Is(err, command.ErrSilent) {
			return err
		}
	}
	roots := c.Places("").Roots()
	for _, s := range skill.Discover(roots, skill.Files{}).Skills {
		file := filepath.Join(s.Dir, skill.FileName)
		switch had, err := evidence.Purge(file, roots); {
		case err != nil:
			fmt.Fprintf(p.Stderr, "mega-tron: evidence stays in %s: %v\n", line(file), err)
		case had:
			fmt.Fprintf(p.Stdout, "took the evidence out of %s\n", line(file))
		}
	}
	return nil
}
