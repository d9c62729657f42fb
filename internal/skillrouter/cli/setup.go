package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
	"github.com/marola-dev/marola-routing/internal/skillrouter/setup"
)

type setupOptions struct {
	setup.Options
	target                           string
	undo, purge, printOnly, noWarmup bool
	dirs, profile                    string
	qaLive                           bool
}

func setupVerb() command.Verb { return setupNamed("setup", false) }

// installVerb is the same under the name that it has elsewhere.
func installVerb() command.Verb { return setupNamed("install", true) }

func setupNamed(name string, hidden bool) command.Verb {
	return command.Verb{
		Name: name, Hidden: hidden,
		Synopsis: "[--target LIST] [--claude-native-mode MODE] [--print-only] | --uninstall [--purge]",
		Summary:  "puts mega-tron into Codex, Claude Code, Gemini CLI and Hermes, or takes it out",
		Help: `Registers the hooks that pick skills for each prompt and that take note of verdicts,
writes a few lines into the host's memory file, and switches down the host's own
catalogue. It prints each file that it changes; comments, order and form of a file
stay. Run it again at any time: what is as it must be is left alone.

--target is auto (the hosts that are found), all, both (Codex and Claude Code), or
names with commas: codex, claude, gemini, hermes.

--claude-native-mode says what becomes of Claude Code's own catalogue: passive leaves
it, active reduces skills that do not fit a prompt to their names, strict also takes
the Skill tool away, which pays above 300 skills. Active and strict export a variable
in the shell's start file; strict also puts a claude function there.

--uninstall gives each file back byte for byte, or, where it was edited since, takes
out what is ours, and ends the daemon. Evidence stays, and it says where; --purge
deletes that, too. Exit code 2 where a mega-optimus is set up, 1 where a file cannot
be edited; then none was.`,
		Examples: []string{
			"mega-tron setup",
			"mega-tron setup --target claude --claude-native-mode active",
			"mega-tron setup --target all --print-only",
			"mega-tron setup --uninstall",
		},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &setupOptions{}
			f.StringVar(&o.target, "target", "auto", "set up the hosts of `LIST`")
			f.StringVar(&o.Mode, "claude-native-mode", "", "`MODE` of Claude's own catalogue: passive, active or strict; else as before, or passive")
			f.StringVar(&o.profile, "profile", "auto", "name the model of `PROFILE` in config.toml: en-quality, en-fast, multilingual, or auto, as it is")
			f.BoolVar(&o.qaLive, "qa-live", false, "make one real call to each host at the end")
			f.StringVar(&o.Shell, "shell", "auto", "write for `NAME`: zsh, bash, or auto, the one of SHELL")
			f.StringVar(&o.RC, "rc-file", "", "write exports and wrappers into `FILE`")
			f.StringVar(&o.dirs, "skills-dir", "", "let the hooks look in `DIRS` only, as MEGA_SKILLS_DIR")
			f.IntVar(&o.TopK, "top-k", 0, "let the hooks show at most `N` skills, as MEGA_TOP_K")
			f.IntVar(&o.Budget, "budget-tok", 0, "let staging take `N` tokens, as MEGA_BUDGET_TOK")
			f.StringVar(&o.CodexHome, "codex-home", "", "Codex keeps its files in `DIR`; else CODEX_HOME, else ~/.codex")
			f.StringVar(&o.CodexHooks, "codex-hooks-file", "", "Codex reads hooks from `FILE`")
			f.StringVar(&o.CodexConfig, "codex-config-path", "", "Codex reads its configuration from `FILE`")
			f.StringVar(&o.MemoryFile, "agents-md-path", "", "Codex reads its memory from `FILE`")
			f.StringVar(&o.Command, "hook-command", "", "hooks run `COMMAND`, followed by the verb")
			f.BoolVar(&o.KeepCatalogue, "keep-codex-catalog", false, "leave Codex's own catalogue on")
			f.BoolVar(&o.NoMemory, "no-agents-md", false, "leave AGENTS.md, CLAUDE.md, GEMINI.md and SOUL.md alone")
			f.BoolVar(&o.NoHook, "no-hook", false, "register no hooks")
			f.BoolVar(&o.noWarmup, "no-warmup", false, "do not embed the skills that are there")
			f.BoolVar(&o.Force, "force", false, "go on where a mega-optimus is set up")
			f.BoolVar(&o.printOnly, "print-only", false, "say what would be done, line by line, and do nothing")
			f.BoolVar(&o.undo, "uninstall", false, "take out what setup put in")
			f.BoolVar(&o.purge, "purge", false, "with --uninstall: delete evidence and models, too; caches go in any case")
			return o.run
		},
	}
}

