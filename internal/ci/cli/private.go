package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// settingsName is the committed file of what is particular to an
// organisation.
const settingsName = ".claude/routing.json"

// A privateError is a build that would show submodules to people who may not
// read them.
type privateError struct{ paths []string }

func (e *privateError) Error() string {
	return fmt.Sprintf("%s calls %s private; whoever can read the umbrella would read the bundle", settingsName, strings.Join(e.paths, ", "))
}

func (e *privateError) Hint() string {
	return "add --include-private if everyone who reads the umbrella may read them"
}

// privateSubmodules returns the paths of the submodules of w that the
// umbrella's settings call private, and refuses them unless they are meant.
func privateSubmodules(ctx context.Context, w *workspace.Workspace, include bool) ([]string, error) {
	data, err := w.Repos[0].ReadFile(ctx, settingsName, 64<<10)
	if err != nil || data == nil {
		return nil, err // no settings, nothing called private
	}
	var s struct {
		Private []string `json:"private"`
	}
	if err := strictjson.Decode(data, &s); err != nil {
		return nil, &bundle.Refused{File: settingsName, Reason: err.Error(), Next: "mend the file"}
	}
	var private []string
	for _, r := range w.Repos[1:] {
		if slices.Contains(s.Private, r.Path) {
			private = append(private, r.Path)
		}
	}
	if len(private) > 0 && !include {
		return nil, &privateError{private}
	}
	return private, nil
}
