package assemble

import (
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// maxTestNames is how many names of tests one file is known by: as much as
// its history may say.
const maxTestNames = maxSubjects

// testNames maps the path of a source file to the names of the tests that
// try it. They tell what a file does in the words of those who use it, as
// the subjects of commits do.
//
// A file of tests tries the file of the same base name that is nearest to
// it: list_test.go, test_list.py, list.test.ts, ListSpec.scala.
func testNames(sources []source) map[string][]string {
	type place struct {
		repo int
		stem string
	}
	byStem := map[place][]string{}
	for _, s := range sources {
		if index.ClassOfPath(s.path) == index.Source && s.file.Lang != "" {
			p := place{s.repo, strings.ToLower(stem(s.path))}
			byStem[p] = append(byStem[p], s.path)
		}
	}
	names := map[string][]string{}
	for _, s := range sources {
		if index.ClassOfPath(s.path) != index.Test {
			continue
		}
		of := nearestPath(s.path, byStem[place{s.repo, strings.ToLower(testedStem(stem(s.path)))}])
		if of == "" {
			continue
		}
		for _, d := range s.file.Definitions {
			if d.Test && len(names[of]) < maxTestNames {
				names[of] = append(names[of], d.Name)
			}
		}
	}
	return names
}

func stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// testMarks are what file names of tests have beside the name of what they
// try, longest first.
var testMarks = []struct{ prefix, suffix string }{
	{"", ".stories"}, {"", ".tests"}, {"", "_tests"}, {"", ".test"}, {"", ".spec"}, {"", "_test"}, {"", "_spec"}, {"", "-test"}, {"", "-spec"},
	{"test_", ""}, {"test-", ""}, {"", "Suite"}, {"", "Tests"}, {"", "Test"}, {"", "Spec"}, {"", "IT"},
}

// testedStem takes the mark of a test from a file's base name without ending.
func testedStem(stem string) string {
	for _, m := range testMarks {
		if strings.HasPrefix(stem, m.prefix) && strings.HasSuffix(stem, m.suffix) && len(stem) > len(m.prefix)+len(m.suffix) {
			return stem[len(m.prefix) : len(stem)-len(m.suffix)]
		}
	}
	return stem
}

// nearestPath returns the one of paths that shares most folders with p,
// counted from the start and from the end, for trees of tests are laid like
// trees of sources. Of several that share as many it takes none.
func nearestPath(p string, paths []string) string {
	best, most, tie := "", -1, false
	for _, q := range paths {
		switch n := sharedFolders(p, q); {
		case n > most:
			best, most, tie = q, n, false
		case n == most:
			tie = true
		}
	}
	if tie {
		return ""
	}
	return best
}

func sharedFolders(p, q string) int {
	a, b := strings.Split(path.Dir(p), "/"), strings.Split(path.Dir(q), "/")
	short := min(len(a), len(b))
	n := 0
	for n < short && a[n] == b[n] {
		n++
	}
	m := 0
	for n+m < short && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return n + m
}
