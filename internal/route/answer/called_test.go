package answer

import (
	"fmt"
	"strings"
	"testing"
)

// crowd is a workspace in which everything has one name: n folders with a
// same.go, each of which defines "same", and a few whose files have other
// names.
func crowd(n int) *world {
	w := &world{}
	for i := range n {
		w.file(fmt.Sprintf("dir%04d/same.go", i), "package dir", def("same", 3), def("Box.same", 9))
	}
	w.file("zoo/other.go", "package zoo", def("same", 5), def("SAME", 7))
	return w
}

// TestANameOfManyMeanings: what is left out is counted, and what the text
// tells to do about it helps.
func TestANameOfManyMeanings(t *testing.T) {
	const n = maxMeanings + 200
	e := crowd(n).engine(t)
	l, err := e.Lookup("same")
	if err != nil {
		t.Fatal(err)
	}
	total := 2*n + 2 // as definitions go; nobody looks whether the rest are written like this
	if len(l.Found) != maxCandidates || len(l.Found)+l.More+l.Unread != total || l.Unread != total-maxMeanings {
		t.Errorf("%d found, %d more, %d unread of %d", len(l.Found), l.More, l.Unread, total)
	}
	for budget, want := range map[int]string{
		200:    fmt.Sprintf(" meanings, %d of that name not looked at; --budget 400 shows more\n", l.Unread),
		100000: fmt.Sprintf("\nleft out: %d meanings, %d of that name not looked at; only file:name or path:line narrows it\n", l.More, l.Unread),
	} {
		if text := l.Candidates("first line", budget); !strings.HasSuffix(text, want) || len(text) > budget*BytesPerToken {
			t.Errorf("budget %d: the text ends in %q", budget, text[max(0, len(text)-120):])
		}
	}
	for _, tt := range []struct{ term, found string }{
		{"zoo/other.go:same", "same zoo/other.go:5"},
		{"other.go:same", "same zoo/other.go:5"},
		{"zoo/other.go#SAME", "SAME zoo/other.go:7"},
		{fmt.Sprintf("dir%04d/same.go:Box.same", n-1), fmt.Sprintf("Box.same dir%04d/same.go:9", n-1)},
		{"dir0000/same.go#same", "same dir0000/same.go:3"},
		{fmt.Sprintf("dir%04d/same.go", n-1), fmt.Sprintf("same.go dir%04d/same.go:1", n-1)},
		{fmt.Sprintf("dir%04d/same.go:10", n-2), fmt.Sprintf("Box.same dir%04d/same.go:9", n-2)},
		{"dir9999/same.go", ""},
		{"dir9999/same.go:same", ""},
	} {
		l, err := e.Lookup(tt.term)
		if err != nil {
			t.Fatal(err)
		}
		if got := places(l.Found); got != tt.found {
			t.Errorf("%q is %q, want %q", tt.term, got, tt.found)
		}
		if text := l.Candidates("first line", 400); tt.found == "" && (l.Unread == 0 || strings.Contains(text, "is called") || !strings.Contains(text, "not looked at; only file:name or path:line narrows it\n")) {
			t.Errorf("%q prints\n%s", tt.term, text)
		}
	}
}

// A name in another case than most may be among those not looked at, so
// nothing says that it does not exist.
func TestANameThatIsNotAmongThoseLookedAt(t *testing.T) {
	l, err := crowd(maxMeanings).engine(t).Lookup("Crate.same")
	if err != nil || len(l.Found) != 0 || l.Unread == 0 {
		t.Fatalf("%d found, %d unread, %v", len(l.Found), l.Unread, err)
	}
	want := fmt.Sprintf("first line\nnone of the first %d definitions of that name fits \"Crate.same\"\nleft out: %d of that name not looked at; only file:name or path:line narrows it\n", maxMeanings, l.Unread)
	if got := l.Candidates("first line", 400); got != want {
		t.Errorf("got\n%s", got)
	}
}
