package wire

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A pinFact is what a file says of what it uses, and which file.
type pinFact struct {
	pin.Fact
	file *file
}

func isPin(name string) bool { return pin.Wants(name, 0) }

// readPins keeps what a file uses from elsewhere for [joinPins], which knows
// what of it concerns the workspace.
func readPins(x *extraction, f *file) {
	for _, p := range pin.Read(f.path, f.data) {
		x.pins = append(x.pins, pinFact{p, f})
	}
}

// ecosystems are how names of packages begin.
var ecosystems = map[pin.Kind]string{
	pin.NPM: "npm:", pin.GoModule: "go:", pin.Crate: "crates:", pin.Python: "pypi:", pin.Maven: "maven:", pin.Gem: "gem:", pin.Composer: "composer:",
}

// joinPins makes facts of what files use. Of packages only those count that
// the workspace holds, or that come from an owner or a name space of its own:
// a lock file's other thousand rows wire nothing together.
func joinPins(x *extraction) {
	for _, w := range slices.Concat(x.workflows, x.actions) {
		for _, p := range pin.Workflow(w.file.path, w.file.data) {
			x.pins = append(x.pins, pinFact{p, w.file})
		}
	}
	home := newHomes(x)
	for _, p := range x.pins {
		switch {
		case p.Role == pin.Moves || p.Kind == pin.PinFile:
			continue // of [joinBots] and [joinPinFiles]
		case p.Kind == pin.Image && strings.Contains(p.Name+p.Version, "{{") && x.inTemplates(p.file):
			continue // of [joinCharts]
		case p.Kind == pin.Image && strings.Contains(p.Name, "{{"):
			x.add(fact{role: unresolved, kind: "image", name: clipped(p.Name), more: "a template puts its name together", place: p.file.place(p.Line)})
			continue
		case ecosystems[p.Kind] != "":
			if !home.concerns(p) {
				continue
			}
		case p.Indirect && (p.Kind != pin.Repository || !x.ownAddress(p.Name)):
			continue
		}
		x.add(x.pinned(p))
	}
}

// pinned is the fact of wiring.json that a fact of a file is.
func (x *extraction) pinned(p pinFact) fact {
	f := fact{kind: string(p.Kind), name: p.Name, place: p.file.pin(p.Line, p.Version)}
	f.place.Note, f.place.Certainty = p.Note, p.Certainty
	switch p.Role {
	case pin.Declares:
		f.role, f.place.Note = published, firstNonEmpty(p.Note, "home")
		f.own = p.Kind == pin.Chart || p.Kind == pin.Plugin
	case pin.Pins:
		f.role = pinned
	default:
		f.role = read
	}
	switch p.Kind {
	case pin.Image:
		f.kind = wiring.Image
	case pin.Archive, pin.Repository:
		if p.Home == "" && p.Kind == pin.Archive {
			break // an address that tells no repository
		}
		f.kind, f.name = wiring.Repository, repositoryName(p.Name)
		if p.Kind == pin.Archive {
			f.place.Note = firstNonEmpty(p.Note, "source archive")
		}
	case pin.Asset:
		f.kind, f.repo = wiring.ReleaseAsset, x.homeName(p.Home)
	case pin.File:
		f.repo = x.homeName(p.Home)
	case pin.Chart:
		f.kind = wiring.Chart
		if p.Home != "" && p.Role != pin.Declares {
			f.place.Note = firstNonEmpty(p.Note, "from "+p.Home)
		}
	case pin.Module:
		f.kind = wiring.Module
	case pin.Provider:
		f.kind = wiring.Provider
	}
	if eco := ecosystems[p.Kind]; eco != "" {
		f.kind, f.name = wiring.Package, eco+p.Name
	}
	return f
}

// homeName is how facts name the repository that an artifact comes from: its
// short name where the workspace holds it, else owner/repo.
func (x *extraction) homeName(address string) string {
	name := repositoryName(address)
	if i := x.repoOf(name); i >= 0 {
		return x.repos[i].Name
	}
	return name
}

// repositoryName is how facts name a repository: owner/repo, with the host
// before it where that is not GitHub.
func repositoryName(address string) string {
	return strings.TrimPrefix(strings.TrimSuffix(address, ".git"), "github.com/")
}

// ownAddress reports whether host/owner/repo belongs to an owner of the
// workspace.
func (x *extraction) ownAddress(address string) bool {
	owner, _, _ := strings.Cut(repositoryName(address), "/")
	if strings.Contains(owner, ".") {
		_, rest, _ := strings.Cut(repositoryName(address), "/")
		owner, _, _ = strings.Cut(rest, "/")
	}
	return x.own(owner)
}

func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
