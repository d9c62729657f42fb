package cli

import (
	"encoding/json"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

const placesHelp = budgetHelp + `; with --json,
the places. left_out counts the others.`

func docsVerb() command.Verb {
	return asking(command.Verb{
		Name:     "docs",
		Synopsis: "NAME [--budget TOKENS]",
		Summary:  "shows which passages of documents name a definition, a file or a folder",
		Help: `A name is a bare one (parseManifest), a qualified one (Tree.Prefetch), file:name, a
path or the end of one, or path:line as answers print it. Each line is a place in a
Markdown document: its heading, path and line, what it says there, and what that is.

A name that several definitions have is listed with all of them where the document
does not tell which it means; such places come last. What a document only describes
without naming it is found by route query.

` + placesHelp,
		Examples: []string{"route docs ClassOfPath", "route docs internal/route/bundle", "route docs lexicon.Version --json"},
		Min:      1, Max: 1,
	}, func(e *answer.Engine, args []string) (*reply, error) {
		list, err := e.Docs(args[0])
		return mentions(args[0], list, answer.RenderDocs), err
	})
}

func codeVerb() command.Verb {
	return asking(command.Verb{
		Name:     "code",
		Synopsis: "DOCUMENT [--budget TOKENS]",
		Summary:  "shows which code a document, or a passage of it, names",
		Help: `A document is its path or the end of one. path:line means the passage around that
line, path#heading the passages below a heading; words that are no path are looked for
in headings. Each line is a definition, a file or a folder, and where the document
names it; NODE? is a name that several definitions have.

` + placesHelp,
		Examples: []string{"route code docs/ranking.md", "route code docs/ranking.md:70", "route code 'ranking.md#Where the constants are'", "route code releasing --json"},
		Min:      1, Max: -1,
	}, func(e *answer.Engine, args []string) (*reply, error) {
		term := strings.Join(args, " ")
		list, err := e.Code(term)
		return mentions(term, list, answer.RenderCode), err
	})
}

func mentions(term string, list []doccode.Mention, render func(first, term string, list []doccode.Mention, budget int) string) *reply {
	return &reply{
		text: func(first string, budget int) string { return render(first, term, list, budget) },
		json: func(info source.Info, room *int) any {
			shown := takeJSON(list, room)
			return struct {
				Source  source.Info       `json:"source"`
				Places  []json.RawMessage `json:"places"`
				LeftOut int               `json:"left_out"`
			}{info, shown, len(list) - len(shown)}
		},
	}
}
