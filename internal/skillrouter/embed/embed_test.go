package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/hub"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

// golden is a text and its vectors, as testdata/golden.py computes them.
type golden struct {
	Text   string
	CLS    []float32
	Mean   []float32
	Static []float32
}

func goldens(t *testing.T) (all []golden) {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// packed packs a hub directory.
func packed(t testing.TB, dir string, o hub.Options) []byte {
	t.Helper()
	c, err := hub.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b, meta, err := c.Pack(o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.WriteTo(&out, meta); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// model packs a tiny model of a kind ("cls", "mean" or "static") and opens the
// pack.
func model(t testing.TB, kind, precision string) *Model {
	t.Helper()
	dir := t.TempDir()
	write := func() error { return tiny.WriteEncoder(dir, kind) }
	if kind == "static" {
		write = func() error { return tiny.WriteTable(dir) }
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tiny.pack")
	if err := os.WriteFile(file, packed(t, dir, hub.Options{Name: "tiny", Precision: precision}), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestVectorsAreTheGoldenOnes(t *testing.T) {
	for _, kind := range []string{"cls", "mean", "static"} {
		for precision, least := range map[string]float64{"f32": 0.9999999, "int8": 0.9995} {
			t.Run(kind+" "+precision, func(t *testing.T) {
				m := model(t, kind, precision)
				for _, g := range goldens(t) {
					got, err := m.Embed(context.Background(), []string{g.Text})
					if err != nil {
						t.Fatal(err)
					}
					want := map[string][]float32{"cls": g.CLS, "mean": g.Mean, "static": g.Static}[kind]
					if cosine := dot(got[0], want); cosine < least || cosine > 1.00001 {
						t.Errorf("%q: cosine %.7f to the golden vector, want %v", g.Text, cosine, least)
					}
				}
			})
		}
	}
}

func TestModelSaysWhatItIs(t *testing.T) {
	m := model(t, "cls", "int8")
	if m.Name() != "tiny" || m.Dim() != tiny.Hidden || m.MaxTokens() != 32 || m.QueryPrefix() != "" || m.Meta().Licence != "apache-2.0" || len(m.Hash()) != 64 {
		t.Errorf("%s, %d values, %d tokens, prefix %q, %+v, hash %s", m.Name(), m.Dim(), m.MaxTokens(), m.QueryPrefix(), m.Meta(), m.Hash())
	}
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	if other := model(t, "mean", "int8"); other.Hash() == m.Hash() {
		t.Error("the pooling does not count for the hash, and it changes every vector")
	}
	if again := model(t, "cls", "int8"); again.Hash() != m.Hash() {
		t.Error("the same model gives another hash")
	}
}

func TestEmbedIsOneByOne(t *testing.T) {
	m := model(t, "cls", "int8")
	texts := []string{"", "write", "read the file", "[SEP]", "test"}
	together, err := m.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	m.SetThreads(1)
	for i, text := range texts {
		alone, err := m.Embed(context.Background(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if cosine := dot(alone[0], together[i]); cosine < 0.999999 {
			t.Errorf("%q: cosine %v between alone and together", text, cosine)
		}
	}
	if none, err := m.Embed(context.Background(), nil); err != nil || len(none) != 0 {
		t.Errorf("no texts: %v, %v", none, err)
	}
}

func TestEmbedEndsWithItsContext(t *testing.T) {
	m := model(t, "cls", "int8")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := m.Embed(ctx, []string{"a", "b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestDamagedPack: a pack that was cut off or changed anywhere is an error of
// Open or of Verify, and never a crash.
func TestDamagedPack(t *testing.T) {
	dir := t.TempDir()
	if err := tiny.WriteEncoder(dir, "cls"); err != nil {
		t.Fatal(err)
	}
	whole := packed(t, dir, hub.Options{})
	try := func(data []byte) error {
		p, err := pack.Parse(data)
		if err != nil {
			return err
		}
		m, err := New(p)
		if err != nil {
			return err
		}
		if _, err := m.Embed(context.Background(), []string{"write the notes"}); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		return m.Verify()
	}
	if err := try(whole); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 1 + n/7 {
		if try(whole[:n]) == nil {
			t.Errorf("the first %d of %d bytes are taken for a pack", n, len(whole))
		}
	}
	meant := 0
	for at := 0; at < len(whole); at += 1 + at/50 {
		changed := bytes.Clone(whole)
		changed[at] ^= 0x81
		if try(changed) != nil {
			meant++
		} else if at < 4096 {
			t.Errorf("byte %d of %d can be changed", at, len(whole))
		}
	}
	if meant < 200 {
		t.Errorf("only %d changes were noticed", meant)
	}
}
