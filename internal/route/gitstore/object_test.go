package gitstore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestReadFileIsThatOfGit: loose and packed objects of both kinds of hashes
// read as git reads them; what is a difference or gone is left to git.
func TestReadFileIsThatOfGit(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			w := gittest.New(t)
			dir := filepath.Join(w.Home, "repo")
			w.Git(w.Home, "init", "-q", "--object-format="+format, dir)
			text := strings.Repeat("some text that compresses well\n", 3000)
			commit := w.CommitTree(dir, "refs/heads/main", w.Tree(dir,
				gittest.Entry{Mode: "100644", Type: "blob", Hash: w.Blob(dir, []byte(text)), Name: bundle.BuildName},
				gittest.Entry{Mode: "120000", Type: "blob", Hash: w.Blob(dir, []byte("x")), Name: bundle.GraphName},
				gittest.Entry{Mode: "100644", Type: "blob", Hash: w.Blob(dir, make([]byte, bundle.MaxFile+1)), Name: bundle.WiringName}))
			place, _ := gitstore.Locate(dir)
			check := func(what string) {
				t.Helper()
				if data, ok, err := place.ReadFile(commit, bundle.BuildName); string(data) != text || !ok || err != nil {
					t.Errorf("%s: %d bytes, %v, %v", what, len(data), ok, err)
				}
				refused := (*bundle.Refused)(nil)
				if _, ok, err := place.ReadFile(commit, bundle.GraphName); !ok || !errors.As(err, &refused) {
					t.Errorf("%s: a symbolic link: %v, %v", what, ok, err)
				}
				if _, ok, err := place.ReadFile(commit, bundle.ManifestName); !ok || !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: a file that is not there: %v, %v", what, ok, err)
				}
				if data, ok, _ := place.ReadFile(commit, bundle.WiringName); ok || data != nil {
					t.Errorf("%s: more than 20 MB are read", what)
				}
				if _, ok, _ := place.ReadFile(w.Git(dir, "rev-parse", "HEAD^{tree}"), bundle.BuildName); ok {
					t.Errorf("%s: a tree passes for a commit", what)
				}
				if !place.HasCommit(commit) || place.HasCommit(strings.Repeat("ab", len(commit)/2)) || place.HasCommit("HEAD") {
					t.Errorf("%s: which commits there are", what)
				}
			}
			check("loose")
			w.Git(dir, "repack", "-adq", "--depth=0")
			w.Git(dir, "prune-packed")
			check("packed")

			store := gitstore.Open(context.Background(), gitstore.Git{Dir: dir, Env: w.Env})
			defer store.Close()
			if data, err := store.File(commit, bundle.BuildName); string(data) != text || err != nil {
				t.Errorf("through git: %d bytes, %v", len(data), err)
			}
			packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
			if err != nil || len(packs) != 1 {
				t.Fatalf("%q, %v", packs, err)
			}
			if err := os.Chmod(packs[0], 0o644); err != nil {
				t.Fatal(err)
			}
			for _, size := range []int64{40, 20, 0} {
				if err := os.Truncate(packs[0], size); err != nil {
					t.Fatal(err)
				}
				if data, ok, _ := place.ReadFile(commit, bundle.BuildName); ok || data != nil {
					t.Errorf("a pack of %d bytes is read", size)
				}
			}
		})
	}
}
