package index

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// lie replaces text in a file of a sound index; the manifest agrees with the
// result, as that of a foreign bundle would.
func lie(t *testing.T, name, old, new string) map[string][]byte {
	t.Helper()
	files := maps.Clone(filesOf(t, smallDocs(), smallEdges()))
	if !bytes.Contains(files[name], []byte(old)) {
		t.Fatalf("%s has no %q:\n%s", name, old, files[name])
	}
	files[name] = bytes.Replace(files[name], []byte(old), []byte(new), 1)
	return files
}

// readAll reads everything that an index offers. It fails the test on an
// error that is not a refusal, and on what no reader may give.
func readAll(t *testing.T, files map[string][]byte) (refused error) {
	t.Helper()
	note := func(err error) {
		var r *bundle.Refused
		if err != nil && !errors.As(err, &r) {
			t.Fatalf("%T: %v", err, err)
		}
		if err != nil && refused == nil {
			refused = err
		}
	}
	r, err := Open(sealed(t, files))
	if note(err); err != nil {
		return refused
	}
	inRange := func(file int) {
		if file < 0 || file >= r.Header.Files {
			t.Fatalf("a posting names file %d of %d", file, r.Header.Files)
		}
	}
	part := func(file, part, v int) {
		if inRange(file); part < 0 || v < 0 || v > maxValue {
			t.Fatalf("a posting names part %d with %d", part, v)
		}
	}
	for _, term := range []string{"serv", "zebra", "handl", "=main", "=server", "=serve.go", EntryKey, "nothing", ""} {
		p, err := r.Terms([]string{term})
		if note(err); err != nil {
			continue
		}
		for _, list := range []string{p[0].Files, p[0].History, p[0].Paths} {
			r.Pairs(list, func(file, v int) { part(file, 0, v) })
		}
		for _, list := range []string{p[0].Files, p[0].Names, p[0].Docs} {
			r.Groups(list, part)
		}
		r.Numbers(p[0].Changes, func(change int) {
			changed, err := r.Changes([]int{change})
			if note(err); err == nil {
				for _, file := range changed[0] {
					inRange(file)
				}
			}
		})
		r.Exact(p[0].Exact, func(file, def int) {
			if inRange(file); def < -1 {
				t.Fatalf("a posting names definition %d", def)
			}
		})
	}
	r.Header.ClassOf(0)
	r.Header.UsedOf(0)
	for i := range min(r.Header.Files, 10) {
		r.Prefetch([]int{i})
		rec, err := r.File(i)
		if note(err); err != nil {
			continue
		}
		if !ValidPath(rec.Path) {
			t.Fatalf("the path %q", rec.Path)
		}
		for d := range rec.Len() {
			_, err := rec.Def(d)
			note(err)
		}
		_, err = rec.Defs()
		note(err)
		for _, get := range []func() ([]Edge, error){rec.Out, rec.In} {
			edges, err := get()
			note(err)
			for _, e := range edges {
				if inRange(e.File); e.Def < -1 || e.Def >= rec.Len() || e.Other < -1 || e.Line < 0 {
					t.Fatalf("an edge %+v", e)
				}
			}
		}
		if edges, err := rec.OutOf(0); err == nil && len(edges) > 0 && edges[0].Def != 0 {
			t.Fatalf("edges of definition 0: %+v", edges)
		}
	}
	return refused
}

