//go:build unix && !race

package trial

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"
)

// filler is n bytes of JSON that pack about as well as a word index does.
func filler(seed, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	data := []byte(`{"of":"`)
	for len(data) < n-4 {
		data = strconv.AppendUint(data, r.Uint64(), 16)
		data = append(data, " routing bundle word "...)
	}
	return append(data[:n-4], "\"}\n"...)
}

// twentyMB is a bundle of 20 MB in a hundred files, one of them large.
func twentyMB(t *testing.T, n int) string {
	files := map[string][]byte{"graph.json": filler(n, 8<<20), "words/index.json": []byte("{}\n")}
	for i := range 98 {
		files[fmt.Sprintf("words/%02x.json", i)] = filler(1000*n+i, 12<<20/98)
	}
	return write(t, n, files)
}

// maxPeak is how much memory publishing 20 MB may take, in kB.
const maxPeak = 250_000

// TestMemoryAndTimeOf20MB: the peak stays within bounds, and publishing takes
// at most half as much time again as git takes for the same content to the
// same server. The time is held to that under `make soak` only: a busy machine
// tells nothing.
func TestMemoryAndTimeOf20MB(t *testing.T) {
	rounds, soak := 1, os.Getenv("MAROLA_SOAK") != ""
	if soak {
		rounds = 3
	}
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			var ours, gits []time.Duration
			peak := 0
			for n := range rounds {
				bundle := twentyMB(t, n+1)
				s := newSite(t)
				start := time.Now()
				o := s.publish(t, transport, bundle)
				ours = append(ours, time.Since(start))
				peak = max(peak, o.Peak)
				if soak {
					gits = append(gits, byGit(t, bundle))
				}
			}
			slices.Sort(ours)
			slices.Sort(gits)
			t.Logf("%s: %d kB at most, %s; git push --force took %s", transport, peak, ours, gits)
			if peak > maxPeak {
				t.Errorf("publishing 20 MB took %d kB of memory; at most %d", peak, maxPeak)
			}
			if soak && ours[rounds/2] > gits[rounds/2]*3/2 {
				t.Errorf("publishing took %s, git %s", ours[rounds/2], gits[rounds/2])
			}
		})
	}
}

// byGit is how long git takes to push a commit of the same files to a server
// of the same kind. That it had to make the commit before does not count.
func byGit(t *testing.T, bundle string) time.Duration {
	t.Helper()
	s := newSite(t)
	dir := t.TempDir()
	header := "http.extraHeader=Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+s.token))
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"--git-dir", dir + "/.git", "--work-tree", bundle}, args...)...)
		cmd.Env = clean()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q")
	run("add", ".")
	run("commit", "-q", "-m", "bundle")
	start := time.Now()
	run("-c", header, "push", "-q", "--force", s.repo.URL(), "HEAD:refs/heads/"+branch)
	return time.Since(start)
}
