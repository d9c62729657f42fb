package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// PrivateLargeRef is where the large files of a fetched bundle are kept, when
// they were asked for.
const PrivateLargeRef = PrivateRef + "-large"

// largeRefOf is the ref of this repository that may hold the large files of
// the bundle at ref: beside a branch, its own; else the private one.
func largeRefOf(ref string) string {
	if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return bundle.LargeRef(branch)
	}
	return PrivateLargeRef
}

// parted reads a bundle whose large files are in the commit of another ref.
// That ref is looked at when a large file is read, which no question does.
type parted struct {
	*gitstore.Tree // of the branch
	store          *gitstore.Store
	ref            string
	names          map[string]bool // of the large files

	once  sync.Once
	large *gitstore.Tree // nil when there is no such ref
	err   error
}

// withLarge lets s read its large files too, if its manifest marks any.
func (s *Source) withLarge(tree *gitstore.Tree, store *gitstore.Store) {
	rows := s.Bundle.Manifest().Large()
	if len(rows) == 0 {
		return
	}
	p := &parted{Tree: tree, store: store, ref: largeRefOf(s.Ref), names: map[string]bool{}}
	for _, row := range rows {
		p.names[row.Name] = true
	}
	s.Files, s.Bundle = p, s.Bundle.Over(p)
}

func (p *parted) largeTree() (*gitstore.Tree, error) {
	p.once.Do(func() {
		found, err := p.store.Commits(p.ref)
		if p.err = err; err == nil && found[0].Exists() {
			p.large = p.store.Tree(found[0])
		}
	})
	return p.large, p.err
}

// ReadFile implements [bundle.Files].
func (p *parted) ReadFile(name string) ([]byte, error) {
	data, err := p.Tree.ReadFile(name)
	if !p.names[name] || !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	large, lerr := p.largeTree()
	switch {
	case lerr != nil:
		return nil, lerr
	case large == nil:
		return nil, err
	}
	return large.ReadFile(name)
}

// List implements [bundle.Files].
func (p *parted) List() ([]string, error) {
	names, err := p.Tree.List()
	if err != nil {
		return nil, err
	}
	large, err := p.largeTree()
	if err != nil || large == nil {
		return names, err
	}
	more, err := large.List()
	names = append(names, more...)
	slices.Sort(names)
	return slices.Compact(names), err
}

// Large says whether the large files of a source are at hand.
type Large struct {
	Files  int    `json:"files"`            // how many there are
	Bytes  int64  `json:"bytes"`            // their sizes together
	Here   bool   `json:"here"`             // all can be read, and have the manifest's hashes
	Ref    string `json:"ref,omitempty"`    // where this repository keeps them; "" for a directory
	Reason string `json:"reason,omitempty"` // why they are not here, when that is known

	dropped bool // what was kept there belonged to an earlier bundle, and is gone
}

func newLarge(rows []bundle.File, ref string) *Large {
	l := &Large{Files: len(rows), Ref: ref}
	for _, row := range rows {
		l.Bytes += row.Size
	}
	return l
}

// Large reads the large files and says whether they are right; nil when the
// source has none.
func (s *Source) Large() *Large {
	if s.Bundle == nil {
		return nil
	}
	rows := s.Bundle.Manifest().Large()
	if len(rows) == 0 {
		return nil
	}
	l := newLarge(rows, "")
	if p, ok := s.Files.(*parted); ok {
		l.Ref = p.ref
	}
	for _, row := range rows {
		_, err := s.Bundle.Read(row.Name)
		if refused := (*bundle.Refused)(nil); errors.As(err, &refused) && !errors.Is(err, bundle.ErrNotHere) {
			l.Reason = "those here are not of this bundle"
		} else if err != nil && !errors.Is(err, bundle.ErrNotHere) {
			l.Reason = plaintext.Line(err.Error(), 200)
		}
		if err != nil {
			return l
		}
	}
	l.Here = true
	return l
}

// String is the state of the large files for people, without a subject.
func (l *Large) String() string {
	text := fmt.Sprintf("%d of %.1f MB, ", l.Files, float64(l.Bytes)/1e6)
	switch {
	case l.Here:
		return text + "here"
	case l.Reason != "":
		return text + "not here: " + l.Reason + "; route fetch --large gets them"
	}
	return text + "not here; route fetch --large gets them"
}

