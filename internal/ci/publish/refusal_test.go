package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func hook(t *testing.T, dir, name, script string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, "hooks", name), []byte("#!/bin/sh\n"+script), 0o755))
}

const gh013 = `cat >/dev/null
echo "remote: error: GH013: Repository rule violations found for refs/heads/routing-bundle." >&2
echo "" >&2
printf 'remote: - Cannot update this protected ref.\033[31m\n' >&2
exit 1
`

func TestP17TheReasonsOfARefusalAreShown(t *testing.T) {
	everyRemote(t, func(t *testing.T, dir string, open func() Remote, pushes func() int) {
		hook(t, dir, "pre-receive", gh013)
		result, err := tryPublish(t, open(), snapshot(t, sample(1)))
		var refused *Refused
		if !errors.As(err, &refused) || result.Changed || result.Tries != 1 {
			t.Fatalf("got %v, %+v", err, result)
		}
		want := []string{"error: GH013: Repository rule violations found for refs/heads/routing-bundle.", "- Cannot update this protected ref.[31m"}
		if strings.Join(refused.Server, "|") != strings.Join(want, "|") {
			t.Errorf("lines %q, want %q", refused.Server, want)
		}
		if text := err.Error(); !strings.Contains(text, "refused by rules") || strings.Contains(text, "remote: ") || strings.Contains(text, "\x1b") {
			t.Errorf("said %q", text)
		}
		if !strings.Contains(refused.Hint(), "bypass") {
			t.Errorf("hint %q", refused.Hint())
		}
		if pushes != nil && pushes() != 1 {
			t.Errorf("a refusal was pushed %d times", pushes())
		}
		if tip(t, dir) != "" {
			t.Error("the branch is there")
		}
	})
}

func TestP18EveryWordForRules(t *testing.T) {
	for _, tt := range []struct{ status, line string }{
		{"pre-receive hook declined", ""},
		{"hook declined", ""},
		{"protected branch hook declined", "error: GH006: Protected branch update failed for refs/heads/routing-bundle."},
		{"push declined due to repository rule violations", "error: GH013: Repository rule violations found"},
		{"declined", "error: GH013: Repository rule violations found"},
		{"declined", "error: GH006: Protected branch update failed"},
		{"denying non-fast-forward refs/heads/routing-bundle (you should pull first)", ""},
		{"branch is currently checked out", ""},
		{"deny updating a hidden ref", ""},
		{"You are not allowed to push code to protected branches on this project.", ""},
	} {
		var refused *Refused
		if err := byStatus(tt.status, serverLines(tt.line, Token{})); !errors.As(err, &refused) || !strings.Contains(refused.Reason, "refused by rules") {
			t.Errorf("%q %q: %v", tt.status, tt.line, err)
		}
	}
	for _, status := range []string{"failed to update ref", "cannot lock ref 'refs/heads/x'", "reference already exists", "incorrect old value provided", "stale info"} {
		var moved *Moved
		if err := byStatus(status, nil); !errors.As(err, &moved) {
			t.Errorf("%q: %v is not a lost race", status, err)
		}
	}
	var refused *Refused
	if err := byStatus("some new words", nil); !errors.As(err, &refused) || strings.Contains(refused.Reason, "rules") {
		t.Errorf("words that nobody knows: %v", err)
	}
}

func TestP26AConflictingBranchIsNamed(t *testing.T) {
	for _, tt := range []struct{ there, ours string }{
		{"routing-bundle/x", "routing-bundle"},
		{"routing-bundle", "routing-bundle/x"},
	} {
		everyRemote(t, func(t *testing.T, dir string, open func() Remote, _ func() int) {
			o := func(o *Options) { o.Branch = tt.there }
			publish(t, open(), snapshot(t, sample(1)), o)
			_, err := tryPublish(t, open(), snapshot(t, sample(1)), func(o *Options) { o.Branch = tt.ours })
			var refused *Refused
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), "branch "+tt.there+" leaves no room for a branch "+tt.ours) {
				t.Errorf("got %v", err)
			}
		})
	}
	if err := conflict(map[string]string{"refs/heads/routing-bundles": "", "refs/heads/routing": ""}, refName(branch)); err != nil {
		t.Errorf("a name that only begins alike: %v", err)
	}
}

func TestOtherRefusalsOfAServer(t *testing.T) {
	t.Run("an update hook", func(t *testing.T) {
		dir := bare(t)
		hook(t, dir, "update", "echo 'not on Sundays' >&2\nexit 1\n")
		_, err := tryPublish(t, open(t, dir), snapshot(t, sample(1)))
		if err == nil || !strings.Contains(err.Error(), "not on Sundays") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a size limit", func(t *testing.T) {
		dir := bare(t)
		git(t, dir, "config", "receive.maxInputSize", "10")
		_, err := tryPublish(t, open(t, dir), snapshot(t, sample(1)))
		var refused *Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "exceeds maximum allowed size") {
			t.Errorf("got %v (%T)", err, err)
		}
	})
	t.Run("the branch is checked out", func(t *testing.T) {
		dir := bare(t)
		git(t, dir, "config", "core.bare", "false")
		git(t, dir, "config", "receive.denyCurrentBranch", "refuse")
		publish(t, open(t, dir), snapshot(t, sample(1)))
		git(t, dir, "symbolic-ref", "HEAD", "refs/heads/"+branch)
		_, err := tryPublish(t, open(t, dir), snapshot(t, sample(2)))
		var refused *Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "checked out") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a strict server takes it", func(t *testing.T) {
		dir := bare(t)
		git(t, dir, "config", "receive.fsckObjects", "true")
		git(t, dir, "config", "transfer.fsckObjects", "true")
		if result := publish(t, open(t, dir), snapshot(t, sample(1))); !result.Changed {
			t.Errorf("%+v", result)
		}
	})
}

func TestServerLines(t *testing.T) {
	text := "remote: Resolving deltas: 100% (1/1)\rremote: one\x07\n\n remote:  two\u202e \n\u200bthree\xff\n" + strings.Repeat("x", 1000) + "\n" + strings.Repeat("more\n", 50)
	lines := serverLines(text, Token{})
	if len(lines) != maxLines || lines[0] != "one" || lines[1] != "two" || lines[2] != "three?" || len(lines[3]) > maxLine+len("…") {
		t.Errorf("%q", lines)
	}
}

func FuzzServerLines(f *testing.F) {
	f.Add("remote: error: GH013\r\n\x1b[1mhello ghs_secret")
	f.Add("\u202e\xff\xfe")
	f.Fuzz(func(t *testing.T, text string) {
		token := Token{"ghs_secret"}
		lines := serverLines(text, token)
		if len(lines) > maxLines {
			t.Fatalf("%d lines", len(lines))
		}
		for _, line := range lines {
			if len(line) > maxLine+len("…") || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x202e }) || strings.Contains(line, "ghs_secret") {
				t.Fatalf("line %q", line)
			}
		}
	})
}
