// Package publish puts a routing bundle on a branch of a git remote.
//
// The bundle becomes one root commit, and the branch is moved to it by
// compare-and-swap: the server moves it only from the very commit on which
// the decision rests. [Publish] holds all decisions (is it newer, is it
// unchanged, is a failure worth another try) and knows nothing of a protocol;
// a [Remote] knows the protocol and decides nothing. docs/publishing.md tells
// the same to people.
package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Tries is how often a publish is begun at the most.
const Tries = 3

// readBack is how long the last look at the branch may take, also when the
// time for everything else is over: without it a push that was applied would
// be reported as lost.
const readBack = 15 * time.Second

// Options say how to publish. The zero value of each field is a good one,
// Branch excepted.
type Options struct {
	Branch      string    // short name, as in "routing-bundle"
	DryRun      bool      // decide, but do not move the branch
	AllowRewind bool      // an older bundle may replace a newer one
	OtherSpace  bool      // the bundle of another workspace may be replaced
	First       bool      // a damaged bundle, whose build.json cannot be read, is no obstacle
	Local       Historian // a checkout that may know the history, or nil

	Progress func(string)                               // told what is being done, or nil
	Now      func() time.Time                           // for texts only
	Sleep    func(context.Context, time.Duration) error // how to wait between tries
}

// A Result is how a publish ended.
type Result struct {
	Changed  bool   `json:"changed"`  // this publish moved the branch
	Commit   string `json:"commit"`   // of this bundle: the published one, if it is published; "" for one that its remote has not made
	Tree     string `json:"tree"`     // of this bundle
	Previous string `json:"previous"` // where the branch was before, or ""
	Branch   string `json:"branch"`
	Remote   string `json:"remote"` // without credentials
	Bytes    int64  `json:"bytes"`  // sizes of the bundle's files together, large ones included
	Tries    int    `json:"tries"`
	Notice   string `json:"notice"` // what a person should know, or ""
	DryRun   bool   `json:"dry_run,omitempty"`
	Large    *Large `json:"large,omitempty"` // nil when the bundle has no large files

	// Before is the published bundle that this one was last compared with;
	// nil when there was none, or when this very commit was there already.
	Before *Published `json:"-"`
}

// Publish moves the branch to the bundle, unless that is not needed or not
// right. A nil error means that there is nothing left to do; see [Result].
// Otherwise it is a *[Gate], *[Refused] or *[Unreached], or an error of this
// machine.
func Publish(ctx context.Context, r Remote, s *Snapshot, o Options) (Result, error) {
	p := &planner{remote: r, snapshot: s, options: o}
	p.defaults()
	p.result = Result{Tree: s.Tree, Branch: o.Branch, Bytes: s.Bytes, DryRun: o.DryRun}
	if s.Large != nil {
		p.result.Bytes += s.Large.Bytes
		p.result.Large = &Large{Bytes: s.Large.Bytes}
	}
	err := p.run(ctx)
	p.putBack(ctx)
	return p.result, err
}

// run begins again where that may help.
func (p *planner) run(ctx context.Context) error {
	for try := 1; ; try++ {
		p.result.Tries = try
		err := p.attempt(ctx)
		if err == nil {
			return nil
		}
		if errors.Is(ctx.Err(), context.Canceled) {
			return &Unreached{Tries: try, Last: errors.New("interrupted")}
		}
		var moved *Moved
		var transient *Transient
		var unreached *Unreached
		switch {
		case errors.As(err, &unreached): // the remote has tried often enough by itself
			return err
		case errors.As(err, &moved), errors.As(err, &transient):
		case errors.Is(err, context.DeadlineExceeded):
			transient = &Transient{Err: err}
		default:
			return err
		}
		if ctx.Err() != nil {
			return &Unreached{Tries: try, Last: errors.New("the time is over before the remote had answered"), Next: "give it more time with --timeout, or look whether the remote answers at all"}
		}
		if try == Tries {
			return &Unreached{Tries: try, Last: err}
		}
		if transient != nil {
			if err := p.wait(ctx, try, transient); err != nil {
				return err
			}
		}
	}
}

