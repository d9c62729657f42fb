// Package actions is what a GitHub Actions runner and a step say to each
// other: outputs, the step summary, annotations and masks.
//
// Outside of Actions there is no [Step]; every method of a nil *Step does
// nothing, so that a command runs the same on a laptop.
//
// Whatever a step prints is read by the runner, and a line of foreign text
// may look like a command to it. A [Guard] in front of both streams writes
// such a line so that it does not.
package actions

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sethvargo/go-githubactions"
)

// A Step is one step of a job. It is not for concurrent use.
type Step struct {
	getenv   func(string) string
	out      io.Writer      // where the runner reads commands
	printed  map[string]int // annotations by level
	withheld map[string]int // annotations above the limit, by level
}

// Within returns the step that the environment tells of, or nil when this is
// no step. Commands to the runner go to w; where that is a *[Guard], past it.
func Within(getenv func(string) string, w io.Writer) *Step {
	if getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	return &Step{getenv: getenv, out: w, printed: map[string]int{}, withheld: map[string]int{}}
}

// Mask has the runner replace each line of a secret by stars in the log: it
// does so line by line, and a private key has many. A key whose line ends
// were written as \n is masked in the lines that it really has, too.
func (s *Step) Mask(secret string) {
	if s == nil {
		return
	}
	masked := map[string]bool{}
	for _, form := range []string{secret, strings.ReplaceAll(secret, `\n`, "\n")} {
		for line := range strings.FieldsFuncSeq(form, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); line != "" && !masked[line] {
				masked[line] = true
				s.issue(func(a *githubactions.Action) { a.AddMask(line) })
			}
		}
	}
}

// issue writes one command on a line of its own. A stream that is gone is
// somebody else's to report.
func (s *Step) issue(command func(*githubactions.Action)) {
	var line strings.Builder
	command(githubactions.New(githubactions.WithWriter(&line), githubactions.WithGetenv(s.getenv)))
	if g, ok := s.out.(*Guard); ok {
		_ = g.past(line.String())
		return
	}
	_, _ = io.WriteString(s.out, line.String())
}

// appendTo adds text to the file that a variable of the runner names. A step
// without that file, as an old runner's, leaves the text out.
func (s *Step) appendTo(variable, text string) error {
	name := s.getenv(variable)
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("the file that %s names cannot be written: %w", variable, err)
	}
	_, err = f.WriteString(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("the file that %s names cannot be written: %w", variable, err)
	}
	return nil
}
