package fact

import (
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	near := Call{File: "a.rs", Line: 9, Name: "run", TargetFile: "b.rs", TargetLine: 3}
	far := Call{File: "a.rs", Line: 10, Name: "hash", Dynamic: true}
	var out strings.Builder
	if err := Write(&out, map[Call]bool{far: true, near: true}); err != nil {
		t.Fatal(err)
	}
	want := `{"file":"a.rs","line":9,"name":"run","target_file":"b.rs","target_line":3}
{"file":"a.rs","line":10,"name":"hash","target_file":"","target_line":0,"dynamic":true}
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}
