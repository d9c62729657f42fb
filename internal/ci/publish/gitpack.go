package publish

import (
	"bytes"
	"fmt"
	"io"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/memory"
)

// pack packs the commit with everything under it. What the replaced commit
// holds too stays out: the remote has it, and keeps it as long as its branch
// is there, which the compare-and-swap makes sure of.
func (g *GitRemote) pack(old, commit string) (io.ReadCloser, error) {
	objects := g.prepared[commit]
	if objects == nil {
		return nil, fmt.Errorf("the commit %s was not prepared", commit)
	}
	root := plumbing.NewHash(commit)
	c, err := object.GetCommit(objects, root)
	if err != nil {
		return nil, fmt.Errorf("the commit %s was not prepared: %w", commit, err)
	}
	wanted := map[plumbing.Hash]bool{root: true}
	if err := collect(objects, c.TreeHash, wanted); err != nil {
		return nil, err
	}
	var hashes []plumbing.Hash
	for hash := range wanted {
		if g.held == nil || g.heldAt != old || g.held.HasEncodedObject(hash) != nil {
			hashes = append(hashes, hash)
		}
	}
	sort.Slice(hashes, func(i, j int) bool { return bytes.Compare(hashes[i][:], hashes[j][:]) < 0 })
	return encodePack(objects, hashes)
}

// encodePack writes a pack without deltas: looking for them costs more time
// than it saves bytes, and the server packs again anyway.
func encodePack(objects *memory.Storage, hashes []plumbing.Hash) (io.ReadCloser, error) {
	var b bytes.Buffer
	if _, err := packfile.NewEncoder(&b, objects, false).Encode(hashes, 0); err != nil {
		return nil, err
	}
	return io.NopCloser(&b), nil
}

// collect adds a tree and everything under it.
func collect(objects *memory.Storage, tree plumbing.Hash, into map[plumbing.Hash]bool) error {
	into[tree] = true
	t, err := object.GetTree(objects, tree)
	if err != nil {
		return err
	}
	for _, e := range t.Entries {
		if e.Mode.IsFile() {
			into[e.Hash] = true
		} else if err := collect(objects, e.Hash, into); err != nil {
			return err
		}
	}
	return nil
}

func readAll(o plumbing.EncodedObject) ([]byte, error) {
	r, err := o.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
