package skillsvendor

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
)

// Where the routing skill is now, and where it was.
const (
	ownUpstream = "marola-dev/marola-routing"
	ownPath     = "skills/routing"
	oldUpstream = "marola-dev/marola-devkit"
)

// moved is a row of the routing skill that names its former upstream.
func moved(row skillslock.Row) bool {
	return row.Upstream == oldUpstream && (row.Path == ownPath || strings.HasSuffix(row.Path, "/"+ownPath))
}

// migration says that an update will move a row, or is "".
func migration(name string, row skillslock.Row) string {
	if !moved(row) {
		return ""
	}
	return fmt.Sprintf("%s: %s of %s is now %s of %s; skills-vendor update %s moves the row", name, row.Path, row.Upstream, ownPath, ownUpstream, name)
}

// migrate is the row as it is at the present upstream. Nothing of the old
// commit holds there, so the pin is open.
func migrate(row skillslock.Row) skillslock.Row {
	row.Upstream, row.Path, row.Commit, row.Follow = ownUpstream, ownPath, "", "releases"
	row.Paths = nil
	return row
}
