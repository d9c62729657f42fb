package skillsvendor_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/skillsvendor"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestPropose: one job updates skills and has no right to write; another one,
// without a checkout, opens the pull request, and the week after renews it.
func TestPropose(t *testing.T) {
	w := gittest.New(t)
	w.Write(w.Home, map[string][]byte{"gitconfig": []byte("[init]\n\tdefaultBranch = main\n[core]\n\tfsync = none\n[protocol \"file\"]\n\tallow = always\n[uploadpack]\n\tallowFilter = true\n")})
	up, app := w.Repo("up"), w.Repo("app")
	commit := func(dir string, files map[string]string) string {
		t.Helper()
		for name, text := range files {
			w.Write(dir, map[string][]byte{name: []byte(text)})
		}
		w.Git(dir, "add", "-A")
		w.Git(dir, "commit", "-q", "-m", "x")
		return w.Head(dir)
	}
	first := commit(up, map[string]string{"s/SKILL.md": "first\n", "s/old": "old\n"})
	commit(app, map[string]string{
		".claude/skills/s/SKILL.md": "first\n", ".claude/skills/s/old": "old\n", "README.md": "ours\n",
		".claude/skills/skills.lock": `{"version": 1, "skills": {"s": {"upstream": "file://` + filepath.ToSlash(up) + `", "path": "s", "commit": "` + first +
			`", "files": {"SKILL.md": "9c59e24b8393179a5d712de4f990178df5734d99", "old": "3367afdbbf91e638efe983616377c60477cc6612"}, "license": null, "local_edits": null, "hold": null}}}` + "\n",
	})
	w.Git(up, "rm", "-q", "s/old")
	w.Write(up, map[string][]byte{"s/run.sh": []byte("#!/bin/sh\n")})
	if err := os.Chmod(filepath.Join(up, "s/run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	commit(up, map[string]string{"s/SKILL.md": "second\n"})

	clone := filepath.Join(w.Home, "clone")
	w.Git(w.Home, "clone", "-q", app, clone)
	s := newService(t, w, app)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	secret := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	run := func(dir string, args ...string) (out string, code int) {
		t.Helper()
		var b bytes.Buffer
		env := w.With("BOT_KEY="+secret, "GITHUB_REPOSITORY=acme/app", "GITHUB_API_URL="+s.URL, "MAROLA_NOW=2027-01-01T00:00:00Z")
		code = skillsvendor.Main(command.Process{Args: args, Stdin: strings.NewReader(""), Stdout: &b, Stderr: &b, Env: env, Dir: dir})
		if strings.Contains(b.String(), theToken) || strings.Contains(b.String(), "PRIVATE KEY") {
			t.Errorf("a secret is shown: %s", b.String())
		}
		return b.String(), code
	}
	must := func(dir, want string, args ...string) {
		t.Helper()
		if out, code := run(dir, args...); code != 0 || !strings.Contains(out, want) {
			t.Fatalf("%q: exit %d, %s; want %q", args, code, out, want)
		}
	}
	proposal, elsewhere := filepath.Join(w.Home, "proposal"), t.TempDir()
	propose := []string{"propose", proposal, "--app-id", "42", "--private-key-env", "BOT_KEY"}
	must(clone, "s: ", "update", "--all", "--proposal", proposal)
	must(elsewhere, "opened: https://example.org/pull/7\n", propose...)
	if got := w.Git(app, "diff", "--raw", "--abbrev=40", "main", "chore/skills-update"); strings.Count(got, "\n") != 3 ||
		!strings.Contains(got, "D\t.claude/skills/s/old") || !strings.Contains(got, ":000000 100755 ") || !strings.Contains(got, "A\t.claude/skills/s/run.sh") {
		t.Errorf("the branch differs by\n%s", got)
	}
	// What is proposed is what the first job has in its checkout.
	w.Git(clone, "fetch", "-q", app, "chore/skills-update")
	w.Git(clone, "add", "-A")
	if got, want := w.Git(clone, "write-tree"), w.Git(clone, "rev-parse", "FETCH_HEAD^{tree}"); got != want {
		t.Errorf("the checkout has the tree %s, the branch %s", got, want)
	}
	if s.rights != `{"contents":"write","pull_requests":"write"}` || !s.revoked || s.author || s.labels != `["skills-update"]`+"\n" && s.labels != `["skills-update"]` || !strings.Contains(s.body, "# Vendored skills") {
		t.Errorf("rights %s, revoked %v, an author %v (P29), labels %s, text %q", s.rights, s.revoked, s.author, s.labels, s.body)
	}
	// The same again moves nothing.
	s.asked = nil
	must(elsewhere, "current: https://example.org/pull/7\n", propose...)
	if slices.ContainsFunc(s.asked, func(call string) bool { return strings.Contains(call, "/git/refs") || call == "POST /git/commits" }) {
		t.Errorf("it asked for %q", s.asked)
	}
	// A week later there is more.
	w.Git(clone, "reset", "-q", "--hard")
	commit(up, map[string]string{"s/SKILL.md": "third\n"})
	proposal = filepath.Join(w.Home, "next")
	propose[1] = proposal
	must(clone, "s: ", "update", "--all", "--proposal", proposal)
	must(elsewhere, "renewed: https://example.org/pull/7\n", propose...)
	if got := w.Git(app, "show", "chore/skills-update:.claude/skills/s/SKILL.md") + w.Git(app, "rev-list", "--count", "main..chore/skills-update"); got != "third1" {
		t.Errorf("the branch has %q", got)
	}

	t.Run("what the service refuses", func(t *testing.T) {
		for call, status := range map[string]int{
			"GET ": 404, "POST /git/blobs": 403, "POST /git/trees": 502, "POST /git/commits": 422, "POST /git/refs": 422, "GET /git/ref/heads/chore/skills-update": 403, "GET /pulls": 403,
			"POST /pulls": 403, "PATCH /pulls/7": 403, "POST /issues/7/labels": 404, "POST /app/installations/1/access_tokens": 422, "GET /installation": 404,
		} {
			w.Git(app, "update-ref", "-d", "refs/heads/chore/skills-update")
			s.refuse, s.open, s.revoked = map[string]int{call: status}, call == "PATCH /pulls/7", false
			out, code := run(elsewhere, propose...)
			if code != 1 || !strings.Contains(out, "the service answered ") || !strings.Contains(out, "\nhint: ") {
				t.Errorf("%s is answered with %d: exit %d, %s", call, status, code, out)
			}
			if strings.Contains(call, "git") && !s.revoked {
				t.Errorf("%s: the token is kept", call)
			}
		}
		s.refuse = map[string]int{}
	})
	t.Run("nothing to propose", func(t *testing.T) {
		w.Git(clone, "reset", "-q", "--hard")
		must(clone, "s: ", "update", "--all")
		commit(clone, nil)
		must(clone, "s: current", "update", "--all", "--proposal", filepath.Join(w.Home, "none"))
		s.asked = nil
		must(elsewhere, "nothing to propose", "propose", filepath.Join(w.Home, "none"), "--app-id", "42", "--private-key-env", "BOT_KEY")
		if len(s.asked) > 0 {
			t.Errorf("it asked for %q", s.asked)
		}
	})
	t.Run("what is refused here", func(t *testing.T) {
		w.Write(clone, map[string][]byte{".claude/skills/s/SKILL.md": []byte("changed")})
		if out, code := run(clone, "update", "--all", "--proposal", filepath.Join(w.Home, "dirty")); code != 1 || !strings.Contains(out, "not committed") {
			t.Errorf("exit %d, %s", code, out)
		}
		for want, args := range map[string][]string{
			"is not below elsewhere":     {"propose", proposal, "--app-id", "42", "--private-key-env", "BOT_KEY", "--below", "elsewhere"},
			"is not OWNER/NAME":          {"propose", proposal, "--app-id", "42", "--private-key-env", "BOT_KEY", "--repo", "x"},
			"--app-id is missing":        {"propose", proposal, "--app-id", "", "--private-key-env", "BOT_KEY"},
			"never the key itself":       {"propose", proposal, "--app-id", "42", "--private-key-env", secret},
			"in the variable NO_SUCH_ON": {"propose", proposal, "--app-id", "42", "--private-key-env", "NO_SUCH_ONE"},
		} {
			if out, code := run(elsewhere, args...); code == 0 || !strings.Contains(out, want) {
				t.Errorf("%q: exit %d, %s", want, code, out)
			}
		}
	})
}
