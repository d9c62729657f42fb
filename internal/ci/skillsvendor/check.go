package skillsvendor

import (
	"context"
	"flag"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

func checkVerb() command.Verb {
	return command.Verb{
		Name:     "check",
		Synopsis: "[--lock FILE] [--rebuild] [--json]",
		Summary:  "compares the vendored files with the lock",
		Help: `Every file below a skill's directory must be in the lock, with the contents and,
where the lock records modes, the executable bit that it has there. Nothing is
fetched. Each difference is a line on standard error. Without a lock there is
nothing to check, which is no failure.

--rebuild does not believe the lock. It fetches the pinned commit of each skill that
has programs, compares every file with it, builds the programs again with the Go
version that the commit names, and compares them byte for byte. It needs go on the
PATH, and runs nothing of what it fetches.`,
		Examples: []string{"skills-vendor check", "skills-vendor check --lock skills/skills.lock", "skills-vendor check --rebuild"},
		Setup: func(fs *flag.FlagSet) command.Run {
			lock := lockFlag(fs)
			asJSON := fs.Bool("json", false, "print one line of JSON")
			again := fs.Bool("rebuild", false, "build the programs again from the pinned commit, and compare")
			return func(ctx context.Context, p command.Process, args []string) error {
				return check(ctx, p, *lock, *again, *asJSON)
			}
		},
	}
}

type checkResult struct {
	Lock     string   `json:"lock"`
	Found    bool     `json:"found"` // that there is a lock
	Skills   int      `json:"skills"`
	Files    int      `json:"files"`
	Rebuilt  []string `json:"rebuilt,omitempty"` // the programs that were built again, as in routing/bin/linux-amd64/route
	Problems []string `json:"problems"`
}

func check(ctx context.Context, p command.Process, lock string, again, asJSON bool) error {
	s, err := openShelf(p, lock)
	if err != nil {
		return err
	}
	defer s.close()
	r := checkResult{Lock: s.file, Found: s.found, Problems: []string{}}
	u := &upstreams{env: p.Env}
	defer u.close()
	for _, name := range s.lock.Names() {
		row, _ := s.lock.Row(name)
		found, err := s.scan(name, row)
		if err != nil {
			return err
		}
		r.Skills++
		r.Files += len(row.Files)
		r.Problems = append(r.Problems, skillslock.Problems(name, row, found, hasBits())...)
		if row.LocalEdits != "" {
			if st, err := s.root.Lstat(row.LocalEdits); err != nil || !st.Mode().IsRegular() {
				r.Problems = append(r.Problems, fmt.Sprintf("%s: its local edits are missing: %s", name, row.LocalEdits))
			}
		}
		if again {
			built, problems, err := rebuild(ctx, p, s, u, name, row)
			if err != nil {
				return err
			}
			r.Rebuilt, r.Problems = append(r.Rebuilt, built...), append(r.Problems, problems...)
		}
		if text := migration(name, row); text != "" {
			fmt.Fprintln(p.Stderr, "notice:", text)
		}
	}
	if asJSON {
		if err := p.WriteJSON(r); err != nil {
			return err
		}
	} else {
		for _, problem := range r.Problems {
			fmt.Fprintln(p.Stderr, plaintext.Line(problem, 600))
		}
		switch {
		case !r.Found:
			fmt.Fprintf(p.Stdout, "no lock at %s: nothing to check\n", plaintext.Line(s.file, 300))
		case len(r.Problems) > 0:
			fmt.Fprintf(p.Stdout, "%s in %s\n", count(len(r.Problems), "problem"), count(r.Skills, "skill"))
		default:
			fmt.Fprintf(p.Stdout, "%s, %s: as the lock says\n", count(r.Skills, "skill"), count(r.Files, "file"))
			if again {
				fmt.Fprintf(p.Stdout, "%s built again: the same bytes\n", count(len(r.Rebuilt), "program"))
			}
		}
	}
	if len(r.Problems) > 0 {
		return command.ErrSilent
	}
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
