package index

import (
	"slices"
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

// TestPiecesOfWords: pieces are cut at words that are chosen by themselves, so
// that one more word in one piece moves no border of another.
func TestPiecesOfWords(t *testing.T) {
	cut := func(more string) (first []string) {
		w := &wordsWriter{cut: &Cut{}, put: func(_ string, data []byte) error {
			if len(data) > wordsPiece+100 {
				t.Errorf("a piece of %d bytes", len(data))
			}
			return nil
		}}
		for i := range 26 * 26 * 26 {
			term := string([]byte{byte('a' + i/676), byte('a' + i/26%26), byte('a' + i%26)})
			w.add(term, []byte(`"`+term+`":{"f":"`+strings.Repeat("A", 20)+`"}`))
			if term == more {
				w.add(term+"s", []byte(`"`+term+`s":{"f":"A"}`))
			}
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		return w.first
	}
	one, two := cut(""), cut("mmm")
	if len(one) < 10 || !slices.IsSorted(one) {
		t.Fatalf("%d pieces from %q", len(one), one)
	}
	moved := 0
	for _, term := range two {
		if !slices.Contains(one, term) {
			moved++
		}
	}
	if moved > 1 {
		t.Errorf("one more word moves %d borders", moved)
	}
	for n, size := range map[int]int{0: wordsPiece, 1023: wordsPiece, 1024: 2 * wordsPiece, 1 << 14: mostPiece} {
		if got := pieceSize(n); got != size {
			t.Errorf("piece %d may have %d bytes, not %d", n, got, size)
		}
	}
}
