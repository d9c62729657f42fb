package bundle_test

import (
	"errors"
	"io/fs"
	"maps"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A branch is a bundle as the tree of its branch holds it.
type branch struct{ bundle.Memory }

func (branch) LacksLarge() bool { return true }

// enlarged is the sample with graph.json marked large.
func enlarged(t *testing.T) bundle.Memory {
	t.Helper()
	files := bundle.Memory(sample())
	files[bundle.ManifestName] = manifestOf(t, files, bundle.GraphName).Encode()
	return files
}

func manifestOf(t *testing.T, files map[string][]byte, large ...string) bundle.Manifest {
	t.Helper()
	m, err := bundle.NewManifest(files)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Files {
		for _, name := range large {
			m.Files[i].Large = m.Files[i].Large || m.Files[i].Name == name
		}
	}
	return m
}

func without(files bundle.Memory, names ...string) bundle.Memory {
	files = maps.Clone(files)
	for _, name := range names {
		delete(files, name)
	}
	return files
}

func TestManifestMarksLargeFiles(t *testing.T) {
	files := enlarged(t)
	if got := string(files[bundle.ManifestName]); strings.Count(got, `"large":true}`) != 1 {
		t.Errorf("manifest:\n%s", got)
	}
	b, err := bundle.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	if large := b.Manifest().Large(); len(large) != 1 || large[0].Name != bundle.GraphName {
		t.Errorf("large: %+v", large)
	}
	if plain := string(manifestOf(t, sample()).Encode()); strings.Contains(plain, "large") {
		t.Errorf("a bundle without large files says large:\n%s", plain)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"what questions read", `{"name":"words/0a.json"`, `{"large":true,"name":"words/0a.json"`, "must stand on the branch"},
		{"a number", `"large":true`, `"large":1`, "true or false"},
		{"a word", `"large":true`, `"large":truth`, "expected"},
		{"false", `"large":true`, `"large":false`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			spoilt := maps.Clone(files)
			spoilt[bundle.ManifestName] = []byte(strings.Replace(string(files[bundle.ManifestName]), c.from, c.to, 1))
			_, err := bundle.Open(spoilt)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAnAbsentLargeFileIsNoDamage(t *testing.T) {
	files := without(enlarged(t), bundle.GraphName)
	b, err := bundle.Open(branch{files})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Read(bundle.GraphName)
	refused := (*bundle.Refused)(nil)
	if !errors.Is(err, bundle.ErrNotHere) || !errors.As(err, &refused) || !strings.Contains(refused.Reason, "refs/marola/routing-bundle-large") || !strings.Contains(refused.Hint(), "route fetch --large") {
		t.Errorf("got %v", err)
	}
	if _, err := b.Read(bundle.WiringName); errors.Is(err, bundle.ErrNotHere) {
		t.Errorf("a file that is not listed: %v", err)
	}
	report, err := bundle.Verify(branch{files})
	if err != nil || report.Absent != 1 || report.AbsentBytes != int64(len(sample()[bundle.GraphName])) || report.Files != 4 {
		t.Errorf("got %+v, %v", report, err)
	}
	report, err = bundle.Verify(branch{enlarged(t)})
	if err != nil || report.Absent != 0 || report.Files != 5 {
		t.Errorf("with all files: %+v, %v", report, err)
	}
}

func TestVerifyRefusesLargeFiles(t *testing.T) {
	whole := enlarged(t)
	wrong := maps.Clone(whole)
	wrong[bundle.GraphName] = []byte(`{"nodes":[],"linkz":[]}` + "\n")
	unlisted := maps.Clone(whole)
	unlisted["graph/00-x.json"] = []byte("{}")
	for _, c := range []struct {
		name  string
		files bundle.Files
		want  string
	}{
		{"P32 absent from a directory", bundle.Dir(layOut(t, without(whole, bundle.GraphName))), "graph.json: the manifest lists it, but it is missing"},
		{"absent from what does not say that it may be", without(whole, bundle.GraphName), "it is missing"},
		{"another file absent", branch{without(whole, "words/0a.json")}, "words/0a.json: the manifest lists it, but it is missing"},
		{"a wrong hash", branch{wrong}, "graph.json: its SHA-256"},
		{"an unlisted file", branch{unlisted}, "graph/00-x.json: the manifest does not list it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := bundle.Verify(c.files)
			if r := (*bundle.Refused)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestVerifyLarge(t *testing.T) {
	files := bundle.Memory(sample())
	files["graph/00-a.json"], files["graph/01-b.json"] = []byte("{}\n"), []byte("[]\n")
	m := manifestOf(t, files, bundle.GraphName, "graph/01-b.json")
	right := bundle.Memory{bundle.GraphName: files[bundle.GraphName], "graph/01-b.json": files["graph/01-b.json"]}
	if err := bundle.VerifyLarge(m, right); err != nil {
		t.Fatal(err)
	}
	change := func(name, text string) bundle.Memory {
		changed := maps.Clone(right)
		changed[name] = []byte(text)
		return changed
	}
	bad := manifestOf(t, map[string][]byte{bundle.GraphName: []byte("{")}, bundle.GraphName)
	for _, c := range []struct {
		name  string
		m     bundle.Manifest
		files bundle.Files
		want  string
	}{
		{"a missing one", m, without(right, bundle.GraphName), "graph.json: the manifest marks it large, but the large ref does not hold it"},
		{"none", m, bundle.Memory{}, "does not hold it"},
		{"one that stands on the branch", m, change("graph/00-a.json", "{}\n"), "graph/00-a.json: the large ref holds it, but the manifest does not mark it large"},
		{"one of a foreign name", m, change("run.sh", "x"), "run.sh: the large ref holds it"},
		{"another size", m, change(bundle.GraphName, "{}"), "graph.json: it has 2 bytes"},
		{"another hash", m, change("graph/01-b.json", "{}\n"), "graph/01-b.json: its SHA-256"},
		{"no JSON, as listed", bad, bundle.Memory{bundle.GraphName: []byte("{")}, "graph.json: line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := bundle.VerifyLarge(c.m, c.files)
			r := (*bundle.Refused)(nil)
			if !errors.As(err, &r) || !strings.Contains(err.Error(), c.want) || r.Hint() == "" || errors.Is(err, bundle.ErrNotHere) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if err := bundle.VerifyLarge(m, broken{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("an error of reading: %v", err)
	}
}

// broken cannot be read.
type broken struct{}

func (broken) List() ([]string, error)         { return []string{bundle.GraphName}, nil }
func (broken) ReadFile(string) ([]byte, error) { return nil, fs.ErrPermission }

func layOut(t *testing.T, files bundle.Memory) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		put(t, dir, name, data)
	}
	return dir
}
