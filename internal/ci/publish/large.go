package publish

import (
	"context"
	"errors"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A Large says where the large files of a bundle are published.
type Large struct {
	Ref     string `json:"ref"`
	Commit  string `json:"commit"`  // as that of the bundle
	Bytes   int64  `json:"bytes"`   // sizes of the files together
	Changed bool   `json:"changed"` // this publish moved the ref
}

// A largeRef is the planner's hold on the ref of the large files.
//
// The ref moves before the branch: a bundle whose large files are nowhere is
// never published. Nothing protects the ref, and nothing needs to: a reader
// takes what the branch's manifest has the hash of.
type largeRef struct {
	name, commit string
	before       string // where it was when this publish moved it, or ""
	moved        bool   // this publish moved it
}

// there reports whether the ref is where it belongs.
func (l *largeRef) there(refs map[string]string) bool {
	return l.commit != "" && refs[l.name] == l.commit
}

// moveLarge moves the ref of the large files to those of this bundle, if it
// is not there, and looks where it is afterwards. refs is what was listed.
func (p *planner) moveLarge(ctx context.Context, refs map[string]string) error {
	l := &p.large
	old := refs[l.name]
	if p.snapshot.Large == nil || l.there(refs) {
		return nil
	}
	p.options.Progress(fmt.Sprintf("publishing the large files %s (%d kB)", orNew(l.commit), (p.snapshot.Large.Bytes+1023)/1024))
	commit, err := p.remote.Prepare(ctx, p.snapshot.Large)
	if err != nil {
		return err
	}
	p.callLarge(commit)
	err = p.remote.Move(ctx, l.name, old, l.commit)
	if refused := (*Refused)(nil); errors.As(err, &refused) {
		return &Refused{Server: refused.Server, Next: refused.Next,
			Reason: fmt.Sprintf("the large files, which belong on %s: %s; so the branch was not moved", l.name, refused.Reason)}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	now, lookErr := p.look(ctx)
	switch tip := now[l.name]; {
	case lookErr != nil && err == nil:
		return lookErr
	case lookErr != nil:
		return err
	case tip == l.commit:
		if !l.moved {
			l.moved, l.before = true, old
		}
		p.result.Large.Changed = true
		return nil
	case err != nil && tip == old:
		return err
	case tip == old:
		return &Transient{Err: fmt.Errorf("the remote took the push, but %s did not move", l.name)}
	default:
		return &Moved{Text: fmt.Sprintf("%s is at %s now", l.name, orNothing(tip))}
	}
}

// mend makes sure that a bundle which is on the branch has its large files:
// another publisher, or anybody who may push, may have moved their ref.
func (p *planner) mend(ctx context.Context, refs map[string]string) error {
	l := &p.large
	if p.snapshot.Large == nil || l.there(refs) {
		return nil
	}
	if p.options.DryRun {
		p.result.Notice = "dry run: the bundle is published already, but its large files are not: " + p.largeMove(refs)
		return nil
	}
	if err := p.moveLarge(ctx, refs); err != nil {
		return err
	}
	if !p.result.Changed {
		p.result.Notice = fmt.Sprintf("the bundle is published already; its large files were missing on %s, and are there now", l.name)
	}
	return nil
}

// largeMove is the part of a dry run's notice about the large files, or "".
func (p *planner) largeMove(refs map[string]string) string {
	l := &p.large
	if p.snapshot.Large == nil || l.there(refs) {
		return ""
	}
	return fmt.Sprintf("%s would move from %s to %s", l.name, orNothing(refs[l.name]), orNew(l.commit))
}

// putBack returns the ref of the large files to where it was, when this
// publish moved it and then did not move the branch: those files belong to
// the bundle that stays. Where it fails, the next publish mends it.
func (p *planner) putBack(ctx context.Context) {
	l := &p.large
	if !l.moved || l.before == "" || p.sent || p.done {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readBack)
	defer cancel()
	if p.remote.Return(ctx, l.name, l.commit, l.before) == nil {
		p.result.Large.Changed = false
	}
}

// look lists the remote once more, also when the time is over.
func (p *planner) look(ctx context.Context) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readBack)
	defer cancel()
	return p.remote.List(ctx, p.options.Branch)
}

// nameLarge finds out what the commit of the large files is called, if that
// can be known.
func (p *planner) nameLarge(ctx context.Context, refs map[string]string) error {
	if p.snapshot.Large == nil {
		return nil
	}
	p.large.name = bundle.LargeRef(p.options.Branch)
	commit, err := p.remote.Name(ctx, p.snapshot.Large, refs[p.large.name])
	if err == nil {
		p.callLarge(commit)
	}
	return err
}

func (p *planner) callLarge(commit string) {
	p.large.commit = commit
	p.result.Large.Ref, p.result.Large.Commit = p.large.name, commit
}
