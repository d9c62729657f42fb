package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
)

// tool is a small tool that says what it was called with.
func tool() Tool {
	return Tool{
		Name:      "tool",
		Summary:   "is a tool",
		ExitCodes: []string{"0  done", "7  broken"},
		Code: func(err error) int {
			if errors.As(err, &hinted{}) {
				return 7
			}
			return 1
		},
		Verbs: []Verb{{
			Name: "say", Synopsis: "WORD… [--times N]", Summary: "says words", Help: "It says them.",
			Examples: []string{"tool say hello --times 2"}, Min: 1, Max: 2,
			Setup: func(fs *flag.FlagSet) Run {
				times := fs.Int("times", 1, "say it `N` times")
				loud := fs.Bool("loud", false, "shout")
				return func(_ context.Context, p Process, args []string) error {
					if args[0] == "fail" {
						return hinted{}
					}
					if args[0] == "silent" {
						return ErrSilent
					}
					_, err := fmt.Fprintln(p.Stdout, *times, *loud, strings.Join(args, "|"))
					return err
				}
			},
		}, {
			Name: "word list", Synopsis: "[PATTERN]", Summary: "lists words", Examples: []string{"tool word list"}, Max: 1,
			Setup: func(fs *flag.FlagSet) Run {
				all := fs.Bool("all", false, "list all")
				return func(_ context.Context, p Process, args []string) error {
					_, err := fmt.Fprintln(p.Stdout, "words", *all, args)
					return err
				}
			},
		}, {
			Name: "secret", Hidden: true, Summary: "is not shown",
			Setup: func(*flag.FlagSet) Run { return func(context.Context, Process, []string) error { return nil } },
		}},
	}
}

type hinted struct{}

func (hinted) Error() string { return "it broke\nin two lines\x1b[31m\u202e\u009b1m" }
func (hinted) Hint() string  { return "mend it" }

func run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = tool().Main(Process{Args: args, Stdout: &out, Stderr: &errs})
	return code, out.String(), errs.String()
}

func stdoutOf(_ int, stdout, _ string) string { return stdout }

const wordHelp = "tool word: several commands\n\nUsage:\n  tool word list  lists words\n\nMore on one command: tool word COMMAND --help\n"

func TestDispatch(t *testing.T) {
	for _, tt := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"say a", 0, "1 false a\n", ""},
		{"say a --times 3 b", 0, "3 false a|b\n", ""},
		{"say --times=3 --loud a", 0, "3 true a\n", ""},
		{"say -times 3 a", 0, "3 false a\n", ""},
		{"say --loud -- --times", 0, "1 true --times\n", ""},
		{"say a -- -b", 0, "1 false a|-b\n", ""},
		{"say", 2, "", "tool: say: an argument is missing: tool say WORD… [--times N]\n"},
		{"say a b c", 2, "", "tool: say: \"c\" is one argument too many: tool say WORD… [--times N]\n"},
		{"say --times x a", 2, "", "tool: say: invalid value \"x\" for flag --times: parse error; see tool say --help\n"},
		{"say --nope a", 2, "", "tool: say: flag provided but not defined: --nope; see tool say --help\n"},
		{"nope", 2, "", "tool: there is no \"nope\"; the commands are say, word list\n"},
		{"word list", 0, "words false []\n", ""},
		{"word list --all x", 0, "words true [x]\n", ""},
		{"word list x y", 2, "", "tool: word list: \"y\" is one argument too many: tool word list [PATTERN]\n"},
		{"word lost", 2, "", "tool: there is no \"word lost\"; the commands are word list\n"},
		{"word", 2, "", wordHelp},
		{"word --help", 0, wordHelp, ""},
		{"help word", 0, wordHelp, ""},
		{"say fail", 7, "", "tool: it broke in two lines[31m1m\nhint: mend it\n"},
		{"say silent", 1, "", ""},
	} {
		t.Run(tt.args, func(t *testing.T) {
			code, stdout, stderr := run(strings.Fields(tt.args)...)
			if code != tt.code || stdout != tt.stdout || stderr != tt.stderr {
				t.Errorf("tool %s = %d\nstdout %q\nstderr %q\nwant %d\nstdout %q\nstderr %q", tt.args, code, stdout, stderr, tt.code, tt.stdout, tt.stderr)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {"-h"}, {"say", "--help"}, {"say", "-h"}, {"help", "say"}} {
		code, stdout, stderr := run(args...)
		if code != 0 || stderr != "" {
			t.Errorf("%v = %d, stderr %q", args, code, stderr)
		}
		for _, want := range []string{"Usage:", "tool say", "Exit codes:", "7  broken"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("%v lacks %q:\n%s", args, want, stdout)
			}
		}
		if strings.Contains(stdout, "secret") {
			t.Errorf("%v shows a hidden command", args)
		}
	}
	_, stdout, _ := run("say", "--help")
	for _, want := range []string{"--times N", "(default 1)", "--loud", "tool say hello --times 2", "It says them."} {
		if !strings.Contains(stdout, want) {
			t.Errorf("say --help lacks %q:\n%s", want, stdout)
		}
	}
	if _, asked, _ := run("help", "word", "list"); asked == "" || asked != stdoutOf(run("word", "list", "--help")) {
		t.Errorf("help word list: %q", asked)
	}
	code, stdout, stderr := run()
	if code != 2 || stdout != "" || !strings.Contains(stderr, "Usage:") {
		t.Errorf("without arguments: %d, %q, %q", code, stdout, stderr)
	}
}

func TestGetenvTakesTheLast(t *testing.T) {
	p := Process{Env: []string{"A=1", "B=2", "A=3", "C"}}
	for name, want := range map[string]string{"A": "3", "B": "2", "C": "", "D": ""} {
		if got := p.Getenv(name); got != want {
			t.Errorf("Getenv(%s) = %q, want %q", name, got, want)
		}
	}
}
