package bench

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; go test -update rewrites it\n%s", path, got)
	}
}

// ranks is a result with one symbol question per "id rank" pair; the file
// that stands first instead is wrong.go.
func ranks(pairs map[string]int) *bundle.Bench {
	var items []bundle.BenchItem
	for id, rank := range pairs {
		item := bundle.BenchItem{ID: id, Type: "symbol", Rank: rank}
		if rank != 1 {
			item.Found = "wrong.go"
		}
		items = append(items, item)
	}
	return Sum("b.yaml", items)
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after map[string]int
		options       Options
		state         State
		lost          string
	}{
		{"kept", map[string]int{"q": 1}, map[string]int{"q": 1}, Options{}, Same, ""},
		{"lost to the second place", map[string]int{"q": 1}, map[string]int{"q": 2}, Options{}, Lost, "q"},
		{"lost altogether", map[string]int{"q": 1}, map[string]int{"q": 0}, Options{}, Lost, "q"},
		{"lost is lost with --allow-removed", map[string]int{"q": 1}, map[string]int{"q": 0}, Options{AllowRemoved: true}, Lost, "q"},
		{"deleted an answered question", map[string]int{"q": 1}, nil, Options{}, Removed, "q"},
		{"deleted an answered question on purpose", map[string]int{"q": 1}, nil, Options{AllowRemoved: true}, Removed, ""},
		{"deleted an open question", map[string]int{"q": 2}, nil, Options{}, Dropped, ""},
		{"added a hard question", nil, map[string]int{"q": 0}, Options{}, Added, ""},
		{"added an easy question", nil, map[string]int{"q": 1}, Options{}, Added, ""},
		{"won", map[string]int{"q": 4}, map[string]int{"q": 1}, Options{}, Won, ""},
		{"won from nowhere", map[string]int{"q": 0}, map[string]int{"q": 1}, Options{}, Won, ""},
		{"nearer", map[string]int{"q": 0}, map[string]int{"q": 9}, Options{}, Better, ""},
		{"farther", map[string]int{"q": 2}, map[string]int{"q": 3}, Options{}, Worse, ""},
		{"gone, but was not right first", map[string]int{"q": 2}, map[string]int{"q": 0}, Options{}, Worse, ""},
		{"still open", map[string]int{"q": 2}, map[string]int{"q": 2}, Options{}, Same, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := Compare(ranks(tt.before), ranks(tt.after), tt.options)
			if len(v.Rows) != 1 || v.Rows[0].State != tt.state || strings.Join(v.Lost, " ") != tt.lost || v.Passed() != (tt.lost == "") {
				t.Fatalf("Compare = %+v, want state %s, lost %q", v, tt.state, tt.lost)
			}
		})
	}
	t.Run("a gain does not pay for a loss", func(t *testing.T) {
		v := Compare(ranks(map[string]int{"a": 1, "b": 0, "c": 0}), ranks(map[string]int{"a": 2, "b": 1, "c": 1}), Options{})
		if v.Passed() || strings.Join(v.Lost, " ") != "a" {
			t.Fatalf("Compare = %+v", v)
		}
	})
	t.Run("renaming an answered question is deleting it", func(t *testing.T) {
		v := Compare(ranks(map[string]int{"a": 1}), ranks(map[string]int{"b": 1}), Options{})
		if v.Passed() || strings.Join(v.Lost, " ") != "a" {
			t.Fatalf("Compare = %+v", v)
		}
	})
}

func everyState() Verdict {
	return Compare(
		ranks(map[string]int{"lost-a": 1, "lost-b": 1, "removed": 1, "won": 3, "better": 7, "worse": 2, "dropped": 0, "same-first": 1, "same-open": 0}),
		ranks(map[string]int{"lost-a": 2, "lost-b": 0, "won": 1, "better": 6, "worse": 0, "added": 4, "same-first": 1, "same-open": 0}), Options{})
}

func TestVerdictTable(t *testing.T) {
	golden(t, "table.txt", everyState().Table())
	golden(t, "table-passed.txt", Compare(ranks(map[string]int{"a": 1, "b": 2}), ranks(map[string]int{"a": 1, "b": 1}), Options{}).Table())
}

func TestVerdictJSON(t *testing.T) {
	data, err := bundle.Encode(everyState())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "verdict.json", strings.ReplaceAll(string(data), "},{", "},\n{"))
}

func TestCheck(t *testing.T) {
	good := bundle.BenchItem{ID: "q", Type: "symbol", Rank: 1}
	for _, tt := range []struct {
		name  string
		items []bundle.BenchItem
		want  string
	}{
		{"good", []bundle.BenchItem{good}, ""},
		{"none", nil, ""},
		{"twice", []bundle.BenchItem{good, good}, `the question "q" has two results`},
		{"bad id", []bundle.BenchItem{{ID: "Q\n"}}, `"Q " is not the id of a question`},
		{"negative rank", []bundle.BenchItem{{ID: "q", Rank: -1}}, "has the rank -1"},
		{"large rank", []bundle.BenchItem{{ID: "q", Rank: 11}}, "has the rank 11"},
		{"too many", make([]bundle.BenchItem, maxQuestions+1), "1001 results"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Check(&bundle.Bench{Results: tt.items})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Fatalf("Check = %v, want %q", err, tt.want)
			}
		})
	}
	b := &bundle.Bench{Results: []bundle.BenchItem{{ID: "q", Type: "a\x1b", Found: "\u202eb"}}}
	if err := Check(b); err != nil || b.Results[0].Type != "a" || b.Results[0].Found != "b" {
		t.Errorf("Check leaves %+v, %v", b.Results[0], err)
	}
}

func TestDifferences(t *testing.T) {
	measured := ranks(map[string]int{"a": 1, "b": 2})
	for _, tt := range []struct {
		name    string
		claimed *bundle.Bench
		want    string
	}{
		{"equal", ranks(map[string]int{"a": 1, "b": 2}), ""},
		{"better claimed", ranks(map[string]int{"a": 1, "b": 1}), "b: claimed first, is 2"},
		{"one left out", ranks(map[string]int{"a": 1}), "b: no result is claimed, it is 2"},
		{"one invented", ranks(map[string]int{"a": 1, "b": 2, "c": 1}), "c: claimed, but not a question of the file"},
		{"totals", func() *bundle.Bench { b := ranks(map[string]int{"a": 1, "b": 2}); b.First = 2; return b }(), "the totals are not the sum"},
		{"another first result", func() *bundle.Bench {
			b := ranks(map[string]int{"a": 1, "b": 2})
			b.Results[1].Found = "x"
			return b
		}(), "b: type or first result"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(Differences(tt.claimed, measured), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Fatalf("Differences = %q, want %q", got, tt.want)
			}
		})
	}
}
