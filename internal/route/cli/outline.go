package cli

import (
	"context"
	"encoding/json"
	"flag"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

func outlineVerb() command.Verb {
	return command.Verb{
		Name:     "outline",
		Synopsis: "PATH|REPO|NAME [--budget TOKENS]",
		Summary:  "lists what a file, a folder or a repository defines",
		Help: `Of a file: its definitions by line, with signatures and by how many others each is
used. Of a folder or a repository: its source files, the most used first, each with
the names at its top, the most used first. "." is the whole workspace; a name of a
definition is outlined with what it holds. Paths start at the workspace's root.

` + budgetHelp + `; with --json,
the files, or the symbols of one. left_out counts the others.`,
		Examples: []string{"route outline internal/route/bundle/bundle.go", "route outline internal/route --budget 1000", "route outline Server --json"},
		Min:      1, Max: 1,
		Setup: func(fs *flag.FlagSet) command.Run {
			a := &asked{}
			a.flags(fs)
			return func(ctx context.Context, p command.Process, args []string) error {
				return a.answer(ctx, p, "outline", func(e *answer.Engine) (*reply, error) { return outline(e, args[0], answer.Room(a.budget)) })
			}
		},
	}
}

func outline(e *answer.Engine, name string, room int) (*reply, error) {
	x, err := e.Outline(name, room)
	if err == nil && x == nil {
		l, unclear, err := lookup(e, name)
		if l == nil || err != nil {
			return unclear, err
		}
		x, err = e.OutlineFound(l)
		if err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	return &reply{text: x.Render, json: func(info source.Info, room *int) any {
		report := struct {
			Source source.Info `json:"source"`
			*answer.Outline
			Files   []json.RawMessage `json:"files"`
			LeftOut int               `json:"left_out"` // files, or symbols of one
		}{Source: info, Outline: x, Files: []json.RawMessage{}}
		if x.Kind == "file" || x.Kind == "definition" {
			f := x.Files[0]
			symbols := takeJSON(f.Symbols, room)
			report.LeftOut = len(f.Symbols) - len(symbols)
			report.Files = append(report.Files, encodeJSON(struct {
				answer.OutlineFile
				Symbols []json.RawMessage `json:"symbols"`
			}{f, symbols}))
			return report
		}
		report.Files = takeJSON(x.Files, room)
		report.LeftOut = len(x.Files) - len(report.Files) + x.More
		return report
	}}, nil
}
