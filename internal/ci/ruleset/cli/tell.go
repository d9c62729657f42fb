package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/reconcile"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A report is what a run has to say.
type report struct {
	Code    int                `json:"code"`
	Tally   map[string]int     `json:"tally"` // rulesets by status
	Results []reconcile.Result `json:"results"`
	order   []reconcile.Status // of the tally
}

func reportOf(results []reconcile.Result) report {
	r := report{Tally: map[string]int{}, Results: append([]reconcile.Result{}, results...)}
	var codes []int
	for _, one := range results {
		codes = append(codes, one.Code)
		if r.Tally[string(one.Status)]++; !slices.Contains(r.order, one.Status) {
			r.order = append(r.order, one.Status)
		}
	}
	slices.Sort(r.order)
	r.Code = reconcile.Gravest(codes...)
	return r
}

func (r report) tally() string {
	var parts []string
	for _, s := range r.order {
		parts = append(parts, fmt.Sprintf("%d %s", r.Tally[string(s)], s))
	}
	if len(parts) == 0 {
		return "no rulesets"
	}
	return strings.Join(parts, ", ")
}

func (o *runOptions) tell(ctx context.Context, p command.Process, results []reconcile.Result) error {
	r := reportOf(results)
	for _, one := range r.Results {
		fmt.Fprintf(p.Stderr, "%-11s %s: %s%s\n", one.Status, one.Target, line(one.Ruleset), details(one))
		if one.Hint != "" {
			fmt.Fprintf(p.Stderr, "hint: %s\n", line(one.Hint))
		}
	}
	fmt.Fprintf(p.Stderr, "%s: %s\n", name, r.tally())
	step := actions.From(ctx)
	for _, one := range r.Results {
		annotate(step, o.name, one)
	}
	if step != nil {
		if err := step.Summary(o.markdown(r)); err != nil {
			return err
		}
	}
	if o.json {
		if err := p.WriteJSON(r); err != nil {
			return err
		}
		return ended(r.Code)
	}
	for _, one := range r.Results {
		o.print(p.Stdout, one)
	}
	return ended(r.Code)
}

const maxLine = 4000 // bytes of foreign text

// line is foreign text for a terminal.
func line(s string) string { return plaintext.Line(s, maxLine) }

func details(r reconcile.Result) string {
	if r.Text == "" {
		return ""
	}
	return ": " + line(r.Text)
}

// print writes what differs, and the request that was or would be made.
func (o *runOptions) print(w io.Writer, r reconcile.Result) {
	showRequest := o.name != "check" && r.Request != nil
	if len(r.Changes) == 0 && len(r.ServerValues) == 0 && !showRequest {
		return
	}
	from := ""
	if r.File != "" {
		from = " (" + line(r.File) + ")"
	}
	fmt.Fprintf(w, "%s: %s%s\n", r.Target, line(r.Ruleset), from)
	if showRequest {
		fmt.Fprintf(w, "  %s /%s\n", r.Request.Method, r.Request.Path)
	}
	if r.Edit != nil {
		fmt.Fprintf(w, "  changed last by %s at %s\n", line(r.Edit.Actor), line(r.Edit.Time))
	}
	for _, c := range shown(r) {
		fmt.Fprintf(w, "  %s %s: %s\n", mark(c), c.Path, c.Text)
	}
}

// shown are the changes and what only the service has, each once.
func shown(r reconcile.Result) []ruleset.Change {
	all := slices.Clone(r.Changes)
	for _, c := range r.ServerValues {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

func mark(c ruleset.Change) string {
	switch {
	case c.Loss:
		return "!"
	case c.Weakens:
		return "-"
	case c.ServerValue:
		return "="
	}
	return "~"
}

// annotate shows a result that is not in order on the page of the run.
func annotate(step *actions.Step, verb string, r reconcile.Result) {
	if r.Code == reconcile.CodeDone {
		return
	}
	text := fmt.Sprintf("%s: %s is %s%s", r.Target, r.Ruleset, r.Status, details(r))
	for i, c := range r.Changes {
		const enough = 5
		if i == enough {
			text += fmt.Sprintf("; and %d more", len(r.Changes)-enough)
			break
		}
		text += fmt.Sprintf("; %s %s: %s", mark(c), c.Path, c.Text)
	}
	level := actions.Error
	if verb == planKind.name {
		level = actions.Warning // a plan is what a change is going to do
	}
	step.Annotate(actions.Annotation{Level: level, Title: name + " " + verb, Text: text, File: r.File})
}

// markdown is the report for the summary of a step.
func (o *runOptions) markdown(r report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s %s\n\n%s\n\n| | repository | ruleset | |\n|---|---|---|---|\n", name, o.name, r.tally())
	for _, one := range r.Results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", one.Status, code(one.Target), code(one.Ruleset), code(one.Text))
	}
	for _, one := range r.Results {
		if len(shown(one)) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s: %s\n\n", code(one.Target), code(one.Ruleset))
		if o.name != "check" && one.Request != nil {
			fmt.Fprintf(&b, "%s\n\n", code(one.Request.Method+" /"+one.Request.Path))
		}
		for _, c := range shown(one) {
			fmt.Fprintf(&b, "- %s %s %s\n", markWords(c), code(c.Path), code(c.Text))
		}
	}
	return b.String()
}

func markWords(c ruleset.Change) string {
	switch mark(c) {
	case "!":
		return "**taken away:**"
	case "-":
		return "**weaker:**"
	case "=":
		return "only the service has:"
	}
	return ""
}

// code is foreign text as a code span, in which nothing of Markdown counts.
func code(s string) string { return actions.Code(s, maxLine) }
