package wire

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
)

// homes are the packages that the workspace holds, and the name spaces that
// are its own because it holds one of their packages or is of their owner.
type homes struct {
	x      *extraction
	at     map[pkg]string          // package → the file that declares it
	used   map[pkg]map[string]bool // package → files that use it
	spaces map[pkg]bool            // name space, of one kind
}

// A pkg is a package's name, or the name space of some.
type pkg struct {
	kind pin.Kind
	name string
}

func newHomes(x *extraction) *homes {
	h := &homes{x: x, at: map[pkg]string{}, used: map[pkg]map[string]bool{}, spaces: map[pkg]bool{}}
	for _, p := range x.pins {
		if ecosystems[p.Kind] == "" {
			continue
		}
		id := pkg{p.Kind, p.Name}
		if p.Role == pin.Declares {
			h.at[id] = p.file.at
			if space := spaceOf(p.Kind, p.Name); space != "" {
				h.spaces[pkg{p.Kind, space}] = true
			}
			continue
		}
		if h.used[id] == nil {
			h.used[id] = map[string]bool{}
		}
		h.used[id][p.file.at] = true
	}
	return h
}

// spaceOf is the part of a package's name that says whose it is, "" for a
// registry whose names say nothing.
func spaceOf(kind pin.Kind, name string) string {
	switch kind {
	case pin.NPM:
		if scope, _, ok := strings.Cut(name, "/"); ok && strings.HasPrefix(scope, "@") {
			return scope
		}
	case pin.Maven:
		group, _, _ := strings.Cut(name, ":")
		return group
	case pin.Composer:
		vendor, _, _ := strings.Cut(name, "/")
		return vendor
	case pin.GoModule:
		parts := strings.SplitN(name, "/", 3)
		if len(parts) >= 2 && strings.Contains(parts[0], ".") {
			return parts[0] + "/" + parts[1]
		}
	}
	return ""
}

// concerns reports whether a fact about a package has to do with the
// workspace: a declaration that another file uses, or a use of what is its
// own.
func (h *homes) concerns(p pinFact) bool {
	id := pkg{p.Kind, p.Name}
	if p.Role == pin.Declares {
		users := h.used[id]
		return len(users) > 1 || len(users) == 1 && !users[p.file.at]
	}
	if h.at[id] != "" {
		return true
	}
	space := spaceOf(p.Kind, p.Name)
	if space == "" {
		return false
	}
	switch p.Kind {
	case pin.NPM:
		return h.spaces[pkg{p.Kind, space}] || h.x.own(strings.TrimPrefix(space, "@"))
	case pin.Composer:
		return h.spaces[pkg{p.Kind, space}] || h.x.own(space)
	case pin.GoModule:
		_, owner, _ := strings.Cut(space, "/")
		return h.x.own(owner)
	}
	return h.spaces[pkg{p.Kind, space}]
}
