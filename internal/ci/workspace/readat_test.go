package workspace

import (
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// TestReadAt: a file as it was at a tag, a branch of the remote or a commit;
// nothing for what the clone does not have, or what could be an option.
func TestReadAt(t *testing.T) {
	w := gittest.New(t)
	dir := w.Repo("kit")
	commit(w, dir, "first", map[string]string{"ci/n.yml": "one"})
	first := w.Head(dir)
	w.Git(dir, "tag", "v1")
	commit(w, dir, "second", map[string]string{"ci/n.yml": "two"})
	w.Git(dir, "update-ref", "refs/remotes/origin/next", "HEAD")
	commit(w, dir, "third", map[string]string{"ci/n.yml": "three"})
	r := open(t, w, dir).Repos[0]
	for _, tt := range []struct {
		name, rev, path string
		limit           int64
		want            string
	}{
		{"a tag", "v1", "ci/n.yml", 100, "one"},
		{"a branch of the remote", "next", "ci/n.yml", 100, "two"},
		{"a commit", first, "ci/n.yml", 100, "one"},
		{"a local branch, which another clone does not have", "main", "ci/n.yml", 100, ""},
		{"an unknown tag", "v2", "ci/n.yml", 100, ""},
		{"a commit that is not there", "0123456789abcdef0123456789abcdef01234567", "ci/n.yml", 100, ""},
		{"a file that is not there", "v1", "ci/m.yml", 100, ""},
		{"a folder", "v1", "ci", 100, ""},
		{"a file that is too large", "v1", "ci/n.yml", 2, ""},
		{"an option", "--output=x", "ci/n.yml", 100, ""},
		{"an expression", "v1~0", "ci/n.yml", 100, ""},
		{"a full name", "refs/tags/v1", "ci/n.yml", 100, ""},
		{"nothing", "", "ci/n.yml", 100, ""},
	} {
		data, err := r.ReadAt(t.Context(), tt.rev, tt.path, tt.limit)
		if err != nil || string(data) != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, data, err, tt.want)
		}
	}
}