type planner struct {
	remote   Remote
	snapshot *Snapshot
	options  Options
	result   Result
	large    largeRef

	sent     bool // a move to our commit was sent, and nobody said that it failed
	accepted bool // and the server confirmed it
	done     bool // the branch has this bundle
}

func (p *planner) defaults() {
	o := &p.options
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
}

// attempt goes once through the whole algorithm. Every decision rests on the
// commit that was listed in this attempt, and the move is bound to it.
func (p *planner) attempt(ctx context.Context) error {
	if err := p.name(ctx); err != nil {
		return err
	}
	p.options.Progress("looking at the remote")
	refs, err := p.remote.List(ctx, p.options.Branch)
	if err != nil {
		return err
	}
	if err := p.conflicts(refs); err != nil {
		return err
	}
	if err := p.nameLarge(ctx, refs); err != nil {
		return err
	}
	old := refs[refName(p.options.Branch)]
	if old != "" && old == p.result.Commit {
		p.arrived(old) // maybe by an earlier try
		return p.mend(ctx, refs)
	}
	if !p.accepted {
		p.result.Previous = old
	}
	if old != "" {
		stop, err := p.judge(ctx, old)
		switch {
		case err != nil:
			return err
		case p.done:
			return p.mend(ctx, refs)
		case stop:
			return nil
		}
	}
	if p.options.DryRun {
		p.result.Notice = joinNotices(p.result.Notice, "dry run: the branch would move from "+orNothing(old)+" to "+orNew(p.result.Commit))
		p.result.Notice = joinNotices(p.result.Notice, p.largeMove(refs))
		return nil
	}
	if err := p.moveLarge(ctx, refs); err != nil {
		return err
	}
	p.options.Progress(fmt.Sprintf("publishing %s (%d kB)", orNew(p.result.Commit), (p.snapshot.Bytes+1023)/1024))
	commit, err := p.remote.Prepare(ctx, p.snapshot)
	if err != nil {
		return err
	}
	p.result.Commit = commit
	return p.settle(ctx, old, commit, p.remote.Move(ctx, refName(p.options.Branch), old, commit))
}

// name finds out what the bundle's commit is called, if that can be known.
func (p *planner) name(ctx context.Context) error {
	commit, err := p.remote.Name(ctx, p.snapshot, "")
	if err == nil {
		p.result.Commit = commit
	}
	return err
}

// arrived ends a publish whose commit is on the branch. Two publishers of one
// bundle make one commit, so it may be the other's work.
func (p *planner) arrived(tip string) {
	p.done = true
	p.result.Changed = p.sent
	if !p.sent {
		p.result.Previous = tip
		p.result.Notice = "nothing to do: this very bundle is published already"
	}
}

// judge decides against what is published. stop means that the publish is
// over, well.
func (p *planner) judge(ctx context.Context, old string) (stop bool, err error) {
	p.options.Progress("reading the published bundle")
	published, err := p.remote.Read(ctx, old)
	if err != nil {
		return false, err
	}
	if !p.accepted {
		p.result.Before = &published
	}
	if published.Foreign != nil {
		return false, &Refused{
			Reason: fmt.Sprintf("its branch %s, at %s, is no bundle and stays as it is: %v", p.options.Branch, short(old), published.Foreign),
			Next:   "name another branch with --branch; if nobody needs what is there, delete that branch first"}
	}
	if published.Tree == p.snapshot.Tree {
		p.done = true
		p.result.Changed = p.accepted
		p.result.Commit = old
		p.result.Notice = "nothing to do: the published bundle has the same content"
		return true, nil
	}
	if published.Bad != nil {
		if !p.options.First {
			return false, &Gate{
				Reason: fmt.Sprintf("what %s holds at %s cannot be compared: %v", p.options.Branch, short(old), published.Bad),
				Next:   "look what is on that branch; if a bundle may take its place, publish once with --first"}
		}
		p.result.Notice = fmt.Sprintf("--first: %s replaces %s, whose build.json cannot be used", orNew(p.result.Commit), short(old))
		return false, nil
	}
	if other := otherWorkspace(p.snapshot.Build, published.Build); other != "" && !p.options.OtherSpace {
		return false, &Gate{Reason: other, Next: "was it built in the wrong directory? If the workspace has moved, publish once with --other-workspace"}
	}
	remote, _ := p.remote.(Historian)
	g := guard{local: p.options.Local, remote: remote, now: p.options.Now(), rewind: p.options.AllowRewind}
	standing := g.decide(ctx, p.snapshot.Build, published.Build)
	if standing.err != nil {
		return false, standing.err
	}
	p.result.Notice = standing.notice
	if !standing.publish && p.accepted {
		p.result.Changed = true
		p.result.Notice = fmt.Sprintf("published, and replaced since by the newer bundle of %s", short(published.Build.Head))
	}
	return !standing.publish, nil
}

