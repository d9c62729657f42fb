package lexicon

import (
	"fmt"
	"strings"
	"testing"
)

func TestFrames(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"node", "    at foo (src/a.ts:12:3)", "src/a.ts:12 foo"},
		{"node, a method", "at Store.load (/home/me/app/src/store.js:7:15)", "/home/me/app/src/store.js:7 Store.load"},
		{"node, a constructor", "at new Store (file:///app/src/store.mjs:7:15)", "/app/src/store.mjs:7 Store"},
		{"node, awaited", "at async Promise.all (index 0)\nat async run (src/run.ts:3:1)", "src/run.ts:3 run"},
		{"node, without a name", "at /app/src/a.js:1:2", "/app/src/a.js:1 "},
		{"node, anonymous", "at Object.<anonymous> (/app/test/x.test.js:4:9)", "/app/test/x.test.js:4 Object"},
		{"python", `  File "lib/x.py", line 3, in run`, "lib/x.py:3 run"},
		{"python, the module", `File "/a/x.py", line 12, in <module>`, "/a/x.py:12 "},
		{"python, innermost first", "Traceback (most recent call last):\n  File \"main.py\", line 9, in main\n    go()\n  File \"deep.py\", line 2, in go\n    1/0\nZeroDivisionError: division by zero",
			"deep.py:2 go; main.py:9 main"},
		{"go", "panic: boom\n\ngoroutine 1 [running]:\nexample.org/app/internal/pool.(*Pool).Take(0xc00001)\n\t/src/app/internal/pool/pool.go:41 +0x1d\nmain.main()\n\t/src/app/main.go:9 +0x2a",
			"/src/app/internal/pool/pool.go:41 Pool.Take; /src/app/main.go:9 main"},
		{"java", "Exception in thread \"main\" java.lang.IllegalStateException: no berth\n\tat org.harbour.Berth.reserve(Berth.java:42)\n\tat org.harbour.Main.main(Main.java:7)",
			"Berth.java:42 Berth.reserve; Main.java:7 Main.main"},
		{"java, a module", "at java.base/java.util.ArrayList.get(ArrayList.java:427)", "ArrayList.java:427 ArrayList.get"},
		{"java, a constructor", "at org.harbour.Berth.<init>(Berth.java:12)", "Berth.java:12 harbour.Berth"},
		{"scala", "at org.harbour.Tide$.next(Tide.scala:5)", "Tide.scala:5 Tide.next"},
		{"c sharp", `   at Harbour.Berth.Reserve(String ship) in C:\src\Berth.cs:line 42`, "C:/src/Berth.cs:42 Berth.Reserve"},
		{"ruby", "lib/berth.rb:12:in `reserve': no berth (RuntimeError)", "lib/berth.rb:12 reserve"},
		{"php", "#0 /app/src/Berth.php(12): Harbour\\Berth->reserve()", "/app/src/Berth.php:12 Berth.reserve"},
		{"rust", "thread 'main' panicked at src/main.rs:10:5:\nindex out of bounds", "src/main.rs:10 "},
		{"a compiler", "internal/x/foo.go:12:3: undefined: bar", "internal/x/foo.go:12 "},
		{"a windows path", `at run (C:\app\src\run.ts:3:1)`, `C:/app/src/run.ts:3 run`},
		{"no frame", "at 12:30 the server of a.b started; see docs: part 3", ""},
		{"a host and port", "dial tcp 127.0.0.1:8080: connection refused", ""},
		{"a named host and port", "dial example.com:8080: connection refused", ""},
		{"a url with a port", "http://localhost:8080/x", ""},
		{"a line that no file has", "x.go:99999999999999999999", "x.go:0 "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			list, _ := frames(tt.text)
			for _, f := range list {
				got = append(got, fmt.Sprintf("%s:%d %s", f.Path, f.Line, f.Name))
			}
			if g := strings.Join(got, "; "); g != tt.want {
				t.Errorf("frames are %q, want %q", g, tt.want)
			}
		})
	}
}

func TestFramesLeaveTheMessage(t *testing.T) {
	_, rest := frames("panic: no berth is free\n\ngoroutine 1 [running]:\nexample.org/app/pool.(*Pool).Take(0xc00001)\n\t/src/app/pool.go:41 +0x1d\n")
	if got := strings.Join(strings.Fields(rest), " "); got != "panic: no berth is free goroutine 1 [running]: +0x1d" {
		t.Errorf("left of the trace is %q", got)
	}
}

func TestFramesAreBounded(t *testing.T) {
	if list, _ := frames(strings.Repeat("at foo (src/a.ts:12:3)\n", 1000)); len(list) != maxFrames {
		t.Errorf("%d frames of a recursion, want %d", len(list), maxFrames)
	}
}

func FuzzFrames(f *testing.F) {
	for _, s := range []string{"at foo (src/a.ts:12:3)", `File "x.py", line 3, in f`, "a.b(C.java:1)", "x.go:1:2", "Traceback (most recent call last)\n", "\\.x:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, rest := frames(s)
		if len(rest) > len(s)+len(list) {
			t.Errorf("%q leaves more: %q", s, rest)
		}
		for _, fr := range list {
			if fr.Path == "" || fr.Line < 0 || strings.ContainsAny(fr.Name, "\n") {
				t.Errorf("frames(%q) gives %+v", s, fr)
			}
		}
	})
}
