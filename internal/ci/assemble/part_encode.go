package assemble

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// A part's file: a line that names the form, a line with the SHA-256 of the
// rest, then a gzip stream of numbers and texts. It comes from a cache or
// another job, so reading trusts nothing in it.
const partMagic = "marola-routing part\n"

// Most bytes that a part may have, in its file and unpacked.
const (
	maxPartFile = 512 << 20
	maxPartBody = 2 << 30
)

const partHeadSize = len(partMagic) + 2*sha256.Size + 1

// partLabel begins the body, and is checked before the rest is looked at.
type partLabel struct {
	Tool     string    `json:"tool"`
	Path     string    `json:"path"`
	Head     string    `json:"head"`
	Umbrella *umbrella `json:"umbrella,omitempty"`
}

// What a file of a part has.
const (
	hasResult = 1 << iota
	isBuildFile
	isWireFile
	isDocumentFile
)

// Encode is the part as a file. The same commit gives the same bytes.
func (p *Part) Encode() ([]byte, error) {
	body := p.body()
	if len(body) > maxPartBody {
		return nil, &PartError{p.Name(), fmt.Sprintf("it would have %d bytes; at most %d are read", len(body), maxPartBody), "leave generated files out of the repository, or build the bundle in one run"}
	}
	return packPart(body), nil
}

// body is what is packed.
func (p *Part) body() []byte {
	label, _ := json.Marshal(partLabel{partTool, p.Path, p.Head, p.umbrella}) // texts and a valid time cannot fail
	w := &partWriter{}
	w.bytes(label)
	w.number(len(p.files))
	for _, f := range p.files {
		w.file(f)
	}
	w.changes(p.changes)
	w.revisions(p.revisions)
	return w.out
}

func packPart(body []byte) []byte {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // a level that exists, and a buffer takes everything
	_, _ = z.Write(body)
	_ = z.Close()
	sum := sha256.Sum256(packed.Bytes())
	return slices.Concat([]byte(partMagic), []byte(hex.EncodeToString(sum[:])+"\n"), packed.Bytes())
}

// unpackPart gives the body, or the reason why it is not to be used.
func unpackPart(data []byte) (body, reason string) {
	if !bytes.HasPrefix(data, []byte(partMagic)) || len(data) < partHeadSize {
		return "", "it is no part of a bundle"
	}
	packed := data[partHeadSize:]
	if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:])+"\n" != string(data[len(partMagic):partHeadSize]) {
		return "", "it is damaged: its SHA-256 is not the one it names"
	}
	var b strings.Builder
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		_, err = io.Copy(&b, io.LimitReader(z, maxPartBody+1))
	}
	if err != nil {
		return "", "it is damaged: " + err.Error()
	}
	if b.Len() > maxPartBody {
		return "", fmt.Sprintf("it has more than %d bytes unpacked", maxPartBody)
	}
	return b.String(), ""
}

type partWriter struct{ out []byte }

func (w *partWriter) number(n int)      { w.out = binary.AppendUvarint(w.out, uint64(n)) }
func (w *partWriter) text(s string)     { w.out = appendText(w.out, s) }
func (w *partWriter) bytes(data []byte) { w.number(len(data)); w.out = append(w.out, data...) }

func (w *partWriter) file(f partFile) {
	flags := 0
	for flag, has := range map[int]bool{hasResult: f.reason == "", isBuildFile: f.manifest, isWireFile: f.wire, isDocumentFile: f.document} {
		if has {
			flags |= flag
		}
	}
	w.text(f.Path)
	w.text(f.Blob)
	w.number(int(f.Size))
	w.number(flags)
	if f.reason == "" {
		w.text(f.trouble)
		w.bytes(extract.Append(nil, f.parsed.file))
	}
	w.bytes(encodeExtra(f.reason, f.passages))
	if f.manifest || f.wire || f.document {
		w.bytes(f.data)
	}
}

// changes writes paths in full: packing makes them small.
func (w *partWriter) changes(list []change) {
	w.number(len(list))
	for _, c := range list {
		w.text(c.subject)
		w.number(len(c.paths))
		for _, p := range c.paths {
			w.text(p)
		}
	}
}

func (w *partWriter) revisions(v *workspace.Revisions) {
	w.number(len(v.Names))
	for _, name := range slices.Sorted(maps.Keys(v.Names)) {
		w.text(name)
		w.text(v.Names[name])
	}
	w.number(len(v.Commits))
	for _, c := range v.Commits {
		w.text(c.ID)
		w.number(c.Parent + 1)
		w.number(len(c.Changes))
		for _, name := range slices.Sorted(maps.Keys(c.Changes)) {
			w.text(name)
			w.text(c.Changes[name])
		}
	}
	w.number(len(v.Blobs))
	for _, id := range slices.Sorted(maps.Keys(v.Blobs)) {
		w.text(id)
		w.bytes(v.Blobs[id])
	}
}

