package wire

import (
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
)

// A movable is something whose version a bot may move.
type movable struct {
	file     *file
	managers []string // that know it, as either bot calls them
	source   string   // of its versions, as Renovate calls it; "" unknown
	name     string
}

// joinBots says which files a bot of dependencies keeps at their newest
// versions.
func joinBots(x *extraction) {
	var all []movable
	for _, p := range x.pins {
		if p.Role != pin.Declares && p.Role != pin.Moves && p.Kind != pin.PinFile && !p.Indirect {
			all = append(all, movable{p.file, managersOf(p), sourceOf(p), p.Name})
		}
	}
	for _, f := range x.facts {
		if at := x.fileAt(f.place.File); f.role == called && f.place.Version != "" && at != nil && (isWorkflow(at.path) || isAction(at.path) || strings.Contains(at.path, "/.github/workflows/")) {
			all = append(all, movable{at, []string{"github-actions"}, "github-tags", f.name})
		}
	}
	for _, bot := range x.pins {
		if bot.Role != pin.Moves {
			continue
		}
		done := map[*file]bool{}
		for _, m := range all {
			if m.file.repo == bot.file.repo && !done[m.file] && moves(bot, m) {
				done[m.file] = true
				x.bump(bot, m.file.at)
			}
		}
		if bot.file.repo == 0 && x.fileOf(0, ".gitmodules") != nil && moves(bot, movable{x.fileOf(0, ".gitmodules"), []string{"gitsubmodule", "git-submodules"}, "git-refs", ""}) {
			x.bump(bot, ".gitmodules")
		}
	}
}

// dependabots are the names that Dependabot alone has for a manager.
var dependabots = map[string]bool{"docker": true, "pip": true, "gitsubmodule": true, "devcontainers": true, "helm": true}

// moves reports whether a bot moves something.
func moves(bot pinFact, m movable) bool {
	if bot.Kind == pin.PinFile {
		return false
	}
	for _, manager := range m.managers {
		if string(bot.Kind) != manager && (bot.Kind != pin.EveryKind || dependabots[manager]) || !within(bot, manager, m.file.path) {
			continue
		}
		if pin.Moved(bot.Rules, manager, m.source, m.name, m.file.path) {
			return true
		}
	}
	return false
}

func (x *extraction) bump(bot pinFact, at string) {
	p := bot.file.place(bot.Line)
	p.Note = bot.Note
	if bot.Version != "" {
		p.When = plainSchedule(bot.Version)
	}
	x.add(fact{role: moved, name: at, repo: bot.file.name, place: p})
}

// plainSchedule is how often, in words.
func plainSchedule(s string) string {
	switch s {
	case "daily", "weekly", "monthly", "quarterly", "semiannually", "yearly":
		return s
	}
	return "schedule " + s
}

// within reports whether a bot that looks at a folder looks at a file: at the
// files in it, or below it where the folder ends in a star. Renovate looks
// everywhere.
func within(bot pinFact, manager, name string) bool {
	for _, except := range bot.Except {
		if underPattern(strings.Split(except, "/"), strings.Split(name, "/")) {
			return false
		}
	}
	dir := strings.Trim(bot.Name, "/")
	if bot.Note == "Renovate" || dir == "**" || dir == "**/*" {
		return true
	}
	of := path.Dir(name)
	if of == "." {
		of = ""
	}
	if manager == "github-actions" && of == ".github/workflows" {
		of = "" // where the root's are
	}
	if prefix, ok := strings.CutSuffix(dir, "**/*"); ok {
		return strings.HasPrefix(of, strings.TrimSuffix(prefix, "/"))
	}
	if strings.Contains(dir, "*") {
		match, err := path.Match(dir, of)
		return err == nil && match
	}
	return of == dir || bot.Kind == "cargo" && strings.HasPrefix(of, dir)
}

// underPattern reports whether a pattern means a path, ** being any folders,
// or a folder that the path is in.
func underPattern(pattern, name []string) bool {
	const deepest = 64
	if len(pattern) > deepest || len(name) > deepest {
		return false
	}
	at := make([]bool, len(name)+1) // the pattern so far may end before name[i]
	at[0] = true
	for _, p := range pattern {
		next := make([]bool, len(name)+1)
		for i := range at {
			if p == "**" {
				next[i] = at[i] || i > 0 && next[i-1]
			} else if i > 0 && at[i-1] {
				ok, err := path.Match(p, name[i-1])
				next[i] = ok && err == nil
			}
		}
		at = next
	}
	for _, ok := range at[1:] {
		if ok {
			return true
		}
	}
	return false
}
