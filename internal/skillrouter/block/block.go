// Package block writes the text that tells an agent which skills help with its
// prompt. All of a skill's own words are foreign text: they are brought to one
// line, cut, and never stand where the block itself speaks.
package block

import (
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Target is the host that a block is for.
type Target string

// The targets, as a command line names them.
const (
	Codex  Target = "codex"
	Claude Target = "claude"
	Gemini Target = "gemini"
	Hermes Target = "hermes"
)

// Bounds on what one skill says in a block, in bytes.
const (
	maxName        = 100
	maxDescription = 240
	maxPath        = 400
)

// Heading begins every block: stable text first, so that prompt caches hold.
const Heading = "## Skills (selected for this turn by mega-tron)\n"

// Render is the block for the skills, best first; the first lead of them are
// named in the lead line. Without skills it is "".
func Render(t Target, skills []*skill.Skill, lead int) string {
	if len(skills) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(Heading)
	var names []string
	for _, s := range skills[:max(1, min(lead, len(skills)))] {
		names = append(names, mention(t, plaintext.Line(s.Name, maxName)))
	}
	b.WriteString(leads[t][0] + strings.Join(names, ", ") + leads[t][1] + "\n")
	for _, s := range skills {
		b.WriteString("- " + plaintext.Line(s.Name, maxName) + "\n")
		b.WriteString("  path: " + plaintext.Line(filepath.Join(s.Dir, skill.FileName), maxPath) + "\n")
		b.WriteString("  desc: " + plaintext.Line(s.Description, maxDescription) + "\n")
	}
	return b.String()
}

// leads are what stands before and behind the names, by target. Codex is told
// of candidates, without its $, which would force their use; Gemini is told
// that context is no order, so the line informs.
var leads = map[Target][2]string{
	Codex:  {"Candidates for this task: ", "."},
	Claude: {"Strongly prefer one of these where it fits: ", "."},
	Gemini: {"Skills that fit, to be loaded with activate_skill: ", "."},
	Hermes: {"Skills that fit this message: ", "."},
	"":     {"Skills that fit: ", "."},
}

func mention(t Target, name string) string {
	if t == Claude {
		return "/" + name
	}
	return name
}