// ReadPart reads a part's file of this name. Errors are *[PartError].
func ReadPart(name string, in io.Reader) (*Part, error) {
	refuse := func(format string, args ...any) (*Part, error) {
		return nil, &PartError{name, fmt.Sprintf(format, args...), "build this part again, without the cached one"}
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPartFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxPartFile {
		return refuse("it has more than %d bytes", maxPartFile)
	}
	body, reason := unpackPart(data)
	if reason != "" {
		return refuse("%s", reason)
	}
	r := &partReader{rest: body}
	var head partLabel
	if err := json.Unmarshal([]byte(r.text()), &head); r.bad || err != nil {
		return refuse("it is damaged: its head cannot be read")
	}
	if head.Tool != partTool {
		return nil, &PartError{name, fmt.Sprintf("it was built by %q, this is %q", clipPart(head.Tool), partTool), "build all parts with one version of bundle-publish; let the key of a cache name the version"}
	}
	p := &Part{Path: head.Path, Head: head.Head, umbrella: head.Umbrella}
	if reason := p.check(); reason != "" {
		return refuse("%s", reason)
	}
	p.files = make([]partFile, r.count(5))
	for i := range p.files {
		p.files[i] = r.file()
		if i > 0 && p.files[i].Path <= p.files[i-1].Path {
			r.bad = true
		}
		if r.bad {
			break
		}
	}
	p.changes = r.changes()
	if p.revisions = r.revisions(); r.bad || r.rest != "" {
		return refuse("it is damaged: its contents cannot be read")
	}
	return p, nil
}

// check says what a head claims that cannot be.
func (p *Part) check() string {
	if !commitID(p.Head) || p.Path != "" && !index.ValidPath(p.Path) || (p.Path == "") != (p.umbrella != nil) {
		return "it does not say which repository and commit it is of"
	}
	if p.umbrella == nil {
		return ""
	}
	if y := p.umbrella.CommitTime.UTC().Year(); y < 1 || y > 9999 || p.umbrella.CommitTime.Location() != time.UTC {
		return "it has a commit time that no bundle can have"
	}
	seen := map[string]bool{}
	for _, s := range p.umbrella.Submodules {
		if !index.ValidPath(s.Path) || !commitID(s.Head) || seen[s.Path] {
			return "it names a submodule that cannot be"
		}
		seen[s.Path] = true
	}
	for _, private := range p.umbrella.Private {
		if !seen[private] {
			return "it calls private what is no submodule"
		}
	}
	return ""
}

func commitID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// A partReader reads what a partWriter wrote. Once it is bad, all that it
// gives is empty.
type partReader struct {
	rest string
	bad  bool
}

func (r *partReader) number(limit int) int {
	x, shift := uint64(0), 0
	for i := 0; i < len(r.rest) && i < 9; i++ {
		b := r.rest[i]
		x |= uint64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			if x > uint64(limit) {
				break
			}
			return int(x)
		}
	}
	r.bad, r.rest = true, ""
	return 0
}

func (r *partReader) text() string {
	n := r.number(len(r.rest))
	if n > len(r.rest) {
		r.bad, r.rest = true, ""
	}
	if r.bad {
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// count reads how many rows follow, each of at least so many bytes.
func (r *partReader) count(least int) int { return r.number(len(r.rest) / least) }

func (r *partReader) file() (f partFile) {
	f.Path, f.Blob, f.Size = r.text(), r.text(), int64(r.number(1<<50))
	flags := r.number(hasResult | isBuildFile | isWireFile | isDocumentFile)
	if flags&hasResult != 0 {
		f.trouble = r.text()
		var err error
		if f.parsed.file, err = extract.Decode([]byte(r.text())); err != nil {
			r.bad = true
		}
	}
	var ok bool
	if f.reason, f.passages, ok = decodeExtra([]byte(r.text())); !ok || (f.reason == "") != (flags&hasResult != 0) {
		r.bad = true
	}
	f.manifest, f.wire, f.document = flags&isBuildFile != 0, flags&isWireFile != 0, flags&isDocumentFile != 0
	if f.manifest || f.wire || f.document {
		f.data = append([]byte{}, r.text()...)
	}
	return f
}

func (r *partReader) changes() []change {
	var list []change
	for range r.count(3) {
		c := change{subject: r.text()}
		for range r.count(1) {
			c.paths = append(c.paths, r.text())
		}
		list = append(list, c)
	}
	return list
}

func (r *partReader) revisions() *workspace.Revisions {
	v := &workspace.Revisions{Names: map[string]string{}, Blobs: map[string][]byte{}}
	for range r.count(2) {
		name := r.text()
		v.Names[name] = r.text()
	}
	for range r.count(3) {
		c := workspace.Revision{ID: r.text(), Parent: r.number(len(v.Commits)) - 1}
		for range r.count(2) {
			if c.Changes == nil {
				c.Changes = map[string]string{}
			}
			name := r.text()
			c.Changes[name] = r.text()
		}
		v.Commits = append(v.Commits, c)
	}
	for range r.count(2) {
		id := r.text()
		v.Blobs[id] = []byte(r.text())
	}
	return v
}