func TestLiesAreRefused(t *testing.T) {
	const header, nodes = bundle.IndexName, "nodes/00.json"
	if err := readAll(t, filesOf(t, smallDocs(), smallEdges())); err != nil {
		t.Fatal("a sound index is refused: ", err)
	}
	for _, tt := range []struct{ name, file, old, new, want string }{
		{"another lexicon", header, `"lexicon":1`, `"lexicon":2`, "its words are cut by rules 2"},
		{"no word pieces", header, `"words":["=ci.yml"]`, `"pieces":1`, "no word pieces"},
		{"pieces not in order", header, `"words":["=ci.yml"]`, `"words":["b","a"]`, "the word pieces are not in order"},
		{"a piece that is not there", header, `"words":["=ci.yml"]`, `"words":["=ci.yml","n"]`, "the manifest does not list it"},
		{"a number for a word", header, `"words":["=ci.yml"]`, `"words":[7]`, "a string was expected"},
		{"a number of files below zero", header, `"files":4`, `"files":-4`, "the number of files"},
		{"billions of files", header, `"files":4`, `"files":4000000000`, "the number of files"},
		{"no whole number of files", header, `"files":4`, `"files":4.5`, "a whole number was expected"},
		{"a number out of range", header, `"files":4`, `"files":99999999999999999999`, "out of range"},
		{"a text for a number", header, `"files":4`, `"files":"4"`, "a whole number was expected"},
		{"more files than there are", header, `"files":4`, `"files":5`, "it lacks file 4"},
		{"fewer files than classes", header, `"files":4`, `"files":2`, "the classes are not in order"},
		{"classes not in order", header, `"classes":[0,1,2,3]`, `"classes":[0,2,1,3]`, "the classes are not in order"},
		{"classes below zero", header, `"classes":[0,1,2,3]`, `"classes":[-1,1,2,3]`, "the classes are not in order"},
		{"a class too few", header, `"classes":[0,1,2,3]`, `"classes":[0,1,2]`, "the classes are not in order"},
		{"no node pieces", header, `"nodes":[0]`, `"nodes":[]`, "no node pieces"},
		{"node pieces not in order", header, `"nodes":[0]`, `"nodes":[0,3,2]`, "the node pieces are not in order"},
		{"node pieces that begin late", header, `"nodes":[0]`, `"nodes":[1]`, "the node pieces are not in order"},
		{"a node piece that is not there", header, `"nodes":[0]`, `"nodes":[0,2]`, "the manifest does not list it"},
		{"a header that is a list", header, `{"lexicon"`, `["lexicon"`, "was expected"},
		{"a header of two", header, `{"lexicon"`, `{} {"lexicon"`, "something follows"},
		{"a key twice", header, `"files":4`, `"files":4,"files":4`, "stands twice"},
		{"fewer rules", header, `"rules":[{"relation":"calls","resolver":"same package","certainty":95},`, `"rules":[`, "names a rule that the index has not"},

		{"an absolute path", nodes, `"app/serve.go"`, `"/etc/passwd"`, "is not the path of a file"},
		{"a path that leaves", nodes, `"app/serve.go"`, `"../../.ssh/id"`, "is not the path of a file"},
		{"a path of two lines", nodes, `"app/serve.go"`, `"a\nanswers from main"`, "is not the path of a file"},
		{"no path", nodes, `{"path":"app/serve.go"`, `{"path":""`, "is not the path of a file"},
		{"a record that is lost", nodes, `{"path":"README.md"`, `{"paths":"README.md"`, "it lacks file 3"},
		{"two definitions on one line", nodes, `,3,9,1,"type Server struct"`, `,3,9,1],["type Server struct"`, "a definition has 8 fields, not 6"},
		{"a definition cut short", nodes, `,3,9,1,"type Server struct","A Server \"answers\"."]`, `,3,9,1]`, "a definition has 8 fields, not 6"},
		{"a name that is a number", nodes, `["Server"`, `[7`, "a string was expected"},
		{"a line that is a text", nodes, `,3,9,1`, `,"3",9,1`, "a whole number was expected"},
		{"half of a surrogate pair", nodes, `["Server"`, `["Ser\ud800"`, "half of a surrogate pair"},
		{"not UTF-8", nodes, `["Server"`, "[\"Ser\xff\"", "invalid UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := readAll(t, lie(t, tt.file, tt.old, tt.new))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("refused with %v, want %q", err, tt.want)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("the refusal is not one line: %q", err)
			}
		})
	}
}

