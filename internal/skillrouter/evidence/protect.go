package evidence

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// protected says why a SKILL.md is not written, or "". The store holds the
// evidence of such a skill, and ranking reads it there.
func protected(file string, roots []skill.Root) string {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return "it is gone"
	}
	if inWorkTree(filepath.Dir(real)) {
		return "it is in a git work tree"
	}
	for _, path := range []string{filepath.Clean(file), real} {
		slash := filepath.ToSlash(path)
		switch {
		case strings.Contains(slash, "/.system/"):
			return "it is replaced by its host"
		case strings.Contains(slash, "/plugins/cache/") || strings.Contains(slash, "/plugins/marketplaces/") || strings.Contains(slash, "/.gemini/extensions/"):
			return "it is part of a plugin, whose files are tracked"
		}
		if tracked(path) {
			return "it is tracked by hash"
		}
	}
	for _, r := range roots {
		if r.Scope != skill.Plugin && r.Scope != skill.Admin && r.Scope != skill.System {
			continue
		}
		if root, err := filepath.EvalSymlinks(r.Dir); err == nil && strings.HasPrefix(real, root+string(filepath.Separator)) {
			return "it belongs to " + string(r.Scope) + " skills"
		}
	}
	return ""
}

// inWorkTree reports whether a directory or a parent of it has a .git.
func inWorkTree(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// manifests are files in a directory of skills that hold hashes of some of
// them, by name: Hermes does not update a skill that is not as it was written.
var manifests = []string{".bundled_manifest", filepath.Join(".hub", "lock.json"), ".skills-lock.json"}

// levels is how far above a skill such a file may be.
const levels = 4

// maxManifest bounds what is read of one, in bytes. A skill beside a larger
// one counts as tracked.
const maxManifest = 4 << 20

func tracked(file string) bool {
	dir := filepath.Dir(file)
	name := filepath.Base(dir)
	for range levels {
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
		for _, m := range manifests {
			path := filepath.Join(dir, m)
			st, err := os.Stat(path)
			if errors.Is(err, os.ErrNotExist) || err == nil && !st.Mode().IsRegular() {
				continue
			}
			if err != nil || st.Size() > maxManifest {
				return true
			}
			data, err := os.ReadFile(path)
			if err != nil || names(data, name) {
				return true
			}
		}
	}
	return false
}

// names reports whether a text has a name as a word.
func names(text []byte, name string) bool {
	part := func(c byte) bool {
		return c == '-' || c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(name))
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		if (i == 0 || !part(text[i-1])) && (end == len(text) || !part(text[end])) {
			return true
		}
		at = i + 1
	}
}
