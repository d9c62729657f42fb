//go:build unix

package cli_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// daemon is the process of the daemon, 0 when none answers.
func (p *person) daemon() int {
	out, _ := p.run("daemon", "status", "--json")
	var status struct{ PID int }
	_ = json.Unmarshal([]byte(out), &status)
	return status.PID
}

// search fails the test when the one skill that fits is not found.
func (p *person) search() {
	p.t.Helper()
	out, err := p.run("search", "--no-dynamic-k", "--output", "names", "verify the webhook payloads")
	if err != nil || !strings.Contains(out, "webhook-signer\n") {
		p.t.Errorf("%v: %s", err, out)
	}
}

// TestKilledDaemon: whenever the daemon is killed, before, while or after it
// answers, or while it starts, the next search answers, and the ones that it
// was answering do. Nothing that it leaves keeps another from starting.
func TestKilledDaemon(t *testing.T) {
	p := newPerson(t)
	rounds := 12
	if os.Getenv("MAROLA_SOAK") != "" {
		rounds = 300
	}
	killed := 0
	for range rounds {
		p.search() // finds one, or starts one
		var ended atomic.Bool
		done := make(chan bool)
		go func() {
			p.search()
			p.search()
			ended.Store(true)
			close(done)
		}()
		for !ended.Load() {
			if pid := p.daemon(); pid > 1 {
				time.Sleep(rand.N(5 * time.Millisecond))
				if syscall.Kill(pid, syscall.SIGKILL) == nil {
					killed++
				}
			}
		}
		<-done
		p.search()
	}
	if killed < rounds/4 {
		t.Errorf("only %d daemons were killed in %d rounds", killed, rounds)
	}
	for range 200 {
		p.search()
		if p.daemon() > 1 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("no daemon comes back")
}

// TestStoppedDaemon: one that hangs is waited for a while, and then done
// without.
func TestStoppedDaemon(t *testing.T) {
	p := newPerson(t)
	pid := 0
	for range 200 {
		p.search()
		if pid = p.daemon(); pid > 1 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGKILL)
	start := time.Now()
	p.search()
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("a search took %v", took)
	}
}
