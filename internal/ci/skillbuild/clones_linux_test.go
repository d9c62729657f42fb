package skillbuild

import (
	"bytes"
	"context"
	"encoding/json"
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

// organisation is where they all are. Git finds them on this machine.
const organisation = "https://code.example.org/acme"

// TestFreshClones: an umbrella with five submodules, each of which one command
// has set up, cloned by somebody who has git and the core utilities and
// nothing else: the hook prints its lines and route answers, from anywhere in
// them. Taken away again, nothing of it is left.
func TestFreshClones(t *testing.T) {
	w := gittest.New(t)
	upstream := filepath.Join(w.Home, "upstream")
	found := "[url \"file://" + upstream + "/\"]\n\tinsteadOf = " + organisation + "/\n"
	w.Write(w.Home, map[string][]byte{"gitconfig": []byte("[init]\n\tdefaultBranch = main\n[core]\n\tfsync = none\n[protocol \"file\"]\n\tallow = always\n[uploadpack]\n\tallowFilter = true\n" + found)})
	skill := releasedSkill(t, w)
	vendor := filepath.Join(w.Home, "skills-vendor")
	if out, err := exec.Command("go", "build", "-o", vendor, "../../../cmd/skills-vendor").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script, err := filepath.Abs("testdata/organisation.sh")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := gittest.RunProgram(w.Env, w.Home, "sh", script, upstream, vendor, organisation); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	umbrella := filepath.Join(upstream, "umbrella")
	b := bundle.Build{Repo: "umbrella", URL: organisation + "/umbrella", Branch: "main", Head: w.Head(umbrella)}
	for _, name := range modules {
		b.Submodules = append(b.Submodules, bundle.Submodule{Name: name, Path: "parts/" + name, Head: w.Head(filepath.Join(upstream, name)), URL: organisation + "/" + name})
	}
	w.Commit(umbrella, "refs/heads/routing-bundle", answers(t, w, b))

	person := filepath.Join(t.TempDir(), "a person")
	w.Write(person, map[string][]byte{"gitconfig": []byte("[protocol \"file\"]\n\tallow = always\n" + found)})
	env := []string{"PATH=" + bareTools(t), "HOME=" + person, "GIT_CONFIG_GLOBAL=" + filepath.Join(person, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "MAROLA_NOW=" + gittest.Now}
	for _, absent := range []string{"go", "python3", "nix"} {
		if out, _, code := shell(person, env, "command -v "+absent); code == 0 {
			t.Fatalf("%s is on the PATH: %s", absent, out)
		}
	}
	says := func(dir, script, want string) string {
		t.Helper()
		out, errs, code := shell(dir, env, script)
		if code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("%s in %s: %q, %q, exit %d; want %q", script, dir, out, errs, code, want)
		}
		return out
	}
	const ask, hit = "/.claude/skills/routing/scripts/route query 'water board'", "parts/app/src/board.go:3"
	built := fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old)\n", b.Head)

	asked := 0
	for _, name := range append(modules, "umbrella") {
		dir := filepath.Join(person, name)
		says(person, "git clone -q "+organisation+"/"+name, "")
		if got := w.Git(dir, "ls-tree", "HEAD:.claude/skills"); !strings.Contains(got, skill) {
			t.Errorf("%s has another skill than the release: %s", name, got)
		}
		if name != "umbrella" { // which has the branch already
			says(dir, hookCommand, "▸ routing: no bundle yet; route fetch\n")
			says(dir, "sh .claude/skills/routing/scripts/route query x", "no routing bundle; use git grep")
			says(dir, "sh .claude/skills/routing/scripts/route fetch", "fetched the routing bundle")
		}
		if strings.Contains(says(dir, hookCommand, built), "\n▸ opt-in: this repository offers the plugin devkit@acme, which is not installed. Installed, it runs on this machine, from acme/devkit@"+"v1.2.3: a formatter after each edit.") {
			asked++
		}
		says(dir, "sh ."+ask, hit)
		says(filepath.Join(dir, "src"), "sh .."+ask, hit)
		says(dir, "git worktree add -q --detach ../'"+name+" tree'", "")
		says(dir+" tree", hookCommand, built)
		says(dir+" tree", "sh ."+ask, hit)
		agents, err := os.ReadFile(filepath.Join(dir, "AGENTS.md"))
		if _, line, ok := strings.Cut(string(agents), "`sh "); err != nil || !ok {
			t.Errorf("%s: AGENTS.md is %q, %v", name, agents, err)
		} else {
			line, _, _ = strings.Cut(line, "`")
			says(dir, "sh "+strings.Replace(line, "identifiers", "water board", 1), hit)
		}
		settings, err := os.ReadFile(filepath.Join(dir, ".claude", "settings.json"))
		if quoted, _ := json.Marshal(hookCommand); err != nil || !bytes.Contains(settings, quoted) {
			t.Errorf("%s: the settings are %s, %v", name, settings, err)
		}
	}
	if asked != 5 { // all that offer it
		t.Errorf("%d repositories ask", asked)
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

	// Never: what the line says is written once, and no clone asks again.
	says(person, "git clone -q "+organisation+"/app 'app again'", "")
	_, entry, _ := strings.Cut(says(filepath.Join(person, "app again"), hookCommand, "▸ opt-in: "), "Never: ")
	entry, _, _ = strings.Cut(entry, " in ~/.claude/settings.json")
	w.Write(person, map[string][]byte{".claude/settings.json": []byte("{" + entry + "}\n")})
	for _, name := range append(modules, "umbrella", "app again", "app tree") {
		if out := says(filepath.Join(person, name), hookCommand, "▸ routing: "); strings.Contains(out, "opt-in") {
			t.Errorf("%s asks again: %s", name, out)
		}
	}

	for _, name := range append(modules, "umbrella") {
		dir := filepath.Join(upstream, name)
		if out, err := gittest.RunProgram(w.Env, dir, vendor, "install", "--undo"); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		w.Git(dir, "diff", "--exit-code", "before")
		if left := w.Git(dir, "ls-files", "--others"); left != "" {
			t.Errorf("%s: it leaves %s", name, left)
		}
	}
}

// releasedSkill makes the repository that the skill comes from, with one
// release, and returns the hash of the skill's directory there.
func releasedSkill(t *testing.T, w *gittest.World) string {
	t.Helper()
	source := filepath.Join(w.Home, "source")
	copyModule(t, source)
	dir := w.Repo("upstream/marola-routing")
	if err := os.Mkdir(filepath.Join(dir, "skills"), 0o777); err != nil {
		t.Fatal(err)
	}
	host := Platform(runtime.GOOS + "-" + runtime.GOARCH)
	if err := Build(context.Background(), source, filepath.Join(dir, filepath.FromSlash(Dir)), []Platform{host}, os.Environ()); err != nil {
		t.Fatal(err)
	}
	w.Git(dir, "add", "-A")
	w.Git(dir, "commit", "-q", "-m", "release")
	w.Git(dir, "tag", "v1.0.0")
	return w.Git(dir, "rev-parse", "HEAD:"+Dir)
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
