package cli

import (
	"context"
	"errors"
	"flag"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/reconcile"
	"github.com/marola-dev/marola-routing/internal/command"
)

// A kind is what a run does.
type kind struct {
	name, summary, help string
	examples            []string
	writes              bool
}

const sharedHelp = `
Without repositories, a manifest.yaml says whom its files are for; with some, only
those. A file without a manifest is for the repositories of the command line, for
--org ORG itself, or for each of --all-org ORG.

Statuses and a tally go to stderr, the differences to stdout. "!" marks what would
be taken away (a bypass actor, a rule, a level of enforcement), "-" what else
protects less, "=" what only the service has. docs/rulesets.md tells the rest.`

var checkKind = kind{
	name:    "check",
	summary: "says whether live rulesets are what the files say",
	help: `Compares by meaning: order, defaults and spelling do not count, everything else
does, in both directions. A parameter that only the service has is no drift unless
--strict. Where the service does not show the bypass actors the answer is "cannot
be verified", never "in sync".

Without any repository, check looks at the one that this is a clone of.
` + sharedHelp,
	examples: []string{
		"ruleset-sync check",
		"ruleset-sync check --manifest rulesets marola-dev/marola-routing",
		"ruleset-sync check --manifest rulesets/main-rule.json --all-org marola-dev --json",
	},
}

var planKind = kind{
	name:    "plan",
	summary: "says what apply would do, request by request",
	help:    "Reads as check does, and also shows each request that apply would make.\n" + sharedHelp,
	examples: []string{
		"ruleset-sync plan --manifest .github/rulesets",
		"ruleset-sync plan --prune marola-dev/marola-routing",
	},
}

var applyKind = kind{
	name:    "apply",
	summary: "brings live rulesets to what the files say",
	help: `Creates what is missing and puts the file's whole ruleset in the place of what is
other; writes nothing where nothing differs; and reads back what became of it.
Inherited rulesets are never touched, and others only with --prune.

A change that takes something away (marked "!" in the plan) is held back until
--yes. A refusal is shown in the service's own words, and is never tried again
with less than the file says.
` + sharedHelp,
	examples: []string{
		"ruleset-sync apply --manifest rulesets marola-dev/marola-routing",
		"ruleset-sync apply --manifest .github/rulesets --app-id 4242 --private-key-env RULESET_BOT_KEY --yes",
		"ruleset-sync apply --manifest rulesets --dry-run",
	},
	writes: true,
}

type runOptions struct {
	kind
	files
	selection
	connection
	dryRun, prune, strict, json, yes bool
	concurrency                      int
}

// defaultConcurrency is how many repositories are worked on at a time. The
// service asks not to have many at once; a request takes it some 50 ms.
const defaultConcurrency = 8

const maxConcurrency = 32

func runVerb(k kind) command.Verb {
	return command.Verb{
		Name:     k.name,
		Synopsis: "[--manifest PATH]… [--extras FILE] [--org ORG | --all-org ORG [--include-forks] | OWNER/REPO…] [--strict] [--json]",
		Summary:  k.summary,
		Help:     k.help,
		Examples: k.examples,
		Max:      -1,
		Setup: func(fs *flag.FlagSet) command.Run {
			o := runOptions{kind: k}
			o.files.setup(fs)
			o.selection.setup(fs)
			o.connection.setup(fs)
			fs.BoolVar(&o.strict, "strict", false, "a parameter that only the service has is drift, too")
			fs.BoolVar(&o.prune, "prune", false, "rulesets of the target itself that no file is for are to go")
			fs.BoolVar(&o.yes, "yes", false, "apply: also take away what is live and in no file")
			fs.BoolVar(&o.dryRun, "dry-run", false, "apply: write nothing, as plan")
			fs.IntVar(&o.concurrency, "concurrency", defaultConcurrency, "how many repositories at a time (`N`)")
			fs.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, args []string) error { return o.run(ctx, p, args) }
		},
	}
}

