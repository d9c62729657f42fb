package cli

import (
	"context"
	"flag"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func wiringVerb() command.Verb {
	return command.Verb{
		Name:     "wiring",
		Synopsis: "TERM [--budget TOKENS]",
		Summary:  "shows who publishes, pins, reads, sends and deploys what",
		Help:     `The term may be an artifact, a repository, a file or a part of their names.`,
		Examples: []string{"route wiring marola-image", "route wiring marola-app --json"},
		Min:      1, Max: -1,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := &named{}
			o.flags(fs)
			return o.wiring
		},
	}
}

func (n *named) wiring(ctx context.Context, p command.Process, args []string) error {
	if n.budget < 0 {
		return command.Usage("wiring: --budget must not be negative")
	}
	s, e, err := n.open(ctx, p)
	if err != nil {
		return noBundle(p, n.json, err)
	}
	defer s.Close()
	term := strings.Join(args, " ")
	rows, err := e.Wiring(term)
	if err != nil {
		return err
	}
	now := source.Now(p.Env)
	if n.json {
		return p.WriteJSON(struct {
			Source source.Info  `json:"source"`
			Rows   []wiring.Row `json:"rows"`
		}{s.Info(now), rows})
	}
	return n.print(p, answer.RenderWiring(s.Line(now), term, rows, n.budget))
}
