package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where the server cannot leave files out, what is too large to be read may
// be anything.
func TestABranchThatIsTooLargeToBeLookedAt(t *testing.T) {
	defer func(old limits) { packLimits = old }(packLimits)
	packLimits.object = 4000
	for name, file := range map[string]string{"files cannot be left out": "build.json", "another file": "README"} {
		t.Run(name, func(t *testing.T) {
			dir := bare(t)
			if file == "README" {
				git(t, dir, "config", "uploadpack.allowFilter", "true")
			}
			work := t.TempDir()
			git(t, work, "init", "-q", "-b", branch)
			must(t, writeFile(work, file, strings.Repeat("x", 5000)))
			git(t, work, "add", ".")
			git(t, work, "commit", "-q", "-m", "large")
			git(t, work, "push", "-q", dir, branch)
			untouched(t, dir, "")
		})
	}
}

// untouched publishes over a branch that is no bundle, without and with
// every flag that could help, and wants it left alone.
func untouched(t *testing.T, dir, reason string) {
	t.Helper()
	before := tip(t, dir)
	for name, change := range map[string]func(*Options){
		"plain": func(*Options) {}, "--first": func(o *Options) { o.First, o.AllowRewind = true, true }, "--dry-run": func(o *Options) { o.First, o.DryRun = true, true },
	} {
		result, err := tryPublish(t, open(t, dir), snapshot(t, sample(2)), change)
		var refused *Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "is no bundle and stays as it is: ") || !strings.Contains(err.Error(), reason) || !strings.Contains(refused.Hint(), "--branch") {
			t.Errorf("%s: %v", name, err)
		}
		if result.Changed || tip(t, dir) != before || before == "" {
			t.Errorf("%s: the branch moved from %q to %q: %+v", name, before, tip(t, dir), result)
		}
	}
}

func TestABranchOfOtherWorkIsNeverReplaced(t *testing.T) {
	good := string(sample(1)["build.json"])
	for _, tt := range []struct {
		name, reason string
		work         func(work string)
	}{
		{"a history", "it has a history", func(work string) {
			git(t, work, "commit", "-q", "--allow-empty", "-m", "first")
			must(t, writeFile(work, "README", "x"))
		}},
		{"a history of bundle files", "it has a history", func(work string) {
			git(t, work, "commit", "-q", "--allow-empty", "-m", "first")
			must(t, writeFile(work, "build.json", good))
		}},
		{"a file that no bundle holds", "it holds README, and no bundle does", func(work string) { must(t, writeFile(work, "README", "x")) }},
		{"a file beside a bundle's", "it holds README, and no bundle does", func(work string) {
			must(t, writeFile(work, "build.json", good))
			must(t, writeFile(work, "README", "x"))
		}},
		{"a folder", "it holds src/main.go,", func(work string) { must(t, writeFile(work, "src/main.go", "x")) }},
		{"a folder in a bundle's", "it holds words/deep,", func(work string) { must(t, writeFile(work, "words/deep/00.json", "x")) }},
		{"a directory of a file's name", "it holds build.json/x,", func(work string) { must(t, writeFile(work, "build.json/x", "x")) }},
		{"a link", "it holds build.json,", func(work string) { must(t, os.Symlink("x", filepath.Join(work, "build.json"))) }},
		{"a name that would colour a terminal", "it holds [31m,", func(work string) { must(t, writeFile(work, "\x1b[31m", "x")) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, work := bare(t), t.TempDir()
			git(t, work, "init", "-q", "-b", branch)
			tt.work(work)
			git(t, work, "add", ".")
			git(t, work, "commit", "-q", "-m", "work")
			git(t, work, "push", "-q", dir, branch)
			untouched(t, dir, tt.reason)
		})
	}
}
