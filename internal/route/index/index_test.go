package index

import (
	"strings"
	"testing"
)

func TestClassOfPath(t *testing.T) {
	for class, paths := range map[Class]string{
		Source: `main.go internal/route/bundle.go src/app.ts lib/x.py a/B.scala scripts/release.sh Makefile Dockerfile contest.go
			attest/latest.py inspect.rb testing.go specs.go aTest.go Testimony.java It.java src/testify/x.go`,
		Test: `a_test.go x/test_a.py tests/a.py src/test/scala/A.scala conftest.py a.test.ts a.spec.js ASpec.scala ATest.java FooSuite.scala
			FooIT.java __tests__/a.js x/testdata/a.go e2e/x.ts testdata/in.yaml fixtures/a.json spec/a_spec.rb Benchmarks/x.go test/a.sh`,
		Doc:  `README.md docs/a.rst LICENSE license.txt CHANGELOG NOTICE tests/README.md man/route.1 x.mdx TODO`,
		Data: `a.json b.yaml go.mod go.sum Cargo.lock .gitignore .github/workflows/ci.yml app/style.css page.html .env a.PEM`,
	} {
		for _, p := range strings.Fields(paths) {
			if got := ClassOfPath(p); got != class {
				t.Errorf("%s is of class %d, want %d", p, got, class)
			}
		}
	}
}

func TestValidPath(t *testing.T) {
	for _, p := range []string{"a.go", "a/b c/é.go", `a\b.go`, "..a", "a/...", "-x", ".git", strings.Repeat("d/", 200) + "f"} {
		if !ValidPath(p) {
			t.Errorf("%q is refused", p)
		}
	}
	for _, p := range []string{"", ".", "..", "/etc/passwd", "../x", "a/../../x", "a/../b", "a//b", "a/", "./a", "a\nb", "a\x1b[31m", "a\u0085", "\u202egp.exe", "a\xff"} {
		if ValidPath(p) {
			t.Errorf("%q is allowed", p)
		}
	}
}

func TestClassOf(t *testing.T) {
	h := Header{Files: 6, Classes: []int{0, 2, 2, 5}}
	for file, want := range []Class{Source, Source, Doc, Doc, Doc, Data} {
		if got := h.ClassOf(file); got != want {
			t.Errorf("file %d is of class %d, want %d", file, got, want)
		}
	}
}

func TestUsedOf(t *testing.T) {
	h := Header{Used: "09x"}
	for file, want := range map[int]int{-1: 0, 0: 0, 1: 9, 2: 0, 3: 0} {
		if got := h.UsedOf(file); got != want {
			t.Errorf("file %d is used %d, want %d", file, got, want)
		}
	}
}

func TestShardsSpread(t *testing.T) {
	const pieces = 64
	counts := make([]int, pieces)
	for i := range 64 * 100 {
		counts[Shard(strings.Repeat("a", i%50)+string(rune('a'+i/50%26))+string(rune('a'+i/1300)), pieces)]++
	}
	for n, c := range counts {
		if c < 50 || c > 200 {
			t.Errorf("piece %d of %d gets %d of 6400 terms", n, pieces, c)
		}
	}
}
