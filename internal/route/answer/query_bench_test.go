package answer

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// synthetic is a workspace of n files whose words are about as common as
// those of code: a few everywhere, most in a handful of files.
func synthetic(n int) *world {
	rnd := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("w%c%d", 'a'+rnd.IntN(26), int(rnd.ExpFloat64()*30)) }
	w := &world{}
	for i := range n {
		d := index.Document{Path: fmt.Sprintf("dir%d/%s%d.go", i%23, word(), i), Lang: "go", History: []string{word() + " " + word()}}
		for k := range 12 {
			d.Defs = append(d.Defs, withDoc(def(word()+"_"+word(), 20*k+1), word()+" "+word()+" "+word()))
		}
		for k := range 6 {
			text := ""
			for range 60 {
				text += word() + " "
			}
			d.Passages = append(d.Passages, passage(40*k+1, text))
		}
		w.docs = append(w.docs, d)
		if i > 0 {
			other := w.docs[rnd.IntN(i)]
			w.edges = append(w.edges, edge{from: d.Path + "#" + d.Defs[0].Name, relation: "calls", to: other.Path + "#" + other.Defs[3].Name, line: 4})
		}
	}
	return w
}

// BenchmarkQuery opens a bundle in a directory and asks one question, as
// every run of the program does.
func BenchmarkQuery(b *testing.B) {
	m := synthetic(500).bundle(b)
	dir := b.TempDir()
	write := func(name string, data []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write(bundle.ManifestName, m.Manifest().Encode())
	for _, f := range m.Manifest().Files {
		data, err := m.Read(f.Name)
		if err != nil {
			b.Fatal(err)
		}
		write(f.Name, data)
	}
	for _, q := range []struct{ name, text string }{
		{"identifier", "wa3_wb7"}, {"phrase", "wa3 wb7 wc12"}, {"sentence", "where does the wa3 of a wb7 get its wc12 and wd30 from?"},
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				opened, err := bundle.Open(bundle.Dir(dir))
				if err != nil {
					b.Fatal(err)
				}
				e, err := Open(opened)
				if err != nil {
					b.Fatal(err)
				}
				a, err := e.Query(q.text, Narrow{}, 10, 1200)
				if err != nil || len(a.Files) == 0 {
					b.Fatalf("%d files, %v", len(a.Files), err)
				}
			}
		})
	}
}
