package report

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Answers is how the bundle answers its bench, question by question where
// something changed. The verdict is nil when there was nothing to compare
// with; because says what was compared, or why nothing was.
func Answers(b *bundle.Bench, v *bench.Verdict, because string) string {
	var out strings.Builder
	out.WriteString("### Answers\n\n")
	if b == nil {
		return out.String() + "No question was asked.\n\n"
	}
	fmt.Fprintf(&out, "**%d of %d** questions right first, %d in the first three, %d in five.", b.First, b.Questions, b.InThree, b.InFive)
	if because != "" {
		fmt.Fprintf(&out, " %s", code(because))
	}
	out.WriteString("\n\n")
	if v == nil {
		types := newTable("type", "questions", "right first")
		for _, t := range b.Types {
			types.row(code(t.Type), fmt.Sprint(t.Questions), fmt.Sprint(t.First))
		}
		return out.String() + types.String()
	}
	same := 0
	changed := newTable("", "question", "type", "before", "now", "first is now")
	for _, r := range v.Rows {
		if r.State == bench.Same {
			same++
			continue
		}
		state := string(r.State)
		if r.Blocks {
			state = "**" + state + "**"
		}
		changed.row(state, code(r.ID), code(r.Type), bench.RankText(r.Before), bench.RankText(r.After), code(r.Found))
	}
	out.WriteString(changed.String())
	fmt.Fprintf(&out, "%d unchanged.", same)
	if !v.Passed() {
		fmt.Fprintf(&out, " **The bundle is held back.** Answers that were lost: %d.", len(v.Lost))
	}
	out.WriteString("\n\n")
	return out.String()
}
