package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// diffImpact answers for the changed lines of the repository around dir.
func diffImpact(ctx context.Context, dir string, env []string, s *source.Source, e *answer.Engine, args []string, how answer.Reach) (*reply, error) {
	place, ok := gitstore.Locate(dir)
	if !ok || place.Top == "" {
		return nil, command.Usage("impact: --diff compares a checkout, and there is none here")
	}
	if s.Build.Head != "" && s.Checkout.Repo == "" {
		return nil, fmt.Errorf("the bundle does not know this repository, so the changed lines of it lead nowhere%w", hintOnly{"name what changes, or run this in a repository of the workspace"})
	}
	g := gitstore.Git{Dir: place.Top, Env: env}
	base := "HEAD"
	if len(args) == 1 {
		var err error
		if base, err = g.MergeBase(ctx, args[0]); err != nil {
			return nil, cannotCompare(err, args[0])
		}
	}
	changes, err := g.Changes(ctx, base, "")
	if err != nil {
		return nil, cannotCompare(err, base)
	}
	notes, added := []string{}, 0
	between, err := sinceBundle(ctx, g, s.Checkout, base)
	if err != nil {
		notes = append(notes, "the lines are those of "+plaintext.Line(base, 40)+"; the bundle is of another commit, which is not here, so they may be off")
	}
	var edits []answer.Edit
	for _, c := range changes {
		if c.New {
			added++
			continue
		}
		edits = append(edits, edit(s.Checkout.Folder(), c, between[c.File]))
	}
	l, outside, err := e.Edited(edits)
	if err != nil {
		return nil, err
	}
	x, err := e.Impact([]*answer.Lookup{l}, how)
	if err != nil {
		return nil, err
	}
	if len(changes) == 0 {
		notes = append(notes, "no line of a tracked file is changed")
	}
	if n := outside + added; n > 0 {
		notes = append(notes, fmt.Sprintf("changed files that the index does not have: %d, of them new: %d", n, added))
	}
	x.Notes = notes
	return impactReply(x), nil
}

// cannotCompare says why git did not compare with a name that a person gave.
func cannotCompare(err error, name string) error {
	if exit := (*gitstore.ExitError)(nil); errors.As(err, &exit) {
		return fmt.Errorf("%w%w", command.UsageError{Text: fmt.Sprintf("impact: git cannot compare with %q: %s", plaintext.Line(name, 100), plaintext.Line(gitstore.Reason(exit.Stderr), 200))},
			hintOnly{"name a branch or commit that is here: route impact --diff origin/main"})
	}
	return err
}

// sinceBundle is what changed, by file, from the commit that the bundle was
// built from to base: the lines of base are not the bundle's.
func sinceBundle(ctx context.Context, g gitstore.Git, c source.Checkout, base string) (map[string][]gitstore.Change, error) {
	if c.Relation == source.Same && base == "HEAD" || c.Recorded == base {
		return nil, nil
	}
	if !gitstore.IsHash(c.Recorded) {
		return nil, errors.New("the bundle does not say its commit")
	}
	list, err := g.Changes(ctx, c.Recorded, base)
	by := map[string][]gitstore.Change{}
	for _, x := range list {
		by[x.File] = append(by[x.File], x)
	}
	return by, err
}

// edit tells a change in the lines that its file had in the bundle.
func edit(folder string, c gitstore.Change, between []gitstore.Change) answer.Edit {
	x := answer.Edit{Path: folder + c.File, From: c.From, To: c.To}
	if len(between) == 0 {
		return x
	}
	if c.To < c.From { // between two lines
		x.To, _ = lineBefore(between, c.To)
		_, x.From = lineBefore(between, c.From)
		if x.From > x.To+1 {
			x.From, x.To = x.To+1, x.From-1
		}
		return x
	}
	x.From, _ = lineBefore(between, c.From)
	_, x.To = lineBefore(between, c.To)
	return x
}

// lineBefore is the line, or the run of lines, that line n stood at before the
// changes, which are in the order of the file.
func lineBefore(between []gitstore.Change, n int) (from, to int) {
	shift := 0 // how much further down a line stands now
	for _, c := range between {
		gone, start := c.To-c.From+1, c.From+shift
		switch {
		case n < start:
			return n - shift, n - shift
		case n < start+c.Added && gone > 0:
			return c.From, c.To
		case n < start+c.Added:
			return max(1, c.To), max(1, c.To)
		}
		shift += c.Added - gone
	}
	return n - shift, n - shift
}
