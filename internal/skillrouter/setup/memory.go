package setup

import "github.com/marola-dev/marola-routing/internal/skillrouter/block"

// guidance is what a host's memory file says, on every turn: that the skills
// which a hook names are worth a look, how to look for others, and how to say
// whether one helped.
func guidance(t block.Target) string {
	use := map[block.Target]string{
		block.Codex:  "read the SKILL.md that it gives the path of before you begin",
		block.Claude: "prefer it to working without, as /name or by its Skill",
		block.Gemini: "load it with activate_skill",
		block.Hermes: "read its SKILL.md before you begin",
	}[t]
	return `## Skills (mega-tron)

Where a block "Skills (selected for this turn by mega-tron)" names a skill that fits the
task, ` + use + `. For a task that no
block speaks of: ` + "`mega-tron search \"<task>\"`" + `.

At the end of a reply in which you relied on a skill, add one line for each, with what
you saw (a file, a test, an output), in English, 8 words or more:
` + "`<skill-used name=\"…\" verdict=\"HELPFUL|HARMFUL|NEUTRAL\" reason=\"…\"/>`" + `
Say nothing of skills that you did not use.
`
}
