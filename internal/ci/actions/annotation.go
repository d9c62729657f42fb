package actions

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/sethvargo/go-githubactions"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// Levels of an annotation.
const (
	Error   = "error"
	Warning = "warning"
	Notice  = "notice"
)

// maxAnnotations is how many annotations of one level a runner shows of a
// step; it drops the others without a word.
const maxAnnotations = 10

const (
	maxTitle = 200  // bytes
	maxText  = 4000 // bytes
)

// An Annotation is a message that the run's page shows by itself, and at its
// line in a pull request's changes.
type Annotation struct {
	Level string // Error, Warning or Notice
	Title string
	Text  string // may be foreign
	File  string // path from the repository's top, or ""
	Line  int    // from 1; 0 for none
}

// Annotate shows an annotation, unless there are too many of its level
// already: the last one that is shown is left for [Step.Close].
func (s *Step) Annotate(a Annotation) {
	if s == nil {
		return
	}
	if s.printed[a.Level] >= maxAnnotations-1 {
		s.withheld[a.Level]++
		return
	}
	s.printed[a.Level]++
	s.annotate(a)
}

// Close says how many annotations were withheld. The step may go on.
func (s *Step) Close() {
	if s == nil {
		return
	}
	for _, level := range slices.Sorted(maps.Keys(s.withheld)) {
		s.annotate(Annotation{Level: level, Title: "and more", Text: fmt.Sprintf("and %d more like these; the step's summary and its log have them all", s.withheld[level])})
	}
	clear(s.withheld)
}

func (s *Step) annotate(a Annotation) {
	fields := map[string]string{"title": plaintext.Line(a.Title, maxTitle)}
	if a.File != "" {
		fields["file"] = plaintext.Line(a.File, maxText)
		if a.Line > 0 {
			fields["line"] = strconv.Itoa(a.Line)
		}
	}
	text := plaintext.Line(a.Text, maxText)
	s.issue(func(action *githubactions.Action) {
		switch action = action.WithFieldsMap(fields); a.Level {
		case Error:
			action.Errorf("%s", text)
		case Warning:
			action.Warningf("%s", text)
		default:
			action.Noticef("%s", text)
		}
	})
}
