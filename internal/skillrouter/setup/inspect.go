package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/hostfile"
	"github.com/marola-dev/marola-routing/internal/skillrouter/tomlplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/yamlplace"
)

// Levels of a finding.
const (
	OK      = "ok"
	Note    = "note"    // worth knowing
	Warning = "warning" // it works, but not as it could
	Fault   = "error"   // it does not work
)

// A Finding is one thing that was looked at.
type Finding struct {
	About  string `json:"about"` // a host's target, or a part of mega-tron
	Level  string `json:"level"`
	Text   string `json:"text"`
	Remedy string `json:"remedy,omitempty"` // what to do about it
}

// An inspection gathers what is found of one host.
type inspection struct {
	*Setup
	target block.Target
	found  []Finding
}

func (i *inspection) say(level, remedy, format string, args ...any) {
	i.found = append(i.found, Finding{string(i.target), level, fmt.Sprintf(format, args...), remedy})
}

// Inspect looks at one host: whether it is there, whether its hooks are as
// they must be and trusted, whether its own catalogue is down. It reads, and
// asks the host where that can answer; it writes nothing. active is whether
// our hooks are in it.
func Inspect(ctx context.Context, c *config.Config, o Options, t block.Target, look func(string) bool) (found []Finding, active bool) {
	store, err := hostfile.Peek(c.DataDir())
	i := &inspection{target: t}
	if err != nil {
		i.say(Fault, "move the file away; mega-tron setup makes it again", "%v", err)
		return i.found, false
	}
	o.Targets = []block.Target{t}
	i.Setup = &Setup{Options: o, config: c, store: store, out: io.Discard}
	i.Mode = i.mode()
	here, program := Found(c, t, func(string) bool { return false }), look(string(t))
	switch active = i.hooked(); {
	case !here && !program:
		i.say(Note, "", "it is not on this machine")
		return i.found, active
	case !active:
		i.say(Warning, "mega-tron setup --target "+string(t), "it is here, but mega-tron is not set up in it")
		return i.found, active
	case !program:
		i.say(Note, "", "its program is not on the path")
	}
	i.files()
	switch t {
	case block.Codex:
		i.codexTrust(ctx)
	case block.Claude:
		i.claudeSwitches()
	case block.Gemini:
		i.geminiSwitches()
	case block.Hermes:
		i.hermesSwitches()
	}
	return i.found, active
}

// hooked reports whether a hook of ours is in the host's configuration.
func (i *inspection) hooked() bool {
	path := map[block.Target]string{
		block.Codex: i.codexHooks(), block.Claude: i.claudeSettings(),
		block.Gemini: filepath.Join(HostDir(i.config, block.Gemini), "settings.json"),
		block.Hermes: filepath.Join(HostDir(i.config, block.Hermes), "config.yaml"),
	}[i.target]
	text, err := hostfile.Read(path)
	if err != nil || text == nil {
		return false
	}
	if i.target == block.Hermes {
		commands, _ := hermesCommands(text, "pre_llm_call")
		return slices.ContainsFunc(commands, ourCommand.MatchString)
	}
	bare, err := withoutHooks(text)
	return err == nil && string(bare) != string(text)
}

// files holds what is there to what setup would write.
func (i *inspection) files() {
	steps, err := i.steps()
	if err != nil {
		i.say(Fault, "", "%v", err)
		return
	}
	if err := i.legacy(steps); err != nil {
		i.say(Warning, "mega-optimus install --uninstall, then pip uninstall mega-optimus", "%v", err)
	}
	var stale []string
	for _, st := range steps {
		ch, err := i.store.Plan(st.path, st.kind, st.edit)
		switch {
		case err != nil:
			i.say(Fault, "mend the file, then run mega-tron setup", "%v", err)
		case ch.Different():
			stale = append(stale, i.short(st.path))
		}
	}
	if len(stale) > 0 {
		i.say(Warning, "mega-tron setup --target "+string(i.target), "not as this mega-tron would write it: %s", strings.Join(stale, ", "))
		return
	}
	i.say(OK, "", "hooks and memory file are as they must be")
}

