package assemble

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// A source is one indexed file.
type source struct {
	repo int
	path string // from the workspace's root
	parsed
}

// collected is what was read of the workspace.
type collected struct {
	sources   []source // in order of repository and path
	units     []resolve.Unit
	manifests resolve.Manifests
	leftOut   map[string]int // reason → files
	unparsed  map[string]int // trouble → files
	shelf     *shelf
}

func newCollected(s *shelf) *collected {
	return &collected{manifests: resolve.Manifests{}, leftOut: map[string]int{}, unparsed: map[string]int{}, shelf: s}
}

// maxSize is the largest file that is looked into, in bytes: what is larger
// is data or generated.
const maxSize = extract.MaxSize

// collect reads and parses every tracked file.
func collect(ctx context.Context, w *workspace.Workspace, o Options) (*collected, error) {
	c := newCollected(newShelf(o.held))
	total, done := 0, 0
	for _, r := range w.Repos {
		total += len(r.Files)
	}
	tick := func() { done++; o.Progress("parse", done, total) }
	pool := o.pool
	if pool == nil {
		children := extract.NewPool(ctx, o.Jobs, 0)
		defer children.Close()
		pool = children
	}
	for i, r := range w.Repos {
		results, err := parseRepo(ctx, r, newParser(pool, r, o, c.shelf), tick, func(file int, data []byte) {
			c.manifests[path.Join(r.Path, r.Files[file].Path)] = data
		})
		if err != nil {
			return nil, err
		}
		c.take(i, r, results)
	}
	return c, nil
}

// Collect reads and parses every tracked file of w as [Build] does, and gives
// what package resolve joins.
func Collect(ctx context.Context, w *workspace.Workspace, o Options) ([]resolve.Unit, resolve.Manifests, error) {
	o.defaults()
	o.held = noBound
	c, err := collect(ctx, w, o)
	if err != nil {
		return nil, nil, err
	}
	return c.units, c.manifests, nil
}

// parseRepo reads one repository: git gives the blobs in order, p.jobs
// goroutines parse them. The results are by number of the file; manifest is
// told the contents of build files.
func parseRepo(ctx context.Context, r *workspace.Repo, p *parser, tick func(), manifest func(file int, data []byte)) ([]parsed, error) {
	results := make([]parsed, len(r.Files))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2*p.jobs)
	err := r.Read(ctx, func(i int) bool {
		f := r.Files[i]
		pathReason := extract.LeftOut(f.Path, nil)
		switch {
		case f.Size > maxSize:
			results[i].reason = "too large"
		case unusual(path.Join(r.Path, f.Path)):
			results[i].reason = "unusual path"
		case pathReason != "":
			results[i].reason = pathReason
		case isManifest(f.Path):
			return true
		default:
			hit, ok := p.cached(f)
			if !ok {
				return true
			}
			results[i] = p.shelf.put(hit)
		}
		tick()
		return false
	}, func(i int, data []byte) error {
		tick()
		f := r.Files[i]
		if isManifest(f.Path) {
			manifest(i, data)
		}
		slots <- struct{}{}
		wg.Add(1)
		go func() {
			defer func() { <-slots; wg.Done() }()
			results[i] = p.shelf.put(p.parse(ctx, f, data))
		}()
		return ctx.Err()
	})
	wg.Wait()
	p.cache.Save() // a cache that cannot be written is no fault of the build
	if err != nil {
		return nil, err
	}
	for _, res := range results {
		if res.err != nil {
			return nil, res.err
		}
	}
	return results, nil
}

// take adds what the files of one repository gave, in order of path, in
// whatever order the workspace lists them.
func (c *collected) take(repo int, r *workspace.Repo, results []parsed) {
	order := make([]int, len(results))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(r.Files[a].Path, r.Files[b].Path) })
	for _, i := range order {
		res := results[i]
		if res.reason != "" {
			c.leftOut[res.reason]++
			continue
		}
		if res.trouble != "" {
			c.unparsed[res.trouble]++
		}
		if res.file.Cut > 0 {
			c.unparsed["too many keys"]++
		}
		s := source{repo: repo, path: path.Join(r.Path, r.Files[i].Path), parsed: res}
		c.sources = append(c.sources, s)
		c.units = append(c.units, resolve.Unit{Repo: r.Name, Path: s.path, Root: r.Path, File: res.file, References: c.shelf.referencesOf(&res)})
	}
}

// forgetReferences gives up what resolving alone needs. The files may be of a
// part that is joined again, so they stay as they are.
func (c *collected) forgetReferences() {
	for i := range c.units {
		file := *c.units[i].File
		file.References = nil
		c.units[i].File, c.units[i].References, c.sources[i].file = &file, nil, &file
	}
}

// unusual reports a path that readers refuse: one that JSON or a line of an
// answer cannot carry unchanged, that leaves the workspace, or that no
// checkout can have.
func unusual(p string) bool {
	return !index.ValidPath(p) || slices.ContainsFunc(strings.Split(p, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// isManifest reports a file that says how names of one project are found
// from another.
func isManifest(p string) bool {
	switch base := path.Base(p); base {
	case "go.mod", "go.work", "package.json", "tsconfig.json", "jsconfig.json", "pyproject.toml", "setup.cfg", "setup.py", "build.sbt", "Cargo.toml":
		return true
	default:
		return strings.HasPrefix(base, "tsconfig.") && strings.HasSuffix(base, ".json")
	}
}
