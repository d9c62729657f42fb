package publish

import (
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

const largeName = "refs/marola/routing-bundle-large"

// enlarged is a snapshot of sample(n) with a graph of its own that is marked
// large.
func enlarged(t *testing.T, n int) *Snapshot {
	t.Helper()
	files := sample(n)
	files["graph.json"] = []byte(`{"nodes":["` + head(n) + `"],"links":[]}` + "\n")
	s, err := Load(enlarge(t, files))
	must(t, err)
	return s
}

func enlarge(t *testing.T, files content) content {
	t.Helper()
	m, err := bundle.NewManifest(files)
	must(t, err)
	for i, f := range m.Files {
		m.Files[i].Large = bundle.MayBeLarge(f.Name)
	}
	files[bundle.ManifestName] = m.Encode()
	return files
}

// at is the commit of a ref in dir, or "".
func at(dir, ref string) string {
	out, _ := exec.Command("git", "-C", dir, "rev-parse", "-q", "--verify", ref).Output()
	return strings.TrimSpace(string(out))
}

func TestLoadSplits(t *testing.T) {
	s := enlarged(t, 1)
	if s.Large == nil || s.Large.Bytes != int64(len(`{"nodes":["`+head(1)+`"],"links":[]}`)+1) || s.Large.Message != "routing-bundle-large: marola@"+head(1) {
		t.Fatalf("large: %+v", s.Large)
	}
	whole := snapshot(t, sample(1))
	if whole.Large != nil || whole.Bytes == 0 || s.Tree == whole.Tree {
		t.Errorf("a small bundle: %+v", whole)
	}
	t.Run("a directory without its large files", func(t *testing.T) {
		files := enlarge(t, sample(1))
		delete(files, "graph.json")
		_, err := Load(files)
		if r := (*bundle.Refused)(nil); !errors.As(err, &r) || r.File != "graph.json" || !strings.Contains(r.Reason, "missing") {
			t.Errorf("got %v", err)
		}
	})
}

// TestTheCommitOfASmallBundle pins the name of one commit: bundles without
// large files are published as ever.
func TestTheCommitOfASmallBundle(t *testing.T) {
	dir := bare(t)
	r := publish(t, open(t, dir), snapshot(t, sample(1)))
	if r.Commit != "2e9ac6ee018488ab8af2f862ecfec00527531fb2" || r.Large != nil || at(dir, largeName) != "" {
		t.Errorf("got %+v", r)
	}
}

func TestPublishingLargeFiles(t *testing.T) {
	everyRemote(t, func(t *testing.T, dir string, open func() Remote, pushes func() int) {
		count := func() int {
			if pushes == nil {
				return 0
			}
			return pushes()
		}
		dry := publish(t, open(), enlarged(t, 1), func(o *Options) { o.DryRun = true })
		if !strings.Contains(dry.Notice, largeName+" would move from nothing to "+orNew(dry.Large.Commit)) || tip(t, dir) != "" || at(dir, largeName) != "" {
			t.Errorf("dry run: %+v", dry)
		}
		first := publish(t, open(), enlarged(t, 1))
		if !first.Changed || first.Commit != tip(t, dir) || !first.Large.Changed || first.Large.Ref != largeName || first.Large.Commit != at(dir, largeName) || *dry.Large == *first.Large {
			t.Fatalf("first: %+v %+v", first, first.Large)
		}
		if got := git(t, dir, "ls-tree", "-r", "--name-only", largeName); got != "graph.json" {
			t.Errorf("the large ref holds %q", got)
		}
		if got := git(t, dir, "ls-tree", "-r", "--name-only", branch); strings.Contains(got, "graph.json") || !strings.Contains(got, "manifest.json") {
			t.Errorf("the branch holds %q", got)
		}
		want := "|routing-bundle|2026-10-20T08:01:00+00:00|routing-bundle-large: marola@" + head(1)
		format := "--format=%P|%an|%cI|%s"
		if _, api := open().(*APIRemote); api {
			want, format = "|bundle-bot[bot]|routing-bundle-large: marola@"+head(1), "--format=%P|%an|%s"
		}
		if got := git(t, dir, "log", "-1", format, largeName); got != want {
			t.Errorf("commit: %s", got)
		}
		git(t, dir, "fsck", "--strict")

		n := count()
		again := publish(t, open(), enlarged(t, 1))
		if again.Changed || again.Large.Changed || count() != n {
			t.Errorf("unchanged: %+v after %d pushes", again, count()-n)
		}
		newer := publish(t, open(), enlarged(t, 2))
		if !newer.Changed || newer.Large.Commit != at(dir, largeName) || newer.Large.Commit == first.Large.Commit {
			t.Errorf("newer: %+v", newer)
		}
		n = count()
		older := publish(t, open(), enlarged(t, 1))
		if older.Changed || older.Large.Changed || newer.Large.Commit != at(dir, largeName) || count() != n {
			t.Errorf("older: %+v", older)
		}

		git(t, dir, "update-ref", largeName, first.Large.Commit)
		if dry := publish(t, open(), enlarged(t, 2), func(o *Options) { o.DryRun = true }); !strings.Contains(dry.Notice, "its large files are not: "+largeName) || at(dir, largeName) != first.Large.Commit {
			t.Errorf("dry run over somebody else's large files: %+v", dry)
		}
		mended := publish(t, open(), enlarged(t, 2))
		if mended.Changed || !mended.Large.Changed || at(dir, largeName) != mended.Large.Commit || at(dir, largeName+"^{tree}") != at(dir, newer.Large.Commit+"^{tree}") || !strings.Contains(mended.Notice, "are there now") {
			t.Errorf("mended: %+v", mended)
		}

		small := publish(t, open(), snapshot(t, sample(3)))
		if !small.Changed || small.Large != nil || at(dir, largeName) != mended.Large.Commit {
			t.Errorf("small again: %+v", small)
		}
		git(t, dir, "fsck", "--strict")
	})
}

func TestLargeFilesOfAnotherBranch(t *testing.T) {
	dir := bare(t)
	r := publish(t, open(t, dir), enlarged(t, 1), func(o *Options) { o.Branch = "next/routing" })
	if r.Large.Ref != "refs/marola/next/routing-large" || at(dir, r.Large.Ref) != r.Large.Commit || at(dir, largeName) != "" {
		t.Errorf("got %+v", r.Large)
	}
}

func TestTheBranchStaysWithoutLargeFiles(t *testing.T) {
	t.Run("a refused large ref", func(t *testing.T) {
		everyRemote(t, func(t *testing.T, dir string, open func() Remote, pushes func() int) {
			hook(t, dir, "update", "case $1 in refs/marola/*) echo 'only branches here' >&2; exit 1;; esac\n")
			_, err := tryPublish(t, open(), enlarged(t, 1))
			if r := (*Refused)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), largeName) || !strings.Contains(err.Error(), "only branches here") || !strings.Contains(err.Error(), "the branch was not moved") {
				t.Errorf("got %v", err)
			}
			if tip(t, dir) != "" || pushes != nil && pushes() != 1 {
				t.Error("the branch moved, or it was tried again")
			}
		})
	})
	t.Run("P26 no room for the large ref", func(t *testing.T) {
		dir := bare(t)
		publish(t, open(t, dir), snapshot(t, sample(1)))
		git(t, dir, "update-ref", largeName+"/x", branch)
		_, err := tryPublish(t, open(t, dir), enlarged(t, 2))
		if r := (*Refused)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), "its ref "+largeName+"/x leaves no room for a ref "+largeName) {
			t.Errorf("got %v", err)
		}
	})
}

