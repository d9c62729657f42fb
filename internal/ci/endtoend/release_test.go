//go:build unix

package endtoend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// checkout is this module as a repository of its own, with one commit, in
// which its version is 9.9.9.
func checkout(t *testing.T, env []string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "check out")
	copyModule(t, dir)
	file := filepath.Join(dir, "internal", "route", "bundle", "version.go")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	raised := regexp.MustCompile(`const Release = "[^"]*"`).ReplaceAllString(string(source), `const Release = "9.9.9"`)
	write(t, file, raised, 0o644)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "Everything"}} {
		command(t, dir, env, append([]string{"git"}, args...)...)
	}
	return dir
}

// TestRelease makes a release as the workflow does, from binaries that only
// say their name, and uses it as a caller does who pins its commit.
func TestRelease(t *testing.T) {
	env := machine(t)
	dir := checkout(t, env)
	before := command(t, dir, env, "git", "rev-parse", "HEAD")
	name := fmt.Sprintf("bundle-publish-%s-%s", runtime.GOOS, runtime.GOARCH)
	for _, file := range []string{name, "bundle-publish-plan9-arm.exe", "route-linux-amd64"} {
		write(t, filepath.Join(dir, "dist", file), program, 0o644)
	}
	nameless := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_AUTHOR_") || strings.HasPrefix(kv, "GIT_COMMITTER_")
	})
	command(t, dir, nameless, "make", "-s", "release-commit", "TAG=v9.9.9")

	commit := command(t, dir, env, "git", "rev-parse", "v9.9.9^{commit}")
	if parent := command(t, dir, env, "git", "rev-parse", commit+"^"); parent != before {
		t.Errorf("the release's parent is %s, not the commit that was built", parent)
	}
	if changed := command(t, dir, env, "git", "diff", "--name-status", before, commit); changed != "A\tscripts/action/release.sha256" {
		t.Errorf("the release's commit changes\n%s", changed)
	}
	if status := command(t, dir, env, "git", "status", "--porcelain"); status != "" {
		t.Errorf("the checkout is left with\n%s", status)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "dist", "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(sums), "\n") != 3 || !strings.Contains(string(sums), sum(program)+"  route-linux-amd64\n") {
		t.Errorf("the sums are\n%s", sums)
	}

	// The action of that commit.
	s := newStage(t)
	s.action = filepath.Join(t.TempDir(), "pinned")
	command(t, dir, env, "git", "worktree", "add", "-q", "--detach", s.action, commit)
	s.runner.Actions[ours] = s.action
	s.program("curl", fmt.Sprintf("#!/bin/sh\nwhile [ $# -gt 1 ]; do if [ \"$1\" = --output ]; then to=$2; fi; shift; done\n[ \"$1\" = https://github.com/%s/releases/download/v9.9.9/%s ] && cp %q \"$to\"\n", ours, name, filepath.Join(dir, "dist", name)))
	if got := s.publish(nil); got.Status != "success" || !strings.Contains(got.Log, dispatch) {
		t.Errorf("the released action ends with %s (%v):\n%s", got.Status, got.Err, got.Log)
	}

	// The templates that come with it.
	command(t, dir, env, "make", "-s", "release-examples", "TAG=v9.9.9")
	templates, err := filepath.Glob(filepath.Join(dir, "docs", "examples", "*.yml"))
	if err != nil || len(templates) == 0 {
		t.Fatal("there are no templates:", err)
	}
	for _, template := range templates {
		stamped, err := os.ReadFile(filepath.Join(dir, "dist", filepath.Base(template)))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(stamped), "FULL_COMMIT_HASH") || !strings.Contains(string(stamped), commit) || strings.Contains(string(stamped), "# RELEASE") {
			t.Errorf("%s does not pin the release:\n%s", filepath.Base(template), stamped)
		}
	}
}

// TestReleaseRefuses: what would make a release that nobody should pin.
func TestReleaseRefuses(t *testing.T) {
	env := append(machine(t), "LC_ALL=C")
	dir := checkout(t, env)
	write(t, filepath.Join(dir, "dist", "bundle-publish-linux-amd64"), program, 0o644)
	readme := filepath.Join(dir, "README.md")
	for _, c := range []struct {
		name, args, want string
		spoil            func()
	}{
		{"no version", "sh scripts/release/sums.sh dist main", "v9.9.9, not main", nil},
		{"another version than the programs'", "make -s release-commit TAG=v9.9.8", "v9.9.9, not v9.9.8", nil},
		{"a commit that is none", "sh scripts/release/examples.sh v1.0.0 v1.0.0 dist", "full commit", nil},
		{"a short commit", "sh scripts/release/examples.sh abc1234 v1.0.0 dist", "full commit", nil},
		{"a checkout that was edited", "make -s release-commit TAG=v9.9.9", "belong to no release", func() { write(t, readme, "x", 0o644) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.spoil != nil {
				c.spoil()
			}
			out := command(t, dir, env, "sh", "-c", c.args+" 2>&1 && echo passed; true")
			if !strings.Contains(out, c.want) || strings.HasSuffix(out, "passed") {
				t.Errorf("%s says\n%s", c.args, out)
			}
		})
	}
	if tags := command(t, dir, env, "git", "tag"); tags != "" {
		t.Errorf("a tag was made: %s", tags)
	}
}

// TestReleaseIsReproducible: the same sources give the same bytes in another
// directory, under another home and clock. The builder of bundles, which takes
// minutes, is compared by the workflow itself.
func TestReleaseIsReproducible(t *testing.T) {
	var built [2][]byte
	for i := range built {
		env := append(machine(t), fmt.Sprintf("TZ=UTC%d", i))
		dir := filepath.Join(t.TempDir(), strings.Repeat("deeper/", i), "module")
		copyModule(t, dir)
		out := t.TempDir()
		command(t, dir, env, "sh", "scripts/release/dist.sh", out, "route")
		files, err := filepath.Glob(filepath.Join(out, "*"))
		if err != nil || len(files) != 1 || filepath.Base(files[0]) != fmt.Sprintf("route-%s-%s", runtime.GOOS, runtime.GOARCH) {
			t.Fatalf("dist has %v (%v)", files, err)
		}
		if built[i], err = os.ReadFile(files[0]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(built[0], built[1]) {
		t.Error("two builds of route from the same sources differ")
	}
	if bytes.Contains(built[0], []byte(module(t))) {
		t.Error("the binary says where it was built")
	}
}
