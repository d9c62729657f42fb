package skillsvendor

import (
	"context"
	"flag"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/skillbuild"
	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// skillName is what the skill is called where it is vendored.
const skillName = "routing"

// besideName is the skill that finds skills, which is vendored beside it on
// request.
const besideName = "skill-routing"

type installOptions struct {
	upstream, path, sha, platforms, umbrella string
	days                                     int
	dryRun, undo, beside                     bool
}

func installVerb() command.Verb {
	return command.Verb{
		Name:     "install",
		Synopsis: "[--umbrella URL] [--platforms LIST] [--with-skill-routing] [--sha COMMIT] [--dry-run] | --undo [--dry-run]",
		Summary:  "sets a repository up for routing: skill, hook, AGENTS.md, settings, CI",
		Help: `Run it in a checkout. It vendors the routing skill of the newest release, adds the
hook at the start of a session to .claude/settings.json, a line to AGENTS.md, and
makes .claude/routing.json and .github/workflows/skills.yml where they are not there.
What a file has keeps its form, comments too; what is there already is left as it is,
so that it can be run again. Nothing is committed.

--undo takes all of that away again and leaves no difference. A file that was changed
since is kept, and named.`,
		Examples: []string{
			"skills-vendor install --umbrella https://github.com/acme/umbrella.git",
			"skills-vendor install --platforms linux-amd64,darwin-arm64 --dry-run",
			"skills-vendor install --undo",
		},
		Setup: func(fs *flag.FlagSet) command.Run {
			var o installOptions
			days := ageFlag(fs, 0)
			fs.StringVar(&o.upstream, "upstream", ownUpstream, "where the skill comes from, `OWNER/REPO` or an address")
			fs.StringVar(&o.path, "path", ownPath, "its `DIR` upstream")
			fs.StringVar(&o.sha, "sha", "", "take this `COMMIT` rather than the newest release")
			fs.StringVar(&o.platforms, "platforms", "", "whose programs to vendor, a `LIST` with commas, or none; default: all")
			fs.StringVar(&o.umbrella, "umbrella", "", "the `URL` whose bundle answers, for .claude/routing.json")
			fs.BoolVar(&o.beside, "with-skill-routing", false, "vendor the skill that starts an installed mega-tron, too")
			fs.BoolVar(&o.dryRun, "dry-run", false, "say what would be done, and do nothing")
			fs.BoolVar(&o.undo, "undo", false, "take away what install added")
			return func(ctx context.Context, p command.Process, args []string) error {
				o.days = *days
				row, err := o.row()
				if err != nil {
					return err
				}
				return runInstall(ctx, p, o, row)
			}
		},
	}
}

func (o installOptions) row() (skillslock.Row, error) {
	row := skillslock.Row{Upstream: o.upstream, Path: strings.Trim(o.path, "/"), Files: map[string]string{}, Follow: "releases"}
	if _, err := skillslock.Address(o.upstream); err != nil {
		return row, command.Usage("install: --%v", err)
	}
	if !skillslock.ValidPath(row.Path) {
		return row, command.Usage("install: --path %q is not a directory of a repository", plaintext.Line(o.path, 100))
	}
	if o.sha != "" && !gitstore.IsHash(o.sha) {
		return row, command.Usage("install: --sha takes the 40 hex digits of a commit")
	}
	switch o.platforms {
	case "":
	case "none":
		row.Platforms = []string{}
	default:
		for _, name := range strings.Split(o.platforms, ",") {
			known := false
			for _, p := range skillbuild.Platforms {
				known = known || string(p) == name
			}
			if !known {
				return row, command.Usage("install: there is no program for %q; the platforms are %v", plaintext.Line(name, 60), skillbuild.Platforms)
			}
			row.Platforms = append(row.Platforms, name)
		}
	}
	return row, nil
}

func runInstall(ctx context.Context, p command.Process, o installOptions, row skillslock.Row) error {
	place, ok := gitstore.Locate(p.Dir)
	if !ok || place.Top == "" {
		return stopf("run it in a clone", "this directory is not in a checkout of a git repository")
	}
	e, err := openEdits(place.Top)
	if err != nil {
		return err
	}
	defer e.close()
	if o.undo {
		err = uninstall(e)
	} else {
		err = install(ctx, p, o, row, e)
	}
	if err != nil {
		return err
	}
	e.tell(p.Stdout, o.dryRun)
	if !o.dryRun {
		if err := e.apply(); err != nil {
			return err
		}
	}
	if len(e.kept) > 0 {
		return stopf("take what is left out by hand", "kept, for it was changed: %s", strings.Join(e.kept, ", "))
	}
	return nil
}

const (
	lockName     = skillsDir + "/" + skillslock.Name
	workflowName = ".github/workflows/skills.yml"
)

// install plans everything; nothing is written.
func install(ctx context.Context, p command.Process, o installOptions, row skillslock.Row, e *edits) error {
	lock, err := e.lock()
	if err != nil {
		return err
	}
	if was, there := lock.Row(skillName); there {
		row = was
		if text := migration(skillName, was); text != "" {
			fmt.Fprintln(p.Stderr, "notice:", text)
		}
	} else if row, err = vendor(ctx, p, o, skillName, row, e, lock); err != nil {
		return err
	}
	if o.beside {
		if err := vendorBeside(ctx, p, o, row, e, lock); err != nil {
			return err
		}
	}
	made := func(name string, data []byte) error {
		_, there, err := e.read(name)
		if err == nil && !there {
			row.Installed = append(row.Installed, name)
			e.put(name, data, 0o644)
		}
		return err
	}
	settings, there, err := e.read(settingsName)
	if err != nil {
		return err
	}
	if there {
		if settings, err = withHook(settings); err != nil {
			return err
		}
		e.put(settingsName, settings, 0o644)
	} else if err := made(settingsName, newSettings()); err != nil {
		return err
	}
	agents, there, err := e.read(agentsName)
	if err != nil {
		return err
	}
	if there {
		e.put(agentsName, withLine(agents), 0o644)
	} else if err := made(agentsName, []byte(agentsBlock)); err != nil {
		return err
	}
	if err := made(source.SettingsFile, routingJSON(o.umbrella)); err != nil {
		return err
	}
	if err := made(workflowName, workflow(row.Commit)); err != nil {
		return err
	}
	if !e.hadLock {
		row.Installed = appendOnce(row.Installed, lockName)
	}
	if err := lock.Set(skillName, row); err != nil {
		return err
	}
	e.put(lockName, lock.Bytes(), 0o644)
	for _, dir := range otherCopies(e.top, p) {
		fmt.Fprintf(p.Stderr, "warning: a plugin carries a routing skill, too, and sessions may see both: %s\n", plaintext.Line(dir, 300))
	}
	return nil
}

func appendOnce(all []string, name string) []string {
	for _, s := range all {
		if s == name {
			return all
		}
	}
	return append(all, name)
}

// vendorBeside plans the skill that finds skills, of the same commit. It has
// no programs of its own.
func vendorBeside(ctx context.Context, p command.Process, o installOptions, routing skillslock.Row, e *edits, lock *skillslock.Lock) error {
	if _, there := lock.Row(besideName); there {
		return nil
	}
	row := skillslock.Row{Upstream: routing.Upstream, Path: path.Join(path.Dir(routing.Path), besideName), Files: map[string]string{}, Follow: routing.Follow}
	o.sha = routing.Commit
	row, err := vendor(ctx, p, o, besideName, row, e, lock)
	if err != nil {
		return err
	}
	return lock.Set(besideName, row)
}

// vendor plans a skill's files and returns its row.
func vendor(ctx context.Context, p command.Process, o installOptions, name string, row skillslock.Row, e *edits, lock *skillslock.Lock) (skillslock.Row, error) {
	before, err := cutoff(p, "install", o.days)
	if err != nil {
		return row, err
	}
	u := &upstreams{env: p.Env}
	defer u.close()
	pl, repo, err := makePlan(ctx, u, name, row, o.sha, before)
	if err != nil {
		return row, err
	}
	if pl.status == none {
		return row, stopf("name a commit with --sha", "%s has no release with %s that is old enough", row.Upstream, row.Path)
	}
	s, err := openShelf(p, filepath.Join(e.top, filepath.FromSlash(lockName)))
	if err != nil {
		return row, err
	}
	defer s.close()
	s.lock = lock
	c, err := prepare(ctx, s, pl, repo, p.Env)
	if err != nil {
		return row, err
	}
	for file, data := range c.contents {
		e.put(path.Join(skillsDir, name, file), data, c.mode(file))
	}
	return *c.row, nil
}

// routingJSON is the settings of a repository that has none.
func routingJSON(umbrella string) []byte {
	if umbrella == "" {
		return []byte("{}\n")
	}
	return []byte(fmt.Sprintf("{\n  \"umbrella\": %q\n}\n", umbrella))
}

// otherCopies are the plugins that carry the skill: of this repository, and
// of this person's client.
func otherCopies(top string, p command.Process) (dirs []string) {
	client := p.Getenv("CLAUDE_CONFIG_DIR")
	if client == "" && p.Getenv("HOME") != "" {
		client = filepath.Join(p.Getenv("HOME"), ".claude")
	}
	patterns := []string{filepath.Join(top, "plugins", "*"), filepath.Join(top, "*", "plugins", "*")}
	if filepath.IsAbs(client) {
		patterns = append(patterns, filepath.Join(client, "plugins", "cache", "*", "*"), filepath.Join(client, "plugins", "cache", "*", "*", "*"), filepath.Join(client, "plugins", "marketplaces", "*", "plugins", "*"))
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(pattern, "skills", skillName, "SKILL.md"))
		if err == nil {
			dirs = append(dirs, found...)
		}
	}
	return dirs
}
