package daemon

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
)

// TestSoakClients: a hundred clients at once, for half a minute with
// MAROLA_SOAK: none gets an error, and what the daemon holds does not grow.
func TestSoakClients(t *testing.T) {
	const clients = 100
	lasts := 2 * time.Second
	if os.Getenv("MAROLA_SOAK") != "" {
		lasts = 30 * time.Second
	}
	h := newHome(t)
	for i := range 100 {
		h.skill(t, ".agents/skills", fmt.Sprint("filler-", i), fmt.Sprintf("Does thing %d of many.", i))
	}
	dir, _ := h.start(t, &Server{Router: router.Open(h.config, slow{time.Millisecond}, "")})
	var asked, failed atomic.Int64
	round := func(lasts time.Duration) {
		var group sync.WaitGroup
		end := time.Now().Add(lasts)
		for i := range clients {
			group.Go(func() {
				for n := 0; time.Now().Before(end); n++ {
					r := Request{Op: "rank", Prompt: fmt.Sprintf("verify the webhook payloads of c%dn%d", i, n)}
					switch n % 10 {
					case 3:
						r = Request{Op: "ping"}
					case 5:
						r.Op = "find"
					case 7:
						r.Skills = h.dir // another set of roots
					}
					a, err := Ask(t.Context(), dir, r)
					asked.Add(1)
					if err != nil {
						failed.Add(1)
						t.Errorf("%+v: %v", r, err)
						return
					}
					if r.Op == "rank" && r.Skills == "" && !slices.Contains(a.Skills, "webhook-signer") {
						t.Errorf("%+v: %q", r, a.Skills)
						return
					}
				}
			})
		}
		group.Wait()
	}
	round(lasts / 4) // pools are made, buffers have grown
	before := measured()
	round(lasts * 3 / 4)
	after := measured()
	t.Logf("%d requests, %d failed; before %+v, after %+v", asked.Load(), failed.Load(), before, after)
	if grown := int64(after.heap) - int64(before.heap); grown > 4<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if after.goroutines > before.goroutines+5 {
		t.Errorf("%d goroutines, %d before", after.goroutines, before.goroutines)
	}
	if after.files > before.files+5 {
		t.Errorf("%d open files, %d before", after.files, before.files)
	}
}

// holdings is what a process holds.
type holdings struct {
	heap              uint64 // bytes that are in use
	goroutines, files int
}

func measured() (h holdings) {
	time.Sleep(200 * time.Millisecond) // the last connections end
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.heap, h.goroutines = m.HeapAlloc, runtime.NumGoroutine()
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.files = len(list)
	}
	return h
}
