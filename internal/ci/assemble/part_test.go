package assemble

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// chain is a workspace whose wiring leads through other commits of its own
// repositories.
var chain = map[string]map[string]string{
	"":         shop[""],
	"app":      shop["app"],
	"libs/lib": shop["libs/lib"],
	"ci": {
		".github/workflows/release.yml": "on: workflow_call\njobs:\n  old:\n    runs-on: x\n    steps:\n      - run: docker push example.org/acme/old:1\n",
		"tools/put/action.yml":          "runs:\n  using: composite\n  steps:\n    - run: docker push example.org/acme/put:1\n      shell: sh\n",
	},
}

// newChain is a checkout of the chain. The umbrella calls workflows of ci at
// a tag, at a commit, at a branch, and at one that is nowhere; at its head ci
// has others.
func newChain(t *testing.T) (w *gittest.World, dir string) {
	t.Helper()
	w = gittest.New(t)
	dir = checkout(w, origins(w, chain), "chain", chain)
	ci := filepath.Join(dir, "ci")
	first := w.Head(ci)
	w.Git(ci, "tag", "-a", "-m", "one", "v1")
	w.Git(ci, "update-ref", "refs/remotes/origin/stable", first)
	w.Git(ci, "checkout", "-q", "-b", "side")
	commit(w, ci, "Push elsewhere", map[string]string{".github/workflows/release.yml": strings.ReplaceAll(chain["ci"][".github/workflows/release.yml"], "old", "side")})
	side := w.Head(ci)
	w.Git(ci, "checkout", "-q", "-B", "main", first)
	w.Git(ci, "rm", "-q", "tools/put/action.yml")
	commit(w, ci, "Write it again", map[string]string{".github/workflows/release.yml": strings.ReplaceAll(chain["ci"][".github/workflows/release.yml"], "old", "new"), "README.md": "# CI\n"})
	plain := w.Head(ci)
	w.Git(ci, "merge", "-q", "--no-ff", "-s", "ours", "-m", "Join", "side")
	w.Git(dir, "update-index", "--cacheinfo", "160000,"+w.Head(ci)+",ci")
	caller := "on: push\njobs:\n"
	for i, ref := range []string{"v1", "stable", side, plain, first, "nowhere", w.Head(ci)} {
		caller += strings.NewReplacer("N", string(rune('a'+i)), "REF", ref).Replace("  jobN:\n    uses: acme/ci/.github/workflows/release.yml@REF\n  putN:\n    runs-on: x\n    steps:\n      - uses: acme/ci/tools/put@REF\n")
	}
	w.Write(dir, map[string][]byte{".github/workflows/all.yml": []byte(caller)})
	w.Git(dir, "add", ".github")
	w.Git(dir, "commit", "-q", "-m", "Call")
	return w, dir
}

