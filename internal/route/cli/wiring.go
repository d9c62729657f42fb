package cli

import (
	"encoding/json"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

func wiringVerb() command.Verb {
	return asking(command.Verb{
		Name:     "wiring",
		Synopsis: "TERM [--budget TOKENS]",
		Summary:  "shows who publishes, pins, reads, sends and deploys what",
		Help: `The term may be an artifact, a repository, a file or a part of their names. What
a fact rests on is a workflow, a script, a pin or a lock file of the workspace; what
those name and the workspace does not hold is listed as unresolved. That no wiring
names a term does not mean that nothing uses it.

` + budgetHelp + `; with --json,
the rows. left_out counts the others.`,
		Examples: []string{"route wiring marola-image", "route wiring marola-app --json"},
		Min:      1, Max: -1,
	}, func(e *answer.Engine, args []string) (*reply, error) { return wired(e, strings.Join(args, " ")) })
}

func wired(e *answer.Engine, term string) (*reply, error) {
	rows, err := e.Wiring(term)
	if err != nil {
		return nil, err
	}
	return &reply{
		text: func(first string, budget int) string { return answer.RenderWiring(first, term, rows, budget) },
		json: func(info source.Info, room *int) any {
			shown := takeJSON(rows, room)
			return struct {
				Source  source.Info       `json:"source"`
				Rows    []json.RawMessage `json:"rows"`
				LeftOut int               `json:"left_out"`
			}{info, shown, len(rows) - len(shown)}
		},
	}, nil
}
