package cli

import (
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

const nameHelp = `A name is a bare one (parseManifest), a qualified one (Tree.Prefetch), file:name
(bundle.go:Open), a path, path:line as answers print it, or a node's id
(internal/route/bundle/bundle.go#Open, and ~2 behind it for the second of that name).
A name with several meanings lists them; an unknown one, the nearest.

` + budgetHelp + `; with --json,
the links, or the meanings of a name. left_out counts the others.`

const budgetHelp = `--budget bounds the whole text (one token is counted for three bytes)`

// lookupReport is what a name that is not clear prints as JSON.
type lookupReport struct {
	Source     source.Info `json:"source"`
	Term       string      `json:"term"`
	Candidates any         `json:"candidates"` // several meanings
	Nearest    any         `json:"nearest"`    // no meaning, but names like it
	LeftOut    int         `json:"left_out"`   // what else has that name
	Wiring     string      `json:"wiring,omitempty"`
}

// lookup finds one definition. Where the name is not clear it gives the
// reply that lists what it may mean.
func lookup(e *answer.Engine, name string) (*answer.Lookup, *reply, error) {
	l, err := e.Lookup(name)
	if err != nil || len(l.Found) == 1 {
		return l, nil, err
	}
	hint, err := e.WiringHint(name)
	if err != nil {
		return nil, nil, err
	}
	return nil, &reply{hint: hint, text: l.Candidates, json: func(info source.Info, room *int) any {
		found, nearest := takeJSON(l.Found, room), takeJSON(l.Nearest, room)
		return lookupReport{info, name, found, nearest,
			len(l.Found) - len(found) + len(l.Nearest) - len(nearest) + l.More + l.Unread, hint}
	}}, nil
}
