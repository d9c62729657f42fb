package bench

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const wholeYAML = `# The questions of one workspace.
version: 1
questions:
  - id: exact-score
    type: symbol
    question: Where is the swimability score computed?
    ask: [query, swimability score]
    expect:
      repo: marola-app
      paths: [core/Swimability.scala, core/scoring/]
    note: the exact name
  - id: pins
    type: wiring
    ask:
      - wiring
      - "resources"
    expect:
      paths:
        - .github/workflows/release.yml
`

const wholeJSON = `{"version": 1, "questions": [
  {"id": "exact-score", "type": "symbol", "question": "Where is the swimability score computed?", "ask": ["query", "swimability score"],
   "expect": {"repo": "marola-app", "paths": ["core/Swimability.scala", "core/scoring/"]}, "note": "the exact name"},
  {"id": "pins", "type": "wiring", "ask": ["wiring", "resources"], "expect": {"paths": [".github/workflows/release.yml"]}}]}`

func TestParse(t *testing.T) {
	want := []Question{
		{ID: "exact-score", Type: "symbol", Question: "Where is the swimability score computed?", Verb: "query", Args: []string{"swimability score"},
			Expect: Expect{"marola-app", []string{"core/Swimability.scala", "core/scoring/"}}, Note: "the exact name"},
		{ID: "pins", Type: "wiring", Verb: "wiring", Args: []string{"resources"}, Expect: Expect{"", []string{".github/workflows/release.yml"}}},
	}
	for _, tt := range []struct {
		name, text string
		lines      []int
	}{{"b.yaml", wholeYAML, []int{4, 12}}, {"b.json", wholeJSON, []int{2, 4}}} {
		f, err := Parse(tt.name, []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range tt.lines {
			want[i].Line = line
		}
		if f.Name != tt.name || !reflect.DeepEqual(f.Questions, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, f.Questions, want)
		}
	}
	if got := want[0].Ask(); got != "route query 'swimability score'" {
		t.Errorf("Ask() = %s", got)
	}
}

