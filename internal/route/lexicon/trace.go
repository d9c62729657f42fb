package lexicon

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/pattern"
)

// A Frame is one line of a stack trace, or of what a compiler or linter
// prints: a place in a file, with the name of the function there when the
// line tells it.
type Frame struct {
	Path string // as written, with slashes: "src/a.ts", "/home/me/app/x.py", "Bar.java"
	Line int    // from 1; 0 when it is not told
	Name string // "foo", "Bar.baz"; "" when it is not told
}

// maxFrames bounds the frames of one question: the first ones are nearest to
// the fault, and a recursion repeats itself.
const maxFrames = 8

// A form is what a frame looks like in one family of languages; path, line
// and name are the groups of the expression that hold them, 0 for none.
type form struct {
	re               *pattern.Pattern
	path, line, name int
}

// forms are compiled for a question that may need them: few do, and each
// question is a process of its own. Every file name in them needs an ending,
// so that "12:30" or "a:b" is none.
var forms = sync.OnceValue(func() []form {
	return []form{
		// Java, Kotlin, Scala: "at org.x.Bar.baz(Bar.java:42)"
		{pattern.Must(`\bat (?:[\w.$-]+/)*([\w.$<>]+)\(([\w$-]+\.(?:java|kt|scala|groovy|clj))(?::(\d+))?\)`), 2, 3, 1},
		// C#: "at N.Bar.Baz(String s) in /src/Bar.cs:line 42"
		{pattern.Must(`\bat ([\w.<>]+)\([^)]*\) in (\S+\.\w+):line (\d+)`), 2, 3, 1},
		// node, browsers: "at foo (src/a.ts:12:3)", "at async src/a.ts:12:3"
		{pattern.Must(`\bat (?:async )?(?:new )?(?:([\w$.<>\[\] ]+?) \()?(?:file://|webpack:///?)?([^\s()]+\.\w+):(\d+)(?::\d+)?\)?`), 2, 3, 1},
		// Python: File "x.py", line 3, in run
		{pattern.Must(`File "([^"]+)", line (\d+)(?:, in ([\w<>.]+))?`), 1, 2, 3},
		// Ruby: "lib/x.rb:12:in 'run'"
		{pattern.Must("([^\\s:'\"]+\\.rb):(\\d+):in [`']([^`']+)'"), 1, 2, 3},
		// PHP: "#0 /app/x.php(12): run()"
		{pattern.Must(`([^\s:'"]+\.php)\((\d+)\)(?:: ([\w\\:>-]+)\()?`), 1, 2, 3},
		// Go, Rust, C, and every compiler: "/src/x/foo.go:123 +0x1d", "src/main.rs:10:5"
		{pattern.Must(`([\w@~+./\\-]*[\w-]\.[A-Za-z]\w{0,9}):(\d+)(?::\d+)?`), 1, 2, 0},
	}
})

// goCall is the line above a place in a trace of Go:
// "main.(*Server).serve(0xc000, ...)".
var goCall = sync.OnceValue(func() *pattern.Pattern {
	return pattern.Must(`^\s*(?:[\w./-]+\.)?\(?\*?([A-Za-z_]\w*)\)?(?:\.([A-Za-z_]\w*))?(?:\.func\d+)*\(.*\)\s*$`)
})

// framed is a quick look whether text may hold a frame: a place is a name
// with an ending and a number behind it.
func framed(text string) bool {
	return strings.Contains(text, ".") && (strings.Contains(text, ":") || strings.Contains(text, "line ") || strings.Contains(text, ".php(")) &&
		strings.ContainsAny(text, "0123456789")
}

// frames finds the frames in text, nearest to the fault first, and returns
// what is left of the text without them.
func frames(text string) (list []Frame, rest string) {
	if !framed(text) {
		return nil, text
	}
	var left bytes.Buffer
	above := ""
	python := strings.Contains(text, "Traceback (most recent call last)")
	for line := range strings.Lines(text) {
		for _, f := range forms() {
			at := f.re.Index(line)
			if at == nil {
				continue
			}
			m := f.re.Groups(line)
			if isHost(m[f.path]) {
				continue
			}
			frame := Frame{Path: strings.ReplaceAll(m[f.path], `\`, "/")}
			if n, err := strconv.Atoi(m[f.line]); err == nil {
				frame.Line = n
			}
			if f.name > 0 {
				frame.Name = lastNames(m[f.name])
			} else if call := goCall().Groups(above); call != nil && strings.HasSuffix(frame.Path, ".go") {
				frame.Name = strings.Trim(call[1]+"."+call[2], ".")
				left.Truncate(left.Len() - len(above))
			}
			list = append(list, frame)
			line = line[:at[0]] + " " + line[at[1]:]
			break
		}
		left.WriteString(line)
		above = line
	}
	if python { // tells the outermost call first
		for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
	}
	return list[:min(len(list), maxFrames)], left.String()
}

// lastNames cuts a qualified name to its last two parts: "org.x.Bar.baz" is
// "Bar.baz", and leaves out what no source has: "<init>", "<anonymous>".
func lastNames(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(`. :\$>-`, r) })
	kept := parts[:0]
	for _, p := range parts {
		if !strings.ContainsAny(p, "<>[]") && p != "async" && p != "new" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept[max(0, len(kept)-2):], ".")
}

// isHost reports whether what looks like a file is the address of a server:
// "example.com" of example.com:8080.
func isHost(path string) bool {
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "com", "org", "net", "io", "dev", "local", "internal", "example", "test":
		return !strings.ContainsAny(path, "/\\")
	}
	return false
}
