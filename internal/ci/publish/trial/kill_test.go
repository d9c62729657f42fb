//go:build unix

package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/testkit/githost"
)

// small is a bundle of the n-th commit with a large file.
func small(t *testing.T, n int) string {
	return write(t, n, map[string][]byte{
		"graph.json":       fmt.Appendf(nil, `{"nodes":["%d"],"links":[]}`+"\n", n),
		"words/00.json":    []byte("{}\n"),
		"words/index.json": []byte(`{"of":1}` + "\n"),
		"nodes/0a.json":    fmt.Appendf(nil, `{"of":%d}`+"\n", n),
	})
}

// TestKilledAtEveryStep: a publisher dies at each of its requests, before the
// service has it, in the middle of it, and when it is done and not answered.
// The branch is the old or the new bundle, whole, and the next publisher puts
// everything right.
func TestKilledAtEveryStep(t *testing.T) {
	moments := []struct {
		name  string
		fault githost.Fault
	}{{"before", githost.Fault{DropBefore: true}}, {"within", githost.Fault{DropHalf: true}}, {"after", githost.Fault{DropAfter: true}}}
	old, newer := small(t, 1), small(t, 2)
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			plan := &plan{}
			s.Break(plan.fault) // before the first request, and for good
			was := s.publish(t, transport, old)
			large := s.git(t, "rev-parse", "refs/marola/routing-bundle-large")
			first := len(s.Requests())
			wanted := s.publish(t, transport, newer)
			steps := len(s.Requests()) - first
			if steps < 6 {
				t.Fatalf("a publish is %d requests: the test does not see them", steps)
			}
			seen := map[string]int{}
			requests := s.Requests()[first : first+steps]
			for step := 1; step <= steps; step++ {
				for _, m := range moments {
					// Before one request is after the one that came before it, and
					// only what has a body has a middle: `make soak` tries them all.
					if os.Getenv("MAROLA_SOAK") == "" && (m.name == "before" && step > 1 || m.name == "within" && requests[step-1].Method != "POST") {
						continue
					}
					where := fmt.Sprintf("killed %s request %d of %d", m.name, step, steps)
					s.git(t, "update-ref", "refs/heads/"+branch, was.Commit)
					s.git(t, "update-ref", "refs/marola/routing-bundle-large", large)
					killed(t, s, plan, transport, newer, step, m.fault)
					tree := s.git(t, "rev-parse", branch+"^{tree}")
					switch tree {
					case was.Tree, wanted.Tree:
						seen[tree]++
					default:
						t.Fatalf("%s: the branch has the tree %s", where, tree)
					}
					readable(t, s, where, tree)
					if again := s.publish(t, transport, newer); again.Tree != wanted.Tree || s.git(t, "rev-parse", branch+"^{tree}") != wanted.Tree {
						t.Fatalf("%s: the next publish ends with %+v", where, again)
					}
					if got := s.git(t, "ls-tree", "-r", "--name-only", "refs/marola/routing-bundle-large"); got != "graph.json" {
						t.Fatalf("%s: the large files are %s", where, got)
					}
				}
			}
			if seen[was.Tree] == 0 || seen[wanted.Tree] == 0 {
				t.Errorf("the old bundle stayed %d times, the new one was there %d times: some step is not tried", seen[was.Tree], seen[wanted.Tree])
			}
			s.git(t, "fsck", "--strict", "--connectivity-only")
			t.Logf("%d steps; the old bundle stayed %d times", steps, seen[was.Tree])
		})
	}
}

// A plan is at which of the next requests something happens.
type plan struct {
	mu   sync.Mutex
	step int // 0: at none
	what githost.Fault
}

func (p *plan) set(step int, what githost.Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step, p.what = step, what
}

func (p *plan) fault(githost.Request) githost.Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.step == 0 {
		return githost.Fault{}
	}
	if p.step--; p.step > 0 {
		return githost.Fault{}
	}
	return p.what
}

// killed runs a publisher and kills it at one of its requests.
func killed(t *testing.T, s site, p *plan, transport, bundle string, step int, fault githost.Fault) {
	t.Helper()
	cmd := s.child(t, transport, bundle)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	started, dead := make(chan struct{}), make(chan struct{})
	fault.Do = func() {
		<-started
		_ = cmd.Process.Kill() // that it is dead is checked below
		<-dead
	}
	p.set(step, fault)
	defer p.set(0, githost.Fault{})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	close(started)
	err := cmd.Wait()
	close(dead)
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ProcessState.String() != "signal: killed" {
		t.Fatalf("step %d: the publisher ended by itself: %v\n%s", step, err, errs.String())
	}
}

// readable reads what is published as a publisher reads it.
func readable(t *testing.T, s site, where, tree string) {
	t.Helper()
	address, err := publish.ParseAddress(s.repo.Dir, "/")
	if err != nil {
		t.Fatal(err)
	}
	remote, err := publish.OpenGit(address, publish.Token{}, clean())
	if err != nil {
		t.Fatal(err)
	}
	got, err := remote.Read(context.Background(), s.git(t, "rev-parse", branch))
	if err != nil || got.Bad != nil || got.Foreign != nil || got.Tree != tree {
		t.Fatalf("%s: what is published is read as %+v, %v", where, got, err)
	}
}
