package assemble

import (
	"errors"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// TestCheck: what readers would refuse is not sealed without a word.
func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		change     func(*Result)
	}{
		{"as it was built", "", func(*Result) {}},
		{"a commit that is none", bundle.BuildName, func(r *Result) { r.Build.Head = "main" }},
		{"a date that is none", bundle.BuildName, func(r *Result) { r.Build.CommitTime = "10000-01-01T00:00:00Z" }},
		{"an index of nothing", bundle.IndexName, func(r *Result) { r.change(bundle.IndexName, []byte("{}\n")) }},
		{"a record of nothing", "nodes/00.json", func(r *Result) { r.change("nodes/00.json", []byte("{\n}\n")) }},
		{"a file that no bundle holds", "notes.txt", func(r *Result) { r.change("notes.txt", nil) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, dir := repository(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
			r := build(t, w, dir, Options{})
			tt.change(r)
			err := r.Seal()
			if err == nil {
				err = r.Check()
			}
			switch bad := (*UnreadableError)(nil); {
			case tt.file == "" && err == nil:
			case errors.As(err, &bad) && bad.File == tt.file && bad.Hint() != "":
			case tt.file == "notes.txt" && err != nil: // the manifest cannot be made
			default:
				t.Errorf("got %v, want a complaint about %q", err, tt.file)
			}
		})
	}
}
