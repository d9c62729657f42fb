package cli

import (
	"encoding/json"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

func whyVerb() command.Verb {
	return asking(command.Verb{
		Name:     "why",
		Synopsis: "WORDS… [--budget TOKENS]",
		Summary:  "shows what the decision records say about something",
		Help: `Ranks by words what the workspace's Markdown documents say was decided, why, and
what was considered instead: records of architecture decisions, proposals, lines that
begin with "Decided 2026-01-31", and entries of change logs that give a reason. Each
answer has the record's title, its status and date where it tells them, the file and
line, and a sentence or two in the record's own words.

` + budgetHelp + `; with --json,
the statements. left_out counts the others.`,
		Examples: []string{"route why large files leave the branch", "route why sqlite --json"},
		Min:      1, Max: -1,
	}, func(e *answer.Engine, args []string) (*reply, error) {
		question := strings.Join(args, " ")
		rows, err := e.Why(question)
		if err != nil {
			return nil, err
		}
		return &reply{
			text: func(first string, budget int) string { return answer.RenderWhy(first, question, rows, budget) },
			json: func(info source.Info, room *int) any {
				shown := takeJSON(rows, room)
				return struct {
					Source  source.Info       `json:"source"`
					Rows    []json.RawMessage `json:"rows"`
					LeftOut int               `json:"left_out"`
				}{info, shown, len(rows) - len(shown)}
			},
		}, nil
	})
}
