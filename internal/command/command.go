// Package command is the dispatcher that every tool of this module shares.
//
// A tool is a value: a name, a summary, its exit codes and a list of verbs.
// A verb is a value too: a synopsis, help with real examples, and a function
// that declares its flags and returns what to run. Nothing here touches the
// process: arguments, streams, environment and directory come in through
// [Process], so a whole tool runs inside a test.
//
// Messages follow one form: "tool: " before the text, lower case, no full
// stop, on stderr; the next step stands on its own line after "hint: ".
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// ExitUsage is the code of every tool for a command line it cannot accept.
const ExitUsage = 2

// Process is what a command may know of the process it runs in.
type Process struct {
	Name   string   // under which the program was started: base name, without .exe
	Args   []string // without the program's name
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Env    []string // as os.Environ gives it
	Dir    string   // working directory, absolute
}

// OS returns the real process's surroundings. A working directory that has
// been deleted leaves Dir empty.
func OS() Process {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	return Process{Name: name, Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Environ(), Dir: dir}
}

// Getenv returns the value of the environment variable name, or "".
func (p Process) Getenv(name string) string {
	for _, kv := range slices.Backward(p.Env) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// Terminal reports whether stderr is a terminal, which is when progress may
// be shown.
func (p Process) Terminal() bool {
	f, ok := p.Stderr.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0 && p.Getenv("TERM") != "dumb" && p.Getenv("CI") == ""
}

// A Run does a verb's work after its flags were parsed; args are the
// positional arguments.
type Run func(ctx context.Context, p Process, args []string) error

// A Verb is one command of a tool.
type Verb struct {
	Name     string   // one word, or two where several verbs do something with one noun, as in "model list"
	Synopsis string   // what follows "tool verb", as in `"WORDS…" [--budget N]`
	Summary  string   // one line, lower case
	Help     string   // paragraphs
	Examples []string // whole command lines
	Hidden   bool     // not listed
	Min, Max int      // how many positional arguments; Max < 0 means any number

	// Setup declares the verb's flags and returns what runs once they are
	// parsed, so that parsing is apart from doing.
	Setup func(*flag.FlagSet) Run
}

// A Tool is a program.
type Tool struct {
	Name      string
	Summary   string
	Verbs     []Verb
	ExitCodes []string        // one line a code, for the help text
	Code      func(error) int // the exit code of an error; 1 when nil
	Version   func() string   // what --version prints
}

// A UsageError is a command line that cannot be accepted.
type UsageError struct{ Text string }

func (e UsageError) Error() string { return e.Text }

// Usage returns a [UsageError].
func Usage(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// A Hinter is an error that knows the next step.
type Hinter interface{ Hint() string }

// ErrSilent is an error whose explanation has been printed already: only
// its exit code matters.
var ErrSilent = errors.New("explained above")

// Main runs the tool and returns its exit code. An interrupt cancels the
// verb's context; a second one ends the process.
func (t Tool) Main(p Process) int {
	catchBrokenPipe()
	p.Stdout = &untilClosed{w: p.Stdout}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	err := t.run(ctx, p)
	if err == nil {
		return 0
	}
	return t.report(p, err)
}

func (t Tool) run(ctx context.Context, p Process) error {
	if len(p.Args) == 0 {
		fmt.Fprint(p.Stderr, t.help())
		return fmt.Errorf("%w%w", ErrSilent, UsageError{})
	}
	name, rest := p.Args[0], p.Args[1:]
	switch name {
	case "--version", "-version", "version":
		if t.Version != nil {
			fmt.Fprintln(p.Stdout, t.Name, t.Version())
			return nil
		}
	case "help", "--help", "-help", "-h":
		if len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
			fmt.Fprint(p.Stdout, t.help())
			return nil
		}
		name, rest = rest[0], append(rest[1:], "--help")
	}
	v, ok := t.verb(name)
	if !ok && len(t.under(name)) > 0 {
		if len(rest) == 0 || isHelp(rest[0]) {
			return t.runGroup(p, name, len(rest) > 0)
		}
		name, rest = name+" "+rest[0], rest[1:]
		v, ok = t.verb(name)
	}
	if !ok {
		known := t.verbNames()
		if noun, _, two := strings.Cut(name, " "); two {
			known = t.under(noun)
		}
		return Usage("there is no %q; the commands are %s", name, strings.Join(known, ", "))
	}
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	run := v.Setup(fs)
	args, err := parse(fs, rest)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(p.Stdout, t.verbHelp(v, fs))
		return nil
	}
	if err != nil {
		return Usage("%s: %s; see %s %s --help", name, spellFlags(err.Error()), t.Name, name)
	}
	switch {
	case len(args) < v.Min:
		return Usage("%s: an argument is missing: %s %s %s", name, t.Name, name, v.Synopsis)
	case v.Max >= 0 && len(args) > v.Max:
		return Usage("%s: %q is one argument too many: %s %s %s", name, args[v.Max], t.Name, name, v.Synopsis)
	}
	return run(ctx, p, args)
}

