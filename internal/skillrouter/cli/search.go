package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
	"github.com/marola-dev/marola-routing/internal/skillrouter/turns"
)

// errNoTarget is a staging without a place to stage in.
var errNoTarget = errors.New("search: --output stage needs --target DIR")

// errNoMatch is a search without a result; it is explained on stderr.
var errNoMatch = fmt.Errorf("no skill fits%w", command.ErrSilent)

type searchOptions struct {
	given
	mode                          string
	prefilter, shortlist, readMax int
	topK, prependK, budgetTokens  int
	noDynamicK, noBlend           bool
	output, target                string
	timeout                       float64
	printManifest, noPrepend      bool
	json                          bool
	sessionID                     string
}

func searchVerb() command.Verb {
	return command.Verb{
		Name:     "search",
		Synopsis: "TASK… [--top-k N] [--output FORM] [--json]",
		Summary:  "finds the skills that help with a task",
		Help: `Looks in the skill directories of Codex, Claude Code, Gemini CLI and Hermes, of the
person and of the repository that this directory is in, and prints the few skills
that help with the task, best first. It prints none when none stands out.

--output meta (the usual) gives each skill's name, directory and description;
names its name alone; table its score, name and length in tokens; bodies the whole
SKILL.md; stage makes links to the skills in DIR/skills, DIR of --target, as many
as --budget-tok tokens of descriptions hold, and prints a line that names the
first --prepend-k.

With a model, the first search of new skills embeds their names and descriptions;
their bodies follow in a process of its own. Without one, words alone decide.`,
		Examples: []string{
			"mega-tron search validate this webhook",
			"mega-tron search --json --output names -- write release notes",
			"mega-tron search --no-dynamic-k --top-k 20 --output table -- deploy to staging",
		},
		Min: 1, Max: -1,
		Setup: func(f *flag.FlagSet) command.Run {
			o := &searchOptions{}
			o.given.setup(f)
			f.StringVar(&o.mode, "mode", "", "`MODE`: semantic, or agentic, which asks the program of MEGA_BACKEND to choose; else MEGA_MODE, else semantic")
			f.IntVar(&o.prefilter, "prefilter", 0, "let evidence reorder the best `N` only; 0: all, or 200 when agentic")
			f.IntVar(&o.shortlist, "shortlist", 20, "let the agent choose at most `N`")
			f.IntVar(&o.readMax, "read-max", 5, "let the agent read at most `N` bodies")
			f.IntVar(&o.topK, "top-k", 0, "give at most `N` skills; else MEGA_TOP_K, else 5")
			f.BoolVar(&o.noDynamicK, "no-dynamic-k", false, "give as many as --top-k says, however little they fit")
			f.StringVar(&o.output, "output", "meta", "`FORM`: meta, names, table, bodies or stage")
			f.StringVar(&o.target, "target", "", "stage in `DIR`")
			f.IntVar(&o.prependK, "prepend-k", 3, "name at most `N` skills in the line of stage")
			f.IntVar(&o.budgetTokens, "budget-tok", 1500, "stage at most `N` tokens of descriptions")
			f.BoolVar(&o.noBlend, "no-eval-blend", false, "leave the evidence of past sessions out")
			f.Float64Var(&o.timeout, "timeout-s", 30, "wait at most `N` seconds for the agent")
			f.BoolVar(&o.printManifest, "print-manifest", false, "stage: print what was staged and what did not fit, as JSON")
			f.BoolVar(&o.noPrepend, "no-prepend", false, "stage: print no line")
			f.BoolVar(&o.json, "json", false, "print JSON")
			f.StringVar(&o.sessionID, "session-id", "", "count the result as shown in the session `ID`")
			return o.run
		},
	}
}

