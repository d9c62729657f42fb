package evidence

import (
	"os"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Purge takes mega_meta out of a SKILL.md and changes no other byte. It
// reports whether there was any. Files that evidence is never written into are
// left alone.
func Purge(file string, roots []skill.Root) (bool, error) {
	if protected(file, roots) != "" {
		return false, nil
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false, err
	}
	before, err := os.Stat(real)
	if err != nil {
		return false, err
	}
	data, err := skill.ReadFile(real, before)
	if err != nil {
		return false, err
	}
	start, end, err := metaLines(data)
	if err != nil || start == end {
		return false, nil
	}
	return true, swap(real, append(append([]byte{}, data[:start]...), data[end:]...), before)
}
