package cli

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
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

// An unmatchedError is a setting that keeps nothing private: a typing mistake
// there would publish what is to be kept.
type unmatchedError struct{ entries []string }

func (e *unmatchedError) Error() string {
	return fmt.Sprintf("%s calls %s private, but no submodule is there", settingsName, plaintext.Line(fmt.Sprintf("%q", e.entries), 300))
}

func (e *unmatchedError) Hint() string {
	return "mend the file: an entry is a submodule's path or a folder above; or add --include-private to leave nothing out"
}

// privateSubmodules returns the paths of the submodules of w that the
// umbrella's settings call private, by their path or a folder above, and
// refuses them unless they are meant. unmatched are the settings that fit no
// submodule, which is refused likewise. Settings that are there but are no
// plain file cannot be read, and are no permission.
func privateSubmodules(ctx context.Context, w *workspace.Workspace, include bool) (private, unmatched []string, err error) {
	const most = 64 << 10 // bytes
	i := slices.IndexFunc(w.Repos[0].Files, func(f workspace.File) bool { return f.Path == settingsName })
	if i < 0 {
		for at := settingsName; at != "."; at = path.Dir(at) {
			if what := w.Repos[0].NotFile(at); what != "" {
				return nil, nil, &bundle.Refused{File: settingsName, Reason: fmt.Sprintf("%s is %s, so what it calls private cannot be read", at, what), Next: "commit it as a plain file"}
			}
		}
		return nil, nil, nil // nothing is called private
	}
	if size := w.Repos[0].Files[i].Size; size > most {
		return nil, nil, &bundle.Refused{File: settingsName, Reason: fmt.Sprintf("it has %d bytes; at most %d are read", size, most), Next: "shorten the file"}
	}
	data, err := w.Repos[0].ReadFile(ctx, settingsName, most)
	if err != nil {
		return nil, nil, err
	}
	var s struct {
		Private []string `json:"private"`
	}
	if err := strictjson.Decode(data, &s); err != nil {
		return nil, nil, &bundle.Refused{File: settingsName, Reason: err.Error(), Next: "mend the file"}
	}
	fits := make([]bool, len(s.Private))
	for _, r := range w.Repos[1:] {
		for i, p := range s.Private {
			if p = path.Clean(p); p == "." || r.Path == p || strings.HasPrefix(r.Path, p+"/") {
				fits[i] = true
				if !slices.Contains(private, r.Path) {
					private = append(private, r.Path)
				}
			}
		}
	}
	for i, p := range s.Private {
		if !fits[i] {
			unmatched = append(unmatched, p)
		}
	}
	switch {
	case include:
	case len(private) > 0:
		return nil, nil, &privateError{private}
	case len(unmatched) > 0:
		return nil, nil, &unmatchedError{unmatched}
	}
	return private, unmatched, nil
}
