package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/reconcile"
	"github.com/marola-dev/marola-routing/internal/command"
)

// files are what a run reads.
type files struct {
	manifests list
	extras    string
}

// A list is a flag that may be given again.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(value string) error {
	if value == "" {
		return fmt.Errorf("it is empty; a variable may be unset")
	}
	*l = append(*l, value)
	return nil
}

func (f *files) setup(fs *flag.FlagSet) {
	fs.Var(&f.manifests, "manifest", "a ruleset file, a manifest.yaml, or a directory (`PATH`); may be given again; default: rulesets, else .github/rulesets")
	fs.StringVar(&f.extras, "extras", "", "bypass actors that single repositories have besides (`FILE`)")
}

// defaults are where rulesets are looked for.
var defaults = []string{"rulesets", ".github/rulesets"}

func (f *files) load(p command.Process) (ruleset.Set, error) {
	paths := slices.Clone(f.manifests)
	if len(paths) == 0 {
		for _, dir := range defaults {
			if st, err := os.Stat(p.Abs(dir)); err == nil && st.IsDir() {
				paths = list{dir}
				break
			}
		}
	}
	if len(paths) == 0 {
		return ruleset.Set{}, command.Usage("there is neither rulesets nor .github/rulesets here; say --manifest PATH")
	}
	return ruleset.Load(p.Abs, paths, f.extras), nil
}

// tellFindings prints what was found in files, and shows it at its lines.
func tellFindings(ctx context.Context, p command.Process, found []ruleset.Finding) {
	step := actions.From(ctx)
	for _, f := range found {
		fmt.Fprintln(p.Stderr, f.String())
		level := actions.Error
		if f.Warning {
			level = actions.Warning
		}
		step.Annotate(actions.Annotation{Level: level, Title: name, Text: f.Text, File: f.File, Line: f.Line})
	}
}

type lintReport struct {
	Files    int               `json:"files"`
	Errors   int               `json:"errors"`
	Warnings int               `json:"warnings"`
	Findings []ruleset.Finding `json:"findings"`
}

func lintVerb() command.Verb {
	return command.Verb{
		Name:     "lint",
		Synopsis: "[--manifest PATH]… [--extras FILE] [--strict] [--json]",
		Summary:  "looks for mistakes in the files, asking nobody",
		Help: `Reads rulesets strictly: keys that stand twice or differ only by case, what is no
UTF-8, and what follows the end are refused, with line and column. What the
service's description does not know (a new rule type, a new parameter) is a
warning, for services learn new words; a known word that is misspelt is an error.

PATH is one ruleset file, a manifest.yaml, or a directory with both.`,
		Examples: []string{
			"ruleset-sync lint",
			"ruleset-sync lint --manifest .github/rulesets --strict",
			"ruleset-sync lint --manifest rulesets/main-rule.json --json",
		},
		Setup: func(fs *flag.FlagSet) command.Run {
			var f files
			f.setup(fs)
			strict := fs.Bool("strict", false, "refuse what is only warned of")
			asJSON := fs.Bool("json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error {
				set, err := f.load(p)
				if err != nil {
					return err
				}
				tellFindings(ctx, p, set.Findings)
				r := lintReport{Files: len(set.Entries), Errors: len(set.Errors()), Findings: append([]ruleset.Finding{}, set.Findings...)}
				r.Warnings = len(set.Findings) - r.Errors
				if *asJSON {
					err = p.WriteJSON(r)
				} else {
					_, err = fmt.Fprintf(p.Stdout, "%s: %s, %s\n", count(r.Files, "ruleset"), count(r.Errors, "error"), count(r.Warnings, "warning"))
				}
				if r.Errors > 0 || *strict && r.Warnings > 0 {
					return ended(reconcile.CodeManifest)
				}
				return err
			}
		},
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
