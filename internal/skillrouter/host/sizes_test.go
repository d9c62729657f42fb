package host_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/host"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

var update = flag.Bool("update", false, "write the table of sizes")

// The page that holds the table, and its marks.
const (
	sizesPage  = "../../../docs/hosts/sizes.md"
	sizesStart = "<!-- sizes: written by go test ./internal/skillrouter/host -run Sizes -update -->\n"
	sizesEnd   = "<!-- /sizes -->\n"
)

// most is how many bytes a whole block may have on average: 600 tokens.
const most = 2400

// TestSizes measures what leaves the hook as context, for each prompt of a
// fixture against pools of it, and holds the page to that.
func TestSizes(t *testing.T) {
	var table strings.Builder
	table.WriteString("\n| host | skills | prompts shown | block, mean | block, most | native catalogue |\n|---|---:|---:|---:|---:|---:|\n")
	pools := []int{50, 500}
	shown := map[int][][]*skill.Skill{}
	for _, n := range pools {
		shown[n] = rankings(t, n)
	}
	for _, h := range host.All() {
		for _, n := range pools {
			m := measure(h, shown[n])
			m.native = native(h, pool(t, n))
			fmt.Fprintf(&table, "| %s | %d | %d of %d | %d | %d | %d |\n", h.Target(), n, m.shown, m.prompts, m.mean, m.max, m.native)
			if n == 500 && (m.mean > most || m.mean >= m.native) {
				t.Errorf("%s: blocks have %d bytes on average at %d skills, the native catalogue %d", h.Target(), m.mean, n, m.native)
			}
			if m.shown < 18 || m.shown > 22 {
				t.Errorf("%s: %d of the prompts are shown skills; 20 need them", h.Target(), m.shown)
			}
		}
	}
	table.WriteString("\n")
	page, err := os.ReadFile(sizesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), sizesStart)
	old, after, closed := strings.Cut(rest, sizesEnd)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", sizesPage)
	}
	if old == table.String() {
		return
	}
	if !*update {
		t.Errorf("the table in %s is stale: run go test ./internal/skillrouter/host -run Sizes -update\n%s", sizesPage, &table)
		return
	}
	if err := os.WriteFile(sizesPage, []byte(before+sizesStart+table.String()+sizesEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rankings are the skills that each prompt of the fixture is shown.
func rankings(t *testing.T, n int) (shown [][]*skill.Skill) {
	t.Helper()
	home := write(t, pool(t, n))
	r := router.Open(&config.Config{Home: home, Env: func(string) string { return "" }}, nil, filepath.Join(home, "index"))
	v, err := r.Look(t.Context(), []skill.Root{{Dir: filepath.Join(home, ".agents", "skills"), Scope: skill.User}}, router.Work{})
	if err != nil {
		t.Fatal(err)
	}
	for _, prompt := range fixture(t, "prompts.txt") {
		ranking, err := r.Rank(t.Context(), v, prompt, rank.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		var skills []*skill.Skill
		for _, k := range ranking.Picks[:ranking.Show] {
			s := *k.Skill
			s.Dir = place(s.Name) // as long as in a person's home, wherever the test runs
			skills = append(skills, &s)
		}
		shown = append(shown, skills)
	}
	return shown
}

// A size is of the blocks of one host.
type size struct{ prompts, shown, mean, max, native int }

func measure(h host.Host, shown [][]*skill.Skill) size {
	m := size{prompts: len(shown)}
	total := 0
	for _, skills := range shown {
		b := block.Block{Target: h.Target(), Skills: skills, Lead: 3, Session: "0196f3c2-aaaa-7bbb-8ccc-000000000001"}
		if bytes := len(b.String()); bytes > 0 {
			m.shown, m.max, total = m.shown+1, max(m.max, bytes), total+bytes
		}
	}
	m.mean = total / max(1, m.shown)
	return m
}

func place(name string) string { return "/home/ada/.agents/skills/" + name }

// pool is n skills of the fixture: its fifty tasks, for one thing after
// another.
func pool(t *testing.T, n int) (skills []skill.Skill) {
	t.Helper()
	tasks := fixture(t, "tasks.txt")
	for _, of := range []string{"", "go", "python", "java", "rust", "ruby", "php", "dotnet", "elixir", "node"} {
		for _, task := range tasks {
			f := strings.Split(task, "|")
			s := skill.Skill{Name: f[0], Description: f[1] + ". Use when " + f[2] + "."}
			if of != "" {
				s.Name += "-" + of
				s.Description = f[1] + ", in " + of + ". Use when " + f[2] + "."
			}
			if s.Dir = place(s.Name); len(skills) < n {
				skills = append(skills, s)
			}
		}
	}
	if len(skills) != n {
		t.Fatalf("the fixture has %d skills", len(skills))
	}
	return skills
}

func write(t *testing.T, skills []skill.Skill) (home string) {
	home = t.TempDir()
	for _, s := range skills {
		dir := filepath.Join(home, ".agents", "skills", s.Name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("---\nname: %s\ndescription: %q\n---\n", s.Name, s.Description)
		if err := os.WriteFile(filepath.Join(dir, skill.FileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func fixture(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// Rules of the hosts' own catalogues, as docs/hosts/sizes.md tells them.
const (
	codexBytes  = 8_000 // at most, whatever there is
	claudeBytes = 8_000 // of descriptions and names; then names alone
	hermesText  = 60    // of a description
)

// native is the size of a host's own catalogue of the skills, in bytes.
func native(h host.Host, skills []skill.Skill) (bytes int) {
	for _, s := range skills {
		file := s.Dir + "/" + skill.FileName
		switch h.Target() {
		case block.Codex:
			bytes = min(codexBytes, bytes+len(fmt.Sprintf("- %s: %s (file: %s)\n", s.Name, s.Description, file)))
		case block.Claude:
			entry := fmt.Sprintf("- %s: %s\n", s.Name, s.Description)
			if bytes+len(entry) > claudeBytes {
				entry = fmt.Sprintf("- %s\n", s.Name)
			}
			bytes += len(entry)
		case block.Gemini:
			bytes += len(fmt.Sprintf("  <skill>\n    <name>%s</name>\n    <description>%s</description>\n    <location>%s</location>\n  </skill>\n", s.Name, s.Description, file))
		case block.Hermes:
			bytes += len(fmt.Sprintf("- %s: %s\n", s.Name, plaintext.Line(s.Description, hermesText)))
		}
	}
	return bytes
}
