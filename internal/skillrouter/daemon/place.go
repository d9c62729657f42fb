package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
)

// Names of the files in the private directory.
const (
	socketName = "daemon.sock"
	lockName   = "daemon.lock"
	secretName = "daemon.json"
)

// ErrUnsafe is a directory that somebody else could write to.
var ErrUnsafe = errors.New("it is not this person's alone")

// Place returns the directory of the socket: mega-tron under XDG_RUNTIME_DIR,
// else a directory of the person's under the one for temporary files. It is
// made where it is missing, and refused where it is not private.
func Place(c *config.Config) (string, error) {
	dir := ""
	if base := c.Env("XDG_RUNTIME_DIR"); filepath.IsAbs(base) {
		dir = filepath.Join(base, config.Name)
	} else {
		temp := c.Env("TMPDIR")
		if !filepath.IsAbs(temp) {
			temp = os.TempDir()
		}
		dir = filepath.Join(temp, fmt.Sprintf("%s-%s", config.Name, userID()))
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if !st.IsDir() || !private(st) {
		return "", fmt.Errorf("%s: %w", dir, ErrUnsafe)
	}
	return dir, nil
}
