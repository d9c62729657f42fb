package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A hub is a server that can misbehave.
type hub struct {
	*httptest.Server
	mu       sync.Mutex
	content  map[string][]byte
	requests []string // path and Range of each
	breaks   int      // how many answers stop in the middle
	refuse   int      // how many answers are 503
	noRange  bool
}

func newHub(t *testing.T, files map[string][]byte) *hub {
	h := &hub{content: files}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, strings.TrimSpace(r.URL.Path+" "+r.Header.Get("Range")))
	data, ok := h.content[strings.TrimPrefix(r.URL.Path, "/maker/model/resolve/0123abc/")]
	switch {
	case !ok:
		http.NotFound(w, r)
	case h.refuse > 0:
		h.refuse--
		http.Error(w, "later", http.StatusServiceUnavailable)
	case h.breaks > 0:
		h.breaks--
		start := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &start); err == nil {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, len(data)-1, len(data)))
			w.Header().Set("Content-Length", fmt.Sprint(len(data)-start))
			w.WriteHeader(http.StatusPartialContent)
		} else {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		}
		_, _ = w.Write(data[start : start+(len(data)-start)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case h.noRange:
		_, _ = w.Write(data)
	default:
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}

func model(files map[string][]byte) Model {
	m := Model{Name: "model", Repository: "maker/model", Revision: "0123abc"}
	for _, name := range []string{"config.json", "1_Pooling/config.json", "model.safetensors"} {
		if data, ok := files[name]; ok {
			sum := sha256.Sum256(data)
			m.Files = append(m.Files, File{name, int64(len(data)), hex.EncodeToString(sum[:])})
		}
	}
	return m
}

func files() map[string][]byte {
	return map[string][]byte{"config.json": []byte("{}"), "1_Pooling/config.json": []byte("[]"), "model.safetensors": bytes.Repeat([]byte("weights!"), 10_000)}
}

func fetcher(h *hub) *Fetcher {
	return &Fetcher{Client: Client(func(string) string { return "" }), Endpoint: h.URL, Tries: 3}
}

func check(t *testing.T, dir string, want map[string][]byte) {
	t.Helper()
	for name, data := range want {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, len(data))
		}
		if _, err := os.Stat(filepath.Join(dir, name+".part")); err == nil {
			t.Errorf("%s.part is left", name)
		}
	}
}

func TestFetch(t *testing.T) {
	want := files()
	h, dir := newHub(t, want), t.TempDir()
	f := fetcher(h)
	var steps []int64
	f.Step = func(_ string, done, total int64) {
		if total != 80_004 {
			t.Fatalf("total %d", total)
		}
		steps = append(steps, done)
	}
	if err := f.Model(context.Background(), model(want), dir); err != nil {
		t.Fatal(err)
	}
	check(t, dir, want)
	for i := 1; i < len(steps); i++ {
		if steps[i] < steps[i-1] {
			t.Errorf("progress goes back: %v", steps)
		}
	}
	if len(steps) < 4 || steps[len(steps)-1] != 80_004 {
		t.Errorf("progress %v", steps)
	}
	before := len(h.requests)
	if err := f.Model(context.Background(), model(want), dir); err != nil {
		t.Fatal(err)
	}
	if len(h.requests) != before {
		t.Errorf("what is there is asked for again: %q", h.requests[before:])
	}
}

func TestFetchGoesOn(t *testing.T) {
	for name, noRange := range map[string]bool{"from where it stopped": false, "from the start where the hub knows no ranges": true} {
		t.Run(name, func(t *testing.T) {
			want := map[string][]byte{"model.safetensors": files()["model.safetensors"]}
			h, dir := newHub(t, want), t.TempDir()
			h.breaks = 5
			err := fetcher(h).Model(context.Background(), model(want), dir)
			if e := new(Error); !errors.As(err, &e) || !strings.Contains(e.Hint(), "goes on where it stopped") {
				t.Fatalf("error %v", err)
			}
			h.breaks, h.noRange = 1, noRange
			if err := fetcher(h).Model(context.Background(), model(want), dir); err != nil {
				t.Fatal(err)
			}
			check(t, dir, want)
			if last := h.requests[len(h.requests)-1]; !strings.Contains(last, "bytes=") {
				t.Errorf("the last request is %q", last)
			}
		})
	}
}

