package skillsvendor

import (
	"bytes"
	"strings"
)

// agentsName is the file for agents that load no skills.
const agentsName = "AGENTS.md"

// agentsBlock is the line for them, between markers by which it is found
// again.
const agentsBlock = "<!-- routing: put here by skills-vendor install -->\n" +
	"Where is something? `sh .claude/skills/routing/scripts/route query \"identifiers\"`; who makes, pins, reads or triggers it? `… route wiring NAME`.\n" +
	"<!-- /routing -->\n"

// withLine is the text with the block at its end, if it is not there.
func withLine(text []byte) []byte {
	block := lineEnds(text)
	if bytes.Contains(text, []byte(hookDir)) {
		return text // told already, in whatever words
	}
	nl := "\n"
	if strings.Contains(block, "\r\n") {
		nl = "\r\n"
	}
	// Just one, whatever the text ends with, so that it can be taken out again.
	return append(append([]byte{}, text...), nl+block...)
}

// hookDir is how a text that tells of the skill is known.
const hookDir = ".claude/skills/routing/scripts/route"

func lineEnds(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return strings.ReplaceAll(agentsBlock, "\n", "\r\n")
	}
	return agentsBlock
}

// withoutLine is the text as it was before [withLine]. ok is false when the
// block was changed.
func withoutLine(text []byte) (before []byte, ok bool) {
	block := lineEnds(text)
	at := bytes.Index(text, []byte(block))
	if at < 0 {
		return text, !bytes.Contains(text, []byte("<!-- routing: put here by skills-vendor"))
	}
	rest := text[at+len(block):]
	for i := 0; i <= 4 && i <= at; i++ { // the blank line that it came with
		c := append(append([]byte{}, text[:at-i]...), rest...)
		if bytes.Equal(withLine(c), text) {
			return c, true
		}
	}
	return append(append([]byte{}, text[:at]...), rest...), true
}
