package actions

import (
	"os"
	"strings"
)

// maxSummary is how large a step's summary may be, in bytes; a runner drops
// a larger one as a whole.
const maxSummary = 1 << 20

// cutShort ends a summary that had to be cut.
const cutShort = "\n\n_The summary is cut here: a step may write 1 MiB. The log has the rest._\n"

// Summary adds Markdown to the summary of the step. What does not fit any
// more is cut at the end of a line, and says so.
func (s *Step) Summary(markdown string) error {
	if s == nil || markdown == "" {
		return nil
	}
	room := maxSummary
	if st, err := os.Stat(s.getenv("GITHUB_STEP_SUMMARY")); err == nil {
		room = max(0, maxSummary-int(min(st.Size(), maxSummary)))
	}
	if len(markdown) > room {
		end := strings.LastIndexByte(markdown[:max(0, room-len(cutShort))], '\n')
		if end < 0 {
			return nil // there is no room even to say it
		}
		markdown = markdown[:end+1] + cutShort
	}
	return s.appendTo("GITHUB_STEP_SUMMARY", markdown)
}
