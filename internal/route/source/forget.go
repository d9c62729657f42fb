package source

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// Forgotten is what [Forget] removed.
type Forgotten struct {
	Refs   []string // full names, sorted
	Built  string   // what the bundle was built from, as in "main@e77c298"; "" when it cannot be read
	Bytes  int64    // on disk, held by these refs and by no other bundle branch; -1 when git does not tell
	Shared string   // a ref that holds the same commit, or ""
}

// Forget removes the refs that [Fetch] made. The objects go with git's next
// clean-up.
func Forget(ctx context.Context, o Options) (Forgotten, error) {
	var f Forgotten
	git := o.git()
	store := gitstore.Open(ctx, git)
	defer store.Close()
	found, err := store.Commits("HEAD", PrivateRef)
	if err != nil {
		return f, err
	}
	place, _ := gitstore.Locate(o.Dir)
	if found[1].Exists() {
		if s, err := openCommit(Bundled, PrivateRef, found[1], store, place, ""); err == nil {
			f.Built = s.Built()
		}
	}
	var gone []string
	ours := map[string]bool{}
	for _, ref := range listRefs(ctx, git, PrivateRef, PrivateLargeRef, strings.TrimSuffix(incoming, "/")) {
		f.Refs = append(f.Refs, ref.name)
		gone = append(gone, ref.hash)
		ours[ref.name] = true
	}
	if len(gone) == 0 {
		return f, nil
	}
	var kept []string
	for _, ref := range listRefs(ctx, git) {
		switch {
		case ours[ref.name]:
		case ref.hash == found[1].Hash:
			f.Shared = ref.name
			kept = append(kept, ref.hash)
		case path.Base(ref.name) == DefaultBranch:
			kept = append(kept, ref.hash)
		}
	}
	f.Bytes = diskUsage(ctx, git, gone, kept)
	for _, ref := range f.Refs {
		if _, err := git.Output(ctx, "update-ref", "-d", ref); err != nil {
			return f, err
		}
	}
	return f, nil
}

// diskUsage is what the objects reachable from gone and not from kept take
// on disk; -1 when git is too old to tell.
func diskUsage(ctx context.Context, git gitstore.Git, gone, kept []string) int64 {
	args := append([]string{"rev-list", "--objects", "--disk-usage"}, gone...)
	args = append(append(args, "--not"), kept...)
	out, err := git.Output(ctx, args...)
	n, perr := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil || perr != nil {
		return -1
	}
	return n
}
