package capture

import (
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence/transcript"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// loaders are the tools whose argument is a skill's name.
var loaders = map[string]bool{"skill": true, "activate_skill": true, "skill_view": true, "use_skill": true, "load_skill": true}

// uses reports whether a call loads a skill, reads its SKILL.md, or runs one
// of its scripts. A call that only names it does not.
func uses(c transcript.Call, k *skill.Skill) bool {
	if loaders[strings.ToLower(c.Tool)] {
		for _, a := range c.Args {
			name := strings.TrimPrefix(strings.TrimSpace(a.Text), "/")
			if strings.EqualFold(name, k.Name) || strings.HasSuffix(strings.ToLower(name), ":"+strings.ToLower(k.Name)) {
				return true
			}
		}
	}
	inside, touches := false, false
	base := filepath.Base(k.Dir)
	for _, a := range c.Args {
		text := strings.ReplaceAll(a.Text, `\`, "/")
		for _, part := range []string{skill.FileName, "scripts/"} {
			if holdsPath(text, base+"/"+part) {
				return true
			}
			touches = touches || holdsPath(text, part)
		}
		switch a.Name {
		case "workdir", "cwd", "directory", "dir", "dir_path":
			inside = inside || filepath.Base(strings.TrimRight(text, "/")) == base
		}
	}
	return inside && touches
}

// holdsPath reports whether a text has the end of a path, with a directory or
// nothing before it.
func holdsPath(text, end string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], end)
		if i < 0 {
			return false
		}
		i += at
		if i == 0 || strings.IndexByte("/ \t\n\"'`=(:;", text[i-1]) >= 0 {
			return true
		}
		at = i + 1
	}
}
