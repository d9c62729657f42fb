package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/cli"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A publisher runs bundle-publish in a directory of its own.
type publisher struct {
	t     *testing.T
	dir   string
	env   []string
	stdin string
}

func newPublisher(t *testing.T) *publisher {
	dir := t.TempDir()
	return &publisher{t: t, dir: dir, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
	}}
}

func (p *publisher) run(args ...string) (code int, stdout, stderr string) {
	p.t.Helper()
	var out, err bytes.Buffer
	code = cli.Main(command.Process{Args: args, Stdin: strings.NewReader(p.stdin), Stdout: &out, Stderr: &err, Env: p.env, Dir: p.dir})
	return code, out.String(), err.String()
}

func (p *publisher) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// bare makes a repository to publish to.
func (p *publisher) bare(name string) string {
	p.t.Helper()
	p.git("init", "-q", "--bare", "-b", "main", name)
	p.git("-C", name, "config", "http.receivepack", "true")
	return name
}

// bundle writes a bundle of the n-th umbrella commit; extra is more of
// build.json.
func (p *publisher) bundle(name string, n int, extra string) string {
	p.t.Helper()
	files := map[string][]byte{
		"build.json": fmt.Appendf(nil, `{"schema":1,"repo":"marola","url":"https://git.example.org/marola-dev/marola","head":"%040x","commit_time":"2026-10-20T08:%02d:00Z"%s}`+"\n", n, n, extra),
		"graph.json": []byte("{}\n"),
	}
	m, err := bundle.NewManifest(files)
	if err == nil {
		files["manifest.json"], err = bundle.Encode(m)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(p.dir, name), 0o755)
	}
	for file, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(p.dir, name, file), data, 0o644)
		}
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return name
}

// serve serves the publisher's repositories over smart HTTP; front answers
// first, and true means that it did.
func (p *publisher) serve(front func(w http.ResponseWriter, r *http.Request) bool) string {
	p.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		p.t.Fatal(err)
	}
	backend := &cgi.Handler{Path: git, Args: []string{"http-backend"}, Dir: p.dir, Env: append([]string{"GIT_PROJECT_ROOT=" + p.dir, "GIT_HTTP_EXPORT_ALL=1"}, p.env...)}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if front == nil || !front(w, r) {
			backend.ServeHTTP(w, r)
		}
	}))
	p.t.Cleanup(s.Close)
	return s.URL
}

func TestPublishVerb(t *testing.T) {
	p := newPublisher(t)
	p.bare("r.git")
	one, two := p.bundle("one", 1, ""), p.bundle("two", 2, "")

	code, out, errs := p.run("publish", "--bundle", one, "--remote", "r.git", "--dry-run")
	if code != 0 || !strings.Contains(out, "dry run: the branch would move from nothing to ") || p.git("-C", "r.git", "for-each-ref") != "" {
		t.Errorf("dry run: %d %q %q", code, out, errs)
	}
	code, out, errs = p.run("publish", "--bundle", one, "--remote", "r.git")
	if code != 0 || !strings.HasPrefix(out, "published the bundle of 0000000 (0.0 MB) on routing-bundle of ") || errs != "" {
		t.Errorf("first: %d %q %q", code, out, errs)
	}
	code, out, _ = p.run("publish", "--bundle", one, "--remote", "r.git")
	if code != 0 || !strings.HasPrefix(out, "nothing to do: ") {
		t.Errorf("again: %d %q", code, out)
	}
	first := p.git("-C", "r.git", "rev-parse", "routing-bundle")

	code, out, errs = p.run("publish", "--json", "--bundle", two, "--remote", p.serve(nil)+"/r.git")
	var r map[string]any
	if err := json.Unmarshal([]byte(out), &r); code != 0 || err != nil {
		t.Fatalf("newer: %d %q %q %v", code, out, errs, err)
	}
	second := p.git("-C", "r.git", "rev-parse", "routing-bundle")
	want := map[string]any{"changed": true, "commit": second, "previous": first, "branch": "routing-bundle", "tries": 1.0, "notice": "", "tree": p.git("-C", "r.git", "rev-parse", "routing-bundle^{tree}")}
	for key, value := range want {
		if r[key] != value {
			t.Errorf("JSON %s: %v, want %v", key, r[key], value)
		}
	}
	for _, key := range []string{"remote", "bytes", "warnings"} {
		if _, ok := r[key]; !ok {
			t.Errorf("JSON has no %s", key)
		}
	}

	code, out, _ = p.run("publish", "--bundle", one, "--remote", "r.git", "--json")
	if code != 0 || !strings.Contains(out, `"changed":false`) || !strings.Contains(out, "newer than") {
		t.Errorf("P02 older after newer: %d %q", code, out)
	}
	if code, _, _ = p.run("publish", "--bundle", one, "--remote", "r.git", "--allow-rewind"); code != 0 || p.git("-C", "r.git", "rev-parse", "routing-bundle") != first {
		t.Errorf("--allow-rewind: %d", code)
	}
	code, out, errs = p.run("publish", "--bundle", one, "--remote", "r.git", "--branch", "other")
	if code != 0 || p.git("-C", "r.git", "rev-parse", "refs/heads/other") != first {
		t.Errorf("--branch: %d %q %q", code, out, errs)
	}
}

