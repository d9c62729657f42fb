package workspace

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestHistoryKnowsNoSettings: the first commit is told, and files in their
// order, whatever the clone is set to.
func TestHistoryKnowsNoSettings(t *testing.T) {
	w := gittest.New(t)
	dir := filepath.Join(w.Home, "first")
	w.Git(w.Home, "init", "-q", "-b", "main", dir)
	commit(w, dir, "Begin", map[string]string{"a.go": "package a\n", "z.go": "package a\n", "order": "z.go\n"})
	want, err := open(t, w, dir).Repos[0].History(t.Context(), 10, nil)
	if err != nil || len(want) != 1 || len(want[0].Paths) != 3 {
		t.Fatalf("history %+v, %v", want, err)
	}
	for _, setting := range [][2]string{{"log.showRoot", "false"}, {"diff.orderFile", filepath.Join(dir, "order")}} {
		w.Git(dir, "config", setting[0], setting[1])
		got, err := open(t, w, dir).Repos[0].History(t.Context(), 10, nil)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: history %+v, %v; want %+v", setting[0], got, err, want)
		}
		w.Git(dir, "config", "--unset", setting[0])
	}
}
