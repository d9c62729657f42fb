// Package runner runs the steps of workflows and composite actions from their
// own files, in order, as a GitHub Actions runner does: expressions, inputs,
// outputs, environment files, masks and artifacts. With it a test holds what
// is committed in a workflow, not a copy of its commands.
//
// It is stricter than the original where that only hides mistakes: a name
// that no run could have, an input that an action does not declare and an
// output that no step could set are errors. It leaves out what our workflows
// do not use, and fails on it.
package runner

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Runner runs jobs, each on a machine of its own. The artifacts are shared.
type Runner struct {
	Dir     string            // for everything that a run leaves
	Env     []string          // of each machine, without the runner's own variables
	GitHub  map[string]string // the github context, as in "event_name"
	Vars    map[string]string
	Secrets map[string]string // of a job's environment
	Inputs  map[string]string // of a dispatch; at every other event they are empty

	// Uses are the actions that are not composite ones of ours, by
	// "owner/name"; upload-artifact and download-artifact are there already.
	Uses map[string]func(*Machine, map[string]string) error

	// Actions are the directories of composite actions by "owner/name". One
	// that a step calls "./" is in the machine's workspace.
	Actions map[string]string
}

// A Result is how a job ended.
type Result struct {
	Status  string // "success", "failure" or "skipped"
	Err     error  // of a failure
	Outputs map[string]string
	Log     string // what the steps printed, with stars for what is masked
}

// A Machine is where one job runs.
type Machine struct {
	Workspace, Temp string

	runner  *Runner
	job     *Job
	needs   map[string]Result
	env     map[string]string // that steps set for the later ones
	path    []string          // likewise, newest first
	masks   []string
	log     strings.Builder
	files   int
	failure error
}

// Run runs a job. needs are the results of the jobs that it needs.
func (r *Runner) Run(w *Workflow, name string, needs map[string]Result) Result {
	job, ok := w.Jobs[name]
	if !ok {
		return Result{Status: "failure", Err: fmt.Errorf("there is no job %s", name)}
	}
	m := &Machine{runner: r, job: job, needs: needs, env: maps.Clone(w.Env)}
	if m.env == nil {
		m.env = map[string]string{}
	}
	fail := func(err error) Result { return Result{Status: "failure", Err: err, Log: m.masked()} }
	for _, n := range job.Needs {
		if _, ok := needs[n]; !ok {
			return fail(fmt.Errorf("the job %s needs %s, which did not run", name, n))
		}
	}
	frame := &frame{machine: m, steps: map[string]map[string]string{}}
	for _, n := range job.Needs {
		if needs[n].Status != "success" && m.failure == nil {
			m.failure = fmt.Errorf("%s is no success", n)
		}
	}
	run, err := frame.condition(job.If)
	if err != nil {
		return fail(err)
	}
	if !run {
		return Result{Status: "skipped"}
	}
	m.failure = nil
	if err := m.mkdirs(name); err != nil {
		return fail(err)
	}
	for key, text := range job.Env {
		if m.env[key], err = fill(text, frame); err != nil {
			return fail(err)
		}
	}
	if err := frame.run(job.Steps); err != nil {
		return fail(err)
	}
	if m.failure != nil {
		return fail(m.failure)
	}
	outputs := map[string]string{}
	for key, text := range job.Outputs {
		if outputs[key], err = fill(text, frame); err != nil {
			return fail(err)
		}
	}
	return Result{Status: "success", Outputs: outputs, Log: m.masked()}
}

func (m *Machine) mkdirs(job string) error {
	base, err := os.MkdirTemp(m.runner.Dir, job+"-")
	if err != nil {
		return err
	}
	// As on some machines of one's own, the paths have spaces.
	m.Workspace, m.Temp = filepath.Join(base, "work space"), filepath.Join(base, "temp dir")
	return errors.Join(os.MkdirAll(m.Workspace, 0o755), os.MkdirAll(m.Temp, 0o755))
}

// masked is the log as it is shown.
func (m *Machine) masked() string {
	text := m.log.String()
	longest := slices.SortedFunc(slices.Values(m.masks), func(a, b string) int { return len(b) - len(a) })
	for _, mask := range longest {
		text = strings.ReplaceAll(text, mask, "***")
	}
	return text
}
