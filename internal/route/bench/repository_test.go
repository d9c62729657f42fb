package bench

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestRepositoryBench holds the questions about this repository to what
// docs/bench.md asks of a good question.
func TestRepositoryBench(t *testing.T) {
	top := filepath.Join("..", "..", "..")
	f, err := Read(filepath.Join(top, Names[0]), Names[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Questions) < 30 {
		t.Errorf("%d questions; a bench of a repository like this has 30 and more", len(f.Questions))
	}
	if n := len(slices.DeleteFunc(slices.Clone(f.Questions), func(q Question) bool { return q.Type != "impact" })); n < 8 {
		t.Errorf("%d questions about what a change reaches, fewer than 8", n)
	}
	calls := map[string]string{}
	for _, q := range f.Questions {
		t.Run(q.ID, func(t *testing.T) {
			if other := calls[q.Ask()]; other != "" {
				t.Errorf("asks the same as %s", other)
			}
			calls[q.Ask()] = q.ID
			for _, p := range q.Expect.Paths {
				if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(p))); err != nil {
					t.Errorf("expects %s, which is not there", p)
				}
			}
			target := strings.TrimSuffix(path.Base(q.Expect.Paths[0]), path.Ext(q.Expect.Paths[0]))
			if q.Type == "symbol" {
				target = strings.TrimPrefix(q.Note, "target ")
				if !definesAny(t, top, q.Expect.Paths, target) {
					t.Errorf("the note names %q, which %s does not define", target, q.Expect.Paths)
				}
			}
			exact := strings.HasPrefix(q.ID, "exact-")
			if got := repeats(strings.Join(q.Args, " ")+"\n"+q.Question, target); got != exact {
				t.Errorf("repeats the name %s: %v, want %v", target, got, exact)
			}
		})
	}
}

// definesAny reports whether one of the Go files declares the name.
func definesAny(t *testing.T, top string, paths []string, name string) bool {
	for _, p := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, filepath.FromSlash(p)), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				found = found || n.Name.Name == name
				return false
			case *ast.TypeSpec:
				found = found || n.Name.Name == name
			case *ast.ValueSpec:
				found = found || slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return id.Name == name })
			}
			return true
		})
		if found {
			return true
		}
	}
	return false
}

// repeats reports whether the text holds the words of the identifier side by
// side, in any case and spelling.
func repeats(text, identifier string) bool {
	squeeze := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "")
	}
	want := squeeze(identifier)
	words := regexp.MustCompile(`[\pL\pN_]+`).FindAllString(text, -1)
	for i := range words {
		for j := i + 1; j <= len(words); j++ {
			if squeeze(strings.Join(words[i:j], "")) == want {
				return true
			}
		}
	}
	return false
}

func TestRepeats(t *testing.T) {
	for _, tt := range []struct {
		text, identifier string
		want             bool
	}{
		{"the valid names", "ValidName", false},
		{"a valid name", "ValidName", true},
		{"valid_name", "ValidName", true},
		{"where is ValidName?", "validName", true},
		{"invalid name", "ValidName", false},
		{"read it", "Read", true},
		{"reading it", "Read", false},
		{"GitRemote.Move", "Move", true},
	} {
		if got := repeats(tt.text, tt.identifier); got != tt.want {
			t.Errorf("repeats(%q, %q) = %v", tt.text, tt.identifier, got)
		}
	}
}
