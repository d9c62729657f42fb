package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

func dirsListVerb() command.Verb {
	return command.Verb{
		Name: "dirs list", Synopsis: "[--json]", Summary: "lists the directories that skills are looked for in",
		Help:     "Prints the directories that exist, in the order in which they are looked through.",
		Examples: []string{"mega-tron dirs list", "mega-tron dirs list --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			asJSON := f.Bool("json", false, "print JSON")
			return func(_ context.Context, p command.Process, _ []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				roots := c.Places(p.Dir).Roots()
				if *asJSON {
					if roots == nil {
						roots = []skill.Root{}
					}
					return p.WriteJSON(roots)
				}
				for _, r := range roots {
					fmt.Fprintf(p.Stdout, "%-8s %s\n", r.Scope, line(r.Dir))
				}
				return nil
			}
		},
	}
}

func dirsAddVerb() command.Verb {
	return command.Verb{
		Name: "dirs add", Synopsis: "PATH", Summary: "adds a directory of skills",
		Help: `Writes the directory into extra_dirs of [skills] in config.toml, and changes
nothing else in that file. Skills may stand in it directly, or in folders of
folders.`,
		Examples: []string{"mega-tron dirs add ~/skills"},
		Min:      1, Max: 1,
		Setup: func(*flag.FlagSet) command.Run {
			return func(_ context.Context, p command.Process, args []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				dir := p.Abs(skill.ExpandHome(args[0], c.Home))
				if st, err := os.Stat(dir); err != nil || !st.IsDir() {
					return fmt.Errorf("there is no directory %s", dir)
				}
				if slices.Contains(c.ExtraDirs, dir) {
					_, err := fmt.Fprintf(p.Stdout, "%s is there already\n", line(dir))
					return err
				}
				if err := c.SetExtraDirs(append(c.ExtraDirs, dir)); err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "added %s\n", line(dir))
				return err
			}
		},
	}
}

func dirsRemoveVerb() command.Verb {
	return command.Verb{
		Name: "dirs remove", Synopsis: "PATH", Summary: "removes a directory that was added",
		Help:     "Takes the directory out of extra_dirs in config.toml. The directory itself stays.",
		Examples: []string{"mega-tron dirs remove ~/skills"},
		Min:      1, Max: 1,
		Setup: func(*flag.FlagSet) command.Run {
			return func(_ context.Context, p command.Process, args []string) error {
				c, err := settings(p)
				if err != nil {
					return err
				}
				dir := p.Abs(skill.ExpandHome(args[0], c.Home))
				i := slices.Index(c.ExtraDirs, dir)
				if i < 0 {
					return fmt.Errorf("%s was not added", dir)
				}
				if err := c.SetExtraDirs(slices.Delete(slices.Clone(c.ExtraDirs), i, i+1)); err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "removed %s\n", line(dir))
				return err
			}
		},
	}
}
