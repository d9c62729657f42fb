package session

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// A Where is where a session runs.
type Where struct {
	Place gitstore.Place // its repository; zero when it is in none
	Env   []string       // as os.Environ gives it

	Patience time.Duration // with one git process; 0 means that of the hook
}

// At is the session in the repository around dir, for somebody who waits
// longer than a session's start may.
func At(dir string, env []string) Where {
	place, _ := locate(dir)
	return Where{place, env, 10 * time.Second}
}

// here finds the repository of the session: that of in, if it is not "", else
// the one that has this program among its skills, else the one that the
// client names, else the one of the working directory, which is not always
// where the session runs.
func here(p command.Process, in string) Where {
	if in != "" {
		place, _ := locate(in)
		return Where{Place: place, Env: p.Env}
	}
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, vendoredIn(exe, clientDir(p.Env)))
	}
	for _, dir := range append(dirs, p.Getenv("CLAUDE_PROJECT_DIR"), p.Dir) {
		if place, ok := locate(dir); ok {
			return Where{Place: place, Env: p.Env}
		}
	}
	return Where{Env: p.Env}
}

func locate(dir string) (gitstore.Place, bool) {
	if dir == "" {
		return gitstore.Place{}, false
	}
	return gitstore.Locate(dir)
}

// vendoredIn is the directory whose .claude/skills holds the program exe, or
// "". Skills in the person's own directory belong to no repository.
func vendoredIn(exe, client string) string {
	dir, _, ok := strings.Cut(filepath.ToSlash(exe), "/.claude/skills/")
	if !ok || client != "" && filepath.Clean(filepath.FromSlash(dir+"/.claude")) == filepath.Clean(client) {
		return ""
	}
	return filepath.FromSlash(dir)
}

// clientDir is where the client keeps its files for this person; "" when the
// environment does not say for certain.
func clientDir(env []string) string {
	if dir := getenv(env, "CLAUDE_CONFIG_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			return ""
		}
		return dir
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := getenv(env, name); filepath.IsAbs(home) {
			return filepath.Join(home, ".claude")
		}
	}
	return ""
}
