package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/bert"
)

// realModel opens the pack of bge-small-en-v1.5 that MAROLA_MODEL names, which
// make model makes: weights are no part of the repository.
func realModel(t testing.TB) *Model {
	t.Helper()
	path := os.Getenv("MAROLA_MODEL")
	if path == "" {
		return nil
	}
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	m.SetThreads(1)
	return m
}

// TestModelIsONNXRuntimes compares ids with the Rust tokenizer's and vectors
// with ONNX Runtime's, of the real weights. make test-model runs it.
func TestModelIsONNXRuntimes(t *testing.T) {
	m := realModel(t)
	if m == nil {
		return
	}
	data, err := os.ReadFile("testdata/bge-small-en-v1.5.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text   string
		IDs    []int32
		Vector []float32
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	least := map[string]float64{"f32": 0.999999, "int8": 0.998}[m.Meta().Precision]
	for _, c := range cases {
		if got := m.tokenizer.Encode(c.Text, 512); !slices.Equal(got, c.IDs) {
			t.Errorf("%.40q: ids %v, want %v", c.Text, got, c.IDs)
		}
		got, err := m.Embed(context.Background(), []string{c.Text})
		if err != nil {
			t.Fatal(err)
		}
		bert.Normalise(c.Vector) // it was rounded
		cosine := dot(got[0], c.Vector)
		t.Logf("%.40q: cosine %.6f", c.Text, cosine)
		if cosine < least {
			t.Errorf("%.40q: cosine %.6f, want %v", c.Text, cosine, least)
		}
	}
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
}

// BenchmarkModel embeds one text at a time, on one thread, with the real
// weights that MAROLA_MODEL names, or else with the tiny ones.
func BenchmarkModel(b *testing.B) {
	m := realModel(b)
	sizes := []int{20, 128, 512}
	if m == nil {
		m, sizes = model(b, "cls", "int8"), []int{20}
	}
	m.SetThreads(1)
	for _, tokens := range sizes {
		b.Run(fmt.Sprint(tokens), func(b *testing.B) {
			text := strings.Repeat("write ", tokens-2)
			if n := m.Tokens(text, 512); n != tokens {
				b.Fatalf("%d tokens", n)
			}
			var times []time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := m.Embed(context.Background(), []string{text}); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "median-ms")
		})
	}
}
