package wire

import (
	"path"
	"regexp"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func isGitmodules(name string) bool { return name == ".gitmodules" }

var submodulePath = regexp.MustCompile(`^\s*path\s*=\s*"?([^"\n]*?)"?\s*$`)

// readGitmodules says which commit of which repository the umbrella pins.
func readGitmodules(x *extraction, f *file) {
	if f.repo != 0 {
		return // what a submodule pins is not part of the workspace
	}
	lines := map[string]int{}
	f.line(1)
	for n := range f.lines {
		if m := submodulePath.FindStringSubmatch(f.line(n + 1)); m != nil {
			lines[path.Clean(m[1])] = n + 1
		}
	}
	for _, r := range x.repos[1:] {
		name := r.Name
		if address, _, ok := pin.RepositoryName(r.URL); ok {
			name = repositoryName(address)
		}
		p := f.pin(lines[r.Path], r.Head)
		p.Note = "submodule " + r.Path
		x.add(fact{role: pinned, kind: wiring.Repository, name: name, place: p})
	}
}
