package assemble

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// A Part is what a build reads of one repository: all that [Join] needs to
// know of it. It depends on the repository's commit, its folder in the
// workspace and the tool, on nothing of the umbrella's other commits.
type Part struct {
	Path string // folder in the workspace, "" for the umbrella
	Head string // the commit read, full

	umbrella  *umbrella // of the umbrella's part alone
	files     []partFile
	changes   []change
	revisions *workspace.Revisions
}

// umbrella is what the umbrella says of the workspace.
type umbrella struct {
	Name       string    `json:"name"`
	URL        string    `json:"url"`
	Branch     string    `json:"branch"`
	CommitTime time.Time `json:"time"`
	Private    []string  `json:"private"` // paths of submodules
	Submodules []pinned  `json:"submodules"`
}

type pinned struct {
	Path string `json:"path"`
	URL  string `json:"url"`
	Head string `json:"head"`
}

type partFile struct {
	workspace.File
	parsed
	manifest, wire, document bool   // which readers get data
	data                     []byte // contents
}

// partVersion changes whenever a part holds something else for the same
// commit: the form of a part, which files it has the contents of, the words
// of its passages.
const partVersion = 4

// partTool is what must be the same for parts to fit together.
var partTool = fmt.Sprintf("%s part %d extract %d words %d passages %d", Tool, partVersion, extract.Version, lexicon.Version, passagesVersion)

// maxRevisions is how many commits of a repository can be named by who calls
// its workflows; one more costs a part some 20 bytes.
const maxRevisions = 1 << 20

// BuildPart reads one repository of w.
func BuildPart(ctx context.Context, w *workspace.Workspace, r *workspace.Repo, o Options) (*Part, error) {
	o.defaults()
	wait := startHistories(ctx, o.CacheDir, r)
	p := &Part{Path: r.Path, Head: r.Head, files: make([]partFile, len(r.Files))}
	pool := o.pool
	if pool == nil {
		children := extract.NewPool(ctx, o.Jobs, 0)
		defer children.Close()
		pool = children
	}
	done := 0
	tick := func() { done++; o.Progress("parse", done, len(r.Files)) }
	results, err := parseRepo(ctx, r, newParser(pool, r, o, newShelf(noBound)), tick, func(file int, data []byte) {
		p.files[file].manifest, p.files[file].data = true, data
	})
	if err != nil {
		return nil, err
	}
	h := wait()
	if h.err != nil {
		return nil, h.err
	}
	p.changes = h.changes
	o.Progress("wiring", 0, 1)
	wires, err := wireRepo(ctx, r)
	if err != nil {
		return nil, err
	}
	for i, f := range r.Files {
		at := &p.files[i]
		at.File, at.parsed = f, results[i]
		if data := wires.Files[i].Data; data != nil {
			at.wire, at.data = true, data
		}
	}
	err = r.Read(ctx, func(n int) bool { return isDocument(r.Files[n]) }, func(n int, data []byte) error {
		p.files[n].document, p.files[n].data = true, data
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if p.revisions, err = r.Revisions(ctx, maxRevisions, maxSize, callables...); err != nil {
		return nil, err
	}
	if r == w.Repos[0] {
		p.umbrella = &umbrella{Name: r.Name, URL: r.URL, Branch: w.Branch, CommitTime: w.CommitTime, Private: o.Private}
		for _, s := range w.Repos[1:] {
			p.umbrella.Submodules = append(p.umbrella.Submodules, pinned{s.Path, s.URL, s.Head})
		}
	}
	return p, nil
}

// Name is how messages call the part.
func (p *Part) Name() string { return cmp.Or(p.Path, "the umbrella") }
