package publish

import (
	"os"
	"strings"
	"sync"
	"testing"
)

// rounds is how often two publishers race: 200 times under `make soak`.
func rounds() int {
	if os.Getenv("MAROLA_SOAK") != "" {
		return 200
	}
	return 50
}

// TestRace lets an older and a newer bundle be published at the same moment,
// round after round. The reference log is the referee: it has one line for
// each state that the branch was in.
func TestRace(t *testing.T) {
	t.Parallel()
	t.Run("P01 P07 exactly one publisher for each published state, and P02 the newer one stays", func(t *testing.T) {
		dir := bare(t)
		git(t, dir, "config", "core.logAllRefUpdates", "always")
		web := serve(t, dir, nil)
		// Smart HTTP starts five processes for each publish, so that the suite
		// stays quick most rounds go over a pipe.
		remotes := []string{dir, dir, dir, web.url()}
		changes := map[string]int{}
		total := 0
		for n := range rounds() {
			older, newer := snapshot(t, sample(2*n+1)), snapshot(t, sample(2*n+2))
			if n%10 == 9 { // two runs for one commit
				older = snapshot(t, sample(2*n+2))
			}
			var results [2]Result
			var errs [2]error
			var start, done sync.WaitGroup
			start.Add(1)
			for i, s := range []*Snapshot{older, newer} {
				remote := open(t, remotes[(n+i)%len(remotes)])
				done.Add(1)
				go func() {
					defer done.Done()
					start.Wait()
					results[i], errs[i] = Publish(t.Context(), remote, s, options())
				}()
			}
			start.Done()
			done.Wait()
			for i, err := range errs {
				if err != nil {
					t.Fatalf("round %d, publisher %d: %v", n, i, err)
				}
				if results[i].Changed {
					changes[results[i].Commit]++
					total++
				}
			}
			if !results[1].Changed && (newer.Tree != older.Tree || !results[0].Changed) || tip(t, dir) != results[1].Commit {
				t.Fatalf("round %d: the newer bundle is lost: %+v", n, results[1])
			}
		}
		log := strings.Split(git(t, dir, "reflog", "show", "--format=%H", "refs/heads/"+branch), "\n")
		if len(log) != total {
			t.Errorf("the branch was in %d states, %d publishers say that they made one", len(log), total)
		}
		for _, commit := range log {
			if changes[commit] != 1 {
				t.Errorf("%d publishers say that they published %s", changes[commit], commit)
			}
		}
	})
}
