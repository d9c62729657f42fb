package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/ci/report"
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
	wired *report.Wired // nil when nothing was read
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
	next  string
}

func (e *unreached) Error() string {
	tries := "one try"
	if e.tries != 1 {
		tries = fmt.Sprintf("%d tries", e.tries)
	}
	return fmt.Sprintf("the baseline %s was not reached in %s: %v", e.from, tries, e.err)
}

func (e *unreached) Unwrap() error { return e.err }

func (e *unreached) Hint() string { return e.next }

type baselineOptions struct {
	from     string        // REF, DIR or URL; "" for none
	branch   string        // of a URL
	tokenEnv string        // the variable that holds a token for a URL, or ""
	timeout  time.Duration // for all that is asked of a URL
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
	wired, err := wiredOf(s.Bundle, s.Build)
	if err != nil {
		return nil, &unreadable{o.from, err}
	}
	return o.use(wired)
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
	if !gitstore.ValidBranch(o.branch) {
		return nil, command.Usage("check: --branch %q is not the name of a branch", o.branch)
	}
	remote, err := publish.OpenGit(address, token, p.Env)
	if err != nil {
		return nil, err
	}
	var published publish.Published
	found := false
	err = o.retry(ctx, address.String(), func(ctx context.Context) error {
		branches, err := remote.List(ctx, o.branch)
		if err != nil {
			return err
		}
		commit, ok := branches["refs/heads/"+o.branch]
		if found = ok; !ok {
			return nil
		}
		published, err = remote.Read(ctx, commit)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case !found:
		return &baseline{State: "none", From: address.String(),
			Text: fmt.Sprintf("%s has no branch %s yet, so there is nothing to compare with", address, o.branch)}, nil
	case published.Bad != nil:
		return nil, &unreadable{address.String(), published.Bad}
	}
	o.from = address.String()
	return o.use(report.Wired{Build: published.Build, JSON: published.Wiring})
}

// retry tries again what may work the next time, as often as a publish does.
func (o baselineOptions) retry(ctx context.Context, from string, try func(context.Context) error) error {
	const later = "run the check again when the remote answers"
	limited, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	for n := 1; ; n++ {
		err := try(limited)
		again, moved := (*publish.Transient)(nil), (*publish.Moved)(nil)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return &unreached{from, n, errors.New("interrupted"), "run the check again"}
		case limited.Err() != nil:
			return &unreached{from, n, errors.New("the time is over before the remote had answered"),
				"give it more time with --timeout, or look whether the remote answers at all"}
		case errors.As(err, &again):
		case errors.As(err, &moved):
			again = &publish.Transient{}
		default:
			return err
		}
		if n == publish.Tries {
			return &unreached{from, n, err, later}
		}
		pause := max(time.Duration(n)*o.wait, again.After)
		if deadline, ok := limited.Deadline(); ok && time.Until(deadline) < pause {
			return &unreached{from, n, fmt.Errorf("%w; the next try would be in %s, after the time is over", err, pause.Round(time.Second)),
				"run the check again later, or give it more time with --timeout"}
		}
		select {
		case <-limited.Done():
			return &unreached{from, n, errors.New("interrupted"), "run the check again"}
		case <-time.After(pause):
		}
	}
}

// use takes the bench result out of a bundle that is published.
func (o baselineOptions) use(published report.Wired) (*baseline, error) {
	b := published.Build
	base := &baseline{State: "none", From: plaintext.Line(o.from, 500), Head: b.Head, wired: &published}
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
