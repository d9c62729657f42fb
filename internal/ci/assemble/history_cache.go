package assemble

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
)

// A historyCache keeps which files the commits of a repository changed. It is
// a help, never a source of truth: a file that is damaged is an empty cache,
// one that cannot be written costs the next build a moment.
type historyCache struct {
	path  string              // "" keeps nothing
	known map[string][]string // state of a commit → paths, one too many at the most
}

// historyMagic begins the file; then come the SHA-256 of the rest and, for
// each commit, its state, its paths and an empty text, each ended by NUL.
const historyMagic = "marola history 1\n"

// maxHistory is more than the history of any repository takes, in bytes.
const maxHistory = 64 << 20

func openHistoryCache(dir string, r *workspace.Repo) *historyCache {
	if dir == "" {
		return &historyCache{}
	}
	c := &historyCache{path: filepath.Join(dir, cacheName(r)+".history")}
	if st, err := os.Stat(c.path); err == nil && st.Mode().IsRegular() && st.Size() <= maxHistory {
		data, _ := os.ReadFile(c.path) // what cannot be read is not sound
		c.known = decodeHistory(data)
	}
	return c
}

// decodeHistory gives nil for what is not sound.
func decodeHistory(data []byte) map[string][]string {
	body, ours := bytes.CutPrefix(data, []byte(historyMagic))
	if !ours || len(body) < sha256.Size {
		return nil
	}
	sum, body := body[:sha256.Size], body[sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil
	}
	known := map[string][]string{}
	state, paths := "", []string(nil)
	for field := range bytes.SplitSeq(body, []byte{0}) {
		switch {
		case state == "":
			state = string(field)
		case len(field) > 0:
			paths = append(paths, string(field))
		default:
			known[state] = paths
			state, paths = "", nil
		}
	}
	return known
}

// save keeps these commits, and no others, where there is a new one.
func (c *historyCache) save(commits []workspace.Commit) {
	fresh := false
	for _, commit := range commits {
		if _, there := c.known[commit.State]; !there {
			fresh = true
			break
		}
	}
	if c.path == "" || !fresh {
		return
	}
	body := []byte{}
	for _, commit := range commits {
		body = append(append(body, commit.State...), 0)
		for _, p := range commit.Paths[:min(len(commit.Paths), maxFilesOfCommit+1)] {
			body = append(append(body, p...), 0)
		}
		body = append(body, 0)
	}
	sum := sha256.Sum256(body)
	_ = c.write([]byte(historyMagic), sum[:], body)
}

func (c *historyCache) write(pieces ...[]byte) error {
	dir := filepath.Dir(c.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, filepath.Base(c.path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(bytes.Join(pieces, nil))
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
