package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Inside a git hook these variables are set, and lead a git that inherits
// them into the hook's repository.
func TestG08TheVariablesOfAnOuterHookLeadNowhere(t *testing.T) {
	outer := bare(t)
	dir := bare(t)
	env := os.Environ()
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"} {
		env = append(env, name+"="+outer)
	}
	env = append(env, "GIT_OBJECT_DIRECTORY="+filepath.Join(outer, "objects"), "GIT_INDEX_FILE="+filepath.Join(outer, "index"), "GIT_NAMESPACE=other", "GIT_QUARANTINE_PATH="+outer, "GIT_PROTOCOL=version=2")
	a, err := ParseAddress(dir, "/")
	must(t, err)
	g, err := OpenGit(a, Token{}, env)
	must(t, err)
	for n := 1; n <= 2; n++ {
		if result := publish(t, g, snapshot(t, sample(n))); tip(t, dir) != result.Commit {
			t.Errorf("%+v; the branch is at %q", result, tip(t, dir))
		}
	}
	git(t, dir, "fsck", "--strict", "--connectivity-only")
	if tip(t, outer) != "" {
		t.Error("it was published to the outer repository")
	}
}

func TestPathsWithSpacesAndBeyondASCII(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "große Ablage 'x' $y")
	git(t, ".", "init", "-q", "--bare", dir)
	for _, remote := range []string{dir, "file://" + strings.ReplaceAll(dir, " ", "%20")} {
		publish(t, open(t, remote), snapshot(t, sample(1)))
	}
	if tip(t, dir) == "" {
		t.Error("not published")
	}
}

func TestNoGit(t *testing.T) {
	d := localDialer{path: bare(t), env: nil}
	t.Setenv("PATH", t.TempDir())
	_, err := d.upload(t.Context())
	var local *localError
	if !errors.As(err, &local) || !strings.Contains(local.text, "git cannot be started") {
		t.Errorf("got %v", err)
	}
}

func TestWhatTheRemoteHoldsIsNotSentAgain(t *testing.T) {
	big := func(n int) content {
		files := sample(n)
		files["words/01.json"] = []byte(`"` + strings.Repeat("0123456789abcdef", 1<<12) + `"`)
		return files
	}
	dir := bare(t)
	publish(t, open(t, dir), snapshot(t, big(1)))
	g := open(t, dir)
	s := snapshot(t, big(2))
	hash, err := s.commit()
	must(t, err)
	_, err = g.Prepare(t.Context(), s)
	must(t, err)
	size := func(old string) int {
		pack, err := g.pack(old, hash.String())
		must(t, err)
		n := &counter{}
		_, err = n.ReadFrom(pack)
		must(t, err)
		return n.n
	}
	whole := size("")
	old := tip(t, dir)
	_, err = g.Read(t.Context(), old)
	must(t, err)
	if part := size(old); part >= whole || part > 2000 {
		t.Errorf("%d bytes of %d are sent", part, whole)
	}
	if other := size(head(1)); other != whole {
		t.Errorf("%d bytes of %d are sent over a commit whose content is unknown", other, whole)
	}
	publish(t, g, s)
	git(t, dir, "fsck", "--strict")
}

// A server that dies is the pipe's form of a 502: whether the branch moved
// shows only in a look.
func TestTheServerDies(t *testing.T) {
	t.Run("before it moved the branch", func(t *testing.T) {
		dir := bare(t)
		hook(t, dir, "pre-receive", "cat >/dev/null\nkill -9 $PPID\n")
		_, err := tryPublish(t, open(t, dir), snapshot(t, sample(1)))
		var unreached *Unreached
		if !errors.As(err, &unreached) || unreached.Tries != Tries || tip(t, dir) != "" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("after it moved the branch", func(t *testing.T) {
		dir := bare(t)
		hook(t, dir, "reference-transaction", "cat >/dev/null\n[ \"$1\" != committed ] || kill -9 $PPID\n")
		result := publish(t, open(t, dir), snapshot(t, sample(1)))
		if !result.Changed || result.Tries != 1 || tip(t, dir) != result.Commit {
			t.Errorf("%+v", result)
		}
	})
}

func TestAHookThatTalksMuchAndRefuses(t *testing.T) {
	dir := bare(t)
	hook(t, dir, "pre-receive", "cat >/dev/null\ni=0\nwhile [ $i -lt 5000 ]; do echo \"line $i of many, and none of them short\" >&2; i=$((i+1)); done\nexit 1\n")
	_, err := tryPublish(t, open(t, dir), snapshot(t, sample(1)))
	var refused *Refused
	if !errors.As(err, &refused) || len(refused.Server) != maxLines {
		t.Errorf("got %v", err)
	}
}
