package wire

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A tree is the files of a workspace: "repo/path" to contents. The umbrella
// is called "umbrella"; the others are its submodules, of the same owner.
type tree map[string]string

// extracted is what a workspace gives, a line for each place:
// "list kind name role file:line extras".
type extracted struct {
	w     *wiring.Wiring
	lines []string
}

func (tr tree) repos() []Repo {
	byRepo := map[string][]File{"umbrella": nil}
	for _, at := range slices.Sorted(maps.Keys(tr)) {
		repo, name, _ := strings.Cut(at, "/")
		f := File{Path: name, Blob: fmt.Sprintf("%x", tr[at]), Size: int64(len(tr[at]))}
		if Wanted(name, f.Size) {
			f.Data = []byte(tr[at])
		}
		byRepo[repo] = append(byRepo[repo], f)
	}
	repos := []Repo{{Name: "umbrella", URL: "https://github.com/acme/umbrella.git", Head: strings.Repeat("a", 40), Files: byRepo["umbrella"]}}
	for _, name := range slices.Sorted(maps.Keys(byRepo)) {
		if name != "umbrella" {
			repos = append(repos, Repo{Name: name, Path: name, URL: "https://github.com/acme/" + name + ".git", Head: strings.Repeat("b", 40), Files: byRepo[name]})
		}
	}
	return repos
}

// extract runs over a workspace and holds the result to what readers accept.
func (tr tree) extract(t testing.TB, o Options) *extracted {
	t.Helper()
	w, err := Extract(t.Context(), tr.repos(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Check(); err != nil {
		t.Errorf("readers would refuse it: %v", err)
	}
	e := &extracted{w: w}
	for _, a := range w.Artifacts {
		name := a.Kind + " " + a.Name
		if a.Repo != "" {
			name += " of " + a.Repo
		}
		if len(a.Files) > 0 {
			name += " [" + strings.Join(a.Files, " ") + "]"
		}
		e.places(name+" published", a.Published)
		e.places(name+" pinned", a.Pinned)
		e.places(name+" read", a.Read)
	}
	for _, d := range w.Dispatches {
		e.places("dispatch "+d.Type+" sent", d.Sent)
		e.places("dispatch "+d.Type+" heard", d.Heard)
	}
	for _, b := range w.Bumps {
		e.places("bump "+b.File+" starts", b.Starts)
	}
	for _, d := range w.Deploys {
		e.places("deploy "+d.Kind+" "+d.Site+" by", d.By)
	}
	for _, c := range w.Calls {
		e.places("call "+c.Kind+" "+c.Target+" from", c.From)
	}
	for _, tr := range w.Triggers {
		e.places(strings.TrimSpace("trigger "+tr.Event+" "+tr.Filter)+" starts", tr.Starts)
	}
	for _, u := range w.Unresolved {
		e.places(strings.TrimSpace("unresolved "+u.Kind+" "+u.Name+" "+u.Version)+": "+u.Why+": at", u.At)
	}
	return e
}

func (e *extracted) places(head string, list []wiring.Place) {
	for _, p := range list {
		line := fmt.Sprintf("%s %s:%d", head, p.File, p.Line)
		for _, extra := range []struct{ name, value string }{{"via", p.Via}, {"version", p.Version}, {"when", p.When}, {"note", p.Note}} {
			if extra.value != "" {
				line += " " + extra.name + "=" + extra.value
			}
		}
		if s := p.Sure(); s < 100 {
			line += fmt.Sprintf(" sure=%d", s)
		}
		e.lines = append(e.lines, line)
	}
}

// only keeps the lines that begin with one of the words.
func (e *extracted) only(heads ...string) (out []string) {
	for _, l := range e.lines {
		if slices.ContainsFunc(heads, func(h string) bool { return strings.HasPrefix(l, h) }) {
			out = append(out, l)
		}
	}
	return out
}

// wants compares the lines that begin with a head with those wanted.
func (e *extracted) wants(t testing.TB, head string, want ...string) {
	t.Helper()
	got := e.only(strings.Split(head, "|")...)
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// A workflowText is a workflow with one job of steps.
func workflowText(on, steps string) string {
	return "on: " + cmp.Or(on, "push") + "\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n" + steps
}

// runs is a workflow in which one step runs a script. The script's first
// line is line 7 of the file.
func runs(lines ...string) string {
	return workflowText("", "      - run: |\n          "+strings.Join(lines, "\n          ")+"\n")
}
