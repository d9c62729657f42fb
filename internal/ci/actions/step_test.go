package actions

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runner is the other side of a step: its variables, its files and what it
// reads of the step's stream.
type runner struct {
	t      *testing.T
	env    map[string]string
	stream strings.Builder
}

func newRunner(t *testing.T) *runner {
	dir := t.TempDir()
	return &runner{t: t, env: map[string]string{
		"GITHUB_ACTIONS":      "true",
		"GITHUB_OUTPUT":       filepath.Join(dir, "output"),
		"GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"),
	}}
}

func (r *runner) getenv(name string) string { return r.env[name] }

func (r *runner) step() *Step { return Within(r.getenv, &r.stream) }

// outputs reads the file as the runner does.
func (r *runner) outputs() map[string]string {
	r.t.Helper()
	data, err := os.ReadFile(r.env["GITHUB_OUTPUT"])
	if err != nil {
		r.t.Fatal(err)
	}
	found := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(string(data)))
	for lines.Scan() {
		name, end, heredoc := strings.Cut(lines.Text(), "<<")
		if !heredoc {
			name, value, ok := strings.Cut(lines.Text(), "=")
			if !ok {
				r.t.Fatalf("the runner cannot read the line %q", lines.Text())
			}
			found[name] = value
			continue
		}
		var value []string
		for lines.Scan() && lines.Text() != end {
			value = append(value, lines.Text())
		}
		found[name] = strings.Join(value, "\n")
	}
	return found
}

func TestOutput(t *testing.T) {
	r := newRunner(t)
	s := r.step()
	for name, value := range map[string]string{"changed": "true", "score": "7/8", "previous-score": "", "commit": strings.Repeat("ab", 20)} {
		if err := s.Output(name, value); err != nil {
			t.Fatal(err)
		}
	}
	got := r.outputs()
	if len(got) != 4 || got["changed"] != "true" || got["score"] != "7/8" || got["previous-score"] != "" {
		t.Errorf("the runner reads %v", got)
	}
}

// TestOutputCannotBeForged: no value makes another output, whatever it holds;
// the delimiter of the common library least of all.
func TestOutputCannotBeForged(t *testing.T) {
	const fixed = "_GitHubActionsFileCommandDelimeter_"
	for _, value := range []string{
		"x\n" + fixed + "\nchanged<<" + fixed + "\ntrue\n" + fixed,
		"x\r" + fixed + "\rchanged=true",
		"x\u2028changed=true", "x\u0085changed=true", "x\x00", "changed=true\n",
	} {
		r := newRunner(t)
		s := r.step()
		if err := s.Output("score", value); err == nil {
			t.Errorf("%q is accepted", value)
		}
		if err := s.Output("score", "changed<<"+fixed); err != nil {
			t.Fatal(err)
		}
		if got := r.outputs(); len(got) != 1 || got["score"] != "changed<<"+fixed {
			t.Errorf("after %q the runner reads %v", value, got)
		}
	}
	for _, name := range []string{"", "a\nb", "a<<b", "a=b", "A", "-a"} {
		if err := newRunner(t).step().Output(name, "x"); err == nil {
			t.Errorf("an output %q is set", name)
		}
	}
}

// TestWithoutARunner: "T12 SetOutput panics without GITHUB_OUTPUT". On a
// laptop nothing is written; neither is it by a runner without the files.
func TestWithoutARunner(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"T12 laptop":                 {},
		"T12 laptop with an old one": {"GITHUB_OUTPUT": filepath.Join(t.TempDir(), "left-behind")},
		"T12 runner without files":   {"GITHUB_ACTIONS": "true"},
	} {
		t.Run(name, func(t *testing.T) {
			var stream strings.Builder
			s := Within(func(name string) string { return env[name] }, &stream)
			if err := s.Output("changed", "true"); err != nil {
				t.Error(err)
			}
			if err := s.Summary("# Bundle\n"); err != nil {
				t.Error(err)
			}
			if env["GITHUB_ACTIONS"] == "" {
				s.Mask("secret")
				s.Annotate(Annotation{Level: Error, Text: "x"})
				s.Close()
				if stream.Len() > 0 {
					t.Errorf("it prints %q", stream.String())
				}
			}
			if name := env["GITHUB_OUTPUT"]; name != "" {
				if _, err := os.Stat(name); err == nil {
					t.Error("it writes outputs outside of a step")
				}
			}
		})
	}
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	r := newRunner(t)
	r.env["GITHUB_OUTPUT"], r.env["GITHUB_STEP_SUMMARY"] = t.TempDir(), t.TempDir()
	if err := r.step().Output("changed", "true"); err == nil || !strings.Contains(err.Error(), "GITHUB_OUTPUT") {
		t.Errorf("Output = %v", err)
	}
	if err := r.step().Summary("x\n"); err == nil || !strings.Contains(err.Error(), "GITHUB_STEP_SUMMARY") {
		t.Errorf("Summary = %v", err)
	}
}

