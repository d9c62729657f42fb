package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/cli"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/fetch"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

// knownVariable names a file of models that the program under test knows
// instead of its own, whose files are too large to serve here.
const knownVariable = "TEST_KNOWN_MODELS"

func knowTestModels() {
	data, err := os.ReadFile(os.Getenv(knownVariable))
	if err != nil {
		return
	}
	var list []fetch.Model
	if err := json.Unmarshal(data, &list); err != nil {
		panic(err)
	}
	cli.Know(list)
}

// A proxy stands for the whole network: it answers for the hub, breaks the
// first answer of each large file in the middle, and remembers what was asked.
type proxy struct {
	t      *testing.T
	files  map[string][]byte
	mu     sync.Mutex
	broken map[string]bool
	asked  []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, strings.TrimSpace(r.URL.String()+" "+r.Header.Get("Range")))
	data, ok := p.files[strings.TrimPrefix(r.URL.String(), "http://hub.test/maker/thumb/resolve/0123456789abcdef/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if len(data) > 5000 && !p.broken[r.URL.Path] {
		p.broken[r.URL.Path] = true
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data[:len(data)/3])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

func (p *proxy) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *proxy) size(name string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.files[name])
}

func (p *proxy) change(name, from, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[name] = bytes.Replace(p.files[name], []byte(from), []byte(to), 1)
}

// TestModelFetch: a model comes through the proxy that the environment names,
// in pieces where the connection breaks, and is installed, with its licence,
// only if it is the pinned one.
func TestModelFetch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "thumb")
	if err := tiny.WriteEncoder(dir, "cls"); err != nil {
		t.Fatal(err)
	}
	m := fetch.Model{Name: "thumb", Repository: "maker/thumb", Revision: "0123456789abcdef", Licence: "mit", Pooling: "cls", MaxTokens: 32, Prefix: "find: "}
	network := &proxy{t: t, files: map[string][]byte{}, broken: map[string]bool{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue // how to pool is known
		}
		name := e.Name()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		m.Files = append(m.Files, fetch.File{Name: name, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])})
		network.files[name] = data
	}
	server := httptest.NewServer(network)
	t.Cleanup(server.Close)

	p := newPerson(t)
	known := filepath.Join(t.TempDir(), "known.json")
	data, err := json.Marshal([]fetch.Model{m})
	if err == nil {
		err = os.WriteFile(known, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, knownVariable+"="+known, "HTTP_PROXY="+server.URL, "HF_ENDPOINT=http://hub.test/")

	if out, _ := p.run("model", "list"); !strings.Contains(out, "thumb: not installed; mega-tron model fetch thumb downloads") || !strings.Contains(out, "licence mit") {
		t.Errorf("before: %s", out)
	}
	out, err := p.run("model", "fetch", "thumb")
	if err != nil || !strings.HasPrefix(out, "installed thumb: bert, 32 values, 32 tokens, int8") || !strings.Contains(out, "licence mit") {
		t.Errorf("fetch: %v, %s", err, out)
	}
	if got := strings.Join(network.requests(), "\n"); !strings.Contains(got, "model.safetensors bytes="+fmt.Sprint(network.size("model.safetensors")/3)+"-") {
		t.Errorf("it does not go on where it was:\n%s", got)
	}
	if out, err := p.run("model", "verify", "thumb"); err != nil || !strings.HasPrefix(out, "whole: thumb") {
		t.Errorf("verify: %v, %s", err, out)
	}
	if left, _ := os.ReadDir(filepath.Join(p.home, ".cache", "mega-tron", "downloads")); len(left) > 0 {
		t.Errorf("%d downloads are left", len(left))
	}

	// Somebody changes the weights on the way.
	network.change("model.safetensors", "F32", "F16")
	if out, err := p.run("model", "fetch", "thumb", "--name", "other", "--endpoint", "http://hub.test"); err == nil || !strings.Contains(out, "model.safetensors is not the file that is pinned") || !strings.Contains(out, "hint: ") {
		t.Errorf("a changed file: %v, %s", err, out)
	}
	if out, _ := p.run("model", "list"); strings.Contains(out, "other") {
		t.Errorf("it is installed: %s", out)
	}
	if out, err := p.run("model", "fetch", "thumb", "--endpoint", "http://elsewhere.test"); err == nil || !strings.Contains(out, "404") {
		t.Errorf("another hub: %v, %s", err, out)
	}
}
