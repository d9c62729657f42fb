package publish

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/testkit/githost"
)

// serveAPI starts a service with one repository, and gives a token that may
// write it.
func serveAPI(t *testing.T) (h *githost.Host, repo *githost.Repository, token Token) {
	t.Helper()
	h = githost.New(t)
	repo = h.Create("o/umbrella")
	repo.Seed()
	h.AddApp(githost.App{ID: 4242, Slug: "bundle-bot", Installed: []string{repo.Name}, Permissions: map[string]string{"contents": "write", "metadata": "read"}})
	token, err := NewToken(h.Token(4242, repo.Name, map[string]string{"contents": "write"}), "a test")
	must(t, err)
	return h, repo, token
}

func openAPI(t *testing.T, h *githost.Host, repo *githost.Repository, token Token) *APIRemote {
	t.Helper()
	a, err := ParseAddress(repo.URL(), "/")
	must(t, err)
	r, err := OpenAPI(a, h.API(), token)
	must(t, err)
	r.wait = func(context.Context, time.Duration) error { return nil }
	return r
}

// moves counts the requests that move a ref.
func moves(h *githost.Host) int {
	n := 0
	for _, r := range h.Requests() {
		if r.Operation == "graphql" || r.Operation == "git/create-ref" || r.Operation == "" && strings.HasSuffix(r.Path, "/git-receive-pack") {
			n++
		}
	}
	return n
}

// everyRemote runs a test against each way to reach a real repository.
func everyRemote(t *testing.T, run func(t *testing.T, dir string, open func() Remote, pushes func() int)) {
	t.Run("path", func(t *testing.T) {
		dir := bare(t)
		run(t, dir, func() Remote { return open(t, dir) }, nil)
	})
	t.Run("file URL", func(t *testing.T) {
		dir := bare(t)
		run(t, dir, func() Remote { return open(t, (&url.URL{Scheme: "file", Path: dir}).String()) }, nil)
	})
	t.Run("smart HTTP", func(t *testing.T) {
		h := serve(t, bare(t), nil)
		run(t, h.dir, func() Remote { return open(t, h.url()) }, h.posts)
	})
	t.Run("ssh", func(t *testing.T) {
		dir := bare(t)
		host := serveSSH(t)
		run(t, dir, func() Remote { return host.open(t, dir) }, host.pushes)
	})
	t.Run("API", func(t *testing.T) {
		h, repo, token := serveAPI(t)
		run(t, repo.Dir, func() Remote { return openAPI(t, h, repo, token) }, func() int { return moves(h) })
	})
}

func TestPublishingLife(t *testing.T) {
	everyRemote(t, func(t *testing.T, dir string, open func() Remote, pushes func() int) {
		count := func() int {
			if pushes == nil {
				return 0
			}
			return pushes()
		}
		first := publish(t, open(), snapshot(t, sample(1)))
		if !first.Changed || first.Previous != "" || first.Commit != tip(t, dir) || first.Tries != 1 {
			t.Fatalf("first publish: %+v; the branch is at %s", first, tip(t, dir))
		}
		if parents := git(t, dir, "log", "-1", "--format=%P", branch); parents != "" {
			t.Errorf("the commit has parents: %s", parents)
		}
		if _, api := open().(*APIRemote); api {
			if got := git(t, dir, "log", "-1", "--format=%an|%cn|%s", branch); got != "bundle-bot[bot]|GitHub|routing-bundle: marola@"+head(1) {
				t.Errorf("commit: %s", got)
			}
		} else if got := git(t, dir, "log", "-1", "--format=%an <%ae> %aI %cI %s", branch); got != "routing-bundle <routing-bundle@users.noreply.github.com> 2026-10-20T08:01:00+00:00 2026-10-20T08:01:00+00:00 routing-bundle: marola@"+head(1) {
			t.Errorf("commit: %s", got)
		}
		tree := git(t, dir, "ls-tree", "-r", branch)
		if strings.Count(tree, "100644 blob") != 7 || strings.Count(tree, "\n") != 6 {
			t.Errorf("tree:\n%s", tree)
		}
		git(t, dir, "fsck", "--strict")

		n := count()
		again := publish(t, open(), snapshot(t, sample(1)))
		if again.Changed || again.Commit != first.Commit || again.Notice == "" {
			t.Errorf("republish unchanged: %+v", again)
		}
		if count() != n {
			t.Errorf("republish unchanged pushed %d times", count()-n)
		}

		newer := publish(t, open(), snapshot(t, sample(2)))
		if !newer.Changed || newer.Previous != first.Commit || tip(t, dir) != newer.Commit {
			t.Errorf("newer over older: %+v", newer)
		}
		if before := newer.Before; before == nil || before.Build.Head != head(1) || before.Wiring != nil {
			t.Errorf("the newer one was compared with %+v", before)
		}
		if _, api := open().(*APIRemote); first.Before != nil || again.Before != nil && !api { // whose commits are told apart by what they hold
			t.Errorf("the first one was compared with %+v, the same one with %+v", first.Before, again.Before)
		}

		n = count()
		older := publish(t, open(), snapshot(t, sample(1)))
		if older.Changed || tip(t, dir) != newer.Commit || !strings.Contains(older.Notice, "newer than") {
			t.Errorf("older after newer: %+v", older)
		}
		if count() != n {
			t.Error("an older bundle was pushed")
		}

		back := publish(t, open(), snapshot(t, sample(1)), func(o *Options) { o.AllowRewind = true })
		if !back.Changed || tip(t, dir) != back.Commit || git(t, dir, "rev-parse", branch+"^{tree}") != first.Tree {
			t.Errorf("--allow-rewind: %+v", back)
		}
		git(t, dir, "fsck", "--strict")
	})
}

// TestReadGivesTheWiring: what a report of a change needs of the published
// bundle comes with it.
func TestReadGivesTheWiring(t *testing.T) {
	everyRemote(t, func(t *testing.T, dir string, open func() Remote, _ func() int) {
		const wiring = `{"artifacts":[]}` + "\n"
		files := sample(1)
		files["wiring.json"] = []byte(wiring)
		publish(t, open(), snapshot(t, files))
		if got := publish(t, open(), snapshot(t, sample(2))).Before; got == nil || string(got.Wiring) != wiring {
			t.Errorf("the published bundle was read as %+v", got)
		}
	})
}