func TestFetchWaitsForABusyHub(t *testing.T) {
	want := files()
	h, dir := newHub(t, want), t.TempDir()
	h.refuse = 2
	if err := fetcher(h).Model(context.Background(), model(want), dir); err != nil {
		t.Fatal(err)
	}
	check(t, dir, want)
}

func TestFetchRefusesWhatIsNotPinned(t *testing.T) {
	for name, change := range map[string]func(data []byte) []byte{
		"changed": func(data []byte) []byte { data[70_000] ^= 1; return data },
		"longer":  func(data []byte) []byte { return append(data, "more and more"...) },
	} {
		t.Run(name, func(t *testing.T) {
			m := model(files())
			served := files()
			served["model.safetensors"] = change(served["model.safetensors"])
			h, dir := newHub(t, served), t.TempDir()
			err := fetcher(h).Model(context.Background(), m, dir)
			if err == nil || !strings.Contains(err.Error(), "not the file that is pinned") {
				t.Errorf("error %v", err)
			}
			for _, left := range []string{"model.safetensors", "model.safetensors.part"} {
				if _, err := os.Stat(filepath.Join(dir, left)); err == nil {
					t.Errorf("%s is left", left)
				}
			}
		})
	}
}

func TestFetchSaysWhatIsNotThere(t *testing.T) {
	m := model(files())
	h := newHub(t, map[string][]byte{"config.json": []byte("{}")})
	err := fetcher(h).Model(context.Background(), m, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "404") || len(h.requests) != 2 {
		t.Errorf("error %v after %q", err, h.requests)
	}
}

func TestFetchEndsWithItsContext(t *testing.T) {
	h := newHub(t, files())
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := fetcher(h).Model(ctx, model(files()), t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestFetchThroughAProxy: the proxy of the environment is asked for a host that
// nobody knows.
func TestFetchThroughAProxy(t *testing.T) {
	want := files()
	h, dir := newHub(t, want), t.TempDir()
	f := fetcher(h)
	f.Endpoint = "http://hub.invalid"
	f.Client = Client(func(name string) string {
		if name == "http_proxy" {
			return h.URL
		}
		return ""
	})
	if err := f.Model(context.Background(), model(want), dir); err != nil {
		t.Fatal(err)
	}
	check(t, dir, want)
	client := Client(func(name string) string {
		return map[string]string{"HTTP_PROXY": h.URL, "NO_PROXY": "hub.invalid"}[name]
	})
	for address, want := range map[string]string{"http://hub.invalid/x": "", "http://other.invalid/x": h.URL} {
		r := httptest.NewRequest(http.MethodGet, address, nil)
		got, err := client.Transport.(*http.Transport).Proxy(r)
		if err != nil || got != nil && got.String() != want || got == nil && want != "" {
			t.Errorf("%s goes through %v, %v, want %q", address, got, err, want)
		}
	}
}

// TestFetchStaysWithHTTPS: a hub cannot send a download to where everybody
// reads along.
func TestFetchStaysWithHTTPS(t *testing.T) {
	redirect := Client(func(string) string { return "" }).CheckRedirect
	request := func(address string) *http.Request {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return &http.Request{URL: u}
	}
	if err := redirect(request("http://a/x"), []*http.Request{request("https://a/")}); err == nil {
		t.Error("https redirects to http")
	}
	if err := redirect(request("https://cdn/x"), []*http.Request{request("https://a/")}); err != nil {
		t.Error(err)
	}
	if err := redirect(request("https://cdn/x"), make([]*http.Request, 6)); err == nil {
		t.Error("redirects without end")
	}
}

func TestKnownModels(t *testing.T) {
	for _, m := range Known() {
		for _, name := range []string{m.Name, m.Repository} {
			if got, err := Find(known, name); err != nil || got.Name != m.Name {
				t.Errorf("%s: %v, %v", name, got.Name, err)
			}
		}
		if len(m.Revision) != 40 || m.Licence == "" || m.Size() < 1<<20 {
			t.Errorf("%s: revision %q, licence %q, %d bytes", m.Name, m.Revision, m.Licence, m.Size())
		}
		for _, f := range m.Files {
			if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != sha256.Size {
				t.Errorf("%s: %s: SHA-256 %q", m.Name, f.Name, f.SHA256)
			}
		}
	}
	if _, err := Find(known, "nothing"); err == nil || !strings.Contains(err.Error(), "bge-small-en-v1.5") {
		t.Errorf("error %v", err)
	}
}
