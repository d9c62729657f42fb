package cli

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// whyLines shows what the score of each file is made of. They are for a
// person who asked for them and stand outside the budget.
func whyLines(a *answer.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "question taken as: %s\n", a.Shape)
	for _, f := range a.Files {
		fmt.Fprintf(&b, "%8.2f  %s\n", f.Score, plaintext.Line(f.Path, 400))
		for _, w := range f.Why {
			fmt.Fprintf(&b, "          %8.2f  %s\n", w.Value, w.Signal)
		}
	}
	return b.String()
}
