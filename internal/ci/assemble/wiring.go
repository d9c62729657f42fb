package assemble

import (
	"bytes"
	"fmt"
	"path"
	"regexp"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

var submodulePath = regexp.MustCompile(`^\s*path\s*=\s*"?([^"\n]*?)"?\s*$`)

// submodulePins are the facts that the workspace itself states: which commit
// of which repository the umbrella pins.
func submodulePins(w *workspace.Workspace, c *collected) wiring.Wiring {
	out := wiring.Wiring{Schema: bundle.Schema, Artifacts: []wiring.Artifact{}, Dispatches: []wiring.Dispatch{}, Calls: []wiring.Call{}, Deploys: []wiring.Deploy{}}
	lines := map[string]int{}
	for i, line := range bytes.Split(c.gitmodules, []byte("\n")) {
		if m := submodulePath.FindSubmatch(line); m != nil {
			lines[path.Clean(string(m[1]))] = i + 1
		}
	}
	for _, r := range w.Repos[1:] {
		name := r.Name
		if r.URL != "" {
			name = r.URL
		}
		out.Artifacts = append(out.Artifacts, wiring.Artifact{Name: name, Kind: "repository", Pinned: []wiring.Place{{
			Repo: w.Repos[0].Name, File: ".gitmodules", Line: lines[r.Path], Version: r.Head,
			Note: "submodule " + r.Path, Evidence: fmt.Sprintf("path = %s", r.Path)}}})
	}
	return out
}
