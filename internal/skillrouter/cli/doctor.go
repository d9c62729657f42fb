package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
	"github.com/marola-dev/marola-routing/internal/skillrouter/setup"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// manySkills is the number above which Claude Code's strict mode pays.
const manySkills = 300

func doctorVerb() command.Verb {
	return command.Verb{
		Name: "doctor", Synopsis: "[--json]", Summary: "looks whether all is well, and says what to do where it is not",
		Help: `Looks at each host: whether it is there, whether its hooks are as setup writes them,
whether it trusts them (Codex itself is asked where it is installed), what its own
catalogue costs; then at the skills, the model, the daemon and what became of the
last verdicts. It changes nothing.

Exit code 0 when nothing is broken, 1 when something is.`,
		Examples: []string{"mega-tron doctor", "mega-tron doctor --json"},
		Setup: func(f *flag.FlagSet) command.Run {
			asJSON := f.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error {
				found, err := examine(ctx, p)
				if err != nil {
					return err
				}
				return report(p, found, *asJSON)
			}
		},
	}
}

func report(p command.Process, found []setup.Finding, asJSON bool) error {
	faults := 0
	for _, x := range found {
		if x.Level == setup.Fault {
			faults++
		}
	}
	if asJSON {
		if err := p.WriteJSON(map[string]any{"ok": faults == 0, "findings": found}); err != nil {
			return err
		}
	} else {
		about := ""
		for _, x := range found {
			if x.About != about {
				about = x.About
				fmt.Fprintln(p.Stdout, about)
			}
			fmt.Fprintf(p.Stdout, "  %-7s  %s\n", x.Level, line(x.Text))
			if x.Remedy != "" {
				fmt.Fprintf(p.Stdout, "           %s\n", line(x.Remedy))
			}
		}
	}
	if faults > 0 {
		return fmt.Errorf("something is broken%w", command.ErrSilent)
	}
	return nil
}

func examine(ctx context.Context, p command.Process) (found []setup.Finding, err error) {
	c, err := settings(p)
	if err != nil {
		return nil, err
	}
	say := func(about, level, remedy, format string, args ...any) {
		found = append(found, setup.Finding{About: about, Level: level, Text: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	say("mega-tron", setup.OK, "", "version %s", bundle.Version())
	own, err := program()
	if err != nil {
		return nil, err
	}
	look := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	any := false
	for _, t := range setup.Targets {
		rows, active := setup.Inspect(ctx, c, setup.Options{Program: own, Windows: runtime.GOOS == "windows"}, t, look)
		found = append(found, rows...)
		any = any || active
	}
	if !any {
		say("hosts", setup.Warning, "mega-tron setup", "mega-tron is set up in none")
	}
	examineSkills(p, c, say)
	switch path, err := models.Find(c); {
	case errors.Is(err, models.ErrNone):
		say("model", setup.Warning, "mega-tron model fetch, or mega-tron model import PATH", "none is installed: words alone decide")
	case err != nil:
		say("model", setup.Fault, hint(err), "%v", err)
	default:
		if _, err := models.Verify(c, path); err != nil {
			say("model", setup.Fault, "install it again: mega-tron model fetch", "%v", err)
		} else {
			say("model", setup.OK, "", "%s is whole", path)
		}
	}
	switch a, err := askDaemon(ctx, p, "ping"); {
	case c.Off("MEGA_DAEMON"):
		say("daemon", setup.Note, "take MEGA_DAEMON out of the environment", "it is switched off: each hook loads the model, and there is no wisdom")
	case err != nil:
		say("daemon", setup.Note, "", "none runs; the next search starts one where there is a model")
	default:
		say("daemon", setup.OK, "", "process %d, version %s", a.PID, a.Version)
	}
	examineVerdicts(c, say)
	return found, nil
}

func hint(err error) string {
	if h := command.Hinter(nil); errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

type sayer func(about, level, remedy, format string, args ...any)

// examineSkills tells what catalogues cost, what is hidden and what is dead.
func examineSkills(p command.Process, c *config.Config, say sayer) {
	cat := skill.Discover(c.Places(p.Dir).Roots(), skill.Files{})
	cost, archived := map[skill.Host]int{}, 0
	for i := range cat.Skills {
		s := &cat.Skills[i]
		cost[s.Root.Host] += tokens(s)
		if s.Meta.Status == skill.Archived {
			archived++
		}
	}
	say("skills", setup.OK, "", "%d are found", len(cat.Skills))
	for _, h := range []skill.Host{skill.Codex, skill.Claude, skill.Gemini, skill.Hermes, ""} {
		name := string(h)
		if h == "" {
			name = "any host"
		}
		if cost[h] > 0 {
			say("skills", setup.Note, "", "%s: about %d tokens of names and descriptions", name, cost[h])
		}
	}
	if len(cat.Skills) > manySkills {
		say("skills", setup.Note, "mega-tron setup --claude-native-mode strict", "above %d skills Claude Code's strict mode pays", manySkills)
	}
	const most = 10
	for n, x := range cat.Collisions {
		if n == most {
			say("skills", setup.Note, "mega-tron skills list", "%d more have the name of another", len(cat.Collisions)-most)
			break
		}
		say("skills", setup.Note, "rename one of them", "%s is hidden by %s: %s", x.Loser, x.Winner, x.Reason)
	}
	for n, x := range cat.Rejects {
		if n == most {
			say("skills", setup.Warning, "mega-tron skills list", "%d more are refused", len(cat.Rejects)-most)
			break
		}
		say("skills", setup.Warning, "mend the file", "%s is refused: %s", x.File, x.Reason)
	}
	if archived > 0 {
		say("skills", setup.Note, "mega-tron skills restore NAME", "%d are archived, for they did harm", archived)
	}
}

// lastLines is how much of the log of verdicts is looked at.
const lastLines = 200

// examineVerdicts tells why verdicts were dropped lately.
func examineVerdicts(c *config.Config, say sayer) {
	path := filepath.Join(filepath.Dir(evidence.Place(c)), evidence.LogFile)
	data, err := os.ReadFile(path)
	if err != nil {
		say("verdicts", setup.Note, "", "none has been seen yet")
		return
	}
	var lines [][]byte
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		lines = append(lines, bytes.Clone(s.Bytes()))
	}
	lines = lines[max(0, len(lines)-lastLines):]
	counted, why := 0, map[string]int{}
	last := evidence.Entry{}
	for _, l := range lines {
		var e evidence.Entry
		if json.Unmarshal(l, &e) != nil {
			continue
		}
		if e.Outcome == evidence.Dropped {
			why[e.Why]++
			last = e
		} else {
			counted++
		}
	}
	say("verdicts", setup.OK, "", "of the last %d, %d were taken; the log is %s", len(lines), counted, path)
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		n := why[reason]
		say("verdicts", setup.Note, "", "%d dropped: %s", n, reason)
	}
	if last.Why != "" {
		say("verdicts", setup.Note, "", "the last one that was dropped: %s of %s, at %s", last.Verdict, last.Skill, last.At.Format("2006-01-02 15:04"))
	}
}
