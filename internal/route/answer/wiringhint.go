package answer

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/pattern"
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
		if r := wiring.Named(w.Rows(), name); r != nil {
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

var plainName = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`^[\pL\pN_./:@%+=,-]+$`) })

// quoted is a name as a shell takes it.
func quoted(name string) string {
	if name = plaintext.Line(name, maxAskedName); plainName().Match(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
