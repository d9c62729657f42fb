package cli

import (
	"encoding/json"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

func explainVerb() command.Verb {
	return asking(command.Verb{
		Name:     "explain",
		Synopsis: "NAME [--budget TOKENS]",
		Summary:  "shows one definition: where, what it is, what it uses and what uses it",
		Help:     nameHelp,
		Examples: []string{"route explain parseManifest", "route explain bundle.go:Open --json"},
		Min:      1, Max: 1,
	}, func(e *answer.Engine, args []string) (*reply, error) { return explain(e, args[0]) })
}

func explain(e *answer.Engine, name string) (*reply, error) {
	l, unclear, err := lookup(e, name)
	if l == nil || err != nil {
		return unclear, err
	}
	x, err := e.Explain(l)
	if err != nil {
		return nil, err
	}
	hint, err := e.WiringHint(name)
	if err != nil {
		return nil, err
	}
	return &reply{hint: hint, text: x.Render, json: func(info source.Info, room *int) any {
		links := takeJSON(x.Links, room)
		return struct {
			Source source.Info `json:"source"`
			*answer.Explanation
			Links   []json.RawMessage `json:"links"`
			LeftOut int               `json:"left_out"`
			Wiring  string            `json:"wiring,omitempty"`
		}{info, x, links, x.More + len(x.Links) - len(links), hint}
	}}, nil
}

func pathVerb() command.Verb {
	return asking(command.Verb{
		Name:     "path",
		Synopsis: "NAME NAME [--budget TOKENS]",
		Summary:  "shows how two definitions are joined, each step in its true direction",
		Help:     nameHelp,
		Examples: []string{"route path queryVerb parseManifest", "route path query.go strictjson.go"},
		Min:      2, Max: 2,
	}, func(e *answer.Engine, args []string) (*reply, error) { return path(e, args[0], args[1]) })
}

func path(e *answer.Engine, fromName, toName string) (*reply, error) {
	from, unclear, err := lookup(e, fromName)
	if from == nil || err != nil {
		return unclear, err
	}
	to, unclear, err := lookup(e, toName)
	if to == nil || err != nil {
		return unclear, err
	}
	r, err := e.Path(from, to)
	if err != nil {
		return nil, err
	}
	return &reply{text: r.Render, json: func(info source.Info, room *int) any {
		steps := takeJSON(r.Steps, room)
		return struct {
			Source source.Info `json:"source"`
			*answer.Route
			Steps   []json.RawMessage `json:"steps"`
			LeftOut int               `json:"left_out"`
		}{info, r, steps, len(r.Steps) - len(steps)}
	}}, nil
}
