package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// An actionInput is an input of action.yml, which comes in the variable
// INPUT_NAME. For each command that has a use for it, it is a flag.
type actionInput struct {
	name  string
	flags map[string]string // command → its flag
	kind  inputKind
}

type inputKind int

const (
	value    inputKind = iota // given, or left empty
	standing                  // action.yml has a default: empty is a variable that was never set, "none" leaves the flag out
	yesNo                     // "true" or "false"
	secret                    // the flag names the variable; the text stays there
)

// The inputs of action.yml, in its order, without those that say which
// program runs. A test holds both to each other, and to the commands' flags.
var actionInputs = []actionInput{
	{"bundle", map[string]string{"build": "out", "check": "bundle", "publish": "bundle", "page": "bundle"}, value},
	{"bench", map[string]string{"build": "bench", "check": "bench"}, standing},
	{"branch", map[string]string{"check": "branch", "publish": "branch"}, standing},
	{"baseline", map[string]string{"check": "baseline"}, standing},
	{"remote", map[string]string{"publish": "remote"}, standing},
	{"transport", map[string]string{"publish": "transport"}, standing},
	{"token", map[string]string{"check": "token-env", "publish": "token-env"}, secret},
	{"app-id", map[string]string{"publish": "app-id"}, value},
	{"private-key", map[string]string{"publish": "private-key-env"}, secret},
	{"api-url", map[string]string{"publish": "api-url"}, value},
	{"timeout", map[string]string{"check": "timeout", "publish": "timeout"}, standing},
	{"root", map[string]string{"build": "root"}, value},
	{"name", map[string]string{"build": "name"}, value},
	{"source-branch", map[string]string{"build": "branch"}, value},
	{"callees", map[string]string{"build": "callees"}, value},
	{"jobs", map[string]string{"build": "jobs"}, value},
	{"no-cache", map[string]string{"build": "no-cache"}, yesNo},
	{"dry-run", map[string]string{"publish": "dry-run"}, yesNo},
	{"include-private", map[string]string{"build": "include-private", "publish": "include-private"}, yesNo},
	{"first", map[string]string{"check": "first", "publish": "first"}, yesNo},
	{"allow-removed", map[string]string{"check": "allow-removed"}, yesNo},
	{"allow-rewind", map[string]string{"publish": "allow-rewind"}, yesNo},
	{"other-workspace", map[string]string{"publish": "other-workspace"}, yesNo},
	{"page", map[string]string{"page": "out"}, value},
	{"before", map[string]string{"page": "before"}, value},
	{"history", map[string]string{"page": "history"}, value},
}

// variable is the name of the variable that holds the input.
func (in actionInput) variable() string {
	return "INPUT_" + strings.ToUpper(strings.ReplaceAll(in.name, "-", "_"))
}

// actionVerb runs one of the commands.
func actionVerb(commands ...command.Verb) command.Verb {
	return command.Verb{
		Name:    "action",
		Summary: "runs build, check, publish or page as the inputs of the GitHub action say",
		Help: `Reads INPUT_COMMAND and the other inputs of action.yml from the environment, each in
a variable: INPUT_DRY_RUN is the input dry-run. It prints the command that they mean,
and runs it. An input that is of no use to the command is refused, and so is one that
is empty though action.yml has a default for it; none leaves such a one out.

docs/action.md describes the inputs and the outputs.`,
		Examples: []string{"bundle-publish action"},
		Setup: func(*flag.FlagSet) command.Run {
			return func(ctx context.Context, p command.Process, _ []string) error {
				name := p.Getenv("INPUT_COMMAND")
				i := slices.IndexFunc(commands, func(v command.Verb) bool { return v.Name == name })
				if i < 0 {
					return command.Usage("action: the input command is %q; it is build, check, publish or page", plaintext.Line(name, 100))
				}
				fs := flag.NewFlagSet(name, flag.ContinueOnError)
				run := commands[i].Setup(fs)
				line, err := setInputs(fs, p)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stderr, "running: bundle-publish %s%s\n", name, line)
				return run(ctx, p, nil)
			}
		},
	}
}

// setInputs sets the flags of a command from the inputs, and returns them as
// they would be typed.
func setInputs(fs *flag.FlagSet, p command.Process) (typed string, err error) {
	for _, in := range actionInputs {
		text := p.Getenv(in.variable())
		name, used := in.flags[fs.Name()]
		switch {
		case in.kind == yesNo && text != "true" && text != "false":
			return "", command.Usage("action: the input %s is %q; it is true or false", in.name, plaintext.Line(text, 100))
		case in.kind == yesNo && text == "false", in.kind == standing && !used, in.kind != standing && text == "":
			continue
		case !used:
			return "", command.Usage("action: the input %s is of no use to %s; leave it out", in.name, fs.Name())
		case text == "":
			return "", command.Usage("action: the input %s is empty; a variable may be unset. Leave it out for its default, or say none", in.name)
		case in.kind == standing && text == "none":
			continue
		case in.kind == secret:
			text = in.variable()
		}
		if err := fs.Set(name, text); err != nil {
			return "", command.Usage("action: the input %s: %v", in.name, err)
		}
		typed += " --" + name
		if in.kind != yesNo {
			typed += " " + plaintext.Line(text, 500)
		}
	}
	return typed, nil
}
