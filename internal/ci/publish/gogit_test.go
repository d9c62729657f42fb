package publish

import (
	"errors"
	"strings"
	"testing"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
)

// What go-git's own Push does, and why it is not used. If one of these stops
// being so, the reasons in [GitRemote] want another look.
func TestWhyGoGitsPushIsNotUsed(t *testing.T) {
	push := func(dir string, o gogit.PushOptions) error {
		s := snapshot(t, sample(2))
		_, err := s.commit()
		must(t, err)
		remote := gogit.NewRemote(s.objects, &config.RemoteConfig{Name: "origin", URLs: []string{dir}})
		return remote.Push(&o)
	}
	t.Run("P10 P11 an object or reference that it does not have is up to date", func(t *testing.T) {
		dir := bare(t)
		publish(t, open(t, dir), snapshot(t, sample(1)))
		for _, spec := range []string{"+refs/heads/nope:refs/heads/" + branch, head(1) + ":refs/heads/" + branch} {
			if err := push(dir, gogit.PushOptions{RefSpecs: []config.RefSpec{config.RefSpec(spec)}}); !errors.Is(err, gogit.NoErrAlreadyUpToDate) {
				t.Errorf("%s: %v", spec, err)
			}
		}
	})
	t.Run("P13 a right lease fails without a tracking reference", func(t *testing.T) {
		dir := bare(t)
		first := publish(t, open(t, dir), snapshot(t, sample(1)))
		err := push(dir, gogit.PushOptions{
			RefSpecs:       []config.RefSpec{config.RefSpec("+refs/heads/new:refs/heads/" + branch)},
			ForceWithLease: &gogit.ForceWithLease{RefName: plumbing.NewBranchReferenceName(branch), Hash: plumbing.NewHash(first.Commit)},
		})
		if err == nil {
			t.Error("it succeeds")
		}
	})
}

// And what ours does in the same places.
func TestP11OurMoveNeverCallsNothingDone(t *testing.T) {
	dir := bare(t)
	first := publish(t, open(t, dir), snapshot(t, sample(1)))
	g := open(t, dir)
	if err := g.Move(t.Context(), refName(branch), first.Commit, head(1)); err == nil || !strings.Contains(err.Error(), "was not prepared") {
		t.Errorf("nothing prepared: %v", err)
	}
	_, err := g.Prepare(t.Context(), snapshot(t, sample(2)))
	must(t, err)
	if err := g.Move(t.Context(), refName(branch), first.Commit, head(1)); err == nil || !strings.Contains(err.Error(), "was not prepared") {
		t.Errorf("another commit prepared: %v", err)
	}
	if tip(t, dir) != first.Commit {
		t.Error("the branch moved")
	}
}
