package pin

import (
	"fmt"
	"strings"
	"testing"
)

// said writes facts one a line: line role kind name@version (home) [note].
func said(facts []Fact) string {
	var b strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&b, "%d %s %s %s", f.Line, f.Role, f.Kind, f.Name)
		if f.Version != "" {
			b.WriteString("@" + f.Version)
		}
		if f.Home != "" {
			b.WriteString(" (" + f.Home + ")")
		}
		if f.Note != "" {
			b.WriteString(" [" + f.Note + "]")
		}
		if f.Indirect {
			b.WriteString(" indirect")
		}
		if f.Certainty != 0 {
			fmt.Fprintf(&b, " %d%%", f.Certainty)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// check reads one file in three spellings that mean the same.
func check(t *testing.T, path, in, want string) {
	t.Helper()
	in, want = strings.TrimPrefix(in, "\n"), strings.TrimPrefix(want, "\n")
	for name, data := range map[string]string{
		"plain": in, "BOM": "\xef\xbb\xbf" + in, "CRLF": strings.ReplaceAll(in, "\n", "\r\n"),
	} {
		if got := said(Read(path, []byte(data))); got != want {
			t.Errorf("%s, %s:\n%swant:\n%s", path, name, got, want)
		}
	}
}

func TestEvidenceIsOneCleanLine(t *testing.T) {
	got := Read("Dockerfile", []byte("FROM   alpine:3.20 \x1b[31m"+strings.Repeat("é", 200)+"\n"))
	if len(got) != 1 || got[0].Name != "alpine" {
		t.Fatalf("got %+v", got)
	}
	e := got[0].Evidence
	if len(e) > maxEvidence || strings.ContainsAny(e, "\x1b\n\r\t") || !strings.HasPrefix(e, "FROM alpine:3.20 [31m") || strings.Contains(e, "\uFFFD") {
		t.Errorf("evidence %q", e)
	}
}

func TestFilesThatHaveNoReader(t *testing.T) {
	for _, p := range []string{"README.md", "docs/guide.md", "LICENSE", "src/testdata/Dockerfile", "vendor/x/go.mod", "node_modules/a/package.json",
		".github/workflows/ci.yml", "action.yml", "src/main_test.go", "test/fetch.py", "photo.png", "go.sum", "web/__fixtures__/package.json", "testdata2/values.yaml"} {
		if Wants(p, 10) {
			t.Errorf("%s has a reader", p)
		}
	}
	for _, p := range []string{"Dockerfile", "a/b/Dockerfile.dev", "api.Dockerfile", "go.mod", "deploy/app.yaml", "project/Dependencies.scala", "marola-image", "corpus.version",
		"VERSION", "build/Makefile", "justfile", "src/fetch.py", ".devcontainer/devcontainer.json", ".circleci/config.yml", ".github/dependabot.yml", ".claude/settings.json", "requirements-dev.txt"} {
		if !Wants(p, 10) {
			t.Errorf("%s has no reader", p)
		}
	}
	if Wants("go.mod", MaxSize+1) {
		t.Error("a file above the limit is wanted")
	}
	if got := Read("go.mod", []byte("module a.example/b\x00\n")); got != nil {
		t.Errorf("a binary file gave %v", got)
	}
}

func TestWhatIsTooMuchIsLeftOut(t *testing.T) {
	long := strings.Repeat("a", maxName+1)
	if got := Read("go.mod", []byte("module "+long+"\nrequire a.example/b "+long+"\n")); len(got) != 1 || got[0].Version != "" {
		t.Errorf("got %+v", got)
	}
	many := strings.Repeat("FROM alpine:3\n", maxFacts+10)
	if got := Read("Dockerfile", []byte(many)); len(got) != maxFacts {
		t.Errorf("%d facts", len(got))
	}
}