// question is a file with one good question in which old is replaced.
func question(old, new string) string {
	return strings.Replace(`version: 1
questions:
  - id: one
    type: symbol
    question: Where?
    ask: [query, two words]
    expect:
      repo: app
      paths: [a/b.go]
    note: because
`, old, new, 1)
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"YAML syntax", "version: 1\n\tx", "b.yaml: line 2: column 1: a tab"},
		{"a list", "- a\n", "line 1: a question file must be a mapping, not a list"},
		{"no version", "questions:\n  - id: a\n", `a question file has no "version"`},
		{"other version", question("version: 1", "version: 2"), "line 1: the version is not 1"},
		{"version as text", question("version: 1", `version: "1"`), "line 1: the version is not 1"},
		{"no questions", "version: 1\n", `a question file has no "questions"`},
		{"empty questions", "version: 1\nquestions: []\n", `line 2: "questions" must be a list of 1 to 1000`},
		{"questions as text", "version: 1\nquestions: x\n", `line 2: "questions" must be a list`},
		{"too many questions", "version: 1\nquestions: [" + strings.Repeat("a, ", 1000) + "a]\n", "1 to 1000"},
		{"unknown top key", question("version: 1", "version: 1\nname: x"), `line 2: "name" is not a key of a question file; the keys are version, questions`},
		{"question as text", "version: 1\nquestions: [a]\n", "line 2: a question must be a mapping, not text"},
		{"unknown key", question("note:", "remark:"), `line 10: question "one": "remark" is not a key of a question; the keys are id, type, question, ask, expect, note`},
		{"key in another case", question("note:", "Note:"), `"Note" is not a key`},
		{"no id", question("id: one\n    type", "type"), `line 3: a question has no "id"`},
		{"bad id", question("id: one", "id: One Two"), `line 3: the id "One Two" is not of the form`},
		{"long id", question("id: one", "id: "+strings.Repeat("a", 65)), "at most 64 characters"},
		{"number as id", question("id: one", "id: 1"), `line 3: "id" is the number 1; put it in quotes`},
		{"empty id", question("id: one", `id: ""`), `line 3: "id" is empty`},
		{"no type", question("    type: symbol\n", ""), `question "one": a question has no "type"`},
		{"unknown type", question("symbol", "symbols"), `line 4: question "one": there is no type "symbols"; the types are symbol, wiring, docs, impact, decision, meaning`},
		{"no ask", question("    ask: [query, two words]\n", ""), `a question has no "ask"`},
		{"unknown verb", question("query", "grep"), `line 6: question "one": route has no answering command "grep"; the commands are query, explain, path, wiring, docs, code, why`},
		{"a verb that answers nothing", question("query", "fetch"), `no answering command "fetch"`},
		{"no words", question("[query, two words]", "[query]"), "line 6: question \"one\": route query takes 1 to 20 arguments, not 0"},
		{"too many words", question("[query, two words]", "[explain, a, b]"), "route explain takes 1 arguments, not 2"},
		{"path needs two", question("[query, two words]", "[path, a]"), "route path takes 2 arguments, not 1"},
		{"ask as text", question("[query, two words]", "query two words"), `line 6: question "one": "ask" must be a list, not text`},
		{"empty ask", question("[query, two words]", "[]"), `"ask" has 0 entries`},
		{"number as word", question("two words", "400"), `an entry of "ask" is the number 400; put it in quotes`},
		{"flag as word", question("two words", `"--budget"`), "asks with words; a flag is not one"},
		{"empty word", question("two words", `" "`), `an entry of "ask" is empty`},
		{"no expect", question("    expect:\n      repo: app\n      paths: [a/b.go]\n", ""), `a question has no "expect"`},
		{"expect as text", question("\n      repo: app\n      paths: [a/b.go]", " a/b.go"), `line 7: question "one": "expect" must be a mapping, not text`},
		{"no paths", question("      paths: [a/b.go]\n", ""), `line 8: question "one": "expect" has no "paths"`},
		{"empty paths", question("[a/b.go]", "[]"), `line 9: question "one": "paths" has 0 entries; between 1 and 20`},
		{"path as text", question("[a/b.go]", "a/b.go"), `"paths" must be a list, not text`},
		{"same path twice", question("[a/b.go]", "[a/b.go, a/b.go]"), `line 9: question "one": "a/b.go" stands twice`},
		{"absolute path", question("[a/b.go]", "[/a/b.go]"), `"/a/b.go" is not a path from the repository's top`},
		{"path outside", question("[a/b.go]", "[../b.go]"), `"../b.go" is not a path`},
		{"path not in its shortest form", question("[a/b.go]", "[a//b.go]"), `"a//b.go" is not a path`},
		{"dot path", question("[a/b.go]", "[./]"), `"./" is not a path`},
		{"root path", question("[a/b.go]", "[/]"), `"/" is not a path`},
		{"backslash path", question("[a/b.go]", `['a\b.go']`), `is not a path`},
		{"unknown expect key", question("repo: app", "repository: app"), `line 8: question "one": "repository" is not a key of "expect"; the keys are repo, paths`},
		{"bad repo", question("repo: app", "repo: ../app"), `line 8: question "one": "../app" is not the name or the path of a repository`},
		{"control character", question("Where?", `"a\u0007"`), `line 5: question "one": "question" holds a control`},
		{"text direction", question("because", `"\u202e"`), `"note" holds a control or text-direction character`},
		{"long text", question("Where?", strings.Repeat("x", 501)), `"question" has 501 bytes; at most 500`},
		{"same id", question("", "") + question("version: 1\nquestions:\n", ""), `line 11: question "one": the question of line 3 has the same id`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("b.yaml", []byte(tt.in))
			if e := (*FileError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Parse = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestParseRefusesJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"syntax", "{\"version\": 1,\n}", "b.JSON: line 2: column 1: a string was expected"},
		{"null", strings.Replace(wholeJSON, `"the exact name"`, "null", 1), "line 3: column"},
		{"unknown key", strings.Replace(wholeJSON, `"note"`, `"nota"`, 1), `line 3: question "exact-score": "nota" is not a key`},
		{"same id", strings.Replace(wholeJSON, `"pins"`, `"exact-score"`, 1), `line 4: question "exact-score": the question of line 2 has the same id`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse("b.JSON", []byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Parse = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(filepath.Join(dir, "none.yaml"), "none.yaml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	path := filepath.Join(dir, "big.yaml")
	if err := os.WriteFile(path, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, "big.yaml"); err == nil || !strings.Contains(err.Error(), "at most 1048576 are read") {
		t.Errorf("a large file gives %v", err)
	}
	if err := os.WriteFile(path, []byte(wholeYAML), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := Read(path, "x/big.yaml"); err != nil || len(f.Questions) != 2 || f.Name != "x/big.yaml" {
		t.Errorf("Read = %v, %v", f, err)
	}
}

// FuzzParse: whatever the bytes, both spellings end in a file that keeps
// its bounds or in an error that names the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(wholeYAML), false)
	f.Add([]byte(wholeJSON), true)
	f.Add([]byte(question("id: one", "id: 1")), false)
	f.Fuzz(func(t *testing.T, data []byte, isJSON bool) {
		name := "f.yaml"
		if isJSON {
			name = "f.json"
		}
		file, err := Parse(name, data)
		if err != nil {
			if e := (*FileError)(nil); !errors.As(err, &e) || e.File != name {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		ids := map[string]bool{}
		for _, q := range file.Questions {
			if ids[q.ID] || len(q.Expect.Paths) == 0 || len(q.Args) == 0 || q.Line < 1 || !idPattern().Match(q.ID) {
				t.Fatalf("accepted %+v", q)
			}
			ids[q.ID] = true
		}
	})
}
