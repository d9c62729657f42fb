package cli

import (
	"context"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/wisdom"
)

func wisdomVerbs() []command.Verb {
	return []command.Verb{wisdomOnVerb(), wisdomOffVerb(), wisdomStatusVerb()}
}

func wisdomOnVerb() command.Verb {
	return command.Verb{
		Name: "wisdom on", Synopsis: "COMMAND [ARG…]", Summary: "sets a curator, which is asked for skills that are not there yet",
		Help: `Writes the command into curator of [wisdom] in config.toml, and changes nothing else
in that file. From then on the first prompt of each Codex session is given to it, as
JSON on standard input, by the daemon; it answers with skills, which later sessions
find. What it does with a prompt is its own: PROMPTS LEAVE THIS MACHINE when it sends
them. hosts = ["codex", "claude"] under [wisdom] gives it those of other hosts, too.

docs/wisdom.md has the contract. Arguments that begin with a dash stand after --.`,
		Examples: []string{"mega-tron wisdom on ~/bin/curator", "mega-tron wisdom on -- curator --fast"},
		Min:      1, Max: -1,
		Setup: func(*flag.FlagSet) command.Run {
			return func(_ context.Context, p command.Process, args []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				program, err := programPath(p, args[0])
				if err != nil {
					return fmt.Errorf("there is no program %s", args[0])
				}
				if err := c.SetCurator(append([]string{program}, args[1:]...)); err != nil {
					return err
				}
				tell(c)
				_, err = fmt.Fprintf(p.Stdout, "on: "+leaves+"\n", line(program))
				return err
			}
		},
	}
}

// programPath is the absolute path of a program: a hook's directory and PATH
// are others than this one's.
func programPath(p command.Process, name string) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		name = p.Abs(name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

func wisdomOffVerb() command.Verb {
	return command.Verb{
		Name: "wisdom off", Summary: "takes the curator away",
		Help:     "Empties curator of [wisdom] in config.toml. The skills that it brought stay where they are, and are no longer found.",
		Examples: []string{"mega-tron wisdom off"},
		Setup: func(*flag.FlagSet) command.Run {
			return func(_ context.Context, p command.Process, _ []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				if err := c.SetCurator([]string{}); err != nil {
					return err
				}
				said := "off"
				if c.Curator() != nil {
					said = "off in config.toml; MEGA_WITH_WISDOM and MEGA_WISDOM_CURATOR_PATH still set one"
				}
				_, err = fmt.Fprintln(p.Stdout, said)
				return err
			}
		},
	}
}

func wisdomStatusVerb() command.Verb {
	return command.Verb{
		Name: "wisdom status", Synopsis: "[--json]", Summary: "tells whether a curator is set, and what it last came to",
		Help:     "Also names the directory of its skills.",
		Examples: []string{"mega-tron wisdom status", "mega-tron wisdom status --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			asJSON := f.Bool("json", false, "print JSON")
			return func(_ context.Context, p command.Process, _ []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				last, ran := wisdom.Read(c.CacheDir())
				if *asJSON {
					v := map[string]any{"on": c.Curator() != nil, "curator": append([]string{}, c.Curator()...), "skills_dir": c.WisdomDir()}
					if ran {
						v["last"] = last
					}
					return p.WriteJSON(v)
				}
				if c.Curator() == nil {
					fmt.Fprintln(p.Stdout, "off")
				} else {
					fmt.Fprintf(p.Stdout, "on: %s\nskills: %s\n", line(strings.Join(c.Curator(), " ")), line(c.WisdomDir()))
				}
				if c.Curator() != nil && c.Off("MEGA_DAEMON") {
					fmt.Fprintln(p.Stdout, "asleep: MEGA_DAEMON is off, and the daemon is what asks")
				}
				if ran {
					fmt.Fprintf(p.Stdout, "last: %s, %d new skills%s\n", last.At.Format(time.RFC3339), len(last.Added), behind(last.Error))
				}
				return nil
			}
		},
	}
}

func behind(text string) string {
	if text == "" {
		return ""
	}
	return "; " + line(text)
}
