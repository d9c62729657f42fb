package bundle_test

import (
	"slices"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// FuzzManifest: a bundle whose manifest is anything is refused, or lists
// files whose names a bundle may hold, each once.
func FuzzManifest(f *testing.F) {
	files := sample()
	m, err := bundle.NewManifest(files)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Encode())
	for _, s := range []string{"", "{", `{"schema":1,"files":[]}`, `{"schema":2}`, `{"schema":1,"files":[{"name":"../a"}]}`, `{"files":[{},{}],"schema":1,"x":[[[{}]]]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files := bundle.Memory(sample())
		files[bundle.ManifestName] = data
		b, err := bundle.Open(files)
		if err != nil {
			return
		}
		var names []string
		for _, row := range b.Manifest().Files {
			names = append(names, row.Name)
		}
		if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("names are not in order: %q", names)
		}
		for _, name := range names {
			if !bundle.ValidName(name) {
				t.Errorf("it lists %q", name)
			}
		}
	})
}

// FuzzBuild: what ParseBuild accepts has a commit and a time.
func FuzzBuild(f *testing.F) {
	f.Add(sample()["build.json"])
	f.Add([]byte(`{"schema":1,"head":"x"}`))
	f.Add([]byte(`{"schema":1,"head":"` + head + `","commit_time":"soon"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := bundle.ParseBuild(data)
		if err != nil {
			return
		}
		if _, err := b.Time(); err != nil || len(b.Head) < 40 {
			t.Errorf("accepted: %+v", b)
		}
	})
}
