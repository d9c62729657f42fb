package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A Report is what [Verify] found in a bundle that is whole.
type Report struct {
	Files int   // number of files that are there, manifest.json included
	Bytes int64 // their sizes together
	Build Build // build.json

	Absent      int   // number of large files that a [Partial] source does not have
	AbsentBytes int64 // their sizes together
}

// Verify checks a whole bundle: every file that the manifest lists is there
// with its size and SHA-256, nothing else is there, every name is one that a
// bundle may hold, every JSON file is strict JSON, and build.json says which
// commit the bundle was made from. Of a [Partial] source large files may be
// absent; those that are there must be right.
//
// The error is a *[Refused] that names the file, or the error of reading.
// Nothing of a bundle may be used before it is nil.
func Verify(files Files) (Report, error) {
	r, err := verify(files)
	return r, Advise(err, BuildAgain)
}

// BuildAgain is the next step for a bundle that is made or handed on here.
const BuildAgain = "build the bundle again with bundle-publish build; if it came from elsewhere, ask for it again"

// Advise gives a refusal that names no next step this one, or that names
// [BuildAgain], where the bundle came from elsewhere. Other errors stay as
// they are.
func Advise(err error, next string) error {
	refused := (*Refused)(nil)
	if !errors.As(err, &refused) || refused.Next != "" && refused.Next != BuildAgain {
		return err
	}
	advised := *refused
	advised.Next = next
	return &advised
}

func verify(files Files) (Report, error) {
	var r Report
	data, err := files.ReadFile(ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return r, rebuild(ManifestName, "it is missing, so nothing says what belongs to the bundle")
	}
	if err != nil {
		return r, err
	}
	if err := strictjson.Check(strictjson.TrimBOM(data)); err != nil {
		return r, rebuild(ManifestName, err.Error())
	}
	b, err := Open(files)
	if err != nil {
		return r, err
	}
	if !b.Has(BuildName) {
		return r, rebuild(BuildName, "the manifest does not list it, so nothing says which commit the bundle was made from")
	}
	if err := onlyListed(b); err != nil {
		return r, err
	}
	r.Files, r.Bytes = 1, int64(len(data))
	for _, row := range b.manifest.Files {
		data, err := b.Read(row.Name)
		if errors.Is(err, ErrNotHere) {
			if !isPartial(files) {
				return r, rebuild(row.Name, "the manifest lists it, but it is missing")
			}
			r.Absent++
			r.AbsentBytes += row.Size
			continue
		}
		if err != nil {
			return r, err
		}
		if strings.HasSuffix(row.Name, ".json") {
			if err := strictjson.Check(strictjson.TrimBOM(data)); err != nil {
				return r, rebuild(row.Name, err.Error())
			}
		}
		if row.Name == BuildName {
			if r.Build, err = ParseBuild(data); err != nil {
				return r, err
			}
		}
		r.Files++
		r.Bytes += row.Size
	}
	return r, nil
}

func onlyListed(b *Bundle) error {
	names, err := b.files.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		switch {
		case !ValidName(name):
			return rebuild(name, "no bundle holds a file of this name")
		case name != ManifestName && !b.Has(name):
			return rebuild(name, "the manifest does not list it")
		}
	}
	return nil
}

// ParseBuild reads build.json and checks the fields that decisions rest on:
// schema, commit and commit time. The error is a *[Refused].
func ParseBuild(data []byte) (Build, error) {
	var b Build
	if err := strictjson.Decode(data, &b); err != nil {
		return b, rebuild(BuildName, err.Error())
	}
	switch {
	case b.Schema != Schema:
		return b, &Refused{File: BuildName, Reason: fmt.Sprintf("its format is version %d, this program reads version %d", b.Schema, Schema),
			Next: "use the program that made the bundle, or build it again with this one"}
	case !isHash(b.Head):
		return b, rebuild(BuildName, fmt.Sprintf("head is %.80q, not a full commit hash", b.Head))
	}
	if _, err := b.Time(); err != nil {
		return b, rebuild(BuildName, fmt.Sprintf("commit_time is %.80q, not a time in the form 2026-10-20T08:00:00Z", b.CommitTime))
	}
	return b, nil
}

// Time is the commit time of the umbrella's commit, in UTC.
func (b Build) Time() (time.Time, error) {
	t, err := time.Parse(time.RFC3339, b.CommitTime)
	return t.UTC(), err
}

// isHash reports whether s is a commit's full name, SHA-1 or SHA-256.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

func rebuild(file, reason string) *Refused {
	return &Refused{File: file, Reason: reason, Next: BuildAgain}
}