// parse reads flags wherever they stand; "--" ends them.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	var positional []string
	for {
		before := args
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		args = fs.Args()
		if used := len(before) - len(args); used > 0 && before[used-1] == "--" {
			return append(positional, args...), nil
		}
		if len(args) == 0 {
			return positional, nil
		}
		positional = append(positional, args[0])
		args = args[1:]
	}
}

// spellFlags writes the flags in an error of package flag as --x.
func spellFlags(text string) string {
	for _, before := range []string{"not defined: -", "argument: -", "for flag -", "flag -"} {
		text = strings.Replace(text, before, strings.TrimSuffix(before, "-")+"--", 1)
	}
	return strings.Replace(text, "---", "--", 1)
}

func (t Tool) report(p Process, err error) int {
	code := 1
	if u := (UsageError{}); errors.As(err, &u) {
		code = ExitUsage
	} else if t.Code != nil {
		code = t.Code(err)
	}
	if errors.Is(err, ErrSilent) {
		return code
	}
	fmt.Fprintf(p.Stderr, "%s: %s\n", t.Name, oneLine(err.Error()))
	if h := Hinter(nil); errors.As(err, &h) && h.Hint() != "" {
		fmt.Fprintf(p.Stderr, "hint: %s\n", oneLine(h.Hint()))
	}
	return code
}

// maxMessage bounds a message, in bytes.
const maxMessage = 8 << 10

// oneLine makes a message safe to print, for its text may come from a
// foreign file or server.
func oneLine(s string) string { return plaintext.Line(strings.TrimSpace(s), maxMessage) }

func (t Tool) verb(name string) (Verb, bool) {
	i := slices.IndexFunc(t.Verbs, func(v Verb) bool { return v.Name == name })
	if i < 0 {
		return Verb{}, false
	}
	return t.Verbs[i], true
}

// under are the names of the verbs about one noun.
func (t Tool) under(noun string) []string {
	return slices.DeleteFunc(t.verbNames(), func(name string) bool { return !strings.HasPrefix(name, noun+" ") })
}

// runGroup answers a noun without a verb: with help where it was asked for,
// else as a command line that cannot be accepted.
func (t Tool) runGroup(p Process, noun string, asked bool) error {
	if asked {
		fmt.Fprint(p.Stdout, t.groupHelp(noun))
		return nil
	}
	fmt.Fprint(p.Stderr, t.groupHelp(noun))
	return fmt.Errorf("%w%w", ErrSilent, UsageError{})
}

func isHelp(word string) bool { return slices.Contains([]string{"--help", "-help", "-h"}, word) }

func (t Tool) verbNames() []string {
	var names []string
	for _, v := range t.Verbs {
		if !v.Hidden {
			names = append(names, v.Name)
		}
	}
	return names
}
