package skillproposal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
)

const below = ".claude/skills"

var base = strings.Repeat("a", 40)

// good is a proposal that writes, empties and removes a file.
func good() Proposal {
	p := Proposal{Base: base, Report: "# Report\n", Contents: map[string][]byte{}}
	for name, data := range map[string]string{"routing/SKILL.md": "text\n", "routing/empty": ""} {
		blob := skillslock.Blob([]byte(data))
		p.Contents[blob] = []byte(data)
		p.Files = append(p.Files, File{Path: below + "/" + name, Blob: blob, Executable: name == "routing/empty"})
	}
	p.Files = append(p.Files, File{Path: below + "/routing/old"})
	return p
}

func TestWriteAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a proposal")
	p := good()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir, below)
	if err != nil || got.Base != base || got.Report != p.Report || len(got.Files) != 3 || len(got.Contents) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	for blob, data := range p.Contents {
		if have, ok := got.Contents[blob]; !ok || string(have) != string(data) {
			t.Errorf("%s is %q", blob, have)
		}
	}
	if err := p.Write(dir); err == nil {
		t.Error("a directory that holds something is written over")
	}
	none := filepath.Join(t.TempDir(), "none")
	if err := (Proposal{Base: base}).Write(none); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(none, below); err != nil || len(got.Files) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestReadRefuses: what a job that was taken over could hand on.
func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string, p *Proposal) // before it is written, or after
		want   string
	}{
		"a workflow":               {func(_ string, p *Proposal) { p.Files[0].Path = ".github/workflows/x.yml" }, "is not below"},
		"the way up":               {func(_ string, p *Proposal) { p.Files[0].Path = below + "/../../Makefile" }, "is not below"},
		"a directory like it":      {func(_ string, p *Proposal) { p.Files[0].Path = below + "x/y" }, "is not below"},
		"git's own":                {func(_ string, p *Proposal) { p.Files[0].Path = below + "/.git/config" }, "is not below"},
		"P25 a name of Windows":    {func(_ string, p *Proposal) { p.Files[0].Path = below + "/x/aux.md" }, "is not below"},
		"the same file twice":      {func(_ string, p *Proposal) { p.Files[0].Path = p.Files[1].Path }, "twice"},
		"no commit":                {func(_ string, p *Proposal) { p.Base = "main" }, "no commit"},
		"a hash that is a path":    {func(_ string, p *Proposal) { p.Files[0].Blob = "../../x" }, "no hash"},
		"contents that are absent": {func(_ string, p *Proposal) { clear(p.Contents) }, "is not there"},
		"other contents": {func(_ string, p *Proposal) {
			for blob := range p.Contents {
				p.Contents[blob] = []byte("other")
			}
		}, "not what its hash says"},
		"a link": {func(dir string, p *Proposal) {
			if dir == "" {
				return
			}
			blob := filepath.Join(dir, blobsDir, p.Files[0].Blob)
			if err := errors.Join(os.Remove(blob), os.Symlink("/etc/passwd", blob)); err != nil {
				t.Fatal(err)
			}
		}, "not a plain file"},
		"another version": {func(dir string, _ *Proposal) {
			if dir != "" {
				rewrite(t, filepath.Join(dir, listName), `"version": 1`, `"version": 2`)
			}
		}, "its version is 2"},
		"a key that stands twice": {func(dir string, _ *Proposal) {
			if dir != "" {
				rewrite(t, filepath.Join(dir, listName), `"version": 1`, `"version": 1, "base": "x"`)
			}
		}, "stands twice"},
		"no report": {func(dir string, _ *Proposal) {
			if dir != "" {
				if err := os.Remove(filepath.Join(dir, reportName)); err != nil {
					t.Fatal(err)
				}
			}
		}, "report.md is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "p")
			p := good()
			c.change("", &p)
			if err := p.Write(dir); err != nil {
				t.Fatal(err)
			}
			c.change(dir, &p)
			_, err := Read(dir, below)
			if refused := (*Refused)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) || refused.Hint() == "" {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

func rewrite(t *testing.T, file, from, to string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLongReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	p := good()
	p.Report = strings.Repeat("é line\n", 20_000)
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir, below)
	if err != nil || len(got.Report) > maxReport+10 || !strings.HasSuffix(got.Report, "line\n\n(cut)\n") {
		t.Errorf("the report has %d bytes and ends with %q, %v", len(got.Report), got.Report[max(0, len(got.Report)-20):], err)
	}
}
