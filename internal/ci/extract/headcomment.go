package extract

import (
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// headOf is the first sentence of the comment a file begins with, if it is
// not that of a definition of one of the kinds right below it.
func headOf(root grammar.Node, owners ...string) string {
	end := 0
	for n := range root.Children() {
		if n.Is("comment", "block_comment", "line_comment", "multiline_comment") {
			if end != 0 && n.Line() > end+1 {
				break
			}
			end = n.EndLine()
			continue
		}
		if n.Line() == end+1 && slices.Contains(owners, n.Kind()) {
			return ""
		}
		break
	}
	return headComment(root)
}
