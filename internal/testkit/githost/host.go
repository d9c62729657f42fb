// Package githost stands in for GitHub, for tests: its REST and GraphQL API and
// its git, over the same repositories.
//
// A repository is a bare one on disk, so what is written through the API is
// there for git, and the other way round. Git itself is git: `git
// http-backend` behind the same tokens. Rulesets hold for both.
//
// Every request and answer of the API is held to a cut of GitHub's own
// description of it. A request that the description does not know is the
// client's error and fails the test, and so does an answer of ours that it
// does not know; a refusal carries the address of the page that documents it.
// What the description leaves out (bad credentials, limits, failures) stands
// in one table, with its pages.
package githost

import (
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/testkit/openapi"
	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
)

//go:embed testdata/openapi.json
var description []byte

// A Host is the service. The REST API is at [Host.API], GraphQL and git where
// an enterprise server has them.
type Host struct {
	// Rulesets are those of all repositories, as the API has them.
	Rulesets *rulesets.Service

	t      testing.TB
	server *httptest.Server
	doc    *openapi.Document
	dir    string
	git    string // directory of git's own programs

	clock sync.RWMutex // of skew and fault, which are asked for under other locks
	skew  time.Duration
	fault func(Request) Fault

	mu           sync.Mutex
	repositories map[string]*Repository // by name in lower case
	apps         map[int64]*App
	tokens       map[string]*actor
	given        int // tokens of installations so far
	log          []Request
	wrong        []string // what the description does not know
	limit, used  int      // requests in an hour; no limit when 0
	reset        time.Time
}

// A Repository is one of the host's.
type Repository struct {
	Name    string // owner/name
	Dir     string // the bare repository
	Private bool

	host *Host
}

// A Request is one that the host was asked, a push or fetch included.
type Request struct {
	Number       int // from 1
	Method, Path string
	Query        string
	Header       http.Header
	Body         []byte
	Operation    string // its id in the description, "graphql", or "" for git
}

// New starts a host. The test fails if a request, or an answer of the host's
// own, is not as the description has it.
func New(t testing.TB) *Host {
	t.Helper()
	doc, err := openapi.Read(description)
	if err != nil {
		t.Fatal(err)
	}
	h := &Host{t: t, doc: doc, dir: t.TempDir(), repositories: map[string]*Repository{}, apps: map[int64]*App{}, tokens: map[string]*actor{}}
	if h.Rulesets, err = rulesets.New(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	h.git = strings.TrimSpace(string(out))
	h.server = httptest.NewServer(h)
	t.Cleanup(func() {
		h.server.Close()
		for _, text := range h.Wrong() {
			t.Errorf("not as the API is described: %s", text)
		}
	})
	return h
}

// URL is where the repositories are.
func (h *Host) URL() string { return h.server.URL }

// API is the base of the REST API.
func (h *Host) API() string { return h.server.URL + "/api/v3/" }

// Create makes an empty repository, called owner/name.
func (h *Host) Create(name string) *Repository {
	h.t.Helper()
	r := &Repository{Name: name, Dir: filepath.Join(h.dir, filepath.FromSlash(name)+".git"), host: h}
	for _, args := range [][]string{
		{"init", "-q", "--bare", "-b", "main", r.Dir},
		{"-C", r.Dir, "config", "http.receivepack", "true"},
		{"-C", r.Dir, "config", "uploadpack.allowFilter", "true"},
		{"-C", r.Dir, "config", "uploadpack.allowAnySHA1InWant", "true"},
		{"-C", r.Dir, "config", "core.logAllRefUpdates", "always"},
		{"-C", r.Dir, "config", "gc.auto", "0"},
	} {
		if _, err := h.run("", args...); err != nil {
			h.t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "hooks", "pre-receive"), []byte(preReceive), 0o755); err != nil {
		h.t.Fatal(err)
	}
	h.mu.Lock()
	h.repositories[strings.ToLower(name)] = r
	h.mu.Unlock()
	h.Rulesets.AddRepository(rulesets.Repository{FullName: name})
	return r
}

// URL is the repository's own.
func (r *Repository) URL() string { return r.host.URL() + "/" + r.Name }

// Seed gives the repository a first commit on main, which the API needs to
// write anything, and returns it.
func (r *Repository) Seed() string {
	r.host.t.Helper()
	tree, err := r.put("tree", nil)
	if err != nil {
		r.host.t.Fatal(err)
	}
	commit, err := r.put("commit", fmt.Appendf(nil, "tree %s\nauthor A <a@example.org> 1790000000 +0000\ncommitter A <a@example.org> 1790000000 +0000\n\nOne\n", tree))
	if err == nil {
		err = r.move("refs/heads/main", "", commit)
	}
	if err != nil {
		r.host.t.Fatal(err)
	}
	return commit
}

// Protect adds a ruleset to the repository, as JSON.
func (r *Repository) Protect(ruleset []byte) {
	r.host.t.Helper()
	if _, err := r.host.Rulesets.Add(r.Name, ruleset); err != nil {
		r.host.t.Fatal(err)
	}
}

// Requests are what was asked so far, in order.
func (h *Host) Requests() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Request{}, h.log...)
}

// Wrong are the requests and answers that the description does not know, and
// none of them any more.
func (h *Host) Wrong() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	wrong := h.wrong
	h.wrong = nil
	return wrong
}

func (h *Host) blame(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = append(h.wrong, fmt.Sprintf(format, args...))
}

// Limit allows so many more requests in this hour; 0 allows any number.
func (h *Host) Limit(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.limit, h.used, h.reset = n, 0, h.now().Add(time.Hour)
}

// SetClock sets how far the service's clock is ahead of this machine's.
func (h *Host) SetClock(ahead time.Duration) {
	h.clock.Lock()
	defer h.clock.Unlock()
	h.skew = ahead
}

// Break asks f of every request from now on what goes wrong with it, many at
// once; nil lets each one pass.
func (h *Host) Break(f func(Request) Fault) {
	h.clock.Lock()
	defer h.clock.Unlock()
	h.fault = f
}

// now is the time of the service.
func (h *Host) now() time.Time {
	h.clock.RLock()
	defer h.clock.RUnlock()
	return time.Now().Add(h.skew)
}

func (h *Host) repository(name string) *Repository {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.repositories[strings.ToLower(name)]
}

// run runs git without the settings of whoever runs the tests.
func (h *Host) run(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Env = gitEnv()
	cmd.Stdin = strings.NewReader(stdin)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	return string(out), nil
}

func gitEnv() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_COMMITTER_NAME=GitHub", "GIT_COMMITTER_EMAIL=noreply@github.com",
	}
}
