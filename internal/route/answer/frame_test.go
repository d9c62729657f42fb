package answer

import (
	"fmt"
	"strings"
	"testing"
)

func frameWorld() *world {
	w := &world{}
	w.filler(10)
	for _, dir := range []string{"issue", "repo"} {
		w.file("cmd/"+dir+"/list.go", "list rows no berth is free", def("Options", 1), def("listRun", 10), def("Table.Print", 20))
	}
	w.file("main.go", "main", def("main", 3))
	w.file("src/org/x/Berth.java", "berth", def("Berth", 1), def("Berth.reserve", 4))
	w.file("src/org/y/Berth.java", "berth", def("Berth", 1), def("Berth.free", 4))
	w.file("berth/message.go", strings.Repeat("no berth is free ", 20), def("noBerthIsFree", 1))
	return w
}

func TestFramesStandFirst(t *testing.T) {
	e := frameWorld().engine(t)
	for _, tt := range []struct{ name, question, want string }{
		{"a trace of go", "panic: no berth is free\n\ngoroutine 1 [running]:\nx/cmd/repo.listRun(0xc0)\n\t/home/ci/x/cmd/repo/list.go:12 +0x1d\nmain.main()\n\t/home/ci/x/main.go:5 +0x2\n",
			"listRun cmd/repo/list.go:12, main main.go:5"},
		{"the standard library is passed over", "panic: x\nruntime.gopanic()\n\t/usr/lib/go/src/runtime/panic.go:88 +0x1\nx/cmd/issue.listRun()\n\t/x/cmd/issue/list.go:11 +0x1",
			"listRun cmd/issue/list.go:11"},
		{"a compiler's line", "cmd/issue/list.go:22:5: undefined: rows", "Table.Print cmd/issue/list.go:22"},
		{"a line that has moved", "at listRun (cmd/issue/list.go:900:1)", "listRun cmd/issue/list.go:10"},
		{"a line between definitions", "cmd/issue/list.go:8", "listRun cmd/issue/list.go:10"},
		{"only a base name, and a method", "at org.x.Berth.reserve(Berth.java:5)", "Berth.reserve src/org/x/Berth.java:5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := query(t, e, tt.question)
			var got []string
			for _, n := range a.Nodes {
				got = append(got, fmt.Sprintf("%s %s", n.Label, n.Src()))
			}
			if g := strings.Join(got, ", "); !strings.HasPrefix(g, tt.want) {
				t.Errorf("finds %s, want %s", g, tt.want)
			}
		})
	}
}

func TestFramesOfFilesThatAreNotHereStillFindByWords(t *testing.T) {
	a := query(t, frameWorld().engine(t), "at noBerthIsFree (dist/bundle.min.js:1:2345)")
	if len(a.Files) == 0 || a.Files[0].Path != "berth/message.go" {
		t.Errorf("finds %s", places(a.Nodes))
	}
}
