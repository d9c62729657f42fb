package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
)

// maxEvaluations bounds what is read, in bytes.
const maxEvaluations = 1 << 20

type evaluateOptions struct {
	given
	file, session string
	dry, json     bool
}

func evaluateVerb() command.Verb {
	return command.Verb{
		Name: "evaluate", Synopsis: "[--file FILE] [--session-id ID] [--dry-run] [--json]", Summary: "keeps verdicts that a person or a script gives",
		Help: `Reads {"evaluations":[{"skill":…,"verdict":"HELPFUL|HARMFUL|NEUTRAL","reason":…}]}
from --file or stdin. A verdict counts when there is a skill of the name and the
reason says something: MEGA_REASON_WORDS words at least, 8 without it. Given again
with the same --session-id, a verdict replaces the one before. Exit code 1 when one
of them does not count.`,
		Examples: []string{`mega-tron evaluate --session-id review-7 --file verdicts.json`, `mega-tron evaluate --dry-run --json < verdicts.json`},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &evaluateOptions{}
			f.StringVar(&o.skillsDir, "skills-dir", "", "look in `DIRS` only, separated by commas")
			f.StringVar(&o.file, "file", "", "read `FILE` instead of stdin")
			f.StringVar(&o.session, "session-id", "", "count the verdicts for the session `ID`")
			f.BoolVar(&o.dry, "dry-run", false, "say what would count, and keep nothing")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

// errDropped is a verdict that does not count; it is explained on stdout.
var errDropped = fmt.Errorf("not every verdict counts%w", command.ErrSilent)

func (o *evaluateOptions) run(ctx context.Context, p command.Process) error {
	tags, err := o.read(p)
	if err != nil {
		return err
	}
	c, err := settings(p)
	if err != nil {
		return err
	}
	roots, err := o.roots(c, p)
	if err != nil {
		return err
	}
	finder := evidence.Finder{Roots: roots}
	a := evidence.Admission{Gate: evidence.GateOf(c), Find: finder.Find}
	for _, t := range tags {
		a.Shown = append(a.Shown, t.Name) // whoever says it by hand has it before them
	}
	admitted, dropped := a.Judge(tags)
	now := time.Now()
	entries := evidence.Entries(evidence.Turn{Session: o.session, Host: evidence.CLI, At: now}, admitted, dropped)
	if !o.dry {
		s, err := evidence.Open(ctx, evidence.Place(c))
		if err != nil {
			return storeError{err}
		}
		defer s.Close()
		session := o.session
		if session == "" {
			session = "_anon-cli-" + now.UTC().Format("20060102T150405.000Z")
		}
		if entries, err = s.Write(ctx, evidence.Turn{Session: session, Host: evidence.CLI, ID: "evaluate", At: now}, admitted, dropped, roots); err != nil {
			return err
		}
	}
	if o.json {
		if err := p.WriteJSON(map[string]any{"evaluations": entries, "dry_run": o.dry}); err != nil {
			return err
		}
	} else {
		for _, e := range entries {
			fmt.Fprintf(p.Stdout, "%s: %s", line(e.Skill), e.Outcome)
			if e.Why != "" {
				fmt.Fprintf(p.Stdout, ": %s", line(e.Why))
			}
			fmt.Fprintln(p.Stdout)
		}
	}
	if len(dropped) > 0 {
		return errDropped
	}
	return nil
}

func (o *evaluateOptions) read(p command.Process) (tags []evidence.Tag, err error) {
	in := p.Stdin
	if o.file != "" {
		f, err := os.Open(p.Abs(o.file))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxEvaluations+1))
	if err != nil {
		return nil, err
	}
	var given struct {
		Evaluations []struct {
			Skill, Verdict, Reason string
		}
	}
	if len(data) > maxEvaluations {
		return nil, fmt.Errorf("there are more than %d bytes of evaluations", maxEvaluations)
	}
	if err := json.Unmarshal(data, &given); err != nil || len(given.Evaluations) == 0 {
		return nil, errors.Join(errors.New(`the evaluations are no {"evaluations":[{"skill":…,"verdict":…,"reason":…}]}`), err)
	}
	for _, e := range given.Evaluations {
		tags = append(tags, evidence.NewTag(e.Skill, e.Verdict, e.Reason))
	}
	return tags, nil
}
