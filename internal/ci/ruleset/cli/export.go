package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/reconcile"
	"github.com/marola-dev/marola-routing/internal/command"
)

type exportOptions struct {
	selection
	connection
	out  string
	yes  bool
	json bool
}

func exportVerb() command.Verb {
	return command.Verb{
		Name:     "export",
		Synopsis: "[--org ORG | --all-org ORG [--include-forks] | OWNER/REPO…] --out DIR [--yes] [--json]",
		Summary:  "writes live rulesets as files, with a manifest.yaml",
		Help: `Writes each ruleset in canonical form: no read-only members, sorted, and nothing
that the service did not say. Rulesets that several repositories share become one
file. An App whose slug can be found is written as "${app:slug}", so that the file
fits another organisation, too; manifest.yaml keeps its id, and says in remarks who
may bypass.

A ruleset whose bypass actors are not shown is not written, for applying it would
remove them all. A file that is there and says something else stays, unless --yes.`,
		Examples: []string{
			"ruleset-sync export marola-dev/marola-routing --out rulesets",
			"ruleset-sync export --all-org marola-dev --out .github/rulesets --yes",
		},
		Max: -1,
		Setup: func(f *flag.FlagSet) command.Run {
			var o exportOptions
			o.selection.setup(f)
			o.connection.setup(f)
			f.StringVar(&o.out, "out", "", "where the files go (`DIR`)")
			f.BoolVar(&o.yes, "yes", false, "write over files that say something else")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, args []string) error { return o.run(ctx, p, args) }
		},
	}
}

type exportReport struct {
	Code    int                `json:"code"`
	Files   []string           `json:"files"`
	Results []reconcile.Result `json:"results"` // of what could not be written
}

