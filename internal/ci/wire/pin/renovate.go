package pin

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// EveryKind is the Kind of a bot that moves all dependencies it knows.
const EveryKind Kind = "all"

// readRenovate reads whether Renovate is on, for which managers, and what it
// moves besides by rules of the repository's own.
func readRenovate(f *file) {
	d, _ := parseJSON(f.data)
	if d == nil || d.kind != table || d.get("enabled").str() == "false" {
		return
	}
	f.renovate(d)
}

func (f *file) renovate(d *node) {
	schedule := d.get("schedule").str()
	if list := d.get("schedule").items(); len(list) > 0 {
		schedule = list[0].str()
	}
	move := Fact{Role: Moves, Name: "/", Version: schedule, Note: "Renovate", Except: ignoredPaths(d), Rules: rulesOf(d)}
	managers := d.get("enabledManagers").items()
	for _, m := range managers {
		move.Kind, move.Line = Kind(m.str()), m.line
		f.add(move)
	}
	if len(managers) == 0 {
		move.Kind, move.Line = EveryKind, d.line
		f.add(move)
	}
	for _, key := range []string{"customManagers", "regexManagers"} {
		for _, m := range d.get(key).items() {
			for _, list := range []string{"managerFilePatterns", "fileMatch"} {
				for _, p := range m.get(list).items() {
					f.add(Fact{Role: Moves, Kind: PinFile, Name: strings.Trim(p.str(), "/"), Version: schedule, Line: p.line, Note: "Renovate, files that match"})
				}
			}
		}
	}
}

// A Rule switches a bot off or on for what all of its lists match; an empty
// list matches everything. The last of several rules that match counts.
type Rule struct {
	On       bool
	Managers []string
	Sources  []string // of versions, as the bot calls them
	Names    []string // of packages: as they are, with *, or /expressions/; behind ! those left out
	Files    []string // patterns of paths
}

// maxRules is how many rules of one file are kept.
const maxRules = 300

// defaultOff are the managers that move nothing unless they are told to.
var defaultOff = []string{"pre-commit", "nix", "git-submodules", "kubernetes", "argocd"}

// presets switch managers by the name of a set of settings.
var presets = map[string]Rule{
	":enablePreCommit": {On: true, Managers: []string{"pre-commit"}},
	"docker:disable":   {Managers: []string{"dockerfile", "docker-compose", "kubernetes", "helm-values", "circleci", "gitlabci", "ansible", "droneci"}},
}

// ruleKeys are the conditions of a rule that can be told from a file. A rule
// with another is about some versions only, and switches nothing off.
var ruleKeys = map[string]func(*Rule) *[]string{
	"matchManagers":        func(r *Rule) *[]string { return &r.Managers },
	"matchDatasources":     func(r *Rule) *[]string { return &r.Sources },
	"matchPackageNames":    func(r *Rule) *[]string { return &r.Names },
	"matchDepNames":        func(r *Rule) *[]string { return &r.Names },
	"matchPackagePatterns": func(r *Rule) *[]string { return &r.Names },
	"matchPackagePrefixes": func(r *Rule) *[]string { return &r.Names },
	"matchFileNames":       func(r *Rule) *[]string { return &r.Files },
	"matchPaths":           func(r *Rule) *[]string { return &r.Files },
}

// rulesOf are the rules that switch managers and packages off and on.
func rulesOf(d *node) []Rule {
	rules := []Rule{{Managers: defaultOff}}
	for _, e := range d.get("extends").items() {
		if r, ok := presets[e.str()]; ok {
			rules = append(rules, r)
		}
	}
	for _, e := range d.entries() {
		on := e.node.get("enabled").str()
		switch {
		case e.node.kindOf() != table:
		case on != "":
			rules = append(rules, Rule{On: on == "true", Managers: []string{e.key}})
		case e.node.get("fileMatch") != nil || e.node.get("managerFilePatterns") != nil:
			rules = append(rules, Rule{On: true, Managers: []string{e.key}})
		}
	}
	if deps := d.get("ignoreDeps").items(); len(deps) > 0 {
		rules = append(rules, Rule{Names: textsOf(deps)})
	}
	for _, n := range d.get("packageRules").items() {
		if r, ok := packageRule(n); ok && len(rules) < maxRules {
			rules = append(rules, r)
		}
	}
	return rules
}

