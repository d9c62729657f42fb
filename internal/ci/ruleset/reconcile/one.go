package reconcile

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
)

// one works on one ruleset; found are the live ones of its name.
func (w worker) one(ctx context.Context, want Wanted, found []live.Listed) Result {
	r := w.result(want)
	if want.Problem != nil {
		return r.fail(want.Problem)
	}
	switch len(found) {
	case 0:
		return w.create(ctx, want, r)
	case 1:
		r.ID = found[0].ID
	default:
		r.ID = found[0].ID
		return r.end(Failed, CodeUnverified).note(
			fmt.Sprintf("there are %d rulesets of this name, with the ids %s and %s; which one is meant cannot be known", len(found), found[0].ID, found[1].ID),
			"rename or remove one of them")
	}
	have, err := w.service.Get(ctx, w.target, r.ID)
	if err != nil {
		return r.fail(err)
	}
	c := ruleset.Compare(want.Value, have, w.o.Names)
	r.Changes, r.ServerValues, r.Hidden = c.Drift(w.o.Strict), c.ServerValues(), c.Hidden
	if len(r.Changes) == 0 {
		if c.Hidden {
			return w.unverified(r)
		}
		return r.end(InSync, CodeDone)
	}
	r.Request = request(http.MethodPut, w.target, r.ID, want.Value)
	if c.Hidden {
		r = w.unverified(r)
		return r.end(Drifted, CodeUnverified)
	}
	if edit, err := w.service.LastEdit(ctx, w.target, r.ID); err == nil {
		r.Edit = &edit
	}
	switch {
	case !w.o.Write:
		return r.end(Drifted, CodeDrift)
	case !w.o.Yes && slices.ContainsFunc(r.Changes, func(c ruleset.Change) bool { return c.Loss }):
		return r.end(Held, CodeDrift).note("nothing was written: it would take away what the live ruleset has and the file does not", "read the plan, and say --yes")
	}
	return w.write(ctx, want, r, Updated)
}

func (w worker) unverified(r Result) Result {
	return r.end(Unverified, CodeUnverified).note("the service does not show the bypass actors to this token, so nobody can say that they are the file's",
		"use a token that may write rulesets: Administration on the repository, or organization administration")
}

func (w worker) create(ctx context.Context, want Wanted, r Result) Result {
	r.Request = request(http.MethodPost, w.target, "", want.Value)
	if !w.o.Write {
		return r.end(Missing, CodeDrift)
	}
	return w.write(ctx, want, r, Created)
}

func request(method string, t ruleset.Target, id string, body ruleset.Value) *Request {
	r := &Request{Method: method, Path: live.Path(t, id)}
	if body.Kind() != ruleset.Absent {
		r.Body = body.JSON()
	}
	return r
}

// attempts is how often a write is tried whose end is not known.
const attempts = 3

// write sends the file's ruleset, whole or not at all, and looks what became
// of it. Where it is not known whether a write arrived, only looking tells,
// so that comes before another attempt.
func (w worker) write(ctx context.Context, want Wanted, r Result, status Status) Result {
	for attempt := 1; ; attempt++ {
		var err error
		if r.ID == "" {
			r.ID, err = w.service.Create(ctx, w.target, want.Value)
		} else {
			err = w.service.Update(ctx, w.target, r.ID, want.Value)
		}
		if err == nil {
			return w.readBack(ctx, want, r, status)
		}
		failed := (*live.Error)(nil)
		if !errors.As(err, &failed) || !failed.Unsure {
			return r.fail(err)
		}
		if r.ID == "" {
			listed, listing := w.service.List(ctx, w.target)
			if listing != nil {
				return r.fail(err)
			}
			if made := named(listed, want.Value.Name()); len(made) > 0 {
				r.ID = made[0].ID
			}
		}
		if r.ID != "" {
			if done := w.readBack(ctx, want, r, status); done.Status == status || done.Code == CodeUnverified {
				return done
			}
		}
		if attempt == attempts {
			return r.fail(err)
		}
	}
}

// readBack compares what the service has now with what was sent.
func (w worker) readBack(ctx context.Context, want Wanted, r Result, status Status) Result {
	have, err := w.service.Get(ctx, w.target, r.ID)
	if err != nil {
		return r.fail(fmt.Errorf("it was written, but cannot be read back: %w", err)).end(Failed, CodeUnverified)
	}
	c := ruleset.Compare(want.Value, have, w.o.Names)
	r.ServerValues = c.ServerValues()
	switch left := c.Drift(w.o.Strict); {
	case c.Hidden:
		return w.unverified(r)
	case len(left) > 0:
		r.Changes = left
		return r.end(Unconfirmed, CodeUnconfirmed).note("the service took the ruleset, and shows another one", "the changes that are listed are what it did not take; its plan or its version may not know them")
	}
	return r.end(status, CodeDone)
}

// unmanaged is about a live ruleset that no file is for.
func (w worker) unmanaged(ctx context.Context, l live.Listed, created bool) Result {
	r := Result{Target: w.target.String(), Ruleset: l.Name, ID: l.ID}.end(Unmanaged, CodeDone)
	if created {
		r = r.note("if it was renamed, this is the old one", "--prune removes it")
	}
	if !w.o.Prune {
		return r
	}
	r.Request = request(http.MethodDelete, w.target, l.ID, ruleset.Value{})
	r.Changes = []ruleset.Change{{Path: "ruleset", Text: "it will be DELETED", Loss: true, Weakens: true}}
	switch {
	case !w.o.Write:
		return r.end(Unmanaged, CodeDrift)
	case !w.o.Yes:
		return r.end(Held, CodeDrift).note("it was not deleted", "read the plan, and say --yes")
	}
	if err := w.service.Delete(ctx, w.target, l.ID); err != nil {
		return r.fail(err)
	}
	return r.end(Deleted, CodeDone)
}
