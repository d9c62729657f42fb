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
)

// leave deletes what can be made again and, for a purge, all else, and says
// where the rest is.
func leave(p command.Process, c *config.Config, purge bool) error {
	dirs := []string{c.CacheDir()}
	if purge {
		dirs = append(dirs, c.DataDir())
	}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("%s was not deleted: %w", dir, err)
		}
		fmt.Fprintf(p.Stdout, "deleted %s\n", line(dir))
	}
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
