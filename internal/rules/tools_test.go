package rules

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	ci "github.com/marola-dev/marola-routing/internal/ci/cli"
	ruleset "github.com/marola-dev/marola-routing/internal/ci/ruleset/cli"
	"github.com/marola-dev/marola-routing/internal/ci/skillsvendor"
	"github.com/marola-dev/marola-routing/internal/command"
	route "github.com/marola-dev/marola-routing/internal/route/cli"
	skillrouter "github.com/marola-dev/marola-routing/internal/skillrouter/cli"
)

// programs are the commands that the documents may name, each with a page
// docs/<name>.md.
var programs = map[string]func(command.Process) int{
	"route":          route.Main,
	"bundle-publish": ci.Main,
	"ruleset-sync":   ruleset.Main,
	"mega-tron":      skillrouter.Main,
	"skills-vendor":  skillsvendor.Main,
}

// help runs a program's --help and returns what it prints.
func help(t *testing.T, program string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := programs[program](command.Process{
		Args: append(args, "--help"), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: t.TempDir(),
	})
	if code != 0 || errs.Len() > 0 {
		t.Fatalf("%s %s --help: exit %d, stderr %q", program, strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

// A verb is a command of a program, as its help describes it.
type verb struct {
	name, help string
	flags      map[string]bool // name → whether it takes a value
	examples   []string
}

var (
	verbLine = regexp.MustCompile(`(?m)^  \S+ (\S+(?: \S+)?) {2,}\S`)
	flagLine = regexp.MustCompile(`(?m)^  --([a-z][a-z0-9-]*)( [A-Za-z]\S*)? `)
)

// verbs are the commands that the help of a program lists, in its order.
func verbs(t *testing.T, program string) (found []verb) {
	t.Helper()
	usage, _, ok := strings.Cut(section(help(t, program), "Usage:"), "\n\n")
	if !ok {
		usage += "\n"
	}
	for _, m := range verbLine.FindAllStringSubmatch(usage, -1) {
		v := verb{name: m[1], help: help(t, program, strings.Fields(m[1])...), flags: map[string]bool{}}
		for _, f := range flagLine.FindAllStringSubmatch(section(v.help, "Flags:"), -1) {
			v.flags[f[1]] = f[2] != ""
		}
		for line := range strings.Lines(section(v.help, "Examples:")) {
			if line = strings.TrimSpace(line); line != "" {
				v.examples = append(v.examples, line)
			}
		}
		found = append(found, v)
	}
	if len(found) == 0 {
		t.Fatalf("the help of %s lists no commands", program)
	}
	return found
}

// section is what stands below a heading of a help text, up to the next one.
func section(text, heading string) string {
	_, after, _ := strings.Cut(text, "\n"+heading+"\n")
	if next := regexp.MustCompile(`(?m)^[A-Z][A-Za-z ]+:$`).FindStringIndex(after); next != nil {
		after = after[:next[0]]
	}
	return after
}

func TestSection(t *testing.T) {
	const text = "x\n\nFlags:\n  --a N  one\n\nExamples:\n  x --a 1\n\nExit codes:\n  0  fine\n"
	if got, want := section(text, "Flags:"), "  --a N  one\n\n"; got != want {
		t.Errorf("Flags: %q, want %q", got, want)
	}
	if got, want := section(text, "Exit codes:"), "  0  fine\n"; got != want {
		t.Errorf("Exit codes: %q, want %q", got, want)
	}
}
