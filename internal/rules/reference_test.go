package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	referenceStart = "<!-- reference: written by go test ./internal/rules -update -->\n"
	referenceEnd   = "<!-- /reference -->\n"
)

// TestReferenceIsWhatTheHelpSays compares the reference part of each
// command's page with what the program prints.
func TestReferenceIsWhatTheHelpSays(t *testing.T) {
	for program := range programs {
		replaceReference(t, "docs/"+program+".md", reference(t, program))
	}
}

// replaceReference holds the reference part of a page to what it must be, or
// with -update makes it so.
func replaceReference(t *testing.T, page, now string) {
	t.Helper()
	text := read(t, page)
	before, rest, ok := strings.Cut(text, referenceStart)
	old, after, closed := strings.Cut(rest, referenceEnd)
	if !ok || !closed {
		t.Errorf("%s has no reference part: it starts with %s and ends with %s", page, referenceStart, referenceEnd)
		return
	}
	if now == old {
		return
	}
	if !*update {
		t.Errorf("the reference part of %s is stale: run go test ./internal/rules -update", page)
		return
	}
	file := filepath.Join(root(t), filepath.FromSlash(page))
	if err := os.WriteFile(file, []byte(before+referenceStart+now+referenceEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// reference is the reference part of a page: the program's help, then each
// command's, with the exit codes said once.
func reference(t *testing.T, program string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n```text\n%s```\n", help(t, program))
	for _, v := range verbs(t, program) {
		text, _, _ := strings.Cut(v.help, "\nExit codes:\n")
		fmt.Fprintf(&b, "\n### %s %s\n\n```text\n%s```\n", program, v.name, text)
	}
	return b.String() + "\n"
}