// Line is what a fetch says of the large files after its own words, or "".
func (l *Large) Line(asked bool) string {
	switch {
	case l == nil && asked:
		return "; it has no large files"
	case l == nil:
		return ""
	case l.Here:
		return fmt.Sprintf("; its large files are here, too (%d, %.1f MB)", l.Files, float64(l.Bytes)/1e6)
	case asked:
		return "; its large files are unreachable (" + l.Reason + ")"
	case l.dropped:
		return "; the large files of the bundle before are gone, route fetch --large gets those of this one"
	}
	return ""
}

// bringLarge looks which large files belong to the bundle just fetched, and
// gets them where o asks for it. Large files of an earlier bundle are removed:
// nothing could read them any more. It fails only when what came is refused;
// a ref that cannot be reached is said in f.Large.
func (f *Fetched) bringLarge(ctx context.Context, o Options, git gitstore.Git, config gitstore.Config, ref string) error {
	store := gitstore.Open(ctx, git)
	defer store.Close()
	found, err := store.Commits(f.Source.RefCommit, PrivateLargeRef)
	if err != nil {
		return err
	}
	b, err := bundle.Open(store.Tree(found[0]))
	if err != nil {
		return err
	}
	m, kept := b.Manifest(), found[1]
	rows := m.Large()
	if len(rows) > 0 {
		f.Large = newLarge(rows, PrivateLargeRef)
	}
	if kept.Exists() {
		err := bundle.VerifyLarge(m, store.Tree(kept))
		if len(rows) > 0 {
			f.Large.Here = err == nil
		}
		if len(rows) == 0 || asRefused(err) {
			if _, err := git.Output(ctx, "update-ref", "-d", PrivateLargeRef, kept.Hash); err != nil {
				return err
			}
			if f.Large != nil {
				f.Large.dropped = true
			}
		}
	}
	if f.Large == nil || f.Large.Here || !o.Large {
		return nil
	}
	commit, err := f.transferLarge(ctx, git, config, ref, m)
	if err != nil {
		if asRefused(err) {
			return err
		}
		f.Large.Reason = f.largeReason(err)
		return nil
	}
	if _, err := git.Output(ctx, "update-ref", PrivateLargeRef, commit); err != nil {
		return err
	}
	f.Large.Here = true
	return nil
}

// transferLarge fetches the large ref into ref and verifies it there.
func (f *Fetched) transferLarge(ctx context.Context, git gitstore.Git, config gitstore.Config, ref string, m bundle.Manifest) (commit string, err error) {
	from := bundle.LargeRef(f.Umbrella.Branch)
	try := func(flags ...string) error {
		if err := transfer(ctx, git, config, f.Umbrella, from, ref, flags...); err != nil {
			return err
		}
		store := gitstore.Open(ctx, git)
		defer store.Close()
		found, err := store.Commits(ref)
		if err != nil {
			return err
		}
		c := found[0]
		switch {
		case !c.Exists():
			return errors.New("git fetched nothing")
		case c.Parents > 0:
			return &bundle.Refused{
				Reason: fmt.Sprintf("%s of the umbrella has history (its commit has %d parents); large files are one commit without parents", plaintext.Line(from, 80), c.Parents),
				Next:   keptWithoutLarge,
			}
		}
		commit = c.Hash
		return bundle.VerifyLarge(m, store.Tree(c))
	}
	if err = try(); errors.Is(err, gitstore.ErrNotLocal) {
		err = try("--refetch") // as for the branch
	}
	return commit, err
}

// largeReason says in one line why the large ref was not fetched.
func (f *Fetched) largeReason(err error) string {
	exit := (*gitstore.ExitError)(nil)
	switch {
	case errors.As(err, &exit) && strings.Contains(exit.Stderr, "couldn't find remote ref"):
		return "the umbrella has no " + plaintext.Line(bundle.LargeRef(f.Umbrella.Branch), 80)
	case errors.Is(err, gitstore.ErrTimeout) && errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %s", fetchTimeout(f.env))
	}
	return reason(err, f.Umbrella)
}