// TestMask: a runner masks line by line, and so every line of a key must be
// given to it, in the form in which it was stored and in the one it is used in.
func TestMask(t *testing.T) {
	const key = "-----BEGIN X-----\r\n  AbC%1\nDeF2==\n-----END X-----\n"
	for name, secret := range map[string]string{"lines": key, "T08 literal \\n": strings.ReplaceAll(strings.ReplaceAll(key, "\r", ""), "\n", `\n`)} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			r.step().Mask(secret)
			for _, want := range []string{"-----BEGIN X-----", "AbC%251", "DeF2==", "-----END X-----"} {
				if !strings.Contains("\n"+r.stream.String(), "\n::add-mask::"+want+"\n") {
					t.Errorf("%q is not masked:\n%s", want, r.stream.String())
				}
			}
			for line := range strings.Lines(r.stream.String()) {
				if !strings.HasPrefix(line, "::add-mask::") || strings.TrimSpace(line) == "::add-mask::" {
					t.Errorf("the line %q masks nothing, and shows what it should", line)
				}
			}
		})
	}
}

func TestAnnotationsAreCapped(t *testing.T) {
	r := newRunner(t)
	s := r.step()
	for i := range 25 {
		s.Annotate(Annotation{Level: Error, Title: "lost: an answer, of %", Text: fmt.Sprintf("question %d\n::error::forged", i), File: "bench.yaml", Line: 3})
	}
	s.Annotate(Annotation{Level: Warning, Text: "x"})
	s.Close()
	s.Close()
	lines := strings.Split(strings.TrimSpace(r.stream.String()), "\n")
	if len(lines) != 11 || strings.Count(r.stream.String(), "\n::error ")+1 != 10 {
		t.Fatalf("%d lines:\n%s", len(lines), r.stream.String())
	}
	if want := "::error file=bench.yaml,line=3,title=lost%3A an answer%2C of %25::question 0 ::error::forged"; lines[0] != want {
		t.Errorf("the first is %q, want %q", lines[0], want)
	}
	if !strings.Contains(lines[10], "and 16 more") {
		t.Errorf("the last is %q", lines[10])
	}
}

func TestCommandsPassTheGuardOnLinesOfTheirOwn(t *testing.T) {
	r := newRunner(t)
	g := NewGuard(&r.stream)
	s := Within(r.getenv, g)
	fmt.Fprint(g, "asking …")
	s.Mask("secret")
	fmt.Fprint(g, "::error::foreign\n")
	s.Annotate(Annotation{Level: Notice, Title: "t", Text: "x"})
	if want := "asking …\n::add-mask::secret\n:\\u003aerror::foreign\n::notice title=t::x\n"; r.stream.String() != want {
		t.Errorf("the stream is %q, want %q", r.stream.String(), want)
	}
}

func TestSummary(t *testing.T) {
	r := newRunner(t)
	if err := r.step().Summary("# One\n"); err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("x", 99) + "\n"
	if err := r.step().Summary(strings.Repeat(line, 12_000)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := r.step().Summary(line); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(r.env["GITHUB_STEP_SUMMARY"])
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > maxSummary {
		t.Errorf("the summary has %d bytes; a runner would drop it", len(data))
	}
	text := string(data)
	if !strings.HasPrefix(text, "# One\n"+line) || !strings.Contains(text, line+cutShort) {
		t.Errorf("the summary begins %q and ends %q", text[:50], text[len(text)-150:])
	}
}