func (o *searchOptions) run(ctx context.Context, p command.Process, args []string) error {
	task := strings.TrimSpace(strings.Join(args, " "))
	if task == "" {
		return command.Usage("search: the task is empty")
	}
	show, ok := outputs[o.output]
	if !ok {
		return command.Usage("search: there is no output %q; there are meta, names, table, bodies and stage", o.output)
	}
	if o.output == "stage" && o.target == "" {
		return errNoTarget
	}
	if err := o.check(); err != nil {
		return err
	}
	c, err := settings(p)
	if err != nil {
		return err
	}
	mode, err := o.modeOf(c)
	if err != nil {
		return err
	}
	roots, err := o.roots(c, p)
	if err != nil {
		return err
	}
	options := rankOptions(c, o.topK, !o.noDynamicK, !o.noBlend)
	options.Prefilter = o.prefilter
	if o.output == "stage" && o.topK == 0 {
		options.TopK = o.shortlist
	}
	var ranking rank.Ranking
	total, err := 0, errNoDaemon
	if o.cachePath == "" && mode == "semantic" {
		ranking, total, err = warm(ctx, p, c, roots, task, options, false)
	}
	if err != nil {
		if ranking, total, err = o.cold(ctx, p, task, options); err != nil {
			return err
		}
	}
	picks := ranking.Picks[:ranking.Show]
	if mode == "agentic" {
		chosen, err := o.askAgent(ctx, p, c, task, ranking, options)
		if err != nil {
			fmt.Fprintf(p.Stderr, "mega-tron: the agent did not choose, so likeness does: %s\n", plaintext.Line(err.Error(), 500))
		} else {
			picks, ranking.Reason = chosen, "the agent chose none"
		}
	}
	if len(picks) == 0 && o.output != "stage" {
		if o.json {
			if err := p.WriteJSON([]string{}); err != nil {
				return err
			}
		}
		explainNone(p, c, len(roots), total, ranking.Reason)
		return errNoMatch
	}
	o.remember(p, c, picks)
	return show(o, p, picks)
}

// remember tells the end of the session's turn what was looked up.
func (o *searchOptions) remember(p command.Process, c *config.Config, picks []rank.Pick) {
	if o.sessionID == "" || len(picks) == 0 {
		return
	}
	var shown []turns.Skill
	for _, k := range picks {
		shown = append(shown, turns.Skill{Name: k.Skill.Name, Dir: k.Skill.Dir})
	}
	log, err := turns.Open(c)
	if err == nil {
		err = log.Shown(o.sessionID, turns.CLI, "", shown)
	}
	if err != nil {
		fmt.Fprintf(p.Stderr, "mega-tron: the session does not remember what was found: %s\n", line(err.Error()))
	}
}

// check refuses numbers that mean nothing.
func (o *searchOptions) check() error {
	for _, n := range []struct {
		flag  string
		value int
	}{
		{"prefilter", o.prefilter}, {"shortlist", o.shortlist}, {"read-max", o.readMax},
		{"top-k", o.topK}, {"prepend-k", o.prependK}, {"budget-tok", o.budgetTokens},
	} {
		if err := notNegative(n.flag, n.value); err != nil {
			return err
		}
	}
	if !(o.timeout > 0 && o.timeout <= maxTimeout) {
		return command.Usage("--timeout-s %v is no number of seconds from 0 to %d", o.timeout, maxTimeout)
	}
	return nil
}

// maxTimeout is the longest that anybody waits for an agent, in seconds.
const maxTimeout = 24 * 60 * 60

func notNegative(flag string, n int) error {
	if n < 0 {
		return command.Usage("--%s %d is less than 0", flag, n)
	}
	return nil
}

// cold ranks in this process.
func (o *searchOptions) cold(ctx context.Context, p command.Process, task string, options rank.Options) (rank.Ranking, int, error) {
	s, err := o.open(p)
	if err != nil {
		return rank.Ranking{}, 0, err
	}
	defer s.close()
	v, err := s.look(ctx, p, allHeads)
	if err != nil {
		return rank.Ranking{}, 0, err
	}
	o.finishLater(s, p, v)
	r, err := s.router.Rank(ctx, v, task, options)
	return r, len(v.Catalogue.Skills), err
}

