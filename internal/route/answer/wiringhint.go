package answer

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// maxAsked bounds the names of a question that are looked up in the wiring,
// and a name, in bytes.
const maxAsked, maxAskedName = 12, 200

// WiringHint is the line that tells who asks for a name that the wiring, too,
// has it: `WIRING acme/app (image)  route wiring app`. It is "" where no name
// of the question is that of an artifact, a dispatch, a site or a pin.
func (e *Engine) WiringHint(question string) (string, error) {
	names := askedNames(question)
	if len(names) == 0 || !e.bundle.Has(bundle.WiringName) {
		return "", nil
	}
	data, err := e.bundle.Read(bundle.WiringName)
	if err != nil {
		return "", err
	}
	// Most names are not in the wiring, and to read it whole takes long.
	data = bytes.ToLower(data)
	for _, name := range names {
		if !bytes.Contains(data, bytes.ToLower([]byte(name))) {
			continue
		}
		w, err := e.wires()
		if err != nil {
			return "", err
		}
		if r := calledSo(w.Rows(), name); r != nil {
			return fmt.Sprintf("WIRING %s (%s)  route wiring %s", plaintext.Line(r.Name, maxLabel), plaintext.Line(r.Kind, maxWord), quoted(name)), nil
		}
	}
	return "", nil
}

// askedNames are the words of a question that may be the name of something
// wired: the whole of it, and each word that is put together of several.
func askedNames(question string) (names []string) {
	fields := strings.Fields(question[:min(len(question), 4096)])
	for _, f := range fields {
		f = strings.Trim(f, "`'\"(),;:!?[]{}")
		f = strings.TrimRight(f, ".")
		if f == "" || len(f) > maxAskedName || len(names) == maxAsked || len(fields) > 1 && !strings.ContainsAny(f, "-./_") {
			continue
		}
		names = append(names, f)
	}
	return names
}

// hinted reports a kind of row that a question for code may mean. That files
// are handed from job to job, or that an event starts something, is not.
func hinted(kind string) bool {
	return kind != wiring.RunArtifact && kind != wiring.Cache && kind != "trigger" && kind != wiring.CallAction && !strings.HasPrefix(kind, "unresolved ")
}

// calledSo is the row that is about what has this name: by its own name, the
// last segment of it, what stands before the part that varies, or by a file
// that pins nothing else. It is nil where there is none.
func calledSo(rows []wiring.Row, name string) *wiring.Row {
	asked := lexicon.Fold(name)
	pinnedBy, pins := -1, 0
	for i, r := range rows {
		if !hinted(r.Kind) {
			continue
		}
		have := lexicon.Fold(r.Name)
		stem, _, _ := strings.Cut(path.Base(r.Name), "<")
		if have == asked || strings.HasSuffix(have, "/"+asked) || lexicon.Fold(strings.TrimRight(stem, "-_.")) == asked {
			return &rows[i]
		}
		if pinnedIn(r, asked) {
			pinnedBy, pins = i, pins+1
		}
	}
	if pins == 1 {
		return &rows[pinnedBy]
	}
	return nil
}

// pinnedIn reports whether a file of this base name pins what a row is about.
func pinnedIn(r wiring.Row, asked string) bool {
	for _, g := range r.Groups {
		for _, p := range g.Places {
			if g.Role == wiring.PinnedIn && lexicon.Fold(path.Base(p.File)) == asked {
				return true
			}
		}
	}
	return false
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN_./:@%+=,-]+$`) })

// quoted is a name as a shell takes it.
func quoted(name string) string {
	if name = plaintext.Line(name, maxAskedName); plainName().MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
