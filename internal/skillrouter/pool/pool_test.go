package pool

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

func world(t *testing.T, links bool, files map[string]string) (*Pool, string) {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(home, name), text)
	}
	return open(t, home, links), home
}

func open(t *testing.T, home string, links bool) *Pool {
	t.Helper()
	p, err := Open(&config.Config{Home: home, Env: func(name string) string {
		return map[string]string{"MEGA_TRON_POOL": filepath.Join(home, "pool")}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !links {
		p.link = func(string, string) error { return errors.New("no links here") }
	}
	return p
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func told(results []Result) string {
	var all []string
	for _, r := range results {
		all = append(all, r.Done)
	}
	return strings.Join(all, " ")
}

// TestRound: into the pool, to all hosts, and back: the home is as it was, with
// links and with copies.
func TestRound(t *testing.T) {
	for _, links := range []bool{true, false} {
		p, home := world(t, links, map[string]string{".claude/skills/a/SKILL.md": "A", ".claude/skills/a/scripts/x": "x", ".codex/skills/k/SKILL.md": "k", ".gemini/skills/g/SKILL.md": "g", ".hermes/skills/h/SKILL.md": "h"})
		before, err := treeHash(home)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := p.Promote(skill.Claude, "a", false); err != nil || r.Done != "promoted" {
			t.Fatal(r, err)
		}
		want := "linked"
		if !links {
			want = "copied"
		}
		if r, err := p.Mirror([]skill.Host{skill.Codex, skill.Gemini}, nil); err != nil || told(r) != want+" "+want {
			t.Fatal(r, err)
		}
		p = open(t, home, links)
		put(t, filepath.Join(home, "pool", "a", "SKILL.md"), "A2")
		if r, err := p.Sync(); err != nil || strings.Contains(told(r), Conflict) {
			t.Fatal(r, err)
		}
		for _, at := range []string{".claude", ".codex", ".gemini"} {
			if text, err := os.ReadFile(filepath.Join(home, at, "skills", "a", "SKILL.md")); err != nil || string(text) != "A2" {
				t.Errorf("links %t: %s has %q, %v", links, at, text, err)
			}
		}
		if r, err := p.Unmirror([]skill.Host{skill.Codex}, nil); err != nil || told(r) != "removed" {
			t.Fatal(r, err)
		}
		put(t, filepath.Join(home, "pool", "a", "SKILL.md"), "A")
		if _, err := p.Sync(); err != nil {
			t.Fatal(err)
		}
		if r, err := p.Unpromote("a"); err != nil || strings.Contains(told(r), Conflict) {
			t.Fatal(r, err)
		}
		if after, err := treeHash(home); err != nil || after != before {
			t.Errorf("links %t: the home is not as it was: %v", links, err)
		}
	}
}

// TestConflicts: what is in the way stays, and is told.
func TestConflicts(t *testing.T) {
	p, home := world(t, true, map[string]string{
		".claude/skills/a/SKILL.md": "A", ".codex/skills/a/SKILL.md": "other", ".gemini/skills/a/SKILL.md": "A",
		".claude/skills/none/README": "", "elsewhere/SKILL.md": "E",
	})
	if err := os.Symlink(filepath.Join(home, "elsewhere"), filepath.Join(home, ".claude/skills/l")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"none", "l", "missing"} {
		if r, err := p.Promote(skill.Claude, name, false); err != nil || r.Done != Conflict || r.Why == "" {
			t.Error(name, r, err)
		}
	}
	for _, name := range []string{"", ".", "..", "../x", ".system", `a\b`} {
		if _, err := p.Promote(skill.Claude, name, false); err == nil {
			t.Errorf("%q was promoted", name)
		}
	}
	if r, err := p.Promote(skill.Claude, "a", false); err != nil || r.Done != "promoted" {
		t.Fatal(r, err)
	}
	if r, err := p.Promote(skill.Codex, "a", false); err != nil || r.Done != Conflict {
		t.Error(r, err)
	}
	if r, err := p.Promote(skill.Gemini, "a", false); err != nil || r.Done != "promoted" || !p.linked(r.Place, "a") {
		t.Error("the same skill is no conflict", r, err)
	}
	if r, err := p.Mirror([]skill.Host{skill.Codex}, []string{"a", "b"}); err != nil || told(r) != "conflict conflict" {
		t.Error(r, err)
	}
	if r, err := p.Promote(skill.Codex, "a", true); err != nil || r.Done != "promoted" {
		t.Error(r, err)
	}
	for name, want := range map[string]string{"pool/a/SKILL.md": "other", "pool/.a.1/SKILL.md": "A", ".claude/skills/a/SKILL.md": "other"} {
		if text, err := os.ReadFile(filepath.Join(home, name)); err != nil || string(text) != want {
			t.Errorf("%s has %q, %v", name, text, err)
		}
	}
}

// TestChangedCopy: a copy that somebody changed is neither overwritten nor
// removed.
func TestChangedCopy(t *testing.T) {
	p, home := world(t, false, map[string]string{".claude/skills/a/SKILL.md": "A", ".codex/skills/k/SKILL.md": ""})
	if _, err := p.Promote(skill.Claude, "a", false); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Mirror([]skill.Host{skill.Codex}, nil); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(home, ".codex/skills/a/SKILL.md")
	put(t, mine, "mine")
	put(t, filepath.Join(home, "pool/a/SKILL.md"), "A2")
	if r, err := p.Sync(); err != nil || !strings.Contains(told(r), Conflict) {
		t.Error(r, err)
	}
	if r, err := p.Unmirror([]skill.Host{skill.Codex}, nil); err != nil || told(r) != Conflict {
		t.Error(r, err)
	}
	if text, _ := os.ReadFile(mine); string(text) != "mine" {
		t.Errorf("the copy has %q", text)
	}
}

// TestCutShort: a process that ended after the skill was moved is mended.
func TestCutShort(t *testing.T) {
	p, home := world(t, true, map[string]string{".claude/skills/a/SKILL.md": "A"})
	if _, err := p.Promote(skill.Claude, "a", false); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(home, ".claude/skills/a")
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	if r, err := open(t, home, true).Sync(); err != nil || told(r) != "linked" {
		t.Error(r, err)
	}
	if err := os.RemoveAll(filepath.Join(home, "pool/a")); err != nil {
		t.Fatal(err)
	}
	if r, err := open(t, home, true).Sync(); err != nil || told(r) != "removed" {
		t.Error(r, err)
	}
	if _, err := os.Lstat(at); err == nil {
		t.Error("a link to nothing stays")
	}
}
