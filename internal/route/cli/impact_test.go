package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// A shore is a repository with one file and the bundle of its first commit:
// lines 1 to 3 are one, 5 to 7 are two, which callOne and callTwo of another
// file call.
type shore struct {
	*gittest.World
	repo, bundle string
}

const shoreText = "one {\n 1\n}\n\ntwo {\n 2\n}\n"

func newShore(t *testing.T, folder string) *shore {
	t.Helper()
	w := gittest.New(t)
	s := &shore{w, w.Repo("shore"), t.TempDir()}
	s.write(t, "a.go", shoreText)
	s.commit()
	head := w.Head(s.repo)
	b := index.NewBuilder([]string{"shore"}, []string{folder + "a.go", folder + "b.go"})
	b.Add(index.Document{Path: folder + "a.go", Defs: []index.Def{{Name: "one", Kind: "function", Line: 1, End: 3}, {Name: "two", Kind: "function", Line: 5, End: 7}}})
	b.Add(index.Document{Path: folder + "b.go", Defs: []index.Def{{Name: "callOne", Kind: "function", Line: 1, End: 3}, {Name: "callTwo", Kind: "function", Line: 5, End: 7}}})
	for i := range 2 {
		b.Link(1, i, 0, i, index.Rule{Relation: "calls", Resolver: "test", Certainty: 100}, 2)
	}
	files, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	build := bundle.Build{Schema: bundle.Schema, Repo: "shore", Head: head, CommitTime: "2026-10-20T08:00:00Z"}
	if folder != "" {
		build = bundle.Build{Schema: bundle.Schema, Repo: "umbrella", Head: strings.Repeat("cd", 20), CommitTime: "2026-10-20T08:00:00Z",
			Submodules: []bundle.Submodule{{Name: "shore", Path: strings.TrimSuffix(folder, "/"), Head: head}}}
	}
	files[bundle.BuildName] = w.Encode(build)
	w.Seal(files)
	w.Write(s.bundle, files)
	return s
}

func (s *shore) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.repo, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *shore) commit() {
	s.Git(s.repo, "add", "-A")
	s.Git(s.repo, "commit", "-qm", "a commit")
}

func (s *shore) ask(args ...string) (code int, out, errs string) {
	var o, e strings.Builder
	code = Main(command.Process{Args: append([]string{args[0], "--bundle", s.bundle}, args[1:]...), Stdout: &o, Stderr: &e, Env: s.Env, Dir: s.repo})
	return code, o.String(), e.String()
}

// reached are the labels of an impact.
func (s *shore) reached(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := s.ask(append(args, "--json")...)
	var r struct {
		Reached []struct{ Label string } `json:"reached"`
		Notes   []string                 `json:"notes"`
		Bound   string                   `json:"bound"`
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || !strings.HasPrefix(r.Bound, "a lower bound") {
		t.Fatalf("%q: %d, %v: %s%s", args, code, err, out, errs)
	}
	var labels []string
	for _, x := range r.Reached {
		labels = append(labels, x.Label)
	}
	return strings.Join(append(labels, r.Notes...), "; ")
}

func TestImpactOfADiff(t *testing.T) {
	for _, folder := range []string{"", "apps/shore/"} {
		t.Run(folder, func(t *testing.T) {
			s := newShore(t, folder)
			want := func(want string, args ...string) {
				t.Helper()
				if got := s.reached(t, append([]string{"impact"}, args...)...); got != want {
					t.Errorf("%q: got %s, want %s", args, got, want)
				}
			}
			want("no line of a tracked file is changed", "--diff")
			s.write(t, "a.go", strings.Replace(shoreText, " 2\n", " two\n", 1))
			want("callTwo", "--diff")
			s.write(t, "a.go", strings.Replace(shoreText, " 1\n", " 1\n 1a\n", 1))
			s.write(t, "new.go", "new\n")
			s.Git(s.repo, "add", "new.go")
			want("callOne; changed files that the index does not have: 1, of them new: 1", "--diff")
			s.commit()
			want("no line of a tracked file is changed", "--diff")
			// The lines of a later commit are told in those of the bundle.
			s.Git(s.repo, "branch", "base")
			s.write(t, "a.go", "lead\n"+strings.Replace(shoreText, " 1\n", " 1\n 1a\n 1b\n", 1))
			s.commit()
			want("callOne", "--diff", "base")
			s.write(t, "a.go", "lead\n"+strings.NewReplacer(" 1\n", " 1\n 1a\n 1b\n", " 2\n", " two\n").Replace(shoreText))
			want("callTwo", "--diff")
			want("callOne; callTwo", "--diff", "base")
			want("callTwo", "--diff", "HEAD")
			if err := os.Remove(filepath.Join(s.repo, "a.go")); err != nil {
				t.Fatal(err)
			}
			want("callOne; callTwo", "--diff")
		})
	}
}

func TestImpactRefuses(t *testing.T) {
	s := newShore(t, "")
	outside := t.TempDir()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"impact"}, "route: impact: name what changes, or ask about changed lines with --diff\n"},
		{[]string{"impact", "one", "--depth", "0"}, "route: impact: --depth must be 1 to 50\n"},
		{[]string{"tests", "one", "--depth", "51"}, "route: tests: --depth must be 1 to 50\n"},
		{[]string{"where-used", "one", "--depth", "2"}, "route: where-used: flag provided but not defined: --depth; see route where-used --help\n"},
		{[]string{"impact", "--diff", "a", "b"}, "route: impact: --diff takes one branch or commit, not 2\n"},
		{[]string{"impact", "--diff", "nowhere"}, `route: impact: git cannot compare with "nowhere": `},
		{[]string{"impact", "--diff", "--", "--output=x"}, `route: impact: git cannot compare with "--output=x": `},
		{[]string{"impact", "--diff", "--repo", outside}, "route: impact: --diff compares a checkout, and there is none here\n"},
	} {
		code, out, errs := s.ask(tt.args...)
		if code != 2 || out != "" || !strings.HasPrefix(errs, tt.want) {
			t.Errorf("%q: %d %q %q", tt.args, code, out, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(s.repo, "x")); err == nil {
		t.Error("a name was taken for an option of git")
	}
	other := s.Repo("other")
	if err := os.WriteFile(filepath.Join(other, "f"), []byte("1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Git(other, "add", "-A")
	s.Git(other, "commit", "-qm", "unrelated")
	if code, _, errs := s.ask("impact", "--diff", "--repo", other); code != 1 || !strings.Contains(errs, "does not know this repository") {
		t.Errorf("an unknown repository: %d %q", code, errs)
	}
}

func TestLineBefore(t *testing.T) {
	between := []gitstore.Change{{From: 3, To: 2, Added: 2}, {From: 5, To: 6, Added: 1}, {From: 9, To: 9}}
	// Now: 1 2 + + 3 4 x 7 8 10 …
	for now, want := range map[int][2]int{1: {1, 1}, 2: {2, 2}, 3: {2, 2}, 4: {2, 2}, 5: {3, 3}, 6: {4, 4}, 7: {5, 6}, 8: {7, 7}, 9: {8, 8}, 10: {10, 10}, 11: {11, 11}} {
		if from, to := lineBefore(between, now); from != want[0] || to != want[1] {
			t.Errorf("line %d was %d to %d, want %v", now, from, to, want)
		}
	}
}