func (o *runOptions) run(ctx context.Context, p command.Process, args []string) error {
	if err := o.connection.check(); err != nil {
		return err
	}
	if err := o.selection.check(args); err != nil {
		return err
	}
	if o.concurrency < 1 || o.concurrency > maxConcurrency {
		return command.Usage("--concurrency goes from 1 to %d", maxConcurrency)
	}
	set, err := o.load(p)
	if err != nil {
		return err
	}
	tellFindings(ctx, p, set.Findings)
	if len(set.Errors()) > 0 {
		return ended(reconcile.CodeManifest)
	}
	if err := o.wherefore(ctx, p, set); err != nil {
		return err
	}
	sc, err := o.selection.scope(set)
	if err != nil {
		return err
	}
	if found := sc.lint(set); len(found) > 0 {
		if tellFindings(ctx, p, found); len(ruleset.Errors(found)) > 0 {
			return ended(reconcile.CodeManifest)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	client, leave, err := o.open(ctx, p, entrance{sc.owners(), sc.organization(), closing(sc), o.writes && !o.dryRun})
	if err != nil {
		return err
	}
	defer leave()
	pairs, err := sc.expand(ctx, client)
	if err != nil {
		return err
	}
	jobs, names, found := o.jobs(ctx, client, set, pairs)
	if tellFindings(ctx, p, found); len(ruleset.Errors(found)) > 0 {
		return ended(reconcile.CodeManifest)
	}
	progress := p.Progress()
	results := reconcile.Run(ctx, client, jobs, reconcile.Options{
		Write: o.writes && !o.dryRun, Prune: o.prune, Strict: o.strict, Yes: o.yes,
		Concurrency: o.concurrency, Names: names,
		Progress: func(done, total int) { progress.Step("repositories", done, total) },
	})
	progress.Done()
	return o.tell(ctx, p, results)
}

// wherefore sees to it that there is a target: a check without one is about
// the repository that this is a clone of.
func (o *runOptions) wherefore(ctx context.Context, p command.Process, set ruleset.Set) error {
	bare := slices.ContainsFunc(set.Entries, func(e ruleset.Entry) bool { return e.Assignment == nil })
	assigned := slices.ContainsFunc(set.Entries, func(e ruleset.Entry) bool { return e.Assignment != nil })
	switch {
	case !o.selection.none() || !bare:
		return nil
	case o.writes:
		return command.Usage("apply needs to know for whom: name repositories, --org or --all-org, or give all files a place in a manifest.yaml")
	case assigned:
		return command.Usage("for some of the files no manifest says whom they are for; name repositories, or give them a place in a manifest.yaml")
	}
	t, err := here(ctx, p)
	if err == nil {
		o.selection.repositories = []ruleset.Target{t}
	}
	return err
}

// closing are the rulesets of the scope that let one App alone update a
// branch.
func closing(sc scope) (values []ruleset.Value) {
	for _, p := range sc.pairs {
		if p.entry.Value.ClosesBranch() {
			values = append(values, p.entry.Value)
		}
	}
	for _, w := range sc.whole {
		if w.entry.Value.ClosesBranch() {
			values = append(values, w.entry.Value)
		}
	}
	return values
}

// jobs brings pairs together by target, with extras and the ids of Apps.
func (o *runOptions) jobs(ctx context.Context, client *live.Client, set ruleset.Set, pairs []pairing) ([]reconcile.Job, ruleset.Names, []ruleset.Finding) {
	apps, problems := maps.Clone(set.Apps), map[string]error{}
	for _, slug := range slugs(pairs) {
		if apps[slug] == "" {
			apps[slug], problems[slug] = client.FindApp(ctx, slug, owners(pairs))
		}
	}
	names := ruleset.Names{Apps: map[string]string{}}
	for slug, id := range apps {
		if id != "" {
			names.Apps[id] = slug
		}
	}
	var found []ruleset.Finding
	var jobs []reconcile.Job
	at := map[string]int{}
	for _, p := range pairs {
		// Two names of one App are one actor only once both are ids.
		value, more := p.entry.Extras.WithApps(apps).Merge(p.entry.Value.WithApps(apps), p.target)
		if p.entry.Assignment == nil || p.entry.Assignment.AllOf.Owner != "" {
			found = append(found, more...) // of the others, loading has said it
		}
		key := strings.ToLower(p.target.String())
		i, ok := at[key]
		if !ok {
			i = len(jobs)
			at[key] = i
			jobs = append(jobs, reconcile.Job{Target: p.target})
		}
		job := &jobs[i]
		if slices.ContainsFunc(job.Rulesets, func(w reconcile.Wanted) bool { return w.Value.Name() == value.Name() }) {
			found = append(found, ruleset.Finding{File: p.entry.File, Text: "another file has a ruleset of this name for " + p.target.String()})
		}
		want := reconcile.Wanted{File: p.entry.File, Value: value.Body()}
		for _, slug := range value.Apps() {
			want.Problem = errors.Join(want.Problem, problems[slug])
		}
		job.Rulesets = append(job.Rulesets, want)
	}
	known := sync.OnceValue(func() map[string]string { return installed(ctx, client, owners(pairs)) })
	names.Look = func(id string) string { return known()[id] }
	return jobs, names, found
}

// installed are the Apps of the owners, slugs by id, as far as they are shown.
// It is asked when a difference is about an App of which only the id is known.
func installed(ctx context.Context, client *live.Client, owners []string) map[string]string {
	all := map[string]string{}
	for _, owner := range owners {
		if apps, err := client.InstalledApps(ctx, owner); err == nil {
			maps.Copy(all, apps)
		}
	}
	return all
}

// slugs are those of Apps that the pairs name, sorted, each once.
func slugs(pairs []pairing) (all []string) {
	seen := map[string]bool{}
	for _, p := range pairs {
		if !seen[p.entry.File] {
			seen[p.entry.File] = true
			all = append(all, p.entry.Value.Apps()...)
		}
		all = append(all, p.entry.Extras.Apps(p.target, p.entry.Value.Name())...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func owners(pairs []pairing) []string { return scope{pairs: pairs}.owners() }
