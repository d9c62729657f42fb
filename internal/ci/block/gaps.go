package block

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Kinds of gaps.
const (
	Unheard = "unheard dispatch"
	Unsent  = "unsent dispatch"
	Unread  = "unread artifact"
	Broken  = "broken contract"
)

// A Gap is something in the wiring that leads nowhere.
type Gap struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	File string `json:"file"` // from the workspace's root
	Line int    `json:"line"` // from 1; 0 means the whole file
	Text string `json:"text"` // what is missing, one sentence without its full stop
}

// Gaps are the dispatches that are sent and not heard, or heard and not sent,
// at each place that says so, the artifacts that nothing reads and no line of
// wiring.allow excuses, and the contracts whose files differ. They are sorted by file and line.
func Gaps(w *wiring.Wiring) []Gap {
	gaps := []Gap{}
	for _, d := range w.Dispatches {
		switch {
		case len(d.Heard) == 0:
			for _, p := range d.Sent {
				gaps = append(gaps, Gap{Unheard, d.Type, p.File, p.Line, fmt.Sprintf("the dispatch %q is sent, and nothing in the workspace listens for it", d.Type)})
			}
		case len(d.Sent) == 0:
			for _, p := range d.Heard {
				gaps = append(gaps, Gap{Unsent, d.Type, p.File, p.Line, fmt.Sprintf("the dispatch %q is listened for, and nothing in the workspace sends it", d.Type)})
			}
		}
	}
	for _, a := range w.Artifacts {
		if p, ok := unread(w, a); ok {
			gaps = append(gaps, Gap{Unread, a.Name, p.File, p.Line, fmt.Sprintf("the %s %q is published, and nothing in the workspace pins or reads it", a.Kind, a.Name)})
		}
	}
	for _, c := range w.Contracts {
		if !c.Differs {
			continue
		}
		for _, p := range c.Declared {
			gaps = append(gaps, Gap{Broken, c.Name, p.File, p.Line, fmt.Sprintf("the files of the contract %q are stated to be the same, and are not", c.Name)})
		}
	}
	slices.SortStableFunc(gaps, func(a, b Gap) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name))
	})
	return gaps
}

// readable are the kinds of artifacts that are made for others to read. A
// release without files is none, and who gets a pull request or a push is
// its reader.
var readable = []string{wiring.Image, wiring.ReleaseAsset, wiring.Branch, wiring.Package, wiring.Chart}

// unread is the first place that publishes an artifact which nothing reads.
// What only says that a package's home is here publishes nothing.
func unread(w *wiring.Wiring, a wiring.Artifact) (wiring.Place, bool) {
	if len(a.Read) > 0 || len(a.Pinned) > 0 || a.Allowed != "" || !slices.Contains(readable, a.Kind) {
		return wiring.Place{}, false
	}
	for _, p := range a.Published {
		if p.Note == "home" || strings.HasPrefix(p.Note, "built from ") || a.Kind == wiring.Branch && site(w, p) {
			continue
		}
		return p, true
	}
	return wiring.Place{}, false
}

// site reports a step that publishes a branch as a site: the service reads it.
func site(w *wiring.Wiring, p wiring.Place) bool {
	return slices.ContainsFunc(w.Deploys, func(d wiring.Deploy) bool {
		return d.Kind == "pages" && slices.ContainsFunc(d.By, func(by wiring.Place) bool { return by.File == p.File && by.Line == p.Line })
	})
}
