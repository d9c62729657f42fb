// Package page writes a bundle as a static site for people: a search that
// answers as route query does, a map of repositories and modules, the wiring
// as a diagram, coverage, bench history, and what changed.
//
// The site asks nobody for anything: all it shows lies beside it, as scripts,
// for a page that was opened from a file may read nothing else. The search is
// package answer itself, compiled to WebAssembly (wasm/, which [Engine]
// holds); it reads those pieces of the bundle that a question needs.
package page

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Options say what a page shows.
type Options struct {
	Bundle  bundle.Files // what it is about; verified by the caller
	Before  bundle.Files // an earlier bundle of the workspace to compare with, or nil
	History []Score      // scores of the bench, the oldest first; that of Bundle is added
	Engine  fs.FS        // engine.wasm.gz and wasm_exec.js, as scripts/page-engine.sh makes them; nil means [Engine]
}

// A Report tells what was written.
type Report struct {
	Files    int     `json:"files"`
	Bytes    int64   `json:"bytes"`      // of all files
	Data     int64   `json:"data_bytes"` // of those that hold the bundle's contents
	Modules  int     `json:"modules"`    // on the map
	Edges    int     `json:"edges"`      // between them
	LeftOut  int     `json:"left_out"`   // modules and edges that the map has no room for
	Changed  *int    `json:"changed"`    // files that differ from Before; null without one
	Compared bool    `json:"compared"`
	Scores   []Score `json:"scores"` // the history with that of this bundle
}

//go:embed assets
var assets embed.FS

//go:embed engine
var built embed.FS

// ErrNoEngine is a program that was built without the search of the page.
var ErrNoEngine error = noEngine{}

type noEngine struct{}

func (noEngine) Error() string { return "this bundle-publish was built without the search of its page" }

// Hint is the next step.
func (noEngine) Hint() string {
	return "make build in a checkout of marola-routing builds one with it; the action and the releases have it"
}

// Engine is the search that this program was built with. The error is
// [ErrNoEngine].
func Engine() (fs.FS, error) {
	sub, err := fs.Sub(built, "engine")
	if err != nil {
		return nil, err
	}
	for _, name := range engineFiles {
		if _, err := fs.Stat(sub, name); err != nil {
			return nil, ErrNoEngine
		}
	}
	return sub, nil
}

var engineFiles = []string{"engine.wasm.gz", "wasm_exec.js"}

// Marker is the file by which a directory is known to be a page, and may be
// replaced by a newer one.
const Marker = "marola-page.json"

// A Site is a page in memory: slash-separated names to contents.
type Site struct {
	files  map[string][]byte
	Report Report
	Scored bool // the bundle was asked questions, so that its score is in the history
}

// Build makes the site. The error may be a *[bundle.Refused].
func Build(ctx context.Context, o Options) (*Site, error) {
	engine := o.Engine
	if engine == nil {
		var err error
		if engine, err = Engine(); err != nil {
			return nil, err
		}
	}
	s := &Site{files: map[string][]byte{}}
	if err := s.assets(engine); err != nil {
		return nil, err
	}
	b, err := bundle.Open(o.Bundle)
	if err != nil {
		return nil, err
	}
	raw, err := b.Read(bundle.BuildName)
	if err != nil {
		return nil, err
	}
	build, err := bundle.ParseBuild(raw)
	if err != nil {
		return nil, err
	}
	if err := s.pieces(ctx, o.Bundle, b); err != nil {
		return nil, err
	}
	g, err := readGraph(ctx, b)
	if err != nil {
		return nil, err
	}
	m := newMap(build, g)
	s.Report.Modules, s.Report.Edges, s.Report.LeftOut = len(m.Modules), len(m.Edges), m.LeftOut
	if err := s.add("page/map", m); err != nil {
		return nil, err
	}
	if err := s.add("page/repos", m.Repos); err != nil {
		return nil, err
	}
	s.Scored = build.Bench != nil
	s.Report.Scores = withScore(o.History, build)
	if err := s.add("page/history", s.Report.Scores); err != nil {
		return nil, err
	}
	rows, err := wiringRows(b)
	if err != nil {
		return nil, err
	}
	if err := s.add("page/wiring", rows); err != nil {
		return nil, err
	}
	changes, err := compare(ctx, build, g, rows, o.Before)
	if err != nil {
		return nil, err
	}
	if changes != nil {
		n := len(changes.Files)
		s.Report.Changed, s.Report.Compared = &n, true
	}
	if err := s.add("page/changes", changes); err != nil {
		return nil, err
	}
	mark, err := json.Marshal(map[string]any{"tool": bundle.Version(), "head": build.Head})
	if err != nil {
		return nil, err
	}
	s.files[Marker] = append(mark, '\n')
	for name, data := range s.files {
		s.Report.Files++
		s.Report.Bytes += int64(len(data))
		if strings.HasPrefix(name, "data/") {
			s.Report.Data += int64(len(data))
		}
	}
	return s, nil
}

// assets are what every page has.
func (s *Site) assets(engine fs.FS) error {
	entries, err := assets.ReadDir("assets")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if s.files[e.Name()], err = assets.ReadFile("assets/" + e.Name()); err != nil {
			return err
		}
	}
	if s.files["wasm_exec.js"], err = fs.ReadFile(engine, "wasm_exec.js"); err != nil {
		return err
	}
	wasm, err := fs.ReadFile(engine, "engine.wasm.gz")
	if err != nil {
		return err
	}
	s.files["engine.js"] = script("engine.wasm", wasm)
	return nil
}

// pieces are the files of the bundle that questions are answered from, each
// held to the manifest on the way.
func (s *Site) pieces(ctx context.Context, files bundle.Files, b *bundle.Bundle) error {
	manifest, err := files.ReadFile(bundle.ManifestName)
	if err != nil {
		return err
	}
	if err := s.addRaw(bundle.ManifestName, manifest); err != nil {
		return err
	}
	for _, row := range b.Manifest().Files {
		name := row.Name
		if err := ctx.Err(); err != nil {
			return err
		}
		if !asked(name) {
			continue
		}
		data, err := b.Read(name)
		if err != nil {
			return err
		}
		if err := s.addRaw(name, data); err != nil {
			return err
		}
	}
	return nil
}

// asked reports a file that questions are answered from. The map is made of
// the graph, and no view shows the rest.
func asked(name string) bool {
	for _, dir := range []string{bundle.WordsDir, bundle.NodesDir, bundle.ChangesDir} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	return name == bundle.BuildName || name == bundle.WiringName
}

// add puts a value among the data.
func (s *Site) add(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.addRaw(name, data)
}

func (s *Site) addRaw(name string, data []byte) error {
	packed, err := pack(data)
	if err != nil {
		return err
	}
	s.files["data/"+name+".js"] = script(name, packed)
	return nil
}

// A NotPageError is a directory that something else lies in.
type NotPageError struct{ Dir string }

func (e *NotPageError) Error() string { return fmt.Sprintf("%s has files and is no page", e.Dir) }

// Hint is the next step.
func (e *NotPageError) Hint() string {
	return "name a directory that is empty, is not there yet, or holds an older page"
}

// WriteDir writes the site beside dir and puts it in dir's place: a reader
// sees the older page or the newer one. The error may be a *[NotPageError].
func (s *Site) WriteDir(ctx context.Context, dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		if _, err := os.Lstat(filepath.Join(dir, Marker)); err != nil {
			return &NotPageError{dir}
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := filepath.Join(fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, s.files[name], 0o644); err != nil {
			return err
		}
	}
	old := strings.Replace(fresh, ".new-", ".old-", 1)
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}
