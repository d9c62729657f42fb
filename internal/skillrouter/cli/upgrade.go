package cli

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

func upgradeVerb() command.Verb {
	return command.Verb{
		Name: "upgrade", Summary: "says how this mega-tron is brought up to date",
		Help: `Prints the steps for the way in which this program was installed. It downloads and
changes nothing: what runs in your agents should change when you change it. Hooks
name the program by its path, so they use the new one at once; a daemon of the old
one ends by itself.`,
		Examples: []string{"mega-tron upgrade"},
		Setup: func(*flag.FlagSet) command.Run {
			return func(_ context.Context, p command.Process, _ []string) error {
				exe, err := program()
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "this is mega-tron %s at %s\n%s\nthen: mega-tron setup (does nothing where all is well), mega-tron doctor\n", bundle.Version(), line(exe), upgradeSteps(p, exe))
				return err
			}
		},
	}
}

// upgradeSteps tells how the program at a path came there, by the path.
func upgradeSteps(p command.Process, exe string) string {
	real := exe
	if r, err := filepath.EvalSymlinks(exe); err == nil {
		real = r
	}
	slash := filepath.ToSlash(real)
	gopath := filepath.ToSlash(p.Getenv("GOPATH"))
	switch {
	case strings.Contains(slash, "/go/bin/") || gopath != "" && strings.HasPrefix(slash, gopath+"/bin/"):
		return "go install github.com/marola-dev/marola-routing/cmd/mega-tron@latest"
	case strings.Contains(slash, "/skills/skill-routing/") || strings.Contains(slash, "/skills/routing/"):
		return "skills-vendor update (it is vendored in this repository)"
	}
	return "get the archive of the newest release, from https://github.com/marola-dev/marola-routing/releases, check it against SHA256SUMS, and unpack it over " + line(filepath.Dir(real))
}
