package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A program is the running route in a status: which version, and whether it
// is the one that the repository's lock of skills pins.
type program struct {
	Version  string `json:"version"`
	Platform string `json:"platform"`         // as in "linux-amd64"
	Blob     string `json:"blob,omitempty"`   // git's hash of the file, as skills.lock records it; "" when git did not say
	Skill    string `json:"skill,omitempty"`  // the commit that skills.lock pins; "" outside a skill, or without a lock
	Pinned   string `json:"pinned,omitempty"` // the hash that skills.lock has for this file
}

// thisProgram describes the running program.
func thisProgram(ctx context.Context, p command.Process) program {
	this := program{Version: bundle.Version(), Platform: runtime.GOOS + "-" + runtime.GOARCH}
	file, err := os.Executable()
	if err != nil {
		return this
	}
	git := gitstore.Git{Dir: filepath.Dir(file), Env: p.Env}
	if out, err := git.Output(ctx, "hash-object", "--no-filters", "--", file); err == nil && gitstore.IsHash(strings.TrimSpace(string(out))) {
		this.Blob = strings.TrimSpace(string(out))
	}
	skill, name, ok := skillOf(filepath.ToSlash(file))
	if !ok {
		return this
	}
	var lock struct {
		Skills map[string]struct {
			Commit string            `json:"commit"`
			Files  map[string]string `json:"files"`
		} `json:"skills"`
	}
	if data, err := readLock(filepath.Join(filepath.Dir(filepath.FromSlash(skill)), "skills.lock")); err == nil && strictjson.Decode(data, &lock) == nil {
		row := lock.Skills[filepath.Base(skill)]
		if gitstore.IsHash(row.Commit) {
			this.Skill = row.Commit
		}
		if gitstore.IsHash(row.Files[name]) {
			this.Pinned = row.Files[name]
		}
	}
	return this
}

// skillOf cuts the path of a vendored program into its skill's directory and
// its name below that.
func skillOf(file string) (skill, name string, ok bool) {
	const dir = "/.claude/skills/"
	i := strings.LastIndex(file, dir)
	if i < 0 {
		return "", "", false
	}
	skill, name, ok = strings.Cut(file[i+len(dir):], "/")
	return file[:i+len(dir)] + skill, name, ok
}

// readLock reads a file of at most a megabyte.
func readLock(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 1<<20))
}

// String is the line for people.
func (p program) String() string {
	line := "route " + p.Version + ", " + p.Platform
	if p.Blob != "" {
		line += ", blob " + p.Blob[:12]
	}
	switch {
	case p.Skill == "" && p.Pinned == "":
		return line
	case p.Pinned == "" || p.Blob == "":
		return line + ", skill pinned at " + short(p.Skill)
	case p.Pinned == p.Blob:
		return line + ", as skills.lock pins it at " + short(p.Skill)
	}
	return line + ", which is not the file that skills.lock pins at " + short(p.Skill)
}

func short(hash string) string { return hash[:min(7, len(hash))] }
