package cli

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
)

// The inputs are what a verb reads beside the commits, and what it may show
// of them.
type inputs struct {
	callees        string
	includePrivate bool
}

func (in *inputs) setup(flags *flag.FlagSet) {
	flags.StringVar(&in.callees, "callees", "", "read called workflows and actions from outside of the workspace in `DIR`, as owner/repo/ref/path")
	flags.BoolVar(&in.includePrivate, "include-private", false, "include the submodules that .claude/routing.json calls private")
}

// openCallees is the directory of callees; nothing outside of it is read,
// whatever its links say.
func (in *inputs) openCallees(p command.Process) (given fs.FS, done func(), err error) {
	if in.callees == "" {
		return nil, func() {}, nil
	}
	root, err := os.OpenRoot(p.Abs(in.callees))
	if err != nil {
		return nil, nil, fmt.Errorf("the callees cannot be read: %w", err)
	}
	return root.FS(), func() { _ = root.Close() }, nil
}

// An umbrellaName is the short name that an umbrella is given, or "".
type umbrellaName string

const maxName = 100 // bytes

func (n *umbrellaName) setup(flags *flag.FlagSet) {
	flags.StringVar((*string)(n), "name", "", "the umbrella's short `NAME`; default: from its remote's URL")
}

func (n umbrellaName) check(verb string) error {
	odd := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-')
	}
	if s := string(n); s != "" && (len(s) > maxName || s[0] == '-' || s[0] == '.' || strings.ContainsFunc(s, odd)) {
		return command.Usage("%s: --name %q is no short name: letters, digits, '.', '_' and '-', at most %d, not beginning with '-' or '.'", verb, s, maxName)
	}
	return nil
}
