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
	move := Fact{Role: Moves, Name: "/", Version: schedule, Note: "Renovate"}
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
