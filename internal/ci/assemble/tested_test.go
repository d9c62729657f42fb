package assemble

import (
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

func TestNamesOfTestsBelongToTheFileTheyTry(t *testing.T) {
	var sources []source
	code := func(paths ...string) {
		for _, p := range paths {
			sources = append(sources, source{path: p, parsed: parsed{file: &extract.File{Lang: "go"}}})
		}
	}
	tests := func(path string, names ...string) {
		f := &extract.File{Lang: "go"}
		for _, n := range names {
			f.Definitions = append(f.Definitions, extract.Definition{Name: n, Test: !strings.HasPrefix(n, "helper")})
		}
		sources = append(sources, source{path: path, parsed: parsed{file: f}})
	}
	code("cmd/gist/list/list.go", "cmd/issue/list/list.go", "src/main/java/org/x/Store.java", "src/berth_map.ts", "lib/run.py", "other/run.py", "a/twin.go", "b/twin.go")
	tests("cmd/issue/list/list_test.go", "TestListShowsProgress", "helperOfTests")
	tests("src/test/java/org/x/StoreTest.java", "keepsOrder")
	tests("src/berth_map.test.ts", "paints", "fails")
	tests("testing/test_run.py", "test_exit_code")
	tests("tests/twin_test.go", "TestOfEitherTwin")
	tests("tests/nothing_test.go", "TestOfNothing")
	sources = append(sources, source{repo: 1, path: "tools/list_test.go", parsed: parsed{file: &extract.File{Definitions: []extract.Definition{{Name: "TestElsewhere", Test: true}}}}})

	got := testNames(sources)
	for path, want := range map[string][]string{
		"cmd/issue/list/list.go":         {"TestListShowsProgress"},
		"src/main/java/org/x/Store.java": {"keepsOrder"},
		"src/berth_map.ts":               {"paints", "fails"},
	} {
		if !slices.Equal(got[path], want) {
			t.Errorf("%s is tried by %q, want %q", path, got[path], want)
		}
		delete(got, path)
	}
	// lib/run.py and other/run.py are as near to testing/test_run.py, a/twin.go
	// and b/twin.go to tests/twin_test.go: neither is guessed.
	if len(got) != 0 {
		t.Errorf("further files are tried: %q", got)
	}
}

func TestNamesOfTestsAreBounded(t *testing.T) {
	f := &extract.File{}
	for range 10 * maxTestNames {
		f.Definitions = append(f.Definitions, extract.Definition{Name: "TestX", Test: true})
	}
	got := testNames([]source{{path: "a.go", parsed: parsed{file: &extract.File{Lang: "go"}}}, {path: "a_test.go", parsed: parsed{file: f}}})
	if n := len(got["a.go"]); n != maxTestNames {
		t.Errorf("a file is known by %d tests, want %d", n, maxTestNames)
	}
}
