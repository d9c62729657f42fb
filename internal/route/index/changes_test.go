package index

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

func TestChanges(t *testing.T) {
	r := open(t, filesOf(t, smallDocs(), nil))
	if r.Header.Changes != 2 {
		t.Errorf("%d changes; one of the three changed no file that there is", r.Header.Changes)
	}
	p, err := r.Terms([]string{"zebra", "serv", "nobod"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int{{0, 1}, {0}, nil} {
		var got []int
		r.Numbers(p[i].Changes, func(n int) { got = append(got, n) })
		if !slices.Equal(got, want) {
			t.Errorf("term %d: changes %v, want %v", i, got, want)
		}
	}
	got, err := r.Changes([]int{1, 0})
	if err != nil || !reflect.DeepEqual(got, [][]int{{2}, {0, 3}}) {
		t.Errorf("files %v, %v", got, err)
	}
}

func TestChangesInPieces(t *testing.T) {
	b := NewBuilder([]string{"app"}, []string{"a.go", "b.go", "c.go"})
	const n = 2*changesPiece + 1
	for i := range n {
		b.Change(fmt.Sprintf("step %d", i), []string{[]string{"a.go", "b.go", "c.go"}[i%3]})
	}
	files, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, files)
	var numbers []int
	for i := n - 1; i >= 0; i-- {
		numbers = append(numbers, i)
	}
	got, err := r.Changes(numbers)
	if err != nil {
		t.Fatal(err)
	}
	for i, change := range numbers {
		if !slices.Equal(got[i], []int{change % 3}) {
			t.Fatalf("change %d has files %v", change, got[i])
		}
	}
}

func TestLyingChangesAreRefused(t *testing.T) {
	const sound = "[1,3],\n[3]"
	for _, tt := range []struct{ name, rows, want string }{
		{"sound", sound, ""},
		{"no files", "[],\n[]", ""},
		{"one change too few", "[1,3]", "it lacks change 1"},
		{"no line of its own", "[1,3],[3]", "something follows"},
		{"a file beyond the last", "[1,4],\n[3]", "no file of the index"},
		{"a file before the first", "[0],\n[3]", "no file of the index"},
		{"differences that overflow", "[1,9007199254740992],\n[3]", "no file of the index"},
		{"texts", `["1"],` + "\n[3]", "a whole number was expected"},
		{"an object", "{},\n[3]", "was expected"},
	} {
		err := readAll(t, lie(t, "changes/00.json", sound, tt.rows))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: refused with %v, want %q", tt.name, err, tt.want)
		}
	}
	for _, claim := range []string{"-1", "99999999"} {
		err := readAll(t, lie(t, bundle.IndexName, `"changes":2`, `"changes":`+claim))
		if err == nil || !strings.Contains(err.Error(), "the number of changes is out of range") {
			t.Errorf("%s changes: refused with %v", claim, err)
		}
	}
	r := &Reader{Header: Header{Changes: 3}}
	for _, tt := range []struct {
		list []int
		want []int
	}{{[]int{1, 2}, []int{0, 2}}, {[]int{1, 3, 1}, []int{0}}, {[]int{0}, nil}, {[]int{1 << 53}, nil}, {[]int{1, -1}, []int{0}}} {
		var got []int
		r.Numbers(tt.list, func(n int) { got = append(got, n) })
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v gives %v, want %v", tt.list, got, tt.want)
		}
	}
}

func FuzzChanges(f *testing.F) {
	files := filesOf(f, smallDocs(), smallEdges())
	f.Add(files["changes/00.json"])
	f.Add([]byte("{\"items\":[\n[1,1,1,1,1],\n[9007199254740992]\n]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) { readWith(t, files, "changes/00.json", data) })
}
