package router

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// letters is a model whose vectors count letters.
type letters struct{}

func (letters) ID() string { return "letters" }

func (letters) Embed(_ context.Context, texts []string, _ bool) (out [][]float32, _ error) {
	for _, s := range texts {
		v := make([]float32, 26)
		for _, c := range strings.ToLower(s) {
			if c >= 'a' && c <= 'z' {
				v[c-'a']++
			}
		}
		v[0]++ // never without direction
		out = append(out, v)
	}
	return out, nil
}

// pool is a directory of skills, older than what the index distrusts.
func pool(t testing.TB, n int) (c *config.Config, roots []skill.Root) {
	t.Helper()
	home := t.TempDir()
	env := map[string]string{"HOME": home, "USERPROFILE": home}
	c, err := config.Load(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "skills")
	for i := range n {
		write(t, dir, fmt.Sprintf("skill-%d", i), fmt.Sprintf("Does thing %d for product%d with care and tests.", i, i%40), strings.Repeat(fmt.Sprintf("word%d text body more ", i%90), 40))
	}
	return c, []skill.Root{{Dir: dir}}
}

func write(t testing.TB, dir, name, description, body string) {
	t.Helper()
	d := filepath.Join(dir, name)
	file := filepath.Join(d, skill.FileName)
	if err := os.MkdirAll(d, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("---\nname: "+name+"\ndescription: "+description+"\n---\n"+body+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
}

func TestRefresh(t *testing.T) {
	c, roots := pool(t, 4)
	r := Open(c, letters{}, "")
	v, err := r.Look(t.Context(), roots, Work{Heads: -1})
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string, want bool) {
		t.Helper()
		next := r.Refresh(v, roots)
		if (next == v) != want {
			t.Errorf("%s: the view stays: %t", what, next == v)
		}
		v = next
	}
	same("nothing", true)
	write(t, roots[0].Dir, "quagga", "Feeds the quagga.", "")
	same("a new skill", false)
	if ranking, err := r.Rank(t.Context(), v, "feed the quagga", rank.Defaults()); err != nil || ranking.Picks[0].Skill.Name != "quagga" {
		t.Errorf("%v, %v", ranking.Picks[0], err)
	}
	same("nothing after that", true)
	write(t, roots[0].Dir, "quagga", "Brushes the quagga well.", "")
	same("a changed skill", false)
	for {
		more, err := r.Step(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		same("something learnt", false)
	}
	if v.Heads != 0 || v.Bodies != 0 {
		t.Errorf("%d heads and %d bodies are lacking", v.Heads, v.Bodies)
	}
	same("all learnt", true)
	if err := os.RemoveAll(filepath.Join(roots[0].Dir, "quagga")); err != nil {
		t.Fatal(err)
	}
	same("a deleted skill", false)
	if len(v.Catalogue.Skills) != 4 {
		t.Errorf("%d skills", len(v.Catalogue.Skills))
	}
}

// BenchmarkRefresh is what a question costs whose view is old, when nothing
// has changed.
func BenchmarkRefresh(b *testing.B) {
	c, roots := pool(b, 500)
	r := Open(c, letters{}, "")
	v, err := r.Look(b.Context(), roots, Work{Heads: -1})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if r.Refresh(v, roots) != v {
			b.Fatal("something has changed")
		}
	}
}

// BenchmarkRank is a question without what the model costs.
func BenchmarkRank(b *testing.B) {
	c, roots := pool(b, 500)
	r := Open(c, letters{}, "")
	v, err := r.Look(b.Context(), roots, Work{Heads: -1, Bodies: -1})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.Rank(b.Context(), v, "set up product7 with tests and body text for thing 9", rank.Defaults()); err != nil {
			b.Fatal(err)
		}
	}
}
