// Package skillproposal carries an update of vendored skills from the job that
// reads what others wrote to the job that may write, and opens the pull
// request.
//
// A proposal is a directory of data: which files change, on top of which
// commit, and what they hold. Who opens it runs nothing of it, and takes files
// below one directory only, so that whatever happened to the job that made it
// can change skills in a pull request that people review, and nothing else.
package skillproposal

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// Names in a proposal's directory.
const (
	listName   = "proposal.json"
	reportName = "report.md"
	blobsDir   = "blobs"
)

// Bounds of a proposal.
const (
	maxList   = 4 << 20 // bytes of proposal.json
	maxFiles  = 5000
	maxReport = 65_000 // bytes; a pull request's text has at most 65,536 characters
)

const version = 1

// A Proposal is one change of a repository.
type Proposal struct {
	Version int    `json:"version"`
	Base    string `json:"base"` // the commit that it was made from, 40 hex digits
	Files   []File `json:"files"`

	Report   string            `json:"-"` // Markdown
	Contents map[string][]byte `json:"-"` // by git's hash
}

// A File is one file that changes.
type File struct {
	Path       string `json:"path"`           // from the repository's top, with slashes
	Blob       string `json:"blob,omitempty"` // git's hash of the contents, or "" when the file is removed
	Executable bool   `json:"executable,omitempty"`
}

// A Refused is a proposal that is not taken.
type Refused struct{ text string }

func (e *Refused) Error() string { return "the proposal is refused: " + e.text }

// Hint is the next step.
func (e *Refused) Hint() string {
	return "nothing was sent; look at the job that made it, and at where its artifact came from"
}

func refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// Write writes a proposal to dir, which is made, and must be empty.
func (p Proposal) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if held, err := os.ReadDir(dir); err != nil || len(held) > 0 {
		return fmt.Errorf("%s is not empty", dir)
	}
	p.Version = version
	if p.Files == nil {
		p.Files = []File{}
	}
	list, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		err = root.WriteFile(listName, append(list, '\n'), 0o644)
	}
	if err == nil {
		err = root.WriteFile(reportName, []byte(p.Report), 0o644)
	}
	if err == nil {
		err = root.Mkdir(blobsDir, 0o755)
	}
	for blob, data := range p.Contents {
		if err == nil {
			err = root.WriteFile(path.Join(blobsDir, blob), data, 0o644)
		}
	}
	return err
}

// Read reads a proposal whose files are all below this directory of the
// repository, as in ".claude/skills".
func Read(dir, below string) (p Proposal, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return p, err
	}
	defer root.Close()
	list, err := read(root, listName, maxList)
	if err != nil {
		return p, err
	}
	if err := strictjson.Decode(list, &p); err != nil {
		return p, refuse("%s: %v", listName, err)
	}
	if err := p.check(below); err != nil {
		return p, err
	}
	report, err := read(root, reportName, 1<<20)
	if err != nil {
		return p, err
	}
	p.Report = cut(string(report))
	p.Contents = map[string][]byte{}
	total := 0
	for _, f := range p.Files {
		if f.Blob == "" || p.Contents[f.Blob] != nil {
			continue
		}
		data, err := read(root, path.Join(blobsDir, f.Blob), skillslock.MaxFile)
		if err != nil {
			return p, err
		}
		if skillslock.Blob(data) != f.Blob {
			return p, refuse("%s is not what its hash says", f.Path)
		}
		if total += len(data); total > skillslock.MaxSkill {
			return p, refuse("it has more than %d bytes", skillslock.MaxSkill)
		}
		p.Contents[f.Blob] = append([]byte{}, data...) // not nil, though it may be empty
	}
	return p, nil
}

func (p Proposal) check(below string) error {
	switch {
	case p.Version != version:
		return refuse("its version is %d, and only %d is known", p.Version, version)
	case !hash(p.Base):
		return refuse("its base is no commit")
	case len(p.Files) > maxFiles:
		return refuse("it has %d files; at most %d are taken", len(p.Files), maxFiles)
	}
	var paths []string
	for _, f := range p.Files {
		switch {
		case !skillslock.ValidPath(f.Path) || !strings.HasPrefix(f.Path, below+"/"):
			return refuse("%q is not below %s", plaintext.Line(f.Path, 200), below)
		case f.Blob != "" && !hash(f.Blob), f.Blob == "" && f.Executable:
			return refuse("%s has contents of no hash", f.Path)
		}
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	if len(slices.Compact(slices.Clone(paths))) != len(paths) {
		return refuse("a file stands in it twice")
	}
	return nil
}

func hash(s string) bool { return len(s) == 40 && gitstore.IsHash(s) }

// cut is a text that fits into a pull request, cut after a whole line.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "�")
	if len(text) <= maxReport {
		return text
	}
	text = text[:maxReport]
	return text[:strings.LastIndexByte(text, '\n')+1] + "\n(cut)\n"
}

func read(root *os.Root, name string, most int64) ([]byte, error) {
	st, err := root.Lstat(name)
	if err != nil {
		return nil, refuse("%s is not there", name)
	}
	if !st.Mode().IsRegular() || st.Size() > most {
		return nil, refuse("%s is not a plain file, or has more than %d bytes", name, most)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