// parts builds the part of each repository of the checkout and reads what was
// written of it.
func parts(t *testing.T, w *gittest.World, dir string) []*Part {
	t.Helper()
	ws, err := workspace.Open(t.Context(), workspace.Options{Dir: dir, Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	var list []*Part
	for _, r := range ws.Repos {
		list = append(list, read(t, encode(t, w, dir, cmp.Or(r.Path, "."))))
	}
	return list
}

func encode(t *testing.T, w *gittest.World, dir, name string) []byte {
	t.Helper()
	ws, err := workspace.Open(t.Context(), workspace.Options{Dir: dir, Env: w.Env, Part: name})
	if err != nil {
		t.Fatal(err)
	}
	p, err := BuildPart(t.Context(), ws, ws.Part, Options{pool: &fakePool{}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t *testing.T, data []byte) *Part {
	t.Helper()
	p, err := ReadPart("x.part", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// joined is the sealed bundle of the parts, in an order of chance.
func joined(t *testing.T, list []*Part) *Result {
	t.Helper()
	list = slices.Clone(list)
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	res, err := Join(t.Context(), list, Options{})
	if err == nil {
		err = res.Seal()
	}
	if err == nil {
		err = res.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestPartsMakeTheSameBytes: joined parts and one build are one bundle, for a
// repository alone and for an umbrella, in whatever order the parts come.
func TestPartsMakeTheSameBytes(t *testing.T) {
	t.Run("one repository", func(t *testing.T) {
		w, dir := repository(t, shop[""])
		same(t, "joined", joined(t, parts(t, w, dir)), build(t, w, dir, Options{}))
	})
	t.Run("an umbrella with three submodules", func(t *testing.T) {
		w, dir := newChain(t)
		want := build(t, w, dir, Options{})
		list := parts(t, w, dir)
		for range 4 {
			same(t, "joined", joined(t, list), want)
		}
		wires := string(want.contents()["wiring.json"])
		for _, image := range []string{"acme/old", "acme/side", "acme/new", "acme/put"} {
			if !strings.Contains(wires, image) {
				t.Errorf("the wiring does not lead through other commits: it lacks %s", image)
			}
		}
	})
}

// TestPartNeedsItsOwnCheckout: the part of a submodule is built where only
// that submodule is checked out, and does not change with the umbrella.
func TestPartNeedsItsOwnCheckout(t *testing.T) {
	w, dir := newChain(t)
	want := encode(t, w, dir, "ci")
	for _, path := range []string{"app", "libs/lib"} {
		if err := os.RemoveAll(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	commit(w, dir, "More", map[string]string{"more.txt": "words\n"})
	if !bytes.Equal(encode(t, w, dir, "ci"), want) {
		t.Error("the part of a submodule changes with the rest of the workspace")
	}
	if err := os.RemoveAll(filepath.Join(dir, "ci")); err != nil {
		t.Fatal(err)
	}
	encode(t, w, dir, ".")
}

// TestPartsThatMakeNoWhole are refused with what is wrong and what to do.
func TestPartsThatMakeNoWhole(t *testing.T) {
	w, dir := newShop(t)
	list := parts(t, w, dir) // the umbrella, app, libs/lib
	lib := filepath.Join(dir, "libs/lib")
	commit(w, lib, "Move on", map[string]string{"more.go": "package lib\n"})
	w.Git(dir, "update-index", "--cacheinfo", "160000,"+w.Head(lib)+",libs/lib")
	w.Git(dir, "commit", "-q", "-m", "Follow")
	later := parts(t, w, dir)
	w.Git(dir, "rm", "-q", "--cached", "libs/lib")
	w.Git(dir, "commit", "-q", "-m", "Drop")
	less := read(t, encode(t, w, dir, "."))
	for _, c := range []struct {
		name  string
		parts []*Part
		want  string
	}{
		{"no umbrella", list[1:], "the umbrella's is missing"},
		{"one missing", list[:2], "libs/lib is missing"},
		{"all missing", list[:1], "app, libs/lib is missing"},
		{"one twice", append(slices.Clone(list), list[1]), "two are of app"},
		{"the umbrella twice", append(slices.Clone(list), later[0]), "two are of the umbrella"},
		{"another commit", []*Part{list[0], list[1], later[2]}, "it is of the commit " + later[2].Head[:7] + ", and the umbrella's commit " + list[0].Head[:7] + " records " + list[2].Head[:7]},
		{"no such submodule", []*Part{less, list[1], list[2]}, "the umbrella records no submodule libs/lib"},
	} {
		_, err := Join(t.Context(), c.parts, Options{})
		e := (*PartError)(nil)
		if !errors.As(err, &e) || !strings.Contains(e.Error(), c.want) || e.Hint() == "" {
			t.Errorf("%s: error is %v, want %q", c.name, err, c.want)
		}
	}
}

// TestDamagedPart: a part is foreign data.
func TestDamagedPart(t *testing.T) {
	w, dir := newShop(t)
	data := encode(t, w, dir, ".")
	changed := bytes.Clone(data)
	changed[len(changed)-9] ^= 1
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":              {nil, "it is no part"},
		"another file":       {[]byte("{}\n"), "it is no part"},
		"cut short":          {data[:len(data)/2], "it is damaged"},
		"a changed bit":      {changed, "it is damaged"},
		"other tool":         {repack(t, data, "extract ", "extract 9"), "it was built by"},
		"no commit":          {repack(t, data, `"head":"`, `"head":"x`), "which repository and commit"},
		"two umbrellas":      {repack(t, data, `"path":""`, `"path":"a"`), "which repository and commit"},
		"a path that leaves": {repack(t, data, `"path":"app"`, `"path":"../app"`), "a submodule that cannot be"},
	} {
		p, err := ReadPart("x.part", bytes.NewReader(c.data))
		e := (*PartError)(nil)
		if p != nil || !errors.As(err, &e) || !strings.Contains(e.Error(), c.want) || e.Hint() == "" {
			t.Errorf("%s: error is %v, want %q", name, err, c.want)
		}
	}
}

// repack changes the head of a part, and makes its sum right again.
func repack(t *testing.T, data []byte, old, fresh string) []byte {
	t.Helper()
	body, reason := unpackPart(data)
	if reason != "" {
		t.Fatal(reason)
	}
	r := &partReader{rest: body}
	head := r.text()
	next := strings.Replace(head, old, fresh, 1)
	if next == head {
		t.Fatalf("the head has no %q: %s", old, head)
	}
	out := &partWriter{}
	out.text(next)
	return packPart(append(out.out, r.rest...))
}

// FuzzReadPart: whatever stands behind a right sum ends in a part or an
// error, and a part can be joined or is refused.
func FuzzReadPart(f *testing.F) {
	w := gittest.New(f)
	dir := w.Repo("seed")
	commit(w, dir, "Begin", map[string]string{"a.go": "package a\n\nfunc A() { A() }\n", "go.mod": "module a\n", ".github/workflows/x.yml": "on: push\n", "data.bin": "\x00\x01"})
	ws, err := workspace.Open(f.Context(), workspace.Options{Dir: dir, Env: w.Env, Part: "."})
	if err != nil {
		f.Fatal(err)
	}
	p, err := BuildPart(f.Context(), ws, ws.Part, Options{pool: &fakePool{}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.body())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := ReadPart("x.part", bytes.NewReader(packPart(body)))
		if err != nil {
			return
		}
		res, err := Join(t.Context(), []*Part{p}, Options{})
		if err != nil {
			return
		}
		if slices.Sorted(maps.Keys(res.contents())) == nil {
			t.Error("a bundle without files")
		}
	})
}
