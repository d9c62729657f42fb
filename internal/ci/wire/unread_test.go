package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsLeftOutInSilence: what is too much to be read or followed is
// listed, and the last of what is followed is there.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	const at = ".github/workflows/a.yml"
	numbers := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " %d", i)
		}
		return b.String()
	}
	lines := func(n int, format string) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf(format, i)
		}
		return out
	}
	list := func(n int) string { return "[" + strings.ReplaceAll(strings.TrimSpace(numbers(n)), " ", ", ") + "]" }
	t.Run("a matrix of 256", func(t *testing.T) {
		e := tree{"app/" + at: "on: push\njobs:\n  a:\n    strategy: {matrix: {x: " + list(16) + ", y: " + list(16) + "}}\n    steps:\n      - run: docker push acme/app-${{ matrix.x }}-${{ matrix.y }}:1\n"}.extract(t, Options{})
		if n := len(e.only("image")); n != 256 {
			t.Errorf("%d images are found, want 256", n)
		}
		e.wants(t, "unresolved")
	})
	t.Run("a loop of 300", func(t *testing.T) {
		e := tree{"app/" + at: runs("for i in"+numbers(300)+"; do", "  docker push acme/app-$i:1", "done")}.extract(t, Options{})
		if n := len(e.only("image")); n != maxRounds {
			t.Errorf("%d images are found, want %d", n, maxRounds)
		}
		e.wants(t, "unresolved", "unresolved script a.yml:7: a loop has 300 rounds, of which 256 are followed: at app/"+at+":7 when=on a push")
	})
	t.Run("more commands than are followed of one text", func(t *testing.T) {
		e := tree{"app/tool.sh": "#!/bin/sh\n" + strings.Join(lines(maxSteps+5, ": %d"), "\n") + "\ndocker push acme/app:1\n"}.extract(t, Options{})
		e.wants(t, "image|unresolved", fmt.Sprintf("unresolved script tool.sh:%d: its shell text does more than is followed, %d commands: at app/tool.sh:%d note=a script that no workflow runs sure=80", maxSteps+2, maxSteps, maxSteps+2))
	})
	t.Run("more steps than are followed of one workflow", func(t *testing.T) {
		steps := strings.Join(lines(maxFollowed, "      - {run: 'echo %d'}"), "\n")
		e := tree{"app/" + at: "on: push\njobs:\n  a:\n    steps:\n" + steps + "\n      - run: docker push acme/app:1\n"}.extract(t, Options{})
		e.wants(t, "image|unresolved", fmt.Sprintf("unresolved file %s: it has more jobs, steps and commands than are followed, %d: at app/%s:0", at, maxFollowed, at))
	})
	t.Run("a workflow too large", func(t *testing.T) {
		repos := tree{"app/" + at: "on: push\n"}.repos()
		repos[1].Files[0].Size, repos[1].Files[0].Data = maxSize+1, nil
		wantUnresolved(t, repos, fmt.Sprintf("%s: it has %d bytes, and at most %d are read: app/%s", at, maxSize+1, maxSize, at))
	})
	t.Run("a workflow without a name to show", func(t *testing.T) {
		repos := tree{"app/.github/workflows/a\u202e.yml": "on: push\n"}.repos()
		wantUnresolved(t, repos, ".github/workflows/a.yml: its name has characters that no name shows, and it is not read: app/.github/workflows")
	})
	t.Run("a workflow that is a link", func(t *testing.T) {
		repos := tree{"app/x": ""}.repos()
		repos[1].Links = []string{at, "docs/elsewhere"}
		wantUnresolved(t, repos, at+": it is a symbolic link, which is not followed: app/"+at)
	})
	t.Run("wiring.yaml that is a link", func(t *testing.T) {
		repos := tree{"app/x": ""}.repos()
		repos[0].Links = []string{settingsName}
		_, err := Extract(context.Background(), repos, Options{})
		if mistake := (*SettingsError)(nil); !errors.As(err, &mistake) || err.Error() != "wiring.yaml:1: it is a symbolic link, which is not followed" {
			t.Errorf("got %v", err)
		}
	})
}

func wantUnresolved(t *testing.T, repos []Repo, want ...string) {
	t.Helper()
	w, err := Extract(t.Context(), repos, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Check(); err != nil {
		t.Errorf("readers would refuse it: %v", err)
	}
	var got []string
	for _, u := range w.Unresolved {
		for _, p := range u.At {
			got = append(got, u.Name+": "+u.Why+": "+p.File)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// TestUnreached: what stands where a script never comes is no fact.
func TestUnreached(t *testing.T) {
	const push = "docker push acme/app:1"
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"exit 0; " + push, false},
		{push + "; exit 0", true},
		{"if false; then " + push + "; fi", false},
		{"if true; then :; else " + push + "; fi", false},
		{"if ! true; then " + push + "; elif true; then :; fi", false},
		{"if false; then :; elif x; then " + push + "; fi", true},
		{"if x; then exit 1; fi; " + push, true},
		{"if x; then exit 1; else exit 2; fi; " + push, false},
		{"if x; then exit 1; elif y; then exit 2; fi; " + push, true},
		{"x || exit 1; " + push, true},
		{"true || " + push, false},
		{"false && " + push, false},
		{"false || " + push, true},
		{"(exit 1); " + push, true},
		{"{ exit 1; }; " + push, false},
		{"x | exit 1; " + push, true},
		{"{ exit 1; } & " + push, true},
		{"for i in a b; do exit; done; " + push, true},
		{"while false; do " + push + "; done", false},
		{"while true; do " + push + "; done", true},
		{"until true; do " + push + "; done", false},
		{"case $1 in a) exit 1;; esac; " + push, true},
		{"die() { exit 1; }; " + push, true},
		{"say() { return; }; say; " + push, true},
		{"exec make; " + push, false},
		{"exec 2>&1; " + push, true},
		{"exec docker push acme/app:1", true},
	} {
		e := tree{"app/.github/workflows/a.yml": runs(tt.text)}.extract(t, Options{})
		if got := len(e.only("image acme/app published")) == 1; got != tt.want {
			t.Errorf("%s: a push is found: %v, want %v", tt.text, got, tt.want)
		}
	}
}
