package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bench"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// A baseline is the published bundle that a new one is compared with.
type baseline struct {
	State string `json:"state"`          // "compared", "none" or "unreadable"
	From  string `json:"from,omitempty"` // as given
	Head  string `json:"head,omitempty"` // the umbrella's commit it was built from
	Text  string `json:"text"`           // all of this for people, one line

	bench *bundle.Bench // nil unless State is "compared"
}

// An unreadable baseline is there, or should be, but says nothing that can
// be relied on. That must not pass for "there is none": whoever can break
// the baseline could switch off the gate.
type unreadable struct {
	from string
	err  error
}

func (e *unreadable) Error() string {
	return fmt.Sprintf("the baseline %s cannot be read: %v", plaintext.Line(e.from, 500), e.err)
}

func (e *unreadable) Unwrap() error { return e.err }

func (e *unreadable) Hint() string {
	return "name a published bundle with --baseline; if this is the first one, or the last one is beyond repair, say --first"
}

// An unreached baseline may well be there: --first does not pass over it.
type unreached struct {
	from  string
	tries int
	err   error
}

func (e *unreached) Error() string {
	return fmt.Sprintf("the baseline %s was not reached in %d tries: %v", e.from, e.tries, e.err)
}

func (e *unreached) Unwrap() error { return e.err }

func (e *unreached) Hint() string { return "run the check again when the remote answers" }

const baselineTries = 3

type baselineOptions struct {
	from     string        // REF, DIR or URL; "" for none
	branch   string        // of a URL
	tokenEnv string        // the variable that holds a token for a URL, or ""
	wait     time.Duration // before the second try; the third waits twice as long
}

// load finds the baseline. Errors are *unreadable, *unreached, a usage error
// or what the remote refused.
func (o baselineOptions) load(ctx context.Context, p command.Process) (*baseline, error) {
	switch {
	case o.from == "":
		return &baseline{State: "none", Text: "no baseline was given, so there is nothing to compare with"}, nil
	case o.isURL(p):
		return o.fromURL(ctx, p)
	}
	s, err := source.Open(ctx, source.Options{Dir: p.Dir, Env: p.Env, Bundle: o.from})
	if err != nil {
		return nil, &unreadable{o.from, err}
	}
	defer s.Close()
	if s.Bundle == nil || !s.Bundle.Has(bundle.BuildName) {
		return nil, &unreadable{o.from, errors.New("it has no build.json of a published bundle")}
	}
	return o.use(s.Build)
}

// isURL tells a URL from a directory and a ref. A directory that is there
// is one, whatever its name.
func (o baselineOptions) isURL(p command.Process) bool {
	if st, err := os.Stat(p.Abs(o.from)); err == nil && st.IsDir() {
		return false
	}
	before, _, colon := strings.Cut(o.from, ":")
	return colon && !strings.Contains(before, "/") && len(before) > 1
}

func (o baselineOptions) fromURL(ctx context.Context, p command.Process) (*baseline, error) {
	address, err := publish.ParseAddress(o.from, p.Dir)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	var token publish.Token
	if o.tokenEnv != "" {
		if token, err = publish.NewToken(p.Getenv(o.tokenEnv), "the variable "+o.tokenEnv); err != nil {
			return nil, err
		}
	}
	if !gitstore.ValidRef(o.branch) {
		return nil, command.Usage("check: --branch %q is not the name of a branch", o.branch)
	}
	remote, err := publish.OpenGit(address, token, p.Env)
	if err != nil {
		return nil, err
	}
	var branches map[string]string
	err = o.retry(ctx, address.String(), func() (err error) { branches, err = remote.List(ctx); return err })
	if err != nil {
		return nil, err
	}
	commit, ok := branches["refs/heads/"+o.branch]
	if !ok {
		return &baseline{State: "none", From: address.String(),
			Text: fmt.Sprintf("%s has no branch %s yet, so there is nothing to compare with", address, o.branch)}, nil
	}
	var published publish.Published
	err = o.retry(ctx, address.String(), func() (err error) { published, err = remote.Read(ctx, commit); return err })
	switch {
	case err != nil:
		return nil, err
	case published.Bad != nil:
		return nil, &unreadable{address.String(), published.Bad}
	}
	o.from = address.String()
	return o.use(published.Build)
}

// retry tries again what may work the next time.
func (o baselineOptions) retry(ctx context.Context, from string, try func() error) error {
	for n := 1; ; n++ {
		err := try()
		again := (*publish.Transient)(nil)
		if !errors.As(err, &again) {
			return err
		}
		if n == baselineTries {
			return &unreached{from, n, err}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(time.Duration(n)*o.wait, min(again.After, time.Minute))):
		}
	}
}

// use takes the bench result out of a build.json.
func (o baselineOptions) use(b bundle.Build) (*baseline, error) {
	base := &baseline{State: "none", From: plaintext.Line(o.from, 500), Head: b.Head}
	if b.Bench == nil {
		base.Text = fmt.Sprintf("the baseline %s has no bench result, so there is nothing to compare with", base.From)
		return base, nil
	}
	if err := bench.Check(b.Bench); err != nil {
		return nil, &unreadable{o.from, fmt.Errorf("its bench result: %w", err)}
	}
	base.State, base.bench = "compared", b.Bench
	base.Text = fmt.Sprintf("baseline %s, built from %.7s: %d questions", base.From, b.Head, len(b.Bench.Results))
	return base, nil
}