func explainNone(p command.Process, c *config.Config, roots, skills int, reason string) {
	if c.Env("MEGA_QUIET") != "" {
		return
	}
	switch {
	case skills == 0 && roots == 0:
		fmt.Fprintln(p.Stderr, "mega-tron: there is no skill directory here\nhint: mega-tron dirs add DIR, or --skills-dir DIR")
	case skills == 0:
		fmt.Fprintf(p.Stderr, "mega-tron: there is no skill in %d directories\nhint: mega-tron skills list shows where was looked and what was refused\n", roots)
	default:
		fmt.Fprintf(p.Stderr, "mega-tron: none of %d skills fits: %s\nhint: --no-dynamic-k shows the nearest\n", skills, reason)
	}
}

// An output prints picks in one form.
type output func(o *searchOptions, p command.Process, picks []rank.Pick) error

var outputs = map[string]output{"meta": printMeta, "names": printNames, "table": printTable, "bodies": printBodies, "stage": stage}

func printNames(o *searchOptions, p command.Process, picks []rank.Pick) error {
	if o.json {
		names := []string{}
		for _, k := range picks {
			names = append(names, k.Skill.Name)
		}
		return p.WriteJSON(names)
	}
	for _, k := range picks {
		fmt.Fprintln(p.Stdout, line(k.Skill.Name))
	}
	return nil
}

// line brings foreign text to one line that a terminal cannot take for more.
func line(s string) string { return plaintext.Line(s, 4096) }

type metaRow struct {
	Name        string `json:"name"`
	SkillDir    string `json:"skill_dir"`
	Description string `json:"description"`
}

func printMeta(o *searchOptions, p command.Process, picks []rank.Pick) error {
	rows := []metaRow{}
	for _, k := range picks {
		rows = append(rows, metaRow{k.Skill.Name, k.Skill.Dir, k.Skill.Description})
	}
	if o.json {
		return p.WriteJSON(rows)
	}
	for _, r := range rows {
		fmt.Fprintf(p.Stdout, "%s\n  dir:  %s\n  desc: %s\n", line(r.Name), line(r.SkillDir), line(r.Description))
	}
	return nil
}

type tableRow struct {
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
	DescTok  int     `json:"desc_tok"`
	SkillDir string  `json:"skill_dir"`
}

func printTable(o *searchOptions, p command.Process, picks []rank.Pick) error {
	rows := []tableRow{}
	for _, k := range picks {
		rows = append(rows, tableRow{k.Skill.Name, round4(k.Score), tokens(k.Skill), k.Skill.Dir})
	}
	if o.json {
		return p.WriteJSON(rows)
	}
	for _, r := range rows {
		fmt.Fprintf(p.Stdout, "%.4f  %s  %d\n", r.Score, line(r.Name), r.DescTok)
	}
	return nil
}

type bodyRow struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

func printBodies(o *searchOptions, p command.Process, picks []rank.Pick) error {
	rows := []bodyRow{}
	for _, k := range picks {
		file := filepath.Join(k.Skill.Dir, skill.FileName)
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		data, err := skill.ReadFile(file, info)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		rows = append(rows, bodyRow{k.Skill.Name, strings.ToValidUTF8(string(data), "\uFFFD")})
	}
	if o.json {
		return p.WriteJSON(rows)
	}
	for _, r := range rows {
		fmt.Fprintf(p.Stdout, "===== %s =====\n%s\n", line(r.Name), strings.TrimRight(r.Content, "\n"))
	}
	return nil
}

func round4(x float64) float64 { return float64(int64(x*1e4+sign(x)*0.5)) / 1e4 }

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// tokens is about what a skill's name and description cost in a catalogue: a
// quarter of their bytes.
func tokens(s *skill.Skill) int { return len(s.Name)/4 + len(s.Description)/4 }