// TestARefusedBranchKeepsItsLargeFiles: the bundle that stays must not lose
// its large files to one that was not published.
func TestARefusedBranchKeepsItsLargeFiles(t *testing.T) {
	everyRemote(t, func(t *testing.T, dir string, open func() Remote, _ func() int) {
		first := publish(t, open(), enlarged(t, 1))
		hook(t, dir, "update", "case $1 in refs/heads/*) exit 1;; esac\n")
		result, err := tryPublish(t, open(), enlarged(t, 2))
		if r := (*Refused)(nil); !errors.As(err, &r) {
			t.Fatalf("got %v", err)
		}
		if result.Large.Changed || at(dir, largeName) != first.Large.Commit || tip(t, dir) != first.Commit {
			t.Errorf("the large ref is at %s, not %s: %+v", at(dir, largeName), first.Large.Commit, result.Large)
		}
		git(t, dir, "fsck", "--strict")
	})
}

func TestPlannerOfLargeFiles(t *testing.T) {
	broken := &Transient{Err: errors.New("the connection broke")}
	other := head(8888)
	lost := func(f *fake, old, commit string) error { f.refs[largeName] = other; return &Moved{} }
	for _, tt := range []struct {
		name           string
		prepare        func(f *fake)
		changed, large bool // the result says so
		at             string
		tries          int
		notice, err    string
	}{
		{name: "first", changed: true, large: true, at: oursLarge, tries: 1},
		{name: "there already", prepare: func(f *fake) { f.refs[largeName] = oursLarge }, changed: true, at: oursLarge, tries: 1},
		{name: "applied, but the answer is lost", prepare: func(f *fake) {
			f.large = append(f.large, func(f *fake, old, commit string) error { f.refs[largeName] = commit; return broken })
		}, changed: true, large: true, at: oursLarge, tries: 1},
		{name: "P11 a move that is called done, but is not", prepare: func(f *fake) {
			lie := func(*fake, string, string) error { return nil }
			f.large = append(f.large, lie, lie, lie)
		}, tries: 3, err: "took the push, but " + largeName + " did not move"},
		{name: "the race for the large ref lost once", prepare: func(f *fake) { f.large = append(f.large, lost) }, changed: true, large: true, at: oursLarge, tries: 2},
		{name: "a broken connection three times", prepare: func(f *fake) {
			fail := func(*fake, string, string) error { return broken }
			f.large = append(f.large, fail, fail, fail)
		}, tries: 3, err: "the connection broke"},
		{name: "the branch lost to a newer bundle, whose large files come back", prepare: func(f *fake) {
			f.put(1)
			f.refs[largeName] = other
			f.move = append(f.move, func(f *fake, _, _ string) error { f.put(3); return &Moved{} })
		}, at: other, tries: 2, notice: "newer than"},
		{name: "the branch lost to a newer bundle that moved the large ref again", prepare: func(f *fake) {
			f.put(1)
			f.refs[largeName] = head(8887)
			f.move = append(f.move, func(f *fake, _, _ string) error { f.put(3); f.refs[largeName] = other; return &Moved{} })
		}, large: true, at: other, tries: 2, notice: "newer than"},
		{name: "the large ref moved away under the branch", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { f.refs[largeName] = other; return apply(f, old, commit) })
		}, changed: true, large: true, at: oursLarge, tries: 1},
		{name: "nobody knows whether the branch moved, so nothing is put back", prepare: func(f *fake) {
			f.refs[largeName] = other
			fail := func(*fake, string, string) error { return broken }
			f.move = append(f.move, fail, fail, fail)
		}, large: true, at: oursLarge, tries: 3, err: "the connection broke"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			if tt.prepare != nil {
				tt.prepare(f)
			}
			result, err := tryPublish(t, f, enlarged(t, 2))
			text := ""
			if err != nil {
				text = err.Error()
			}
			if result.Changed != tt.changed || result.Large.Changed != tt.large || result.Tries != tt.tries || f.refs[largeName] != tt.at || !contained(result.Notice, tt.notice) || !contained(text, tt.err) {
				t.Errorf("%+v %+v, the large ref at %q; error %q", result, result.Large, f.refs[largeName], text)
			}
			if tt.err != "" && tt.at == "" && f.moves > 0 {
				t.Error("the branch was moved without its large files")
			}
		})
	}
}

// TestRaceOfLargeFiles: whoever wins the branch has its large files there.
func TestRaceOfLargeFiles(t *testing.T) {
	t.Parallel()
	dir := bare(t)
	for n := range rounds() / 5 {
		older, newer := enlarged(t, 2*n+1), enlarged(t, 2*n+2)
		var done sync.WaitGroup
		var results [2]Result
		var errs [2]error
		for i, s := range []*Snapshot{older, newer} {
			remote := open(t, dir)
			done.Go(func() { results[i], errs[i] = Publish(t.Context(), remote, s, options()) })
		}
		done.Wait()
		if errs[1] != nil {
			t.Fatalf("round %d: %v", n, errs[1])
		}
		if tip(t, dir) != results[1].Commit || at(dir, largeName) != results[1].Large.Commit {
			t.Fatalf("round %d: the branch is at %s, the large ref at %s; newer %+v %+v, older %+v %+v (%v)", n, tip(t, dir), at(dir, largeName), results[1], results[1].Large, results[0], results[0].Large, errs[0])
		}
	}
}