// settle looks where the branch is after a move. Neither a success nor a
// failure is believed: a proxy may fail after the server moved the branch,
// and a client may say "up to date" without having sent a thing.
func (p *planner) settle(ctx context.Context, old, commit string, err error) error {
	var refused *Refused
	if errors.As(err, &refused) {
		return err
	}
	if moved := (*Moved)(nil); !errors.As(err, &moved) {
		p.sent = true
	}
	p.accepted = p.accepted || err == nil
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	refs, lookErr := p.look(ctx)
	switch tip := refs[refName(p.options.Branch)]; {
	case lookErr != nil && err == nil:
		return lookErr
	case lookErr != nil:
		return err
	case tip == commit:
		p.arrived(tip)
		return p.mend(ctx, refs)
	case err != nil && tip == old:
		return err
	case tip == old:
		return &Transient{Err: fmt.Errorf("the remote took the push, but %s did not move", p.options.Branch)}
	default:
		return &Moved{Text: fmt.Sprintf("it is at %s now", orNothing(tip))}
	}
}

// wait waits before another try: as long as the server asked, else a little
// longer each time.
func (p *planner) wait(ctx context.Context, try int, t *Transient) error {
	d := t.After
	if d == 0 {
		d = time.Duration(try) * time.Second
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d {
		return &Unreached{Tries: try, Last: fmt.Errorf("%w; the next try would be in %s, after the time is over", t.Err, d.Round(time.Second)), Next: "run it again later, or give it more time with --timeout"}
	}
	p.options.Progress(fmt.Sprintf("%v; trying again in %s", t.Err, d.Round(time.Second)))
	if p.options.Sleep(ctx, d) != nil {
		return &Unreached{Tries: try, Last: errors.New("interrupted")}
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// conflicts looks whether there is room for what is to be published.
func (p *planner) conflicts(refs map[string]string) error {
	if err := conflict(refs, refName(p.options.Branch)); err != nil || p.snapshot.Large == nil {
		return err
	}
	return conflict(refs, bundle.LargeRef(p.options.Branch))
}

// conflict finds a ref whose name makes ours impossible: a reference is
// either a file or a directory to git, and a server's own words for it
// ("failed to update ref") name neither.
func conflict(refs map[string]string, ours string) error {
	for name := range refs {
		if strings.HasPrefix(name, ours+"/") || strings.HasPrefix(ours, name+"/") {
			return &Refused{
				Reason: fmt.Sprintf("its %s leaves no room for a %s", kindOf(name), kindOf(ours)),
				Next:   "delete or rename the first, or publish to another branch with --branch"}
		}
	}
	return nil
}

// kindOf names a ref as people do.
func kindOf(ref string) string {
	if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return "branch " + branch
	}
	return "ref " + ref
}

func refName(branch string) string { return "refs/heads/" + branch }

func orNothing(hash string) string {
	if hash == "" {
		return "nothing"
	}
	return short(hash)
}

// orNew names a commit of ours, which may not have been made yet.
func orNew(hash string) string {
	if hash == "" {
		return "a new commit"
	}
	return short(hash)
}

func joinNotices(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
