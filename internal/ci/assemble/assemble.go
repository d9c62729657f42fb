// Package assemble makes a routing bundle of a workspace: it extracts every
// file, joins what they define and use, and writes the files that package
// bundle describes. The same commits give the same bytes.
package assemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// Tool is the builder's name and version, as build.json records it. It is
// not the version of a release: two builds of one commit must agree.
const Tool = "marola-routing 1"

// Options are what a build needs besides the workspace.
type Options struct {
	Jobs     int      // parsers at once; 0 means one per processor
	CacheDir string   // per-file results by blob; "" means none
	Private  []string // paths of submodules that are less visible than the umbrella
	Callees  fs.FS    // called workflows from outside of the workspace, see [wire.Options]; nil means none

	// Progress is told of each step; nil means silence.
	Progress func(step string, done, total int)

	pool     filePool // parses in place of child processes; nil means those
	graphCap int      // size above which graph.json is cut, in bytes; 0 means graphCap
	held     int64    // bytes of what files gave that stay in memory; 0 means heldBytes, less means none
}

func (o *Options) defaults() {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.held == 0 {
		o.held = heldBytes
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
}

// A Result is a bundle that is not written yet. Close it when it is.
type Result struct {
	Files *Store // manifest.json too, once it is sealed
	Build bundle.Build

	// BranchCap is what the files on the branch may have together, packed, in
	// bytes; 0 means [BranchCap].
	BranchCap int64

	packed map[string]int64 // by SHA-256, for the next Seal
	large  []string         // see Large
}

// Build makes the bundle of w.
func Build(ctx context.Context, w *workspace.Workspace, o Options) (*Result, error) {
	o.defaults()
	histories := startHistories(ctx, o.CacheDir, w.Repos...)
	c, err := collect(ctx, w, o)
	if err != nil {
		return nil, err
	}
	defer c.shelf.away.Close()
	return o.join(ctx, w, c, histories, late{
		wiring:    func() (*wiring.Wiring, error) { return Wiring(ctx, w, o.Callees) },
		documents: func(each eachDocument) error { return readDocuments(ctx, w, each) },
	})
}

// late are the readers of what is looked for once all definitions are known.
type late struct {
	wiring    func() (*wiring.Wiring, error)
	documents func(eachDocument) error
}

// join makes a bundle of what was read of single files and repositories. It
// uses of w what describes the repositories, none of their files.
func (o *Options) join(ctx context.Context, w *workspace.Workspace, c *collected, histories func() histories, find late) (*Result, error) {
	o.Progress("resolve", 0, 1)
	type resolved struct {
		edges *resolve.Edges
		stats map[string]resolve.Stats
	}
	r, err := command.Abandon(ctx, func() (r resolved, err error) {
		r.edges, r.stats, err = resolve.Join(ctx, c.units, c.manifests, nil)
		return r, err
	})
	if err != nil {
		return nil, err
	}

	c.forgetReferences()

	history := histories()
	if history.err != nil {
		return nil, history.err
	}
	o.Progress("index", 0, 1)
	type indexed struct {
		files *Store
		cut   index.Cut
	}
	i, err := command.Abandon(ctx, func() (i indexed, err error) {
		i.files, i.cut, err = buildIndex(w, c, r.edges, history, o.held)
		return i, err
	})
	if err != nil {
		return nil, err
	}
	files := i.files
	o.Progress("wiring", 0, 1)
	wires, err := command.Abandon(ctx, find.wiring)
	if err != nil {
		return nil, err
	}
	o.Progress("documents", 0, 1)
	if _, err := command.Abandon(ctx, func() (struct{}, error) { return struct{}{}, addDocuments(files, w, c, find.documents) }); err != nil {
		return nil, err
	}
	o.Progress("write", 0, 1)
	return command.Abandon(ctx, func() (*Result, error) {
		if err := addGraph(files, w, c, r.edges, cmp.Or(o.graphCap, graphCap)); err != nil {
			return nil, err
		}
		facts, err := bundle.Encode(wires)
		if err == nil {
			err = files.Put(bundle.WiringName, facts)
		}
		if err != nil {
			return nil, err
		}
		build := describe(w, c, r.stats, len(history.changes), o.Private)
		build.Cut = cuts(i.cut)
		return &Result{Files: files, Build: build}, files.Put(bundle.DigestName, digest(w, c, usesOf(c, r.edges), wires))
	})
}

// Close gives up the bundle's files.
func (r *Result) Close() { r.Files.Close() }

// Seal adds build.json and manifest.json, which says which files are large.
func (r *Result) Seal() error {
	data, err := bundle.Encode(r.Build)
	if err != nil {
		return err
	}
	if err := r.Files.Put(bundle.BuildName, data); err != nil {
		return err
	}
	r.Files.Delete(bundle.ManifestName)
	m, err := bundle.ManifestOf(r.Files)
	if err != nil {
		return err
	}
	if err := r.markLarge(&m); err != nil {
		return err
	}
	return r.Files.Put(bundle.ManifestName, m.Encode())
}

// Check reads the sealed bundle as its readers do. What they would refuse is
// not to be written: the error is of this build, not of a person's bundle.
func (r *Result) Check() error {
	_, err := bundle.Verify(r.Files)
	if err == nil {
		err = readIndex(r.Files)
	}
	if err == nil {
		err = readTold(r.Files)
	}
	if refused := (*bundle.Refused)(nil); errors.As(err, &refused) {
		return &UnreadableError{refused.File, refused.Reason}
	}
	return err
}

// readIndex opens the index and reads the record of every file.
func readIndex(files bundle.Files) error {
	b, err := bundle.Open(files)
	if err != nil {
		return err
	}
	reader, err := index.Open(b)
	if err != nil {
		return err
	}
	for i := range reader.Header.Files {
		if i%atOnce == atOnce-1 { // a reader keeps what it has read
			if reader, err = index.Open(b); err != nil {
				return err
			}
		}
		if _, err := reader.File(i); err != nil {
			return err
		}
	}
	return nil
}

// atOnce is how many records one reader is asked for.
const atOnce = 2000

// An UnreadableError is a bundle that readers would refuse.
type UnreadableError struct{ File, Reason string }

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("readers would refuse this bundle, so it is not written: %s: %s", e.File, e.Reason)
}

