// Package reconcile brings the rulesets of many repositories to what files
// say, or says what that would take.
package reconcile

import (
	"context"
	"slices"
	"sync"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
)

// A Job is all rulesets that one target should have.
type Job struct {
	Target   ruleset.Target
	Rulesets []Wanted
}

// A Wanted is a ruleset as a file says it, with the extras of its target and
// the ids of Apps.
type Wanted struct {
	File  string
	Value ruleset.Value
	// Problem, when not nil, is why the ruleset is not complete: it is reported
	// in place of looking.
	Problem error
}

// Options are what a run may do.
type Options struct {
	Write       bool // else it only says what it would do
	Prune       bool // remove rulesets of the target that no file is for
	Strict      bool // parameters that only the service has are drift, too
	Yes         bool // take away what is live and not in the file
	Concurrency int  // how many targets at a time, at least 1
	Names       ruleset.Names
	Progress    func(done, total int) // may be nil
}

// A Service is where rulesets live.
type Service interface {
	List(context.Context, ruleset.Target) ([]live.Listed, error)
	Get(ctx context.Context, t ruleset.Target, id string) (ruleset.Value, error)
	Create(ctx context.Context, t ruleset.Target, body ruleset.Value) (id string, err error)
	Update(ctx context.Context, t ruleset.Target, id string, body ruleset.Value) error
	Delete(ctx context.Context, t ruleset.Target, id string) error
	LastEdit(ctx context.Context, t ruleset.Target, id string) (live.Edit, error)
}

// Run works on all jobs and returns a result for each ruleset, in the order
// of the jobs. One that fails does not stop the others.
func Run(ctx context.Context, service Service, jobs []Job, o Options) []Result {
	results := make([][]Result, len(jobs))
	next := make(chan int)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		done    int
	)
	for range max(1, min(o.Concurrency, len(jobs))) {
		workers.Go(func() {
			for i := range next {
				w := worker{service, o, jobs[i].Target}
				results[i] = w.job(ctx, jobs[i])
				mu.Lock()
				if done++; o.Progress != nil {
					o.Progress(done, len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	workers.Wait()
	return slices.Concat(results...)
}

// A worker works on one target.
type worker struct {
	service Service
	o       Options
	target  ruleset.Target
}

func (w worker) job(ctx context.Context, job Job) []Result {
	listed, err := w.service.List(ctx, w.target)
	if err != nil {
		return w.failAll(job, err)
	}
	var results []Result
	created := false
	for _, want := range job.Rulesets {
		r := w.one(ctx, want, named(listed, want.Value.Name()))
		created = created || r.Status == Created || r.Status == Missing
		results = append(results, r)
	}
	for _, l := range listed {
		if !slices.ContainsFunc(job.Rulesets, func(want Wanted) bool { return want.Value.Name() == l.Name }) {
			results = append(results, w.unmanaged(ctx, l, created))
		}
	}
	return results
}

// failAll is the results of a target whose rulesets cannot be listed.
func (w worker) failAll(job Job, err error) []Result {
	var results []Result
	for _, want := range job.Rulesets {
		results = append(results, w.result(want).fail(err))
	}
	return results
}

func named(listed []live.Listed, name string) []live.Listed {
	return slices.DeleteFunc(slices.Clone(listed), func(l live.Listed) bool { return l.Name != name })
}
