package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// maxNamed is how many submodules the line names.
const maxNamed = 3

// submoduleLine names the submodules that git submodule status would mark
// with "-", without running it: it takes seconds on a large workspace, and
// fails on one stray gitlink. "" when all are checked out.
func (s *check) submoduleLine(f *found) string {
	var absent []string
	for _, path := range s.place.Modules() {
		if !checkedOut(filepath.Join(s.place.Top, filepath.FromSlash(path))) {
			absent = append(absent, path)
		}
	}
	if len(absent) == 0 || !s.isUmbrella(f) {
		return ""
	}
	// What .gitmodules lists and the index does not have is no submodule.
	git := gitstore.Git{Dir: s.place.Top, Env: s.env}
	links, err := git.Gitlinks(s.limit(), s.place, absent)
	if err != nil {
		return ""
	}
	var names []string
	count := 0
	for _, path := range absent {
		if _, ok := links[path]; !ok {
			continue
		}
		if count++; count <= maxNamed {
			names = append(names, plaintext.Line(path, 40))
		}
	}
	what := "submodule "
	switch {
	case count == 0:
		return ""
	case count > maxNamed:
		what = "submodules "
		names = append(names, fmt.Sprintf("%d more", count-maxNamed))
	case count > 1:
		what = "submodules "
	}
	return "▸ " + what + strings.Join(names, ", ") + " not checked out: route answers from the bundle; git submodule update --init for local reads"
}

// checkedOut reports whether a submodule's directory has a git directory of
// its own, beside it or elsewhere.
func checkedOut(top string) bool {
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		return false
	}
	return gitstore.IsRoot(top)
}
