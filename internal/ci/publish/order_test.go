package publish

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A historian of a test gives one answer.
type historian func() Relation

func (h historian) Relation(context.Context, string, string) Relation { return h() }

func says(r Relation) historian { return func() Relation { return r } }

func TestOrderGuard(t *testing.T) {
	never := historian(func() Relation { t.Error("the remote was asked without need"); return Unknown })
	at := func(n int, minutes int) bundle.Build {
		return bundle.Build{Head: head(n), CommitTime: epoch.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339)}
	}
	tests := []struct {
		name          string
		mine, theirs  bundle.Build
		local, remote Historian
		rewind        bool
		publish       bool
		notice, err   string // parts of them
	}{
		{"same commit", at(1, 0), at(1, 0), never, never, false, true, "", ""},
		{"later time", at(2, 2), at(1, 1), nil, never, false, true, "", ""},
		{"later time, but the checkout knows that it is an ancestor", at(2, 2), at(1, 1), says(Behind), never, false, false, "descends from", ""},
		{"earlier time, but the checkout knows that it descends", at(2, 1), at(1, 2), says(Ahead), never, false, true, "", ""},
		{"P02 earlier time and no history", at(1, 1), at(2, 2), nil, nil, false, false, "newer than", ""},
		{"P02 earlier time and a remote that knows no better", at(1, 1), at(2, 2), says(Unknown), says(Unknown), false, false, "newer than", ""},
		{"earlier time by a clock that ran wrong; the remote knows", at(1, 1), at(2, 2), nil, says(Ahead), false, true, "", ""},
		{"P02 earlier time, and the remote agrees", at(1, 1), at(2, 2), nil, says(Behind), false, false, "descends from", ""},
		{"equal times, the remote knows", at(1, 1), at(2, 1), nil, says(Behind), false, false, "descends from", ""},
		{"equal times and no history", at(1, 1), at(2, 1), nil, nil, false, true, "same commit time", ""},
		{"another line", at(1, 1), at(2, 2), says(Diverged), nil, false, false, "", "does not descend"},
		{"another line, meant", at(1, 1), at(2, 2), never, never, true, true, "--allow-rewind", ""},
		{"a time in the future", at(1, 1), at(2, 60*24*365*20), nil, nil, false, false, "lies in the future", ""},
		{"times in other zones are the same instants", at(1, 1), bundle.Build{Head: head(2), CommitTime: "2026-10-20T10:01:00+02:00"}, nil, nil, false, true, "same commit time", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := guard{local: tt.local, remote: tt.remote, now: epoch.Add(time.Hour), rewind: tt.rewind}
			s := g.decide(t.Context(), tt.mine, tt.theirs)
			text := ""
			if s.err != nil {
				text = s.err.Error()
			}
			if s.publish != tt.publish || !contained(s.notice, tt.notice) || !contained(text, tt.err) {
				t.Errorf("publish %v, notice %q, error %q", s.publish, s.notice, text)
			}
		})
	}
}

// contained reports whether text holds part; an empty part wants an empty
// text.
func contained(text, part string) bool {
	if part == "" {
		return text == ""
	}
	return strings.Contains(text, part)
}

// history makes a repository of main (a, b) and a side branch (c from a).
func history(t *testing.T) (dir, a, b, c string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "work")
	git(t, ".", "init", "-q", "-b", "main", dir)
	commit := func(text string) string {
		git(t, dir, "commit", "-q", "--allow-empty", "-m", text)
		return git(t, dir, "rev-parse", "HEAD")
	}
	a, b = commit("a"), commit("b")
	git(t, dir, "checkout", "-q", "-b", "side", a)
	c = commit("c")
	git(t, dir, "checkout", "-q", "main")
	return dir, a, b, c
}

func TestCheckoutKnowsTheHistory(t *testing.T) {
	dir, a, b, c := history(t)
	shallow := filepath.Join(t.TempDir(), "shallow")
	git(t, ".", "clone", "-q", "--depth", "1", "--no-single-branch", "file://"+dir, shallow)
	gone := filepath.Join(t.TempDir(), "gone")
	tests := []struct {
		name, dir, mine, theirs string
		want                    Relation
	}{
		{"descends", dir, b, a, Ahead},
		{"is an ancestor", dir, a, b, Behind},
		{"another line", dir, b, c, Diverged},
		{"a commit that it lacks", dir, b, head(1), Unknown},
		{"P08 detached", dir, b, a, Ahead},
		{"a shallow clone proves nothing by not finding", shallow, b, c, Unknown},
		{"no repository", t.TempDir(), b, a, Unknown},
		{"no directory", gone, b, a, Unknown},
		{"no hash", dir, "--help", a, Unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.HasPrefix(tt.name, "P08") {
				git(t, dir, "checkout", "-q", "--detach")
				defer git(t, dir, "checkout", "-q", "main")
			}
			if got := OpenCheckout(tt.dir, os.Environ()).Relation(t.Context(), tt.mine, tt.theirs); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestRemoteKnowsTheHistory(t *testing.T) {
	work, a, b, c := history(t)
	dir := bare(t)
	git(t, work, "push", "-q", dir, "main", "side")
	h := serve(t, dir, nil)
	relation := func(mine, theirs string) Relation { return open(t, h.url()).Relation(t.Context(), mine, theirs) }

	if got := relation(b, a); got != Unknown {
		t.Errorf("a server that cannot leave out files was asked for a history: %d", got)
	}
	git(t, dir, "config", "uploadpack.allowFilter", "true")
	if got := relation(b, c); got != Diverged {
		t.Errorf("two tips: %d", got)
	}
	if got := relation(b, a); got != Unknown {
		t.Errorf("a commit that is no tip, where only tips may be asked for: %d", got)
	}
	git(t, dir, "config", "uploadpack.allowReachableSHA1InWant", "true")
	for _, tt := range []struct {
		mine, theirs string
		want         Relation
	}{{b, a, Ahead}, {a, b, Behind}, {b, c, Diverged}, {b, head(7), Unknown}, {b, "nonsense", Unknown}} {
		if got := relation(tt.mine, tt.theirs); got != tt.want {
			t.Errorf("%.7s and %.7s: got %d, want %d", tt.mine, tt.theirs, got, tt.want)
		}
	}
}

// A commit date in the past on a true descendant must not hold the bundle
// back for ever; the remote's history puts it right.
func TestAWrongClockIsPutRightByTheHistory(t *testing.T) {
	work, a, b, _ := history(t)
	dir := bare(t)
	git(t, dir, "config", "uploadpack.allowFilter", "true")
	git(t, dir, "config", "uploadpack.allowReachableSHA1InWant", "true")
	git(t, work, "push", "-q", dir, "main")
	h := serve(t, dir, nil)

	publish(t, open(t, h.url()), snapshot(t, sampleOf(a, epoch.AddDate(30, 0, 0))))
	result := publish(t, open(t, h.url()), snapshot(t, sampleOf(b, epoch)))
	if !result.Changed || tip(t, dir) != result.Commit {
		t.Errorf("the descendant was held back: %+v", result)
	}
	back := publish(t, open(t, h.url()), snapshot(t, sampleOf(a, epoch.AddDate(-1, 0, 0))))
	if back.Changed || !strings.Contains(back.Notice, "descends from") {
		t.Errorf("the ancestor was published: %+v", back)
	}
}