// Hint is the next step.
func (e *UnreadableError) Hint() string {
	return "report it with the line above; --root names another commit or workspace"
}

// buildIndex makes the word index and the node pieces.
func buildIndex(w *workspace.Workspace, c *collected, edges *resolve.Edges, h histories, held int64) (*Store, index.Cut, error) {
	paths := make([]string, len(c.sources))
	for i, s := range c.sources {
		paths[i] = s.path
	}
	names := make([]string, len(w.Repos))
	for i, r := range w.Repos {
		names[i] = r.Name
	}
	b := index.NewBuilder(names, paths)
	if held < heldBytes {
		b.Hold(int(max(held, leastHeld)))
	}
	tests, subjects := testNames(c.sources), h.subjects()
	for i := range c.sources {
		s := &c.sources[i]
		passages, err := c.shelf.passagesOf(&s.parsed)
		if err != nil {
			return nil, index.Cut{}, err
		}
		d := index.Document{Path: s.path, Repo: s.repo, Lang: s.file.Lang, Doc: s.file.Doc, Passages: passages,
			History: slices.Concat(subjects[s.path], tests[s.path])}
		for _, def := range s.file.Definitions {
			d.Defs = append(d.Defs, index.Def{Name: def.Name, Container: def.Container, Kind: string(def.Kind), Line: def.Line, End: def.EndLine,
				Exported: def.Exported, Entry: def.Entry, Test: def.Test, Signature: def.Signature, Doc: def.Doc})
		}
		b.Add(d)
		s.passages = nil // they are the index's now
	}
	for _, past := range h.changes {
		b.Change(past.subject, past.paths)
	}
	for e := range edges.All() {
		from, to := c.units[e.From.Unit].Path, c.units[e.To.Unit].Path
		f, ok1 := b.Number(from)
		t, ok2 := b.Number(to)
		if !ok1 || !ok2 {
			return nil, index.Cut{}, fmt.Errorf("an edge from %s to %s names a file that is not indexed", from, to)
		}
		if e.Relation == extract.Contains && e.From.Unit == e.To.Unit {
			continue // the record of the file says what holds what
		}
		b.Link(f, e.From.Def, t, e.To.Def, index.Rule{Relation: e.Relation, Resolver: e.Resolver, Certainty: certainty(e.Score)}, e.Line)
	}
	files := NewStore()
	if err := b.Write(files.Put); err != nil {
		return nil, index.Cut{}, err
	}
	return files, b.Cut(), nil
}

// leastHeld is what the index is given, in bytes, where nothing is to be held:
// with less it writes more than it builds.
const leastHeld = 2 << 20

// cuts names what the index leaves out, or is nil.
func cuts(c index.Cut) (cuts map[string]int) {
	for name, n := range map[string]int{"postings": c.Postings, "terms": c.Terms, "edges": c.Edges} {
		if n > 0 {
			if cuts == nil {
				cuts = map[string]int{}
			}
			cuts[name] = n
		}
	}
	return cuts
}

func certainty(score float64) int { return max(1, min(100, int(score*100+0.5))) }

// describe writes build.json without the bench.
func describe(w *workspace.Workspace, c *collected, stats map[string]resolve.Stats, history int, private []string) bundle.Build {
	u := w.Repos[0]
	b := bundle.Build{Schema: bundle.Schema, Tool: Tool, Repo: u.Name, URL: u.URL, Head: u.Head, Branch: w.Branch,
		CommitTime: w.CommitTime.UTC().Format(time.RFC3339), Submodules: []bundle.Submodule{}, Private: private,
		Languages: []bundle.Language{}, LeftOut: c.leftOut, Unparsed: c.unparsed, History: history}
	for _, r := range w.Repos[1:] {
		b.Submodules = append(b.Submodules, bundle.Submodule{Name: r.Name, Path: r.Path, Head: r.Head, URL: r.URL})
	}
	langs := map[string]*bundle.Language{}
	broken := map[string]int{}
	for _, s := range c.sources {
		if s.file.Lang == "" {
			continue
		}
		l := langs[s.file.Lang]
		if l == nil {
			l = &bundle.Language{Name: s.file.Lang}
			langs[s.file.Lang] = l
		}
		l.Files++
		l.Definitions += len(s.file.Definitions)
		if s.file.Broken {
			broken[s.file.Lang]++
		}
	}
	for name, l := range langs {
		l.Calls, l.Resolved = stats[name].Calls, stats[name].Resolved
		l.Coverage = float64(int(1e4*float64(l.Files-broken[name])/float64(l.Files)+0.5)) / 1e4
		b.Languages = append(b.Languages, *l)
	}
	slices.SortFunc(b.Languages, func(a, b bundle.Language) int { return strings.Compare(a.Name, b.Name) })
	return b
}