func (o *setupOptions) run(ctx context.Context, p command.Process, _ []string) error {
	switch {
	case !slices.Contains([]string{"", "passive", "active", "strict"}, o.Mode):
		return command.Usage("--claude-native-mode %s is neither passive, active nor strict", o.Mode)
	case !slices.Contains([]string{"auto", "zsh", "bash"}, o.Shell):
		return command.Usage("--shell %s is neither zsh, bash nor auto", o.Shell)
	case o.TopK < 0 || o.Budget < 0:
		return command.Usage("--top-k and --budget-tok are not negative")
	case o.purge && (!o.undo || o.target != "auto" && o.target != "all"):
		return command.Usage("--purge goes with --uninstall, and with no --target but all")
	}
	c, err := settings(p)
	if err != nil {
		return err
	}
	if o.Model, err = profileModel(o.profile); err != nil {
		return err
	}
	words := o.target
	if o.undo && words == "auto" {
		words = "all"
	}
	look := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	if o.Targets, err = setup.Choose(c, words, look); err != nil {
		return command.Usage("%v", err)
	}
	for _, path := range []*string{&o.RC, &o.CodexHome, &o.CodexHooks, &o.CodexConfig, &o.MemoryFile} {
		if *path != "" {
			*path = p.Abs(*path)
		}
	}
	o.SkillsDir, o.Windows = o.dirs, runtime.GOOS == "windows"
	if o.Program, err = program(); err != nil {
		return err
	}
	if o.undo {
		return o.uninstall(ctx, p, c)
	}
	if err := setup.Run(ctx, c, o.Options, o.printOnly, p.Stdout); err != nil || o.printOnly {
		return err
	}
	if !o.noWarmup {
		warmUp(p, c)
	}
	if o.qaLive {
		if err := callAll(ctx, p, c, o.Targets, false); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(p.Stdout, "a host that runs has to be started again; mega-tron doctor tells whether all is well")
	return err
}

func (o *setupOptions) uninstall(ctx context.Context, p command.Process, c *config.Config) error {
	all := len(o.Targets) == len(setup.Targets)
	if all && !o.printOnly {
		_, _ = askDaemon(ctx, p, "shutdown") // that none runs is as well
	}
	if err := setup.Uninstall(ctx, c, o.Options, o.printOnly, p.Stdout); err != nil || !all {
		return err
	}
	if o.printOnly {
		return wouldLeave(p, c, o.purge)
	}
	return leave(p, c, o.purge)
}

// profileModel is the model of a profile; "" is the one that is set.
func profileModel(profile string) (string, error) {
	switch profile {
	case "auto":
		return "", nil
	case "en-quality":
		return models.Default, nil
	case "en-fast":
		return "all-MiniLM-L6-v2", nil
	case "multilingual":
		return "", command.Usage("no multilingual model is known by name; install one with mega-tron model import PATH, and name it in config.toml: model of [embedder]")
	}
	return "", command.Usage("--profile %s is neither en-quality, en-fast, multilingual nor auto", line(profile))
}

// program is the path that hooks call: the one by which the shell finds this
// program, which an upgrade keeps, else its own.
func program() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	if found, err := exec.LookPath(config.Name); err == nil {
		if found, err = filepath.Abs(found); err == nil && sameFile(found, own) {
			return found, nil
		}
	}
	return own, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}
