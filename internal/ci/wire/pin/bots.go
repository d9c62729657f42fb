package pin

import (
	"strings"
)

// readDependabot reads which dependencies a bot moves, where and how often.
func readDependabot(f *file) {
	docs, _ := f.documents()
	for _, d := range docs {
		for _, u := range d.get("updates").items() {
			what := u.get("package-ecosystem")
			when := firstOf(u.get("schedule", "interval").str(), u.get("schedule", "cronjob").str())
			dirs := u.get("directories").items()
			if one := u.get("directory"); one != nil {
				dirs = append(dirs, one)
			}
			for _, dir := range dirs {
				f.add(Fact{Role: Moves, Kind: Kind(what.str()), Name: dir.str(), Version: when, Line: what.at(), Note: "Dependabot"})
			}
		}
	}
}

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
	move := Fact{Role: Moves, Name: "/", Version: schedule, Note: "Renovate", Except: ignoredPaths(d)}
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
