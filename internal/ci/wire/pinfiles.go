package wire

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// VersionFile is the kind of a file that holds one version, which scripts or
// workflows read.
const versionFile = "version file"

// joinPinFiles says what the files that hold one version pin. Which file is
// one, its content tells; what it pins, those that read it do: a script that
// names the file and fetches something fetches it at that version.
func joinPinFiles(x *extraction) {
	fetched := map[*file][]fact{}
	for _, f := range x.facts {
		if f.role == read && (f.kind == wiring.ReleaseAsset || f.kind == wiring.Image || f.kind == wiring.Repository) {
			if at := x.fileAt(f.place.File); at != nil {
				fetched[at] = append(fetched[at], f)
			}
		}
	}
	for _, p := range x.pins {
		if p.Kind == pin.PinFile && p.Role == pin.Pins {
			x.pinFile(p, fetched)
		}
	}
}

// fileAt is the file with contents at a path from the workspace's root.
func (x *extraction) fileAt(at string) *file {
	repo, name := x.split(at)
	return x.byPath[place{repo, name}]
}

// pinFile says what one such file pins, and who reads it.
func (x *extraction) pinFile(p pinFact, fetched map[*file][]fact) {
	version := p.Version
	var things []fact // what its readers get at its version
	var readers []wiring.Place
	for _, f := range x.files {
		if f.repo != p.file.repo || f == p.file {
			continue
		}
		line := namedIn(f, p.file)
		if line == 0 {
			continue
		}
		readers = append(readers, f.place(line))
		for _, thing := range fetched[f] {
			if varies(thing) || thing.place.Version == version { // a script's text tells, or the file that it reads did
				things = append(things, thing)
			}
		}
	}
	for _, q := range x.pins {
		if q.file == p.file && q.Kind == pin.Image {
			things = append(things, fact{kind: wiring.Image, name: q.Name})
			version = q.Version
		}
	}
	if len(readers) == 0 {
		return
	}
	if len(things) == 0 {
		things = []fact{{kind: versionFile, name: p.file.base(), repo: p.file.name}}
	}
	seen := map[key]bool{}
	for _, thing := range things {
		made := fact{role: pinned, kind: thing.kind, name: thing.name, repo: thing.repo, place: p.file.pin(p.Line, version)}
		if seen[made.key()] {
			continue
		}
		seen[made.key()] = true
		x.add(made)
		for _, at := range readers {
			if slices.ContainsFunc(fetched[x.fileAt(at.File)], func(f fact) bool { return f.kind == thing.kind && f.name == thing.name && f.repo == thing.repo }) {
				continue // said already, by the line that fetches it
			}
			at.Note = "through " + p.file.base()
			x.add(fact{role: read, kind: thing.kind, name: thing.name, repo: thing.repo, place: at})
		}
	}
}

// varies reports a thing that is fetched at a version which the line does
// not give.
func varies(f fact) bool {
	v := f.place.Version
	return v == "" || strings.ContainsAny(v, "$<{%")
}

// namedIn is the first line of f, no comment, that names the file p as one
// names a file, or 0.
func namedIn(f, p *file) int {
	name := p.base()
	if !bytes.Contains(f.data, []byte(name)) {
		return 0
	}
	f.line(1)
	for i, raw := range f.lines {
		if !bytes.Contains(raw, []byte(name)) {
			continue
		}
		text := strings.TrimSpace(string(raw))
		if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") || len(text) > maxLine {
			continue
		}
		if namesFile(text, name) {
			return i + 1
		}
	}
	return 0
}

// readers of files, as they stand before a plain word that is one's name.
var readWords = []string{"cat ", "<", "< ", "/", "head ", "read ", "readFile(\"", "open(\"", "open('", "source ", "file(\"", "File(\"", "read_text(\"", "Path(\""}

// namesFile reports whether a text has the name as that of a file. A name
// with a dot or a dash is hardly anything else; a plain word must stand where
// a file is read.
func namesFile(text, name string) bool {
	plain := !strings.ContainsAny(strings.TrimSuffix(name, path.Ext(name))+strings.TrimPrefix(path.Ext(name), "."), ".-") && path.Ext(name) == ""
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		before, after := text[:i], text[from:]
		if after != "" && isNameByte(after[0]) && !(after[0] == '.' && (len(after) == 1 || after[1] == ' ')) || before != "" && isNameByte(before[len(before)-1]) {
			continue
		}
		if !plain {
			return true
		}
		if slices.ContainsFunc(readWords, func(w string) bool { return strings.HasSuffix(before, w) }) {
			return true
		}
	}
}

func isNameByte(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
