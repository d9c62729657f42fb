// Package block is the wiring as a file of the workspace shows it: four
// tables between two markers. It finds, too, what of the wiring leads
// nowhere.
package block

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Markers stand before and after the tables.
const (
	Start = "<!-- wiring:start -->"
	End   = "<!-- wiring:end -->"
)

// Render is the tables of w with a blank line between them, without markers.
func Render(w *wiring.Wiring, roots wiring.Roots) string {
	var out []string
	for _, t := range w.Tables(roots) {
		out = append(out, t.Markdown())
	}
	return strings.Join(out, "\n")
}

// A MarkerError is a file that has no single place for the tables.
type MarkerError struct {
	Line   int // of the marker that is wrong, 0 where one is missing
	reason string
}

func (e *MarkerError) Error() string { return e.reason }

// Hint says what to do about it.
func (e *MarkerError) Hint() string {
	return fmt.Sprintf("the file needs one line %s and, below it, one line %s", Start, End)
}

// Replace puts tables between the markers of a file; every other byte stays
// as it is. Line ends between the markers are those of the line with the first
// marker. The error is a *[MarkerError].
func Replace(file []byte, tables string) ([]byte, error) {
	start, end, err := find(file)
	if err != nil {
		return nil, err
	}
	eol := "\n"
	if rest := file[start:]; bytes.HasPrefix(rest, []byte("\r\n")) {
		eol = "\r\n"
	}
	body := strings.ReplaceAll("\n\n"+tables+"\n", "\n", eol)
	return bytes.Join([][]byte{file[:start], []byte(body), file[end:]}, nil), nil
}

// find is what stands between the markers: from the end of the first to the
// beginning of the second.
func find(file []byte) (start, end int, err error) {
	at := map[string]int{}
	for _, marker := range []string{Start, End} {
		i := bytes.Index(file, []byte(marker))
		if i < 0 {
			return 0, 0, &MarkerError{reason: "the marker " + marker + " is missing"}
		}
		if again := bytes.Index(file[i+len(marker):], []byte(marker)); again >= 0 {
			line := lineOf(file, i+len(marker)+again)
			return 0, 0, &MarkerError{line, fmt.Sprintf("the marker %s stands twice, again in line %d", marker, line)}
		}
		at[marker] = i
	}
	if at[End] < at[Start] {
		line := lineOf(file, at[End])
		return 0, 0, &MarkerError{line, fmt.Sprintf("the marker %s stands in line %d, before %s", End, line, Start)}
	}
	return at[Start] + len(Start), at[End], nil
}

// lineOf is the number of the line that holds an offset, from 1.
func lineOf(file []byte, offset int) int { return 1 + bytes.Count(file[:offset], []byte("\n")) }

// Stale compares a file with what it should be. It returns the number of the
// first line that differs and what the line should be, or 0.
func Stale(have, want []byte) (line int, should string) {
	if bytes.Equal(have, want) {
		return 0, ""
	}
	a, b := strings.SplitAfter(string(have), "\n"), strings.SplitAfter(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i + 1, strings.TrimRight(b[i], "\r\n")
		}
	}
	return min(len(a), len(b)), ""
}
