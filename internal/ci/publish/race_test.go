package publish

import (
	"os"
	"strings"
	"sync"
	"testing"
)

// rounds is how often two publishers race: 1,000 times under `make soak`.
func rounds() int {
	if os.Getenv("MAROLA_SOAK") != "" {
		return 1000
	}
	return 50
}

// TestRace lets an older and a newer bundle be published at the same moment,
// round after round.
func TestRace(t *testing.T) {
	t.Parallel()
	t.Run("P01 P07 P02 git", func(t *testing.T) {
		t.Parallel()
		dir := bare(t)
		git(t, dir, "config", "core.logAllRefUpdates", "always")
		web := serve(t, dir, nil)
		// Smart HTTP starts five processes for each publish, so that the suite
		// stays quick most rounds go over a pipe.
		remotes := []string{dir, dir, dir, web.url()}
		race(t, dir, rounds(), func(n int) Remote { return open(t, remotes[n%len(remotes)]) })
	})
	t.Run("P01 P07 P02 API", func(t *testing.T) {
		t.Parallel()
		h, repo, token := serveAPI(t)
		race(t, repo.Dir, rounds(), func(int) Remote { return openAPI(t, h, repo, token) })
	})
	t.Run("P01 P07 P02 one by git, one by API", func(t *testing.T) {
		t.Parallel()
		h, repo, token := serveAPI(t)
		race(t, repo.Dir, rounds()/5, func(n int) Remote {
			if n%2 == 0 {
				return openWith(t, repo.URL(), token)
			}
			return openAPI(t, h, repo, token)
		})
	})
}

// race runs the rounds. The reference log is the referee: it has one line for
// each state that the branch was in. Exactly one publisher says that it made
// each of them, and the newer bundle is there at the end of every round.
func race(t *testing.T, dir string, rounds int, open func(n int) Remote) {
	changes := map[string]int{}
	total := 0
	for n := range rounds {
		older, newer := snapshot(t, sample(2*n+1)), snapshot(t, sample(2*n+2))
		if n%10 == 9 { // two runs for one commit
			older = snapshot(t, sample(2*n+2))
		}
		var results [2]Result
		var errs [2]error
		var start, done sync.WaitGroup
		start.Add(1)
		for i, s := range []*Snapshot{older, newer} {
			remote := open(n + i)
			done.Go(func() {
				start.Wait()
				results[i], errs[i] = Publish(t.Context(), remote, s, options())
			})
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
}