func TestLyingEdgesAreRefused(t *testing.T) {
	// The method is used by main of the same file and by a test.
	const sound = `{"out":[3,0,0,1,25]}`
	for _, tt := range []struct{ name, edges, want string }{
		{"sound", `[3,0,0,1,25]`, ""},
		{"sound, from the file", `[0,0,0,-1,0]`, ""},
		{"none", `[]`, ""},
		{"a definition beyond the last", `[4,0,0,1,25]`, "names a definition"},
		{"a difference below zero", `[3,0,0,1,25,-1,0,0,1,25]`, "names a definition"},
		{"differences that overflow", `[3,0,0,1,25,9007199254740992,0,0,1,25]`, "names a definition"},
		{"a rule below zero", `[3,-1,0,1,25]`, "names a rule"},
		{"a rule beyond the last", `[3,2,0,1,25]`, "names a rule"},
		{"a file below zero", `[3,0,-1,1,25]`, "no file"},
		{"a file beyond the last", `[3,0,4,1,25]`, "no file"},
		{"a definition below the file", `[3,0,0,-2,25]`, "no file"},
		{"a line below zero", `[3,0,0,1,-25]`, "no file"},
		{"a number too few", `[3,0,0,1]`, "4 numbers do not make edges of 5"},
		{"texts", `["3",0,0,1,25]`, "a whole number was expected"},
		{"an object", `{}`, "was expected"},
	} {
		err := readAll(t, lie(t, "nodes/00.json", sound, `{"out":`+tt.edges+`}`))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: refused with %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestTooManyItemsAreRefused(t *testing.T) {
	for _, row := range []string{`{"path":` + "\n", "[\n"} {
		files := filesOf(t, smallDocs(), nil)
		files["nodes/00.json"] = append(files["nodes/00.json"], strings.Repeat(row, maxItems+1)...)
		if err := readAll(t, files); err == nil || !strings.Contains(err.Error(), "at most") {
			t.Errorf("%q, often: refused with %v", row, err)
		}
	}
}

func TestLyingPostings(t *testing.T) {
	r := &Reader{Header: Header{Files: 4}}
	pairs := func(list string, say func(string, ...any)) {
		r.Pairs(list, func(file, v int) { say("%d:%d", file, v) })
	}
	groups := func(list string, say func(string, ...any)) {
		r.Groups(list, func(file, part, v int) { say("%d.%d:%d", file, part, v) })
	}
	exact := func(list string, say func(string, ...any)) {
		r.Exact(list, func(file, def int) { say("%d.%d", file, def) })
	}
	for _, tt := range []struct {
		name string
		read func(string, func(string, ...any))
		list string
		want string
	}{
		{"sound pairs", pairs, "I2H", "0:9 2:8"},
		{"the last file", pairs, "4Z", "3:26"},
		{"nothing", pairs, "", ""},
		{"a number without a mark", pairs, "I2", "0:9"},
		{"a file twice", pairs, "I0II", "0:9"},
		{"a file before the first", pairs, "-5I", ""},
		{"a file beyond the last", pairs, "I4I", "0:9"},
		{"a file far beyond", pairs, "99999999999999999999I", ""},
		{"a mark that is none", pairs, "I[I", "0:9"},
		{"control characters", pairs, "I\x00I", "0:9"},
		{"not ASCII", pairs, "I\u00e9I", "0:9"},
		{"files with parts", pairs, "Ia3b/cH", "0:9 2:8"},

		{"sound groups", groups, "/a2e/c", "0.0:1 0.2:5 1.0:3"},
		{"a group without a file", groups, "a/a", ""},
		{"a part before the first", groups, "/0a", ""},
		{"a huge part", groups, "/999999999a/b", ""},
		{"a part of a file beyond the last", groups, "5/a", ""},

		{"sound definitions", exact, "/a5a3/2a", "0.-1 0.4 3.0"},
		{"a definition without a file", exact, "a", ""},
	} {
		var got []string
		tt.read(tt.list, func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) })
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q gives %q, want %q", tt.name, tt.list, got, tt.want)
		}
	}
}

func FuzzHeader(f *testing.F) {
	files := filesOf(f, smallDocs(), smallEdges())
	f.Add(files[bundle.IndexName])
	f.Add([]byte(`{"lexicon":1,"words":["","",""],"files":2000000,"names":9007199254740992,"classes":[0,0,0,0],"nodes":[0,0,0],"used":"99"}`))
	f.Fuzz(func(t *testing.T, data []byte) { readWith(t, files, bundle.IndexName, data) })
}

func FuzzNodes(f *testing.F) {
	files := filesOf(f, smallDocs(), smallEdges())
	f.Add(files["nodes/00.json"])
	f.Add([]byte("{\"items\":[\n{\"path\":\"a\",\"cuts\":[-1]},\n[\"x\",\"\",-1,0,0,99,\"\",\"\"],\n{\"out\":[1,0,0,0,0]},\n{\"in\":[0,0,3,9]}\n]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) { readWith(t, files, "nodes/00.json", data) })
}

func FuzzWordsRow(f *testing.F) {
	files := filesOf(f, smallDocs(), smallEdges())
	f.Add([]byte(`{"f":"I2H3c/a","n":"/a2b","x":"/a"}`))
	f.Add([]byte(`{"p":[1,9007199254740992],"d":"99999999999999999999a","h":"","z":{"f":[1]}}`))
	f.Fuzz(func(t *testing.T, row []byte) {
		readWith(t, files, "words/00.json", append(append([]byte("{\n\"serv\":"), row...), "\n}\n"...))
	})
}

func readWith(t *testing.T, files map[string][]byte, name string, data []byte) {
	if len(data) > 1<<16 {
		return // larger input is slower, not different
	}
	files = maps.Clone(files)
	files[name] = data
	readAll(t, files)
}
