package skillbuild

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// modules are the repositories of the fixture's organisation, besides the
// umbrella.
var modules = []string{"app", "site", "corpus", "ml", "oods"}

// TestFreshClones: an umbrella with five submodules, each with the skill,
// cloned by somebody who has git and the core utilities and nothing else: the
// hook prints its lines and route answers, from anywhere in them.
func TestFreshClones(t *testing.T) {
	w := gittest.New(t)
	skill := filepath.Join(w.Home, "skill")
	host := Platform(runtime.GOOS + "-" + runtime.GOARCH)
	source := filepath.Join(w.Home, "source")
	copyModule(t, source)
	if err := Build(context.Background(), source, skill, []Platform{host}, os.Environ()); err != nil {
		t.Fatal(err)
	}
	upstream := filepath.Join(w.Home, "upstream")
	var subs []bundle.Submodule
	for _, name := range modules {
		dir := vendored(t, w, skill, filepath.Join("upstream", name))
		subs = append(subs, bundle.Submodule{Name: name, Path: "parts/" + name, Head: w.Head(dir), URL: dir})
	}
	umbrella := vendored(t, w, skill, filepath.Join("upstream", "umbrella"))
	for _, m := range subs {
		w.Git(umbrella, "submodule", "--quiet", "add", "../"+m.Name, m.Path)
	}
	w.Git(umbrella, "commit", "-q", "-m", "parts")
	w.Commit(umbrella, "refs/heads/routing-bundle", answers(t, w, bundle.Build{Repo: "umbrella", URL: umbrella, Branch: "main", Head: w.Head(umbrella), Submodules: subs}))

	person := filepath.Join(t.TempDir(), "a person")
	w.Write(person, map[string][]byte{"gitconfig": []byte("[protocol \"file\"]\n\tallow = always\n[marola]\n\tumbrella = " + umbrella + "\n")})
	env := []string{"PATH=" + bareTools(t), "HOME=" + person, "GIT_CONFIG_GLOBAL=" + filepath.Join(person, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "MAROLA_NOW=" + gittest.Now}
	for _, absent := range []string{"go", "python3", "nix"} {
		if out, _, code := shell(person, env, "command -v "+absent); code == 0 {
			t.Fatalf("%s is on the PATH: %s", absent, out)
		}
	}
	says := func(dir, script, want string) {
		t.Helper()
		if out, errs, code := shell(dir, env, script); code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("%s in %s: %q, %q, exit %d; want %q", script, dir, out, errs, code, want)
		}
	}
	const ask, hit = "/.claude/skills/routing/scripts/route query 'water board'", "parts/app/src/board.go:3"
	built := fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)", w.Head(umbrella))

	for _, name := range append(modules, "umbrella") {
		dir := filepath.Join(person, name)
		says(person, "git clone -q '"+filepath.Join(upstream, name)+"'", "")
		if name != "umbrella" { // which has the branch already
			says(dir, hookCommand, "▸ routing: no bundle yet; route fetch\n")
			says(dir, "sh .claude/skills/routing/scripts/route query x", "no routing bundle; use git grep")
			says(dir, "sh .claude/skills/routing/scripts/route fetch", "fetched the routing bundle")
		}
		says(dir, hookCommand, built)
		says(dir, "sh ."+ask, hit)
		says(filepath.Join(dir, "src"), "sh .."+ask, hit)
		says(dir, "git worktree add -q --detach ../'"+name+" tree'", "")
		says(dir+" tree", hookCommand, built)
		says(dir+" tree", "sh ."+ask, hit)
	}
	dir := filepath.Join(person, "umbrella")
	says(dir, "sh .claude/skills/routing/scripts/session-check.sh --self-test", "9 checks passed")
	says(dir, hookCommand, "▸ submodules parts/app, parts/site, parts/corpus, 2 more not checked out: route answers from the bundle")
	// git submodule is a script that wants more tools than these.
	if out, err := gittest.Run(append(env, "PATH="+os.Getenv("PATH")), dir, "", "submodule", "--quiet", "update", "--init", "parts/app"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	says(dir, hookCommand, "▸ submodules parts/site, parts/corpus, parts/ml, 1 more not checked out")
	says(filepath.Join(dir, "parts", "app"), "sh ."+ask, hit)
	says(filepath.Join(dir, "parts", "app", "src"), "sh ../../.."+ask, hit)
	says(filepath.Join(dir, "parts", "app"), hookCommand, "▸ routing: bundle main@")
}

// vendored makes a repository that has the skill and the hook, and returns
// its directory.
func vendored(t *testing.T, w *gittest.World, skill, name string) string {
	t.Helper()
	dir := w.Repo(name)
	to := filepath.Join(dir, ".claude", "skills", "routing")
	if err := os.CopyFS(to, os.DirFS(skill)); err != nil {
		t.Fatal(err)
	}
	w.Write(dir, map[string][]byte{".claude/routing.json": []byte("{}\n"), "src/board.go": []byte("package src\n\nfunc WaterBoard() {}\n")})
	w.Git(dir, "add", "-A")
	w.Git(dir, "commit", "-q", "-m", "skill")
	return dir
}

// answers are the files of a bundle that knows one definition.
func answers(t *testing.T, w *gittest.World, b bundle.Build) map[string][]byte {
	t.Helper()
	builder := index.NewBuilder([]string{"umbrella", "app"}, []string{"parts/app/src/board.go"})
	builder.Add(index.Document{Path: "parts/app/src/board.go", Repo: 1, Lang: "go", Doc: "The water board.",
		Defs: []index.Def{{Name: "WaterBoard", Kind: "function", Line: 3, End: 3, Doc: "The water board."}}})
	files, err := builder.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range w.Files(b) {
		if name != bundle.ManifestName {
			files[name] = data
		}
	}
	w.Seal(files)
	return files
}

// bareTools is a directory with git and the core utilities alone.
func bareTools(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range []string{"git", "sh", "bash", "uname", "tr", "cat", "ls", "mkdir", "rm", "chmod", "basename", "dirname", "env", "true"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
