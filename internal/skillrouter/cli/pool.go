package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/pool"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// poolVerbs share skills among hosts.
func poolVerbs() []command.Verb {
	return []command.Verb{
		poolVerb("promote", "--from HOST [--force] NAME…", "moves skills of a host into the one pool of all hosts",
			`Moves each skill's directory into the pool and leaves a link to it, so that the host
has it as before. A skill of the pool that has the same name and other content is in
the way: it is told, and nothing is changed. With --force it is set aside, beside the
pool's, and no file is lost.

HOST is codex, claude_code, gemini_cli or hermes. The pool is pool/ in the data
directory, or MEGA_TRON_POOL.`,
			[]string{"mega-tron skills promote --from claude_code release-notes"}, 1,
			func(f *flag.FlagSet) poolRun {
				from := f.String("from", "", "the `HOST` that has them")
				force := f.Bool("force", false, "set the pool's own aside")
				return func(p *pool.Pool, names []string) (all []pool.Result, err error) {
					hosts, err := hostsOf("--from", *from)
					if err != nil || len(hosts) != 1 {
						return nil, command.Usage("--from takes one host: codex, claude_code, gemini_cli or hermes")
					}
					for _, n := range names {
						r, err := p.Promote(hosts[0], n, *force)
						if err != nil {
							return all, err
						}
						all = append(all, r)
					}
					return all, nil
				}
			}),
		poolVerb("unpromote", "NAME…", "moves skills of the pool back to where they came from",
			"Takes the links of the other hosts away and moves the skill to the place that it was\npromoted from. A copy that was changed, or something else at that place, stays.",
			[]string{"mega-tron skills unpromote release-notes"}, 1,
			func(*flag.FlagSet) poolRun {
				return func(p *pool.Pool, names []string) (all []pool.Result, err error) {
					for _, n := range names {
						rows, err := p.Unpromote(n)
						all = append(all, rows...)
						if err != nil {
							return all, err
						}
					}
					return all, nil
				}
			}),
		poolVerb("mirror", "[--to HOSTS] [NAME…]", "links skills of the pool into hosts",
			"Without names: all skills of the pool, and at each sync those that came since. What a\nhost has under a name already stays, and is told.",
			[]string{"mega-tron skills mirror", "mega-tron skills mirror --to gemini_cli,hermes release-notes"}, 0,
			func(f *flag.FlagSet) poolRun {
				to := f.String("to", "", "the `HOSTS`, with commas; else all")
				return func(p *pool.Pool, names []string) ([]pool.Result, error) {
					hosts, err := hostsOf("--to", *to)
					if err != nil {
						return nil, err
					}
					return p.Mirror(hosts, names)
				}
			}),
		poolVerb("unmirror", "[--from HOSTS] [NAME…]", "takes links to the pool out of hosts",
			"The place that a skill was promoted from keeps its link. A copy that was changed stays.",
			[]string{"mega-tron skills unmirror --from hermes"}, 0,
			func(f *flag.FlagSet) poolRun {
				from := f.String("from", "", "the `HOSTS`, with commas; else all")
				return func(p *pool.Pool, names []string) ([]pool.Result, error) {
					hosts, err := hostsOf("--from", *from)
					if err != nil {
						return nil, err
					}
					return p.Unmirror(hosts, names)
				}
			}),
		poolVerb("sync", "", "makes the links that lack, and renews copies",
			"Brings hosts in line with the pool: links that lack are made, links to skills that are\ngone go, and where links cannot be made, copies follow the pool unless they were\nchanged.",
			[]string{"mega-tron skills sync"}, -1,
			func(*flag.FlagSet) poolRun {
				return func(p *pool.Pool, _ []string) ([]pool.Result, error) { return p.Sync() }
			}),
	}
}

type poolRun func(p *pool.Pool, names []string) ([]pool.Result, error)

// poolVerb is a verb of the pool; least is how many names it needs, -1 for none
// at all.
func poolVerb(name, synopsis, summary, help string, examples []string, least int, run func(*flag.FlagSet) poolRun) command.Verb {
	most := -1
	if least < 0 {
		least, most = 0, 0
	}
	return command.Verb{
		Name: "skills " + name, Synopsis: strings.TrimSpace(synopsis + " [--json]"), Summary: summary,
		Help: help + "\n\nExit code 1 when something was in the way.", Examples: examples, Min: least, Max: most,
		Setup: func(f *flag.FlagSet) command.Run {
			asJSON := f.Bool("json", false, "print JSON")
			do := run(f)
			return func(_ context.Context, p command.Process, args []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				shelf, err := pool.Open(c)
				if err != nil {
					return err
				}
				results, err := do(shelf, args)
				if told := tellPool(p, results, *asJSON); err == nil {
					err = told
				}
				return err
			}
		},
	}
}

func tellPool(p command.Process, results []pool.Result, asJSON bool) error {
	conflicts := 0
	for _, r := range results {
		if r.Done == pool.Conflict {
			conflicts++
		}
		if asJSON {
			continue
		}
		why := ""
		if r.Why != "" {
			why = ": " + r.Why
		}
		fmt.Fprintf(p.Stdout, "%-10s %s  %s%s\n", r.Done, line(r.Skill), line(r.Place), why)
	}
	if asJSON {
		if results == nil {
			results = []pool.Result{}
		}
		if err := p.WriteJSON(results); err != nil {
			return err
		}
	}
	if conflicts > 0 {
		return fmt.Errorf("something is in the way%w", command.ErrSilent)
	}
	return nil
}

// hostsOf reads names of hosts; none are all.
func hostsOf(name, list string) (hosts []skill.Host, err error) {
	if list == "" {
		return pool.Hosts, nil
	}
	for _, w := range strings.Split(list, ",") {
		h := skill.Host(strings.TrimSpace(w))
		if !slices.Contains(pool.Hosts, h) {
			return nil, command.Usage("%s: there is no host %s; they are codex, claude_code, gemini_cli and hermes", name, line(string(h)))
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}
