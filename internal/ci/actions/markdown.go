package actions

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// Code is foreign text as a code span of Markdown, which may stand in a
// table's cell; empty text stays empty. The span's fence is longer than any in
// the text. limit is the most that is shown, in bytes.
func Code(s string, limit int) string {
	s = strings.TrimSpace(plaintext.Line(s, limit))
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + strings.NewReplacer(`\|`, "¦", "|", `\|`).Replace(s) + fence // \\| would end the cell
}
