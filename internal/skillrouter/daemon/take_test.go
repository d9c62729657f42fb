package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// TestOldBuildIsReplaced: after an upgrade the new daemon ends the old one and
// answers, whoever of the two was asked last.
func TestOldBuildIsReplaced(t *testing.T) {
	h := newHome(t)
	dir, ended := h.start(t, &Server{Build: "old"})
	h.start(t, &Server{Build: "new", Router: router.Open(h.config, nil, "")})
	if err := <-ended; err != nil {
		t.Errorf("the old one ended with %v", err)
	}
	for range 500 { // until the new one listens
		if a, err := Ask(t.Context(), dir, Request{Op: "ping"}); err == nil && a.Build == "new" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a, err := Ask(t.Context(), dir, Request{Op: "rank", Prompt: "verify the webhook payloads", Build: "new"}); err != nil || len(a.Skills) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestAnotherModel: a request for another model is not answered by this one,
// which makes room only when nobody else wants it.
func TestAnotherModel(t *testing.T) {
	h := newHome(t)
	s := &Server{Model: "one"}
	dir, ended := h.start(t, s)
	other := Request{Op: "rank", Prompt: "verify the webhook payloads", Model: "two"}
	if a, err := Ask(t.Context(), dir, other); err == nil || a.Shutdown || !strings.Contains(err.Error(), "another model") {
		t.Errorf("%+v, %v", a, err)
	}
	own := other
	own.Model = "one"
	if _, err := Ask(t.Context(), dir, own); err != nil {
		t.Errorf("its own model: %v", err)
	}
	s.mu.Lock()
	s.wanted = time.Now().Add(-2 * unwantedAfter)
	s.mu.Unlock()
	if a, err := Ask(t.Context(), dir, other); err == nil || !a.Shutdown {
		t.Errorf("%+v, %v", a, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

// TestModelStamp: a pack that was installed again is another.
func TestModelStamp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pack")
	missing := ModelStamp(path)
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	one := ModelStamp(path)
	if err := os.WriteFile(path, []byte("second"), 0o600); err != nil {
		t.Fatal(err)
	}
	if two := ModelStamp(path); one == two || one == missing || ModelStamp(path) != two || ModelStamp("") != "" {
		t.Errorf("%q, %q, %q", missing, one, two)
	}
}

// TestRootsOfTheCaller: relative ones would be another directory here.
func TestRootsOfTheCaller(t *testing.T) {
	h := newHome(t)
	dir, _ := h.start(t, &Server{})
	t.Chdir(h.dir)
	r := Request{Op: "rank", Prompt: "verify the webhook payloads", Roots: []skill.Root{{Dir: ".claude/skills"}}}
	if a, err := Ask(t.Context(), dir, r); err != nil || len(a.Skills) != 0 {
		t.Errorf("relative: %+v, %v", a, err)
	}
	r.Roots = []skill.Root{{Dir: filepath.Join(h.dir, ".claude", "skills")}}
	if a, err := Ask(t.Context(), dir, r); err != nil || len(a.Skills) != 1 {
		t.Errorf("absolute: %+v, %v", a, err)
	}
}

// TestDeafDaemon: one that holds the directory and does not answer is not
// waited for forever.
func TestDeafDaemon(t *testing.T) {
	h := newHome(t)
	dir, err := Place(h.config)
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := lockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Config: h.config, Router: router.Open(h.config, nil, "")}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := s.take(ctx, dir); !errors.Is(err, ErrRunning) {
		t.Errorf("it is taken: %v", err)
	}
	unlock()
	if unlock, err = s.take(t.Context(), dir); err != nil {
		t.Fatalf("it is free, and not taken: %v", err)
	}
	unlock()
}
