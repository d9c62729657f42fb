package cli

import (
	"context"
	"flag"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// selection says whose rulesets a run is about.
type selection struct {
	org    string
	allOrg string
	forks  bool

	repositories []ruleset.Target // from the arguments
}

func (s *selection) setup(fs *flag.FlagSet) {
	fs.StringVar(&s.org, "org", "", "the rulesets of the organisation itself (`ORG`)")
	fs.StringVar(&s.allOrg, "all-org", "", "each repository of the organisation, but archived ones and forks (`ORG`)")
	fs.BoolVar(&s.forks, "include-forks", false, "with --all-org, also forks")
}

// check refuses what is wrong with the command line, before any network.
func (s *selection) check(args []string) error {
	for _, arg := range args {
		t, err := ruleset.ParseRepository(arg)
		if err != nil {
			return command.Usage("%v", err)
		}
		if !slices.ContainsFunc(s.repositories, t.Same) {
			s.repositories = append(s.repositories, t)
		}
	}
	for _, org := range []string{s.org, s.allOrg} {
		if org == "" {
			continue
		}
		if _, err := ruleset.ParseOrganization(org); err != nil {
			return command.Usage("%v", err)
		}
	}
	switch {
	case s.allOrg != "" && len(s.repositories) > 0:
		return command.Usage("--all-org and repositories exclude each other")
	case s.org != "" && (s.allOrg != "" || len(s.repositories) > 0):
		return command.Usage("--org is about the organisation's own rulesets; it goes with neither --all-org nor repositories")
	case s.forks && s.allOrg == "":
		return command.Usage("--include-forks goes with --all-org")
	}
	return nil
}

func (s *selection) none() bool { return s.org == "" && s.allOrg == "" && len(s.repositories) == 0 }

// A pairing is a ruleset file with one whom it is for.
type pairing struct {
	entry  ruleset.Entry
	target ruleset.Target
}

// An organizationOf is a ruleset file for each repository of an organisation.
type organizationOf struct {
	entry ruleset.Entry
	owner string
	forks bool
}

// A scope is what a run is about: pairs that are known, and whole
// organisations that must be asked for.
type scope struct {
	pairs []pairing
	whole []organizationOf
}

// scope pairs the files with their targets. What the command line selects
// narrows what a manifest says, and is whom a file without manifest is for.
func (s *selection) scope(set ruleset.Set) (scope, error) {
	var sc scope
	given := map[string]bool{}
	pair := func(e ruleset.Entry, t ruleset.Target) {
		sc.pairs = append(sc.pairs, pairing{e, t})
		given[strings.ToLower(t.String())] = true
	}
	for _, e := range set.Entries {
		a := e.Assignment
		switch {
		case a == nil && s.org != "":
			pair(e, ruleset.Target{Owner: s.org})
		case a == nil && s.allOrg != "":
			sc.whole = append(sc.whole, organizationOf{e, s.allOrg, s.forks})
		case a == nil:
			for _, t := range s.repositories {
				pair(e, t)
			}
		case a.Organization.Owner != "":
			if s.none() || strings.EqualFold(s.org, a.Organization.Owner) {
				pair(e, a.Organization)
			}
		case s.org != "":
		default:
			for _, t := range a.Repositories {
				if s.none() || strings.EqualFold(s.allOrg, t.Owner) || slices.ContainsFunc(s.repositories, t.Same) {
					pair(e, t)
				}
			}
			s.scopeAllOf(e, &sc, pair)
		}
	}
	for _, t := range s.repositories {
		if !given[strings.ToLower(t.String())] {
			return sc, command.Usage("no file is for %s; the manifest lists its repositories", t)
		}
	}
	if len(sc.pairs)+len(sc.whole) == 0 {
		return sc, command.Usage("no file is for what was asked")
	}
	return sc, nil
}

// scopeAllOf adds a ruleset that is for each repository of an organisation.
func (s *selection) scopeAllOf(e ruleset.Entry, sc *scope, pair func(ruleset.Entry, ruleset.Target)) {
	owner := e.Assignment.AllOf.Owner
	switch {
	case owner == "":
	case s.none() || strings.EqualFold(s.allOrg, owner):
		sc.whole = append(sc.whole, organizationOf{e, owner, e.Assignment.Forks || s.forks})
	default:
		for _, t := range s.repositories {
			if strings.EqualFold(t.Owner, owner) && !slices.ContainsFunc(e.Assignment.Repositories, t.Same) {
				pair(e, t)
			}
		}
	}
}

// owners are whose rulesets the scope is about, each once.
func (sc scope) owners() (owners []string) {
	add := func(owner string) {
		if !slices.ContainsFunc(owners, func(o string) bool { return strings.EqualFold(o, owner) }) {
			owners = append(owners, owner)
		}
	}
	for _, p := range sc.pairs {
		add(p.target.Owner)
	}
	for _, w := range sc.whole {
		add(w.owner)
	}
	return owners
}

func (sc scope) organization() bool {
	return slices.ContainsFunc(sc.pairs, func(p pairing) bool { return p.target.Repository == "" })
}

// lint says what is wrong with files now that it is known whether they are for
// a repository or an organisation, beyond what was found in the set.
func (sc scope) lint(set ruleset.Set) (found []ruleset.Finding) {
	seen := map[ruleset.Finding]bool{}
	for _, f := range set.Findings {
		seen[f] = true
	}
	add := func(e ruleset.Entry, s ruleset.Scope) {
		for _, f := range ruleset.Lint(e.File, e.Value, s) {
			if !seen[f] {
				seen[f] = true
				found = append(found, f)
			}
		}
	}
	linted := map[string]bool{}
	for _, p := range sc.pairs {
		of := ruleset.RepositoryScope
		if p.target.Repository == "" {
			of = ruleset.OrganizationScope
		}
		if !linted[p.entry.File] {
			linted[p.entry.File] = true
			add(p.entry, of)
		}
	}
	for _, w := range sc.whole {
		add(w.entry, ruleset.RepositoryScope)
	}
	return found
}

// expand asks for the repositories of whole organisations. Archived ones take
// no changes.
func (sc scope) expand(ctx context.Context, client *live.Client) ([]pairing, error) {
	pairs := sc.pairs
	known := map[string][]live.Repository{}
	for _, w := range sc.whole {
		key := strings.ToLower(w.owner)
		if known[key] == nil {
			list, err := client.Repositories(ctx, w.owner)
			if err != nil {
				return nil, err
			}
			known[key] = list
		}
		for _, r := range known[key] {
			same := func(p pairing) bool { return p.entry.File == w.entry.File && p.target.Same(r.Target) }
			if !r.Archived && (!r.Fork || w.forks) && !slices.ContainsFunc(sc.pairs, same) {
				pairs = append(pairs, pairing{w.entry, r.Target})
			}
		}
	}
	return pairs, nil
}

// here is the repository that the working directory is a clone of, or that a
// workflow runs for.
func here(ctx context.Context, p command.Process) (ruleset.Target, error) {
	for _, kv := range p.Env {
		if text, ok := strings.CutPrefix(kv, "GITHUB_REPOSITORY="); ok {
			t, err := ruleset.ParseRepository(text)
			if err != nil {
				return t, command.Usage("GITHUB_REPOSITORY: %v", err)
			}
			return t, nil
		}
	}
	config, err := gitstore.Git{Dir: p.Dir, Env: p.Env}.Config(ctx)
	if err != nil {
		return ruleset.Target{}, command.Usage("no repository was given, and none is here: %v", err)
	}
	url := config.Get("remote.origin.url")
	if remotes := config.Remotes(); url == "" && len(remotes) == 1 {
		url = remotes[0].URL
	}
	if url == "" {
		return ruleset.Target{}, command.Usage("no repository was given, and this one has no remote called origin")
	}
	address, err := publish.ParseAddress(url, p.Dir)
	if err != nil {
		return ruleset.Target{}, err
	}
	t, err := ruleset.ParseRepository(strings.TrimSuffix(strings.Trim(address.Path, "/"), ".git"))
	if err != nil {
		return t, command.Usage("no repository was given, and the remote %s is not owner/repository on a service", address)
	}
	return t, nil
}
