package skill

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// put writes a SKILL.md below dir and returns the skill's directory.
func put(t *testing.T, dir, name, more string) string {
	t.Helper()
	d := filepath.Join(dir, name)
	if err := os.MkdirAll(d, 0o755); err != nil {
		t.Fatal(err)
	}
	text := "---\nname: " + filepath.Base(name) + "\ndescription: Does " + filepath.Base(name) + ".\n" + more + "---\nBody.\n"
	if err := os.WriteFile(filepath.Join(d, FileName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return d
}

func names(c *Catalogue) (list []string) {
	for _, s := range c.Skills {
		list = append(list, s.Name)
	}
	return list
}

func TestDiscover(t *testing.T) {
	dir := t.TempDir()
	flat, deep := filepath.Join(dir, "flat"), filepath.Join(dir, "deep")
	put(t, flat, "b", "")
	put(t, flat, "a", "")
	put(t, flat, ".hidden/c", "")
	put(t, flat, "folder/d", "") // not one level down
	put(t, deep, "category/inner/e", "")
	put(t, deep, "f", "")
	put(t, deep, "f/examples/g", "") // part of f
	if err := os.Symlink(deep, filepath.Join(deep, "category", "loop")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(flat, "a"), filepath.Join(deep, "again")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(flat, "bad"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(flat, "bad", FileName), []byte("no frontmatter"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(flat, "dir", FileName), 0o755); err != nil {
		t.Fatal(err)
	}
	c := Discover([]Root{{Dir: flat}, {Dir: deep, Deep: true}, {Dir: filepath.Join(dir, "gone")}}, Files{})
	if got := names(c); !slices.Equal(got, []string{"a", "b", "e", "f"}) {
		t.Errorf("skills %q", got)
	}
	var reasons []string
	for _, r := range c.Rejects {
		reasons = append(reasons, r.Reason)
	}
	if len(c.Rejects) != 3 || !strings.Contains(strings.Join(reasons, "; "), "no frontmatter") || !strings.Contains(strings.Join(reasons, "; "), "no regular file") {
		t.Errorf("rejects %+v", c.Rejects)
	}
	if len(c.Collisions) != 0 {
		t.Errorf("collisions %+v", c.Collisions)
	}
}

func TestUnreadableDirectory(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root reads everything: only that nothing stops is tried")
	}
	dir := t.TempDir()
	put(t, dir, "a", "")
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(locked, 0o755)
	if got := names(Discover([]Root{{Dir: dir, Deep: true}}, Files{})); !slices.Equal(got, []string{"a"}) {
		t.Errorf("skills %q", got)
	}
}

func TestCollisions(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1"), filepath.Join(dir, "2")
	for _, tt := range []struct{ name, first, second, winner string }{
		{"found-first", "", "", one},
		{"helped-more", "", "mega_meta: {helpful_count: 3, harmful_count: 1}\n", two},
		{"helped-first", "mega_meta: {helpful_count: 5}\n", "mega_meta: {helpful_count: 3}\n", one},
		{"archived", "mega_meta: {status: archived, helpful_count: 9}\n", "", two},
		{"suspect", "mega_meta: {status: suspect}\n", "mega_meta: {status: archived}\n", one},
	} {
		put(t, one, tt.name, tt.first)
		put(t, two, tt.name, tt.second)
		defer func() {
			c := Discover([]Root{{Dir: one}, {Dir: two}}, Files{})
			i := slices.IndexFunc(c.Skills, func(s Skill) bool { return s.Name == tt.name })
			if i < 0 || filepath.Dir(c.Skills[i].Dir) != tt.winner {
				t.Errorf("%s: %+v", tt.name, c.Skills)
			}
			k := slices.IndexFunc(c.Collisions, func(x Collision) bool { return x.Name == tt.name })
			if k < 0 || filepath.Dir(c.Collisions[k].Winner) != tt.winner || c.Collisions[k].Reason == "" {
				t.Errorf("%s: %+v", tt.name, c.Collisions)
			}
		}()
	}
}

func TestManySkills(t *testing.T) {
	dir := t.TempDir()
	for i := range 5000 {
		put(t, dir, "s"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+itoa(i), "")
	}
	if got := len(Discover([]Root{{Dir: dir}}, Files{}).Skills); got != 5000 {
		t.Errorf("%d skills", got)
	}
}

var past = time.Now().Add(-time.Hour)

func itoa(i int) string {
	var b []byte
	for ; i > 0 || len(b) == 0; i /= 10 {
		b = append(b, byte('0'+i%10))
	}
	return string(b)
}

func TestRoots(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	mk := func(parts ...string) string {
		d := filepath.Join(parts...)
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
		return d
	}
	mk(project, ".git")
	sub := mk(project, "a", "b")
	want := []string{
		mk(sub, ".claude", "skills"), mk(project, ".claude", "skills"), mk(project, ".agents", "skills"), mk(project, ".gemini", "skills"), mk(project, ".hermes", "skills"),
		mk(home, ".claude", "skills"), mk(home, ".codex", "skills"), mk(home, ".gemini", "skills"), mk(home, ".hermes", "skills"), mk(home, ".agents", "skills"),
		mk(home, ".claude", "plugins", "marketplaces", "m", "plugins", "p", "skills"), mk(home, ".claude", "plugins", "marketplaces", "m", "external_plugins", "q", "skills"),
		mk(home, ".codex", "plugins", "cache", "m", "p", "2", "skills"),
		mk(home, ".gemini", "extensions", "e", "skills"),
		mk(home, "extra"), mk(home, "etc"), mk(home, ".codex", "skills", ".system"),
	}
	old := mk(home, ".codex", "plugins", "cache", "m", "p", "1", "skills")
	if err := os.Chtimes(filepath.Dir(old), past, past); err != nil {
		t.Fatal(err)
	}
	p := Places{Home: home, Dir: sub, Extra: []string{filepath.Join(home, "extra"), filepath.Join(home, "gone"), filepath.Join(home, ".agents", "skills")},
		Getenv: func(string) string { return "" }, AdminDir: filepath.Join(home, "etc")}
	var got []string
	for _, r := range p.Roots() {
		got = append(got, r.Dir)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("roots\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	first := p.Roots()[0]
	if first.Scope != Project || first.Dir != filepath.Join(sub, ".claude", "skills") {
		t.Errorf("the first root is %+v", first)
	}

	elsewhere := mk(t.TempDir(), "codex")
	mk(elsewhere, "skills")
	p.Getenv = func(name string) string { return map[string]string{"CODEX_HOME": elsewhere}[name] }
	if !slices.ContainsFunc(p.Roots(), func(r Root) bool { return r.Dir == filepath.Join(elsewhere, "skills") && r.Host == Codex }) {
		t.Error("CODEX_HOME is not looked in")
	}
	hermes := mk(elsewhere, "hermes")
	for settings, want := range map[string][]string{
		"skills:\n  external_dirs: [~/shared, team]\n  create_dir: " + mk(elsewhere, "made") + "\n": {mk(home, "shared"), mk(hermes, "team"), filepath.Join(elsewhere, "made")},
		"skills:\n  external_dirs: team\n":                              {filepath.Join(hermes, "team")},
		"skills: [team]\n":                                              nil,
		"skills: {external_dirs: &a [*a]}\n":                            nil,
		"skills:\n  external_dirs: {a: team}\n":                         nil,
		strings.Repeat(" ", maxSettings) + "skills: {create_dir: team}": nil,
		"": nil,
	} {
		if err := os.WriteFile(filepath.Join(hermes, "config.yaml"), []byte(settings), 0o644); err != nil {
			t.Fatal(err)
		}
		p.Getenv = func(name string) string { return map[string]string{"HERMES_HOME": hermes}[name] }
		var got []string
		for _, r := range p.Roots() {
			if slices.Contains(want, r.Dir) && r.Deep && r.Host == Hermes {
				got = append(got, r.Dir)
			}
			if r.Dir == filepath.Join(hermes, "team") && want == nil {
				t.Errorf("%.60q names %s", settings, r.Dir)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60q names %q, want %q", settings, got, want)
		}
	}
	p.Given = []string{filepath.Join(home, "extra")}
	if got := p.Roots(); len(got) != 1 || got[0].Scope != Given {
		t.Errorf("given: %+v", got)
	}
	p = Places{Home: home, Dir: mk(home, "work"), Getenv: func(string) string { return "" }, AdminDir: filepath.Join(home, "none")}
	if slices.ContainsFunc(p.Roots(), func(r Root) bool { return r.Scope == Project }) {
		t.Error("outside of a repository, the home's skills are taken for a project's")
	}
}

func TestSplitList(t *testing.T) {
	list := strings.Join([]string{"~/a", "", " /b ", "~", "c~"}, string(os.PathListSeparator))
	if got := SplitList(list, "/home/me"); !slices.Equal(got, []string{filepath.Join("/home/me", "a"), "/b", "/home/me", "c~"}) {
		t.Errorf("%q", got)
	}
}