func TestP08PublishingNeedsNoBranchCheckedOut(t *testing.T) {
	p := newPublisher(t)
	p.bare("r.git")
	b := filepath.Join(p.dir, p.bundle("one", 1, ""))
	p.git("init", "-q", "work")
	p.git("-C", "work", "commit", "-q", "--allow-empty", "-m", "x")
	p.git("-C", "work", "worktree", "add", "-q", "--detach", "../detached")
	p.dir = filepath.Join(p.dir, "detached")
	if code, out, errs := p.run("publish", "--bundle", b, "--remote", "../r.git"); code != 0 {
		t.Errorf("%d %q %q", code, out, errs)
	}
}

// A checkout knows better than the clock.
func TestPublishAsksTheCheckout(t *testing.T) {
	p := newPublisher(t)
	p.bare("r.git")
	p.git("init", "-q", "-b", "main", "work")
	heads := make([]string, 2)
	for i := range heads {
		p.git("-C", "work", "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
		heads[i] = p.git("-C", "work", "rev-parse", "HEAD")
	}
	at := func(name string, n int, head string) string {
		b := p.bundle(name, n, "")
		build := fmt.Sprintf(`{"schema":1,"repo":"marola","head":%q,"commit_time":"2026-10-20T08:%02d:00Z"}`, head, n)
		files := map[string][]byte{"build.json": []byte(build), "graph.json": []byte("{}\n")}
		m, err := bundle.NewManifest(files)
		if err != nil {
			t.Fatal(err)
		}
		files["manifest.json"], _ = bundle.Encode(m)
		for file, data := range files {
			if err := os.WriteFile(filepath.Join(p.dir, b, file), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return "../" + b
	}
	parent, child := at("parent", 9, heads[0]), at("child", 1, heads[1]) // the child's clock was slow
	p.dir = filepath.Join(p.dir, "work")
	for _, b := range []string{parent, child, parent} {
		if code, out, errs := p.run("publish", "--bundle", b, "--remote", "../r.git"); code != 0 {
			t.Fatalf("%s: %d %q %q", b, code, out, errs)
		}
	}
	if got := p.git("-C", "../r.git", "log", "-1", "--format=%s", "routing-bundle"); got != "routing-bundle: marola@"+heads[1] {
		t.Errorf("published: %s", got)
	}
}

func TestPublishUsage(t *testing.T) {
	p := newPublisher(t)
	p.bare("r.git")
	p.bundle("b", 1, "")
	p.env = append(p.env, "EMPTY=", "BLANK=  ", "BROKEN=ghs_abc\n", "GOOD=ghs_abc")
	http := "http://127.0.0.1:1/r.git"
	tests := []struct {
		name string
		args []string
		said string
	}{
		{"P05 a misspelt flag", []string{"--bundle", "b", "--remote", "r.git", "--forceOrphan"}, "--forceOrphan"},
		{"no bundle", []string{"--remote", "r.git"}, "--bundle DIR is missing"},
		{"no remote", []string{"--bundle", "b"}, "--remote URL is missing"},
		{"an argument", []string{"--bundle", "b", "--remote", "r.git", "x"}, "too many"},
		{"a full reference name", []string{"--bundle", "b", "--remote", "r.git", "--branch", "refs/heads/x"}, "short name"},
		{"HEAD for a branch", []string{"--bundle", "b", "--remote", "r.git", "--branch", "HEAD"}, "short name"},
		{"@ for a branch", []string{"--bundle", "b", "--remote", "r.git", "--branch", "@"}, "short name"},
		{"the branch before this one", []string{"--bundle", "b", "--remote", "r.git", "--branch", "@{-1}"}, "short name"},
		{"a branch like an option", []string{"--bundle", "b", "--remote", "r.git", "--branch=-x"}, "short name"},
		{"no time", []string{"--bundle", "b", "--remote", "r.git", "--timeout", "0s"}, "--timeout"},
		{"P09 an unset variable", []string{"--bundle", "b", "--remote", http, "--token-env", "UNSET"}, "the token is empty (the variable UNSET)"},
		{"P09 an empty variable", []string{"--bundle", "b", "--remote", http, "--token-env", "EMPTY"}, "the token is empty"},
		{"P09 a blank variable", []string{"--bundle", "b", "--remote", http, "--token-env", "BLANK"}, "the token is empty"},
		{"P09 a newline in the token", []string{"--bundle", "b", "--remote", http, "--token-env", "BROKEN"}, "not one word"},
		{"P09 nothing on standard input", []string{"--bundle", "b", "--remote", http, "--token-stdin"}, "the token is empty (standard input)"},
		{"two tokens", []string{"--bundle", "b", "--remote", http, "--token-stdin", "--token-env", "GOOD"}, "exclude each other"},
		{"a token in place of its variable", []string{"--bundle", "b", "--remote", http, "--token-env", "ghs_abc"}, "the name of a variable"},
		{"a credential in the URL", []string{"--bundle", "b", "--remote", "https://x:ghs_abc@127.0.0.1:1/r.git"}, "holds a credential"},
		{"a token over http", []string{"--bundle", "b", "--remote", "http://git.example.org/r.git", "--token-env", "GOOD"}, "unencrypted"},
		{"a helper program", []string{"--bundle", "b", "--remote", "ext::sh -c id"}, "neither a URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := p.run(append([]string{"publish"}, tt.args...)...)
			if code != 2 || !strings.Contains(errs, tt.said) || out != "" {
				t.Errorf("%d %q %q, want %q", code, out, errs, tt.said)
			}
			if strings.Contains(errs, "ghs_abc") {
				t.Errorf("said the token: %q", errs)
			}
		})
	}
}

func TestPublishExitCodes(t *testing.T) {
	p := newPublisher(t)
	p.bare("r.git")
	p.bare("foreign.git")
	good := p.bundle("good", 1, "")
	p.git("init", "-q", "-b", "routing-bundle", "work")
	p.git("-C", "work", "commit", "-q", "--allow-empty", "-m", "x")
	p.git("-C", "work", "push", "-q", "../foreign.git", "routing-bundle")
	p.git("-C", "work", "commit", "-q", "--allow-empty", "-m", "y")
	p.git("-C", "work", "push", "-q", "../foreign.git", "HEAD:main")
	p.bundle("private", 1, `,"private":["services/billing"]`)
	damaged := p.bundle("damaged", 1, "")
	if err := os.WriteFile(filepath.Join(p.dir, damaged, "graph.json"), []byte("{}\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status := 0
	url := p.serve(func(w http.ResponseWriter, r *http.Request) bool {
		if status != 0 {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(status)
		}
		return status != 0
	})
	tests := []struct {
		name   string
		status int
		args   []string
		code   int
		said   []string
	}{
		{"1 what is published cannot be compared", 0, []string{"--bundle", good, "--remote", "foreign.git"}, 1, []string{"cannot be compared", "hint: ", "--first"}},
		{"4 a branch of other work", 0, []string{"--bundle", good, "--remote", "foreign.git", "--branch", "main", "--first"}, 4, []string{"its branch main, at ", "it has a history", "hint: name another branch"}},
		{"3 no bundle", 0, []string{"--bundle", "none", "--remote", "r.git"}, 3, []string{"there is no bundle at none", "bundle-publish build"}},
		{"3 P39 a damaged bundle", 0, []string{"--bundle", damaged, "--remote", "r.git"}, 3, []string{"graph.json", "hint: "}},
		{"3 private submodules", 0, []string{"--bundle", "private", "--remote", "r.git"}, 3, []string{"services/billing", "--include-private"}},
		{"4 no repository", 0, []string{"--bundle", good, "--remote", "none.git"}, 4, []string{"refused", "hint: "}},
		{"4 no rights", 403, []string{"--bundle", good, "--remote", url + "/r.git"}, 4, []string{"HTTP 403", "hint: "}},
		{"5 not reached", 503, []string{"--bundle", good, "--remote", url + "/r.git"}, 5, []string{"HTTP 503", "1h0m0s", "--timeout"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status = tt.status
			code, out, errs := p.run(append([]string{"publish"}, tt.args...)...)
			if code != tt.code || out != "" {
				t.Errorf("%d %q %q", code, out, errs)
			}
			for _, part := range tt.said {
				if !strings.Contains(errs, part) {
					t.Errorf("said %q, not %q", errs, part)
				}
			}
		})
	}
	if got := p.git("-C", "r.git", "for-each-ref"); got != "" {
		t.Errorf("published: %s", got)
	}
	code, _, errs := p.run("publish", "--bundle", "private", "--remote", "r.git", "--include-private")
	if code != 0 || !strings.Contains(errs, "warning: the bundle holds the private submodules services/billing") {
		t.Errorf("--include-private: %d %q", code, errs)
	}
	code, _, errs = p.run("publish", "--bundle", good, "--remote", "foreign.git", "--first")
	if code != 0 {
		t.Errorf("--first: %d %q", code, errs)
	}
}

// A failure of this machine has the gate's code, and its own words.
func TestExitCodeOfAnyOtherFailure(t *testing.T) {
	p := newPublisher(t)
	p.git("init", "-q", "-b", "main", "work")
	if code, out, errs := p.run("build", "--root", "work", "--out", "o"); code != 1 || out != "" || !strings.HasPrefix(errs, "bundle-publish: ") {
		t.Errorf("a repository without a commit: %d %q %q", code, out, errs)
	}
	_, help, _ := p.run("--help")
	for _, line := range []string{"  1  the gate failed: an answer was lost, what is published must stay, the wiring is not in order or a file of docs is stale; or a failure that is none of these\n", "  4  the remote refused: rules, rights, or a branch that is no bundle\n"} {
		if !strings.Contains(help, line) {
			t.Errorf("the help lacks %q:\n%s", line, help)
		}
	}
}

func TestPublishSendsTheToken(t *testing.T) {
	p := newPublisher(t)
	p.bare("r.git")
	b := p.bundle("b", 1, "")
	var seen []string
	url := p.serve(func(w http.ResponseWriter, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		seen = append(seen, user+":"+password)
		return false
	}) + "/r.git"
	p.env = append(p.env, "BUNDLE_TOKEN=ghs_env")
	p.stdin = "ghs_stdin\r\n"
	for _, tt := range []struct{ args, want string }{{"--token-env=BUNDLE_TOKEN", "ghs_env"}, {"--token-stdin", "ghs_stdin"}} {
		seen = nil
		code, out, errs := p.run("publish", "--bundle", b, "--remote", url, tt.args, "--json")
		if code != 0 || len(seen) == 0 || strings.Contains(out+errs, "ghs_") {
			t.Errorf("%s: %d %q %q", tt.args, code, out, errs)
		}
		for _, s := range seen {
			if s != "x-access-token:"+tt.want {
				t.Errorf("%s sends %q", tt.args, s)
			}
		}
	}
	if code, _, errs := p.run("publish", "--bundle", b, "--remote", "r.git", "--token-env", "BUNDLE_TOKEN"); code != 0 || !strings.Contains(errs, "warning: the token is not used") {
		t.Errorf("a token for a path: %d %q", code, errs)
	}
}

func TestVerifyVerb(t *testing.T) {
	p := newPublisher(t)
	p.bare("r.git")
	b := p.bundle("b", 1, "")
	if code, out, errs := p.run("verify", b); code != 0 || !strings.HasPrefix(out, "the bundle is whole: 3 files") {
		t.Errorf("directory: %d %q %q", code, out, errs)
	}
	if code, _, errs := p.run("publish", "--bundle", b, "--remote", "r.git"); code != 0 {
		t.Fatalf("publish: %d %q", code, errs)
	}
	commit := p.git("-C", "r.git", "rev-parse", "routing-bundle")
	for _, ref := range []string{"refs/heads/routing-bundle", "routing-bundle", commit} {
		code, out, errs := p.run("verify", ref, "--repo", "r.git", "--json")
		var r struct {
			Commit, Head, Repo string
			Files              int
		}
		if err := json.Unmarshal([]byte(out), &r); code != 0 || err != nil || r.Commit != commit || r.Files != 3 || r.Repo != "marola" {
			t.Errorf("%s: %d %q %q %v", ref, code, out, errs, err)
		}
	}
	// A commit beside the manifest's truth.
	p.git("clone", "-q", "-b", "routing-bundle", "r.git", "work")
	if err := os.WriteFile(filepath.Join(p.dir, "work", "README"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.git("-C", "work", "add", ".")
	p.git("-C", "work", "commit", "-q", "-m", "x")
	if err := os.WriteFile(filepath.Join(p.dir, b, "graph.json"), []byte("[]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{b}, {"HEAD", "--repo", "work"}} {
		if code, out, errs := p.run(append([]string{"verify"}, args...)...); code != 3 || out != "" || !strings.Contains(errs, "refused") || !strings.Contains(errs, "hint: ") {
			t.Errorf("%v: %d %q %q", args, code, out, errs)
		}
	}
	for _, args := range [][]string{{"no/such"}, {"refs/heads/none", "--repo", "r.git"}, {"--repo", "r.git", "--", "--upload-pack=x"}} {
		if code, out, errs := p.run(append([]string{"verify"}, args...)...); code == 0 || out != "" || errs == "" {
			t.Errorf("%v: %d %q %q", args, code, out, errs)
		}
	}
}
