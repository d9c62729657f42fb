//go:build unix

package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/testkit/githost"
)

// The two ways to publish.
var transports = []string{"git", "api"}

const branch = "routing-bundle"

// A job is what a child publishes. It comes in the variable PUBLISH_JOB.
type job struct {
	Transport, Bundle, Remote, API, Token string
}

// TestMain is a publisher when it is started as one, and the tests otherwise.
func TestMain(m *testing.M) {
	if text := os.Getenv("PUBLISH_JOB"); text != "" {
		var j job
		err := json.Unmarshal([]byte(text), &j)
		if err == nil {
			err = j.run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// run publishes, and prints the result and how much memory was used at most,
// in kB.
func (j job) run() error {
	address, err := publish.ParseAddress(j.Remote, "/")
	if err != nil {
		return err
	}
	token, err := publish.NewToken(j.Token, "a test")
	if err != nil {
		return err
	}
	var remote publish.Remote
	if j.Transport == "git" {
		remote, err = publish.OpenGit(address, token, os.Environ())
	} else {
		remote, err = publish.OpenAPI(address, j.API, token)
	}
	if err != nil {
		return err
	}
	snapshot, err := publish.Load(bundle.Dir(j.Bundle))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	result, err := publish.Publish(ctx, remote, snapshot, publish.Options{Branch: branch})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(outcome{result.Changed, result.Commit, result.Tree, peak()})
}

type outcome struct {
	Changed      bool
	Commit, Tree string
	Peak         int // kB
}

// peak is the most memory that this process has had, in kB; 0 where the
// system does not tell.
func peak() int {
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kb := 0
	_, _ = fmt.Sscan(rest, &kb) // nothing to scan is 0
	return kb
}

// A site is a service with a repository that an App may write.
type site struct {
	*githost.Host
	repo  *githost.Repository
	token string
}

func newSite(t *testing.T) site {
	t.Helper()
	h := githost.New(t)
	repo := h.Create("o/umbrella")
	repo.Seed()
	h.AddApp(githost.App{ID: 4242, Slug: "bundle-bot", Installed: []string{repo.Name}, Permissions: map[string]string{"contents": "write"}})
	return site{h, repo, h.Token(4242, repo.Name, map[string]string{"contents": "write"})}
}

// child is a publisher that is not started yet.
func (s site) child(t *testing.T, transport, bundle string) *exec.Cmd {
	t.Helper()
	data, err := json.Marshal(job{transport, bundle, s.repo.URL(), s.API(), s.token})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(clean(), "PUBLISH_JOB="+string(data))
	return cmd
}

// publish publishes in a process of its own and expects it to go well.
func (s site) publish(t *testing.T, transport, bundle string) (o outcome) {
	t.Helper()
	cmd := s.child(t, transport, bundle)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return o
}

func clean() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org"}
}

// git runs git in the repository.
func (s site) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.repo.Dir}, args...)...)
	cmd.Env = clean()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// write lays a bundle of the n-th umbrella commit into a directory. Files that
// may be large are marked so.
func write(t *testing.T, n int, files map[string][]byte) string {
	t.Helper()
	at := time.Date(2026, 10, 20, 8, n, 0, 0, time.UTC)
	files["build.json"] = fmt.Appendf(nil, `{"schema":1,"repo":"umbrella","url":"https://example.org/o/umbrella","head":"%040x","commit_time":%q}`+"\n", n+0xabc, at.Format(time.RFC3339))
	m, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range m.Files {
		m.Files[i].Large = bundle.MayBeLarge(f.Name)
	}
	files[bundle.ManifestName] = m.Encode()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
