package wire

import (
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
)

// moved are the kinds of facts that a bot's manager changes, by the name the
// bot gives it. Both bots' names are here; they do not contradict.
var movedBy = map[pin.Kind][]pin.Kind{
	"npm": {pin.NPM}, "bun": {pin.NPM}, "gomod": {pin.GoModule}, "cargo": {pin.Crate}, "rust-toolchain": {pin.Toolchain},
	"pip": {pin.Python}, "uv": {pin.Python}, "pipenv": {pin.Python}, "poetry": {pin.Python}, "pep621": {pin.Python}, "pip_requirements": {pin.Python},
	"bundler": {pin.Gem}, "composer": {pin.Composer}, "maven": {pin.Maven}, "gradle": {pin.Maven}, "sbt": {pin.Maven},
	"docker": {pin.Image}, "dockerfile": {pin.Image}, "docker-compose": {pin.Image}, "kubernetes": {pin.Image}, "kustomize": {pin.Image, pin.Repository},
	"helm": {pin.Chart}, "helmv3": {pin.Chart}, "helm-values": {pin.Image}, "helmfile": {pin.Chart},
	"terraform": {pin.Module, pin.Provider}, "opentofu": {pin.Module, pin.Provider}, "devcontainers": {pin.Image}, "devcontainer": {pin.Image},
	"gitsubmodule": {"submodule"}, "git-submodules": {"submodule"}, "nix": {pin.Repository}, "pre-commit": {pin.Repository},
	"nvm": {pin.Toolchain}, "nodenv": {pin.Toolchain}, "pyenv": {pin.Toolchain}, "asdf": {pin.Toolchain}, "mise": {pin.Toolchain}, "terraform-version": {pin.Toolchain},
}

// joinBots says which files a bot of dependencies keeps at their newest
// versions.
func joinBots(x *extraction) {
	for _, bot := range x.pins {
		if bot.Role != pin.Moves {
			continue
		}
		kinds := movedBy[bot.Kind]
		done := map[string]bool{}
		for _, p := range x.pins {
			if p.file.repo != bot.file.repo || p.Role == pin.Declares || p.Role == pin.Moves || p.Indirect || done[p.file.at] || !within(bot, p.file.path) {
				continue
			}
			if bot.Kind != pin.EveryKind && !containsKind(kinds, p.Kind) {
				continue
			}
			done[p.file.at] = true
			x.bump(bot, p.file.at)
		}
		if containsKind(kinds, "submodule") && bot.file.repo == 0 {
			x.bump(bot, ".gitmodules")
		}
	}
}

func containsKind(list []pin.Kind, kind pin.Kind) bool {
	for _, k := range list {
		if k == kind {
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
func within(bot pinFact, name string) bool {
	if bot.Kind == pin.PinFile {
		return false
	}
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
