package block

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Bounds on the texts of skills in a block, in bytes.
const (
	maxBody  = 6_000 // of one
	minBody  = 160   // less is not worth its place
	maxLine  = 400   // of a line
	bodyMark = "  | "
)

// inline adds the texts that the agent cannot load itself, best skill first,
// as far as the block may grow.
func (b Block) inline(w *strings.Builder) {
	if b.Body == nil {
		return
	}
	for _, s := range b.Skills {
		head := "Text of " + foreign(s.Name, maxName) + ", which cannot be loaded by name here:\n"
		left := min(b.Bytes-w.Len()-len(head), maxBody)
		if left < minBody {
			return
		}
		if text := quote(b.Body(s), left); text != "" {
			w.WriteString(head + text)
		}
	}
}

// cut says that a text goes on.
const cut = bodyMark + "… (the SKILL.md goes on)\n"

// quote marks each line of a foreign text, so that none can pass for the
// block's own. It ends at a line's end.
func quote(text string, limit int) string {
	var w strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" {
			continue
		}
		line = bodyMark + strings.NewReplacer("<", "‹", ">", "›").Replace(plaintext.Line(line, maxLine)) + "\n"
		if w.Len()+len(line)+len(cut) > limit {
			if w.Len() == 0 {
				return ""
			}
			return w.String() + cut
		}
		w.WriteString(line)
	}
	return w.String()
}

// BodyOf reads the text of a skill behind its frontmatter, "" when it cannot
// be read.
func BodyOf(s *skill.Skill) string {
	if s.Body != "" {
		return s.Body
	}
	return skill.BodyIn(s.Dir)
}