// packageRule reads a rule that says whether something is moved at all.
func packageRule(n *node) (r Rule, ok bool) {
	on := n.get("enabled").str()
	if on != "true" && on != "false" {
		return r, false
	}
	r.On = on == "true"
	for _, e := range n.entries() {
		list, told := ruleKeys[e.key]
		switch {
		case told:
			values := textsOf(e.node.items())
			for i, v := range values {
				switch e.key {
				case "matchPackagePatterns":
					values[i] = "/" + v + "/"
				case "matchPackagePrefixes":
					values[i] = v + "**"
				}
			}
			*list(&r) = append(*list(&r), values...)
		case strings.HasPrefix(e.key, "match") || strings.HasPrefix(e.key, "exclude"):
			return r, false
		}
	}
	return r, true
}

func textsOf(list []*node) (out []string) {
	for _, n := range list {
		if len(out) < maxIgnored && n.str() != "" {
			out = append(out, n.str())
		}
	}
	return out
}

// Moved reports whether rules leave a bot something to move: by the names of
// the managers that know it, and of its source, by its own and its file's.
func Moved(rules []Rule, manager, source, name, file string) bool {
	on := true
	for _, r := range rules {
		if r.On != on && has(r.Managers, manager) && has(r.Sources, source) && (len(r.Names) == 0 || named(r.Names, name)) && (len(r.Files) == 0 || named(r.Files, file)) {
			on = r.On
		}
	}
	return on
}

func has(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }

// named reports whether a name is one of those that a list allows.
func named(list []string, name string) bool {
	found, only := false, true // only: the list has nothing but what is left out
	for _, pattern := range list {
		p, not := strings.CutPrefix(pattern, "!")
		only = only && not
		if matches(p, name) {
			if not {
				return false
			}
			found = true
		}
	}
	return found || only
}

// maxPattern is the longest expression that is tried, in bytes.
const maxPattern = 300

func matches(pattern, name string) bool {
	if expr, ok := strings.CutPrefix(pattern, "/"); ok && len(expr) < maxPattern {
		expr = strings.TrimSuffix(strings.TrimSuffix(expr, "i"), "/")
		re, err := regexp.Compile(expr)
		return err == nil && re.MatchString(name)
	}
	if pattern == "*" || pattern == "**" || pattern == name {
		return true
	}
	if before, ok := strings.CutSuffix(pattern, "**"); ok && !strings.Contains(before, "*") {
		return strings.HasPrefix(name, before)
	}
	if after, ok := strings.CutPrefix(pattern, "**/"); ok {
		if ok, err := path.Match(after, path.Base(name)); ok && err == nil {
			return true
		}
		pattern = after
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// maxIgnored is how many patterns of ignored paths are kept.
const maxIgnored = 100

// ignoredPaths are the paths that Renovate leaves alone: those told, else
// those of the presets that most begin with.
func ignoredPaths(d *node) []string {
	var out []string
	if list := d.get("ignorePaths"); list != nil {
		for _, p := range list.items() {
			if len(out) < maxIgnored {
				out = append(out, p.str())
			}
		}
		return out
	}
	for _, e := range d.get("extends").items() {
		switch e.str() {
		case "config:base", "config:recommended", "config:best-practices", "config:js-app", "config:js-lib", ":ignoreModulesAndTests":
			return []string{"**/node_modules/**", "**/bower_components/**", "**/vendor/**", "**/examples/**", "**/__tests__/**", "**/test/**", "**/tests/**", "**/__fixtures__/**"}
		}
	}
	return nil
}
