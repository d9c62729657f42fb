package bert_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/bert"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/hub"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/kernel"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/pack"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

// TestThreadsDoNotShow: a text has one vector, on every processor's kernels,
// however many threads share the work and however many texts are at it.
func TestThreadsDoNotShow(t *testing.T) {
	defer bert.ShareFrom(1)()
	dir := t.TempDir()
	if err := tiny.WriteEncoder(dir, "mean"); err != nil {
		t.Fatal(err)
	}
	for _, precision := range []string{"int8", "f32"} {
		net := load(t, dir, precision)
		for _, kernels := range kernel.Available() {
			net.Use(kernels)
			var group sync.WaitGroup
			for _, length := range []int{1, 2, 7, 13, 32} {
				ids := make([]int32, length)
				for i := range ids {
					ids[i] = int32(7*i%100 + 3)
				}
				one, err := net.Vector(ids, 1, never)
				if err != nil {
					t.Fatal(err)
				}
				for _, threads := range []int{2, 3, 16} {
					group.Go(func() {
						if got, err := net.Vector(ids, threads, never); err != nil || !slices.Equal(got, one) {
							t.Errorf("%s, %s, %d tokens, %d threads: another vector (%v)", precision, kernels.Name, length, threads, err)
						}
					})
				}
			}
			group.Wait()
		}
	}
}

func never() error { return nil }

func load(t *testing.T, dir, precision string) *bert.Net {
	t.Helper()
	c, err := hub.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b, meta, err := c.Pack(hub.Options{Precision: precision})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.WriteTo(&out, meta); err != nil {
		t.Fatal(err)
	}
	p, err := pack.Parse(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	net, err := bert.Load(p, meta)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", precision, err))
	}
	return net
}
