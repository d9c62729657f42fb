package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// lay writes a bundle into a directory.
func lay(t *testing.T, files content) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, data, 0o644))
	}
	return dir
}

func TestLoadRefuses(t *testing.T) {
	tests := []struct {
		name         string
		spoil        func(dir string) error
		file, reason string
	}{
		{"P32 a file that the upload left out", func(d string) error { return os.Remove(filepath.Join(d, "nodes", "0a.json")) }, "nodes/0a.json", "missing"},
		{"P32 the manifest left out", func(d string) error { return os.Remove(filepath.Join(d, "manifest.json")) }, "manifest.json", "missing"},
		{"P39 line endings changed on the way", func(d string) error {
			return os.WriteFile(filepath.Join(d, "graph.json"), []byte("{\"nodes\":[],\"links\":[]}\r\n"), 0o644)
		}, "graph.json", "25 bytes, the manifest says 24"},
		{"an extra file", func(d string) error { return os.WriteFile(filepath.Join(d, "wiring.json"), []byte("{}"), 0o644) }, "wiring.json", "does not list it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := lay(t, whole(t, sample(1)))
			must(t, tt.spoil(dir))
			_, err := Load(bundle.Dir(dir))
			var refused *bundle.Refused
			if !errors.As(err, &refused) || refused.File != tt.file || !strings.Contains(refused.Reason, tt.reason) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// hostile are names that a git tree can hold, or that a library packs, and
// that do harm where they are checked out.
var hostile = []string{
	".git", "..", ".", "a/b", ".GIT", "git~1", ".git\u200c", "", "a\x00b", "manifest.json\x00", "build.json.", "build.json ", "CON", "con.json", "words/CON", "NUL.json",
	strings.Repeat("a", 300), "words/../../x.json", "/etc/passwd", "words//00.json", "words/00.json/x", `words\00.json`, "words/.git", "words/0G.json", "WORDS/00.json", "-rf", ".gitmodules", ".gitattributes", ".bundle/graph.json",
	"graph/" + strings.Repeat("a", 300) + ".json", "graph/../build.json", "graph/.hidden.json", "graph/a b.json", "words/00.json\n",
}

func TestP25HostileNames(t *testing.T) {
	for _, name := range hostile {
		t.Run(strings.ToValidUTF8(name[:min(len(name), 20)], "?"), func(t *testing.T) {
			files := whole(t, sample(1))
			files[name] = []byte("{}")
			_, err := Load(files)
			var refused *bundle.Refused
			if !errors.As(err, &refused) {
				t.Errorf("%q was loaded: %v", name, err)
			}
			// Also when every check before it has been passed by.
			if _, err := newSnapshot(files, bundle.Build{Head: head(1), CommitTime: epoch.Format(time.RFC3339)}, "x"); !errors.As(err, &refused) {
				t.Errorf("%q was put into a tree: %v", name, err)
			}
		})
	}
}

func TestP24TheTimeZoneIsPinned(t *testing.T) {
	name := func(files content) string {
		s := snapshot(t, files)
		hash, err := s.commit()
		must(t, err)
		return hash.String()
	}
	want := name(sampleOf(head(1), epoch))
	for _, zone := range []string{"Asia/Kathmandu", "America/St_Johns"} {
		t.Run(zone, func(t *testing.T) {
			l, err := time.LoadLocation(zone)
			if err != nil {
				l = time.FixedZone(zone, 5*3600+45*60)
			}
			defer func(old *time.Location) { time.Local = old }(time.Local)
			time.Local = l
			if got := name(sampleOf(head(1), epoch)); got != want {
				t.Errorf("the commit is %s on a machine in this zone, %s elsewhere", got, want)
			}
			s := snapshot(t, sampleOf(head(1), epoch))
			s.time = epoch.In(l)
			hash, err := s.commit()
			must(t, err)
			if hash.String() != want {
				t.Errorf("the commit is %s for the same instant in this zone, %s in UTC", hash, want)
			}
		})
	}
}

func TestTheSnapshotIsWhatWasChecked(t *testing.T) {
	dir := lay(t, whole(t, sample(1)))
	s, err := Load(bundle.Dir(dir))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "graph.json"), []byte(`{"evil":1}`), 0o644))
	remote := bare(t)
	publish(t, open(t, remote), s)
	if got := git(t, remote, "show", branch+":graph.json"); got != `{"nodes":[],"links":[]}` {
		t.Errorf("published %s", got)
	}
}

func TestMessageIsOnePlainLine(t *testing.T) {
	for _, tt := range []struct{ repo, want string }{
		{"marola", "marola"}, {"a\nb\x1b[1m", "a-b-[1m"}, {"", ""}, {"Ünï", "-n-"}, {strings.Repeat("x", 500), strings.Repeat("x", 100)},
	} {
		if got := plainName(tt.repo); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.repo, got, tt.want)
		}
	}
}

func TestEqualBundlesAreEqualCommits(t *testing.T) {
	a, b := snapshot(t, sample(1)), snapshot(t, sample(1))
	ha, err := a.commit()
	must(t, err)
	hb, err := b.commit()
	must(t, err)
	if ha != hb || a.Tree != b.Tree {
		t.Errorf("%s and %s", ha, hb)
	}
}
