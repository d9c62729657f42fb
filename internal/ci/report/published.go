package report

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/publish"
)

// Published is how a publish ended.
func Published(r publish.Result) string {
	var out strings.Builder
	switch {
	case r.DryRun:
		out.WriteString("A dry run: the branch was not moved.\n\n")
	case r.Changed:
		out.WriteString("The branch was moved.\n\n")
	default:
		out.WriteString("The branch stays where it is.\n\n")
	}
	t := newTable("", "")
	t.row("branch", code(r.Branch))
	t.row("repository", code(r.Remote))
	t.row("commit", code(r.Commit))
	if r.Previous != "" && r.Previous != r.Commit {
		t.row("before", code(r.Previous))
	}
	if r.Large != nil {
		t.row("large files", code(r.Large.Ref)+" at "+code(r.Large.Commit))
	}
	if r.Tries > 1 {
		t.row("tries", fmt.Sprint(r.Tries))
	}
	out.WriteString(t.String())
	if r.Notice != "" {
		out.WriteString(code(r.Notice) + "\n\n")
	}
	return out.String()
}
