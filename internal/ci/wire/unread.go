package wire

import (
	"fmt"
	"path"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// unread says why a file is not read that would be for its name, "" for any
// other: what is left out without a word would pass for what is not there.
func (x *extraction) unread(repo int, f File) string {
	switch {
	case readerOf(f.Path) == nil:
		return ""
	case !index.ValidPath(path.Join(x.repos[repo].Path, f.Path)):
		return "its name has characters that no name shows, and it is not read"
	case f.Size > maxSize:
		return fmt.Sprintf("it has %d bytes, and at most %d are read", f.Size, maxSize)
	}
	return ""
}

// placeOf is where a file stands that is not read: itself, or the deepest of
// its folders whose name can be told.
func (x *extraction) placeOf(repo int, name string) wiring.Place {
	at := path.Join(x.repos[repo].Path, name)
	for !index.ValidPath(at) && path.Dir(at) != "." {
		at = path.Dir(at)
	}
	if !index.ValidPath(at) {
		at = clip(at, wiring.MaxName)
	}
	return wiring.Place{Repo: x.repos[repo].Name, File: at}
}

// links lists the workflows and actions that are symbolic links, which are not
// followed. The umbrella's own words about its wiring must be there for
// certain, so that a link in their place is a mistake.
func (x *extraction) links(repo int) error {
	for _, name := range x.repos[repo].Links {
		switch {
		case repo == 0 && isSettings(name):
			return &SettingsError{name, 1, "it is a symbolic link, which is not followed", "put the file itself in its place"}
		case isWorkflow(name), isAction(name):
			x.add(fact{role: unresolved, kind: "file", name: clip(name, wiring.MaxName), more: "it is a symbolic link, which is not followed", place: x.placeOf(repo, name)})
		}
	}
	return nil
}
