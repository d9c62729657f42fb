package ruleset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A Finding is something about a file that somebody should know.
type Finding struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"` // from 1; 0 for the file as a whole
	Column  int    `json:"column,omitempty"`
	Warning bool   `json:"warning"` // it is sent as it is; else the file is refused
	Text    string `json:"text"`    // one sentence without a full stop
}

// String is the finding as compilers write theirs.
func (f Finding) String() string {
	at := f.File
	if f.Line > 0 {
		at += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column > 0 {
		at += fmt.Sprintf(":%d", f.Column)
	}
	kind := "error"
	if f.Warning {
		kind = "warning"
	}
	return fmt.Sprintf("%s: %s: %s", at, kind, f.Text)
}

// Errors are the findings that refuse a file.
func Errors(all []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return f.Warning })
}

// broken is the finding of a document that cannot be read.
func broken(file string, err error) Finding {
	if at := (*strictjson.Error)(nil); errors.As(err, &at) {
		return Finding{File: file, Line: at.Line, Column: at.Column, Text: at.Text}
	}
	return Finding{File: file, Text: err.Error()}
}

// findings collects what is found in one file.
type findings struct {
	file string
	list []Finding
}

func (f *findings) error(line int, format string, args ...any) {
	f.list = append(f.list, Finding{File: f.file, Line: line, Text: fmt.Sprintf(format, args...)})
}

func (f *findings) warn(line int, format string, args ...any) {
	f.list = append(f.list, Finding{File: f.file, Line: line, Warning: true, Text: fmt.Sprintf(format, args...)})
}