// codexTrust asks Codex, or computes what it would say.
func (i *inspection) codexTrust(ctx context.Context) {
	const remedy = "mega-tron setup --target codex, or /hooks in Codex"
	text, err := hostfile.Read(i.codexConfig())
	if err != nil {
		i.say(Fault, "", "%v", err)
		return
	}
	if on, set := tomlplace.Get(text, "features", "hooks"); set && on == false {
		i.say(Fault, "take hooks = false out of [features] of config.toml", "hooks are switched off in Codex")
	}
	how, trusted, enabled, all := "Codex says", 0, 0, 0
	listed, err := askCodex(ctx, i.config, i.codexDir())
	if err == nil {
		for _, h := range listed {
			if ourCommand.MatchString(h.Command) {
				all++
				trusted += count(h.Trust == "trusted" || h.Trust == "managed")
				enabled += count(h.Enabled)
			}
		}
	} else {
		how = "by its rules (" + err.Error() + ")"
		trust, err := i.readTrust()
		if err != nil {
			i.say(Fault, "", "%v", err)
			return
		}
		for _, h := range trust {
			all++
			trusted += count(h.Trusted)
			enabled += count(h.Enabled)
		}
	}
	switch {
	case all == 0:
		i.say(Fault, remedy, "%s: there is no hook of mega-tron", how)
	case trusted < all:
		i.say(Fault, remedy, "%s: %d of %d hooks are trusted; the others never run", how, trusted, all)
	case enabled < all:
		i.say(Fault, "/hooks in Codex", "%s: %d of %d hooks are switched off", how, all-enabled, all)
	default:
		i.say(OK, "", "%s: all %d hooks are trusted", how, all)
	}
	if v, ok := tomlplace.Get(text, "skills", includeKey); ok && v == false {
		i.say(OK, "", "its own catalogue is off")
	} else {
		i.say(Note, "mega-tron setup --target codex", "its own catalogue is on: up to 8,000 characters that do not know the prompt")
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// jsonOf is a member of a settings file.
func jsonOf(path string, into any, names ...string) bool {
	text, err := hostfile.Read(path)
	if err != nil {
		return false
	}
	e, err := jsonplace.Edit(text)
	if err != nil {
		return false
	}
	raw, ok := e.Get(names...)
	return ok && json.Unmarshal(raw, into) == nil
}

func (i *inspection) claudeSwitches() {
	var off bool
	if jsonOf(i.claudeSettings(), &off, "disableAllHooks") && off {
		i.say(Fault, "take disableAllHooks out of settings.json", "all hooks are switched off in Claude Code")
	}
	mode := strings.ToLower(strings.TrimSpace(i.config.Env("MEGA_CLAUDE_NATIVE_MODE")))
	if mode == "" {
		mode = "passive"
	}
	switch {
	case mode != i.Mode:
		i.say(Warning, "open a new shell, or set MEGA_CLAUDE_NATIVE_MODE where Claude Code is started", "set up as %s, but this shell says %s", i.Mode, mode)
	case mode == "passive":
		i.say(Note, "mega-tron setup --claude-native-mode active", "its own catalogue is as it was: blocks come on top of it")
	default:
		i.say(OK, "", "its own catalogue is reduced: %s", mode)
	}
}

func (i *inspection) geminiSwitches() {
	settings := filepath.Join(HostDir(i.config, block.Gemini), "settings.json")
	var on bool
	if jsonOf(settings, &on, "hooksConfig", "enabled") && !on {
		i.say(Fault, "take enabled out of hooksConfig of settings.json", "hooks are switched off in Gemini CLI")
	}
	if jsonOf(settings, &on, "security", "folderTrust", "enabled") && !on {
		return
	}
	i.say(Note, "trust the folder in Gemini CLI, or start it with --skip-trust", "in a folder that is not trusted Gemini CLI runs no hooks")
}

func (i *inspection) hermesSwitches() {
	dir := HostDir(i.config, block.Hermes)
	var given []approval
	jsonOf(filepath.Join(dir, allowlistName), &given, approvalsPath...)
	text, err := hostfile.Read(filepath.Join(dir, "config.yaml"))
	if err != nil {
		i.say(Fault, "", "%v", err)
		return
	}
	accept, _ := yamlplace.Get(text, "hooks_auto_accept")
	missing := 0
	for _, event := range []string{"pre_llm_call", "post_llm_call"} {
		commands, err := hermesCommands(text, event)
		if err != nil {
			continue
		}
		for _, c := range commands {
			leave := slices.ContainsFunc(given, func(a approval) bool { return a.Event == event && a.Command == c })
			missing += count(ourCommand.MatchString(c) && !leave)
		}
	}
	if missing > 0 && accept != true {
		i.say(Fault, "mega-tron setup --target hermes", "%d hooks have no leave to run in %s", missing, allowlistName)
	} else {
		i.say(OK, "", "the hooks have leave to run")
	}
	if _, err := os.Stat(filepath.Join(dir, "SOUL.md")); err != nil {
		i.say(Note, "", "it has no SOUL.md; how skills are judged is told with each block alone")
	}
}
