package publish

import (
	"fmt"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// otherWorkspace says why the published bundle is of another workspace than
// this one, or "". Only the clear cases count: two addresses that differ,
// and, where an address is missing, one bundle of many repositories and the
// other of one, as when a build ran in a submodule by mistake.
func otherWorkspace(mine, theirs bundle.Build) string {
	switch {
	case mine.URL != "" && theirs.URL != "":
		if source.SameURL(mine.URL, theirs.URL) {
			return ""
		}
		return fmt.Sprintf("the published bundle is of %s, this one of %s", theirs.URL, mine.URL)
	case mine.Head == theirs.Head:
		return ""
	case len(mine.Submodules) == 0 && len(theirs.Submodules) > 1:
		return fmt.Sprintf("the published bundle has %d submodules, this one has none", len(theirs.Submodules))
	}
	return ""
}
