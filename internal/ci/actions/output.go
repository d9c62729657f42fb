package actions

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

var outputName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Output sets an output of the step. A value is one line: what holds a
// control character is refused.
//
// The value stands between two lines that nobody can guess. With fixed ones,
// as the common library has them, a value could end itself and begin another
// output.
func (s *Step) Output(name, value string) error {
	switch {
	case s == nil:
		return nil
	case !outputName.MatchString(name):
		return fmt.Errorf("%q is no name of an output", name)
	case strings.ContainsFunc(value, unicode.IsControl), strings.ContainsAny(value, "\u2028\u2029"):
		return fmt.Errorf("the output %s is not set: its value is more than one line of text", name)
	}
	end := "end-" + rand.Text()
	return s.appendTo("GITHUB_OUTPUT", fmt.Sprintf("%s<<%s\n%s\n%s\n", name, end, value, end))
}
