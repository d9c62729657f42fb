package cli

import (
	"encoding/json"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func wiringVerb() command.Verb {
	return asking(command.Verb{
		Name:     "wiring",
		Synopsis: "[TERM] [--budget TOKENS]",
		Summary:  "shows who publishes, pins, reads, sends and deploys what",
		Help: `The term may be an artifact, a repository, a file, a part of their names, or words in
any order: the best row comes first, with every file and line that it rests on. What
a row rests on is a workflow, a script, a pin or a lock file of the workspace; what
those name and the workspace does not hold is listed as unresolved. That no wiring
names a term does not mean that nothing uses it.

Without a term it prints the tables: artifacts that the workspace publishes or
shares, dispatches, files whose change starts a workflow, and deploys.

` + budgetHelp + `; with --json,
the rows, without a term those of all facts. left_out counts the others.`,
		Examples: []string{"route wiring marola-image", "route wiring who publishes the image", "route wiring marola-app --json", "route wiring --budget 2000"},
		Max:      -1,
	}, func(e *answer.Engine, args []string) (*reply, error) {
		if len(args) == 0 {
			return tables(e)
		}
		term := strings.Join(args, " ")
		if strings.TrimSpace(term) == "" {
			return nil, command.Usage("wiring: the term is empty; leave it out for the tables")
		}
		return wired(e, term)
	})
}

func wired(e *answer.Engine, term string) (*reply, error) {
	rows, err := e.Wiring(term)
	if err != nil {
		return nil, err
	}
	return &reply{
		text: func(first string, budget int) string { return answer.RenderWiring(first, term, rows, budget) },
		json: rowsJSON(rows),
	}, nil
}

func tables(e *answer.Engine) (*reply, error) {
	list, err := e.WiringTables()
	if err != nil {
		return nil, err
	}
	rows, err := e.WiringRows()
	if err != nil {
		return nil, err
	}
	return &reply{
		text: func(first string, budget int) string { return answer.RenderTables(first, list, budget) },
		json: rowsJSON(rows),
	}, nil
}

func rowsJSON(rows []wiring.Row) func(source.Info, *int) any {
	return func(info source.Info, room *int) any {
		shown := takeJSON(rows, room)
		return struct {
			Source  source.Info       `json:"source"`
			Rows    []json.RawMessage `json:"rows"`
			LeftOut int               `json:"left_out"`
		}{info, shown, len(rows) - len(shown)}
	}
}
