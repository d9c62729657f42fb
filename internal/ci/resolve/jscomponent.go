package resolve

import "github.com/marola-dev/marola-routing/internal/ci/extract"

// A componentKey finds a component by its name: frameworks make components
// known in all of a project by the names of their files.
type componentKey struct{ repo, lang, name string }

// newComponents lists the components of a name that only one file of its
// repository has; a Unit of -1 is a name of several.
func newComponents(w *workspace) map[componentKey]Ref {
	known := make(map[componentKey]Ref)
	for u := range w.units {
		f := w.file(u)
		if f.Lang != "vue" {
			continue
		}
		for d := range f.Definitions {
			if f.Definitions[d].Kind != extract.Component {
				continue
			}
			key := componentKey{w.units[u].Repo, f.Lang, f.Definitions[d].Name}
			if _, taken := known[key]; taken {
				known[key] = Ref{-1, -1}
			} else {
				known[key] = Ref{u, d}
			}
		}
	}
	return known
}

// componentParts are the members of a component whose own members its
// template and its other members name as the component's.
var componentParts = []string{"methods", "computed", "props", "data", "setup"}

// ofTemplate is what a name means in the template of a component that lists
// its parts in an object.
func (s *jsFamily) ofTemplate(component Ref, name string) jsMeaning {
	for _, part := range componentParts {
		for _, p := range s.w.members(component, part) {
			if inner := s.w.members(p, name); len(inner) > 0 {
				return jsMeaning{kind: jsDef, ref: inner[0], proof: certain("component-member")}
			}
		}
	}
	return jsMeaning{}
}
