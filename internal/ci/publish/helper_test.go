package publish

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// TestMain keeps git away from the settings of whoever runs the tests.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "publish-test-")
	if err != nil {
		panic(err)
	}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "SSH_") {
			os.Unsetenv(name)
		}
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
	} {
		os.Setenv(name, value)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

const branch = "routing-bundle"

// epoch is the commit time of head(0); head(n) is n minutes later.
var epoch = time.Date(2026, 10, 20, 8, 0, 0, 0, time.UTC)

func head(n int) string { return fmt.Sprintf("%040x", n+0xabc000) }

// sample is a small bundle of the umbrella's commit head(n).
func sample(n int) content {
	return sampleOf(head(n), epoch.Add(time.Duration(n)*time.Minute))
}

func sampleOf(head string, at time.Time) content {
	return content{
		"build.json":        fmt.Appendf(nil, `{"schema":1,"repo":"marola","url":"https://example.org/marola-dev/marola","head":%q,"commit_time":%q}`+"\n", head, at.Format(time.RFC3339)),
		"graph.json":        []byte(`{"nodes":[],"links":[]}` + "\n"),
		"words/00.json":     []byte("{}\n"),
		"words/index.json":  []byte("{}\n"),
		"nodes/0a.json":     []byte(`{"of":"` + head + "\"}\n"),
		"routing-digest.md": []byte("# marola\n"),
	}
}

// whole adds the manifest.
func whole(t *testing.T, files content) content {
	t.Helper()
	m, err := bundle.NewManifest(files)
	must(t, err)
	files["manifest.json"], err = bundle.Encode(m)
	must(t, err)
	return files
}

func snapshot(t *testing.T, files content) *Snapshot {
	t.Helper()
	s, err := Load(whole(t, files))
	must(t, err)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// git runs git in dir and returns what it printed.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// bare makes an empty repository to publish to.
func bare(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "umbrella.git")
	git(t, ".", "init", "-q", "--bare", "-b", "main", dir)
	git(t, dir, "config", "http.receivepack", "true")
	return dir
}

// tip is the commit of the published branch, or "".
func tip(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("git", "-C", dir, "rev-parse", "-q", "--verify", "refs/heads/"+branch).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// A hub serves a repository over real smart HTTP and counts what is asked.
type hub struct {
	*httptest.Server
	dir   string
	posts func() int // pushes
}

// serve starts a hub; front may answer or change requests before git does.
func serve(t *testing.T, dir string, front func(next http.Handler) http.Handler) *hub {
	t.Helper()
	path, err := exec.LookPath("git")
	must(t, err)
	var backend http.Handler = &cgi.Handler{
		Path: path, Args: []string{"http-backend"}, Dir: dir,
		Env:        []string{"GIT_PROJECT_ROOT=" + filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=bot"},
		InheritEnv: []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "HOME", "PATH"},
		Stderr:     testWriter{t},
	}
	if front != nil {
		backend = front(backend)
	}
	counter := &counting{next: backend}
	s := httptest.NewServer(counter)
	t.Cleanup(s.Close)
	return &hub{Server: s, dir: dir, posts: counter.posts}
}

func (h *hub) url() string { return h.URL + "/" + filepath.Base(h.dir) }

type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Logf("http-backend: %s", b)
	return len(b), nil
}

// isPush reports whether a request is the one that moves a branch.
func isPush(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/git-receive-pack")
}

func open(t *testing.T, remote string) *GitRemote {
	t.Helper()
	return openWith(t, remote, Token{})
}

func openWith(t *testing.T, remote string, token Token) *GitRemote {
	t.Helper()
	a, err := ParseAddress(remote, "/")
	must(t, err)
	g, err := OpenGit(a, token, os.Environ())
	must(t, err)
	return g
}

// options are those of most tests: no real waiting.
func options() Options {
	return Options{Branch: branch, Sleep: func(context.Context, time.Duration) error { return nil }}
}

// publish publishes and expects success.
func publish(t *testing.T, r Remote, s *Snapshot, change ...func(*Options)) Result {
	t.Helper()
	result, err := tryPublish(t, r, s, change...)
	must(t, err)
	return result
}

func tryPublish(t *testing.T, r Remote, s *Snapshot, change ...func(*Options)) (Result, error) {
	t.Helper()
	o := options()
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return Publish(ctx, r, s, o)
}

// writeFile writes a file and the directories that it needs.
func writeFile(dir, name, text string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
