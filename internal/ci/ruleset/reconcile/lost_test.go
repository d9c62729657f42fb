package reconcile_test

import (
	"net/http"
	"testing"
)

// TestAWriteWhoseAnswerIsLost: whether it arrived is looked at before it is
// sent again.
func TestAWriteWhoseAnswerIsLost(t *testing.T) {
	for _, tt := range []struct {
		name   string
		live   []string
		lost   int  // answers of writes
		before bool // the write does not arrive either
		want   string
		writes int
	}{
		{"a creation that arrived", nil, 1, false, "a created 0", 1},
		{"a creation that did not arrive", nil, 1, true, "a created 0", 2},
		{"an update that arrived", []string{doc("a", noActors+`,"rules":[]`)}, 1, false, "a updated 0", 1},
		{"an update that did not arrive", []string{doc("a", noActors+`,"rules":[]`)}, 2, true, "a updated 0", 3},
		{"one that never arrives", nil, 9, true, "a failed 4", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.add("o/r", tt.live...)
			left, writes := tt.lost, 0
			lose := func(r *http.Request) bool {
				if r.Method == http.MethodGet {
					return false
				}
				left--
				return left >= 0
			}
			b.service.Before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodGet {
					writes++
				}
				if tt.before && lose(r) {
					w.WriteHeader(http.StatusBadGateway)
					return true
				}
				return false
			}
			if !tt.before {
				b.service.After = lose
			}
			if got := statuses(b.run("o/r", write, doc("a", noActors+deletion))); got != tt.want || writes != tt.writes {
				t.Errorf("it is %s after %d writes, want %s after %d", got, writes, tt.want, tt.writes)
			}
			if names := b.service.Names("o/r"); len(names) > 1 {
				t.Errorf("there are %v", names)
			}
		})
	}
}