func (o *exportOptions) run(ctx context.Context, p command.Process, args []string) error {
	if o.out == "" {
		return command.Usage("export: --out DIR is missing")
	}
	if err := o.connection.check(); err != nil {
		return err
	}
	if err := o.selection.check(args); err != nil {
		return err
	}
	if o.selection.none() {
		t, err := here(ctx, p)
		if err != nil {
			return err
		}
		o.repositories = []ruleset.Target{t}
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	sc := o.wanted()
	client, leave, err := o.open(ctx, p, entrance{owners: sc.owners(), organization: sc.organization()})
	if err != nil {
		return err
	}
	defer leave()
	pairs, err := sc.expand(ctx, client)
	if err != nil {
		return err
	}
	e := exporter{client: client, slugs: map[string]map[string]string{}, manifest: ruleset.Manifest{Apps: map[string]string{}}, files: map[string][]byte{}, remarks: map[string][]string{}}
	for _, pair := range pairs {
		e.target(ctx, pair.target)
	}
	files, err := o.write(p, &e)
	if err != nil {
		return err
	}
	return o.tell(p, e.failed, files)
}

// wanted is the scope of the command line, without any file.
func (o *exportOptions) wanted() (sc scope) {
	for _, t := range o.repositories {
		sc.pairs = append(sc.pairs, pairing{target: t})
	}
	if o.org != "" {
		sc.pairs = append(sc.pairs, pairing{target: ruleset.Target{Owner: o.org}})
	}
	if o.allOrg != "" {
		sc.whole = append(sc.whole, organizationOf{owner: o.allOrg, forks: o.forks})
	}
	return sc
}

func (o *exportOptions) tell(p command.Process, failed []reconcile.Result, files []string) error {
	r := exportReport{Files: append([]string{}, files...), Results: append([]reconcile.Result{}, failed...)}
	for _, one := range failed {
		fmt.Fprintf(p.Stderr, "%-11s %s: %s%s\n", one.Status, one.Target, line(one.Ruleset), details(one))
		r.Code = reconcile.Gravest(r.Code, one.Code)
	}
	if o.json {
		if err := p.WriteJSON(r); err != nil {
			return err
		}
		return ended(r.Code)
	}
	for _, f := range files {
		fmt.Fprintln(p.Stdout, f)
	}
	return ended(r.Code)
}

// write puts the files into the directory; all of them, or none.
func (o *exportOptions) write(p command.Process, e *exporter) (names []string, err error) {
	if len(e.files) == 0 {
		return nil, nil
	}
	e.files[ruleset.ManifestName] = e.manifest.YAML(func(file string) []string { return e.remarks[file] })
	dir := p.Abs(o.out)
	for file := range e.files {
		names = append(names, filepath.Join(o.out, file))
		have, err := os.ReadFile(filepath.Join(dir, file))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !o.yes && !bytes.Equal(have, e.files[file]):
			return nil, command.Usage("export: %s is there, and says something else; say --yes to write over it, or another --out", filepath.Join(o.out, file))
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for file, data := range e.files {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	return names, nil
}

// An exporter gathers rulesets as files.
type exporter struct {
	client   *live.Client
	slugs    map[string]map[string]string // of Apps by id, by owner
	manifest ruleset.Manifest
	files    map[string][]byte
	remarks  map[string][]string
	failed   []reconcile.Result
}

func (e *exporter) target(ctx context.Context, t ruleset.Target) {
	fail := func(name, text string) {
		e.failed = append(e.failed, reconcile.Result{Target: t.String(), Ruleset: name, Status: reconcile.Failed, Code: reconcile.CodeUnverified, Text: text})
	}
	listed, err := e.client.List(ctx, t)
	if err != nil {
		fail("", err.Error())
		return
	}
	for _, l := range listed {
		v, err := e.client.Get(ctx, t, l.ID)
		switch {
		case err != nil:
			fail(l.Name, err.Error())
		case !v.HasActors():
			fail(l.Name, "its bypass actors are not shown to this token; it is not written, for applying it would remove them")
		default:
			e.add(ctx, t, v)
		}
	}
}

// add puts a ruleset of the target into the files.
func (e *exporter) add(ctx context.Context, t ruleset.Target, v ruleset.Value) {
	v = ruleset.Export(v)
	var remarks []string
	var names ruleset.Names
	if ids := v.AppIDs(); len(ids) > 0 {
		names.Apps = e.apps(ctx, t.Owner)
		known := map[string]string{}
		for _, id := range ids {
			if slug := names.Apps[id]; slug != "" {
				known[id] = slug
				e.manifest.Apps[slug] = id
			}
		}
		v = ruleset.Export(v.WithSlugs(known)) // sorted as what stands there now
	}
	for _, a := range v.Member("bypass_actors").Items() {
		remarks = append(remarks, "may bypass: "+names.ActorAndMode(a))
	}
	file := e.file(t, v)
	e.remarks[file] = remarks
	i := slices.IndexFunc(e.manifest.Rulesets, func(a ruleset.Assignment) bool { return a.File == file })
	if i < 0 {
		i = len(e.manifest.Rulesets)
		e.manifest.Rulesets = append(e.manifest.Rulesets, ruleset.Assignment{File: file})
	}
	if t.Repository == "" {
		e.manifest.Rulesets[i].Organization = t
	} else {
		e.manifest.Rulesets[i].Repositories = append(e.manifest.Rulesets[i].Repositories, t)
	}
}

// apps are the slugs of the Apps that an owner has installed; none where that
// is not shown.
func (e *exporter) apps(ctx context.Context, owner string) map[string]string {
	if _, asked := e.slugs[owner]; !asked {
		slugs, err := e.client.InstalledApps(ctx, owner)
		if err != nil {
			slugs = map[string]string{}
		}
		e.slugs[owner] = slugs
	}
	return e.slugs[owner]
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// file is the name of the file that holds the ruleset: that of one that says
// the same, or a new one.
func (e *exporter) file(t ruleset.Target, v ruleset.Value) string {
	const most = 60 // letters of a ruleset's name
	data := v.Indented()
	base := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(v.Name()), "-"), "-")
	if base = base[:min(len(base), most)]; base == "" {
		base = "ruleset"
	}
	for n := 1; ; n++ {
		file := base + ".json"
		if n > 1 {
			file = fmt.Sprintf("%s-%d.json", base, n)
		}
		have, taken := e.files[file]
		if !taken {
			e.files[file] = data
			return file
		}
		if bytes.Equal(have, data) && e.shares(file, t) {
			return file
		}
	}
}

// shares reports whether the target may be listed with the file: an
// organisation's ruleset is nobody else's, and no name stands twice for one
// repository.
func (e *exporter) shares(file string, t ruleset.Target) bool {
	return slices.ContainsFunc(e.manifest.Rulesets, func(a ruleset.Assignment) bool {
		return a.File == file && t.Repository != "" && a.Organization.Owner == "" && !slices.ContainsFunc(a.Repositories, t.Same)
	})
}
