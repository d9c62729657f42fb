package wire

import (
	"bytes"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A file is one file with contents.
type file struct {
	repo  int    // number of its repository, or -1 for a callee from outside of the workspace
	name  string // short name of the repository
	path  string // in its repository
	at    string // from the workspace's root
	data  []byte // without a byte order mark
	lines [][]byte

	slug, ref string // of a callee from outside: the owner/repo and the ref it was named by
}

func (x *extraction) newFile(repo int, f File) *file {
	r := x.repos[repo]
	return &file{repo: repo, name: r.Name, path: f.Path, at: path.Join(r.Path, f.Path), data: bytes.TrimPrefix(f.Data, []byte("\xef\xbb\xbf"))}
}

// base is the last segment of the path.
func (f *file) base() string { return path.Base(f.path) }

// dir is the folder in the repository, "" for its root.
func (f *file) dir() string { return strings.TrimPrefix(path.Dir("/"+f.path), "/") }

// line is the text of a line, from 1, without its end; "" for one that the
// file does not have.
func (f *file) line(n int) string {
	if f.lines == nil {
		f.lines = bytes.Split(f.data, []byte("\n"))
	}
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return strings.TrimSuffix(string(f.lines[n-1]), "\r")
}

// place is line n of the file, with its text as evidence.
func (f *file) place(n int) wiring.Place {
	return wiring.Place{Repo: f.name, File: f.at, Line: n, Evidence: evidence(f.line(n), "")}
}

// pin is a place that names a version, which stays readable in the evidence
// though it may look like a key.
func (f *file) pin(n int, version string) wiring.Place {
	return wiring.Place{Repo: f.name, File: f.at, Line: n, Version: clip(version, wiring.MaxName), Evidence: evidence(f.line(n), version)}
}

// maxLine is how much of a line is looked at for evidence, in bytes: enough
// for what is shown, whatever a generated file has in one line.
const maxLine = 4 * wiring.MaxText

// evidence makes a line of a file safe to publish: one line, of limited
// length, without what looks like a key, version excepted.
func evidence(line, version string) string {
	line = strings.TrimSpace(line)
	if len(line) > maxLine {
		line = line[:maxLine]
	}
	line = secret.MaskLine(line)
	if version == "" || !strings.Contains(line, version) {
		return clip(secret.Mask(line), wiring.MaxText)
	}
	parts := strings.Split(line, version)
	for i := range parts {
		parts[i] = secret.Mask(parts[i])
	}
	return clip(strings.Join(parts, version), wiring.MaxText)
}

// clip makes foreign text one visible line of at most limit bytes.
func clip(s string, limit int) string {
	return strings.TrimSpace(plaintext.Line(strings.ToValidUTF8(s, ""), limit))
}
