package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// LargeRef is the full name of the ref that holds, in git, the large files of
// the bundle on a branch. Plain clones do not get it, and no rule protects it:
// what makes its files the bundle's are their hashes in the manifest.
func LargeRef(branch string) string { return "refs/marola/" + branch + "-large" }

// MayBeLarge reports whether a file of this name may stand on the large ref.
// Only the graph in its form for other tools may: no question reads it.
func MayBeLarge(name string) bool { return name == GraphName || strings.HasPrefix(name, GraphDir) }

// A Partial source may hold a bundle without its large files, as the branch's
// tree does. Any other source has all files of a bundle together.
type Partial interface {
	LacksLarge() bool
}

func isPartial(files Files) bool {
	p, ok := files.(Partial)
	return ok && p.LacksLarge()
}

// ErrNotHere is, by errors.Is, the refusal of [Bundle.Read] for a large file
// that is not at hand. The bundle is whole without it.
var ErrNotHere = errors.New("a large file of the bundle is not here")

// Is makes errors.Is know [ErrNotHere].
func (e *Refused) Is(target error) bool { return target == ErrNotHere && e.notHere }

const getLarge = "route fetch --large gets it"

func notHere(name string) error {
	return &Refused{File: name, notHere: true, Next: getLarge,
		Reason: "it is a large file, which lies on " + LargeRef("routing-bundle") + " of the umbrella and is not here"}
}

// Large returns the rows of the large files, sorted by name.
func (m Manifest) Large() []File {
	var large []File
	for _, f := range m.Files {
		if f.Large {
			large = append(large, f)
		}
	}
	return large
}

// VerifyLarge checks what lies on the large ref against the manifest on the
// branch: exactly the files that it marks large are there, each with its size
// and SHA-256, and each is strict JSON. The error is a *[Refused], or the
// error of reading.
func VerifyLarge(m Manifest, files Files) error {
	large := m.Large()
	names, err := files.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(large, func(f File) bool { return f.Name == name }) {
			return otherLarge(name, "the large ref holds it, but the manifest does not mark it large")
		}
	}
	b := &Bundle{files: files, manifest: m}
	for _, row := range large {
		data, err := b.Read(row.Name)
		if refused := (*Refused)(nil); errors.As(err, &refused) {
			reason := refused.Reason
			if refused.notHere {
				reason = "the manifest marks it large, but the large ref does not hold it"
			}
			return otherLarge(row.Name, reason)
		}
		if err != nil {
			return err
		}
		if err := strictjson.Check(strictjson.TrimBOM(data)); err != nil {
			return otherLarge(row.Name, err.Error())
		}
	}
	return nil
}

// otherLarge refuses large files that are not those of the bundle. A publish
// moves the large ref first, so for a moment they are of the next bundle.
func otherLarge(file, reason string) *Refused {
	return &Refused{File: file, Reason: reason,
		Next: "the bundle is kept without its large files; a publish may be under way, so try once more, then tell whoever publishes the bundle"}
}

// missing explains a listed file that the source does not have.
func missing(row File) error {
	if row.Large {
		return notHere(row.Name)
	}
	return &Refused{File: row.Name, Reason: "the manifest lists it, but it is missing"}
}

// differs explains a file whose bytes are not those that the manifest lists.
func (b *Bundle) differs(row File, format string, args ...any) error {
	r := &Refused{File: row.Name, Reason: fmt.Sprintf(format, args...)}
	if row.Large && isPartial(b.files) {
		r.Next = "route fetch --large gets the one that belongs to this bundle"
	}
	return r
}

// isMissing reports whether an error says that there is no such file.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Over returns the bundle that reads other files and is held to the same
// manifest.
func (b *Bundle) Over(files Files) *Bundle { return &Bundle{files: files, manifest: b.manifest} }
