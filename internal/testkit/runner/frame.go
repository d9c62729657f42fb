package runner

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
)

// A frame is a list of steps that see each other: those of a job, or those of
// one call of a composite action.
type frame struct {
	machine *Machine
	steps   map[string]map[string]string // outputs by the id of a step that ran or was passed over
	inputs  map[string]string            // nil in a job
	env     map[string]string            // of the step that called the action
	action  string                       // its directory
}

// run runs steps. An error is one of the files; a step that fails is recorded.
func (f *frame) run(steps []Step) error {
	for i, step := range steps {
		if err := f.step(step); err != nil {
			return fmt.Errorf("step %d (%s%s): %w", i+1, step.ID+step.Name, step.Uses, err)
		}
	}
	return nil
}

func (f *frame) step(s Step) error {
	if s.ID != "" {
		f.steps[s.ID] = map[string]string{}
	}
	run, err := f.condition(s.If)
	if err != nil || !run {
		return err
	}
	env := maps.Clone(f.env)
	if env == nil {
		env = map[string]string{}
	}
	for key, text := range s.Env {
		if env[key], err = fill(text, f); err != nil {
			return err
		}
	}
	var outputs map[string]string
	if s.Uses != "" {
		outputs, err = f.use(s, env)
	} else {
		outputs, err = f.command(s, env)
	}
	if err != nil {
		return err
	}
	if s.ID != "" {
		f.steps[s.ID] = outputs
	}
	return nil
}

// condition is an if:. Where it names no status, it holds after success only.
func (f *frame) condition(text string) (bool, error) {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "${{"), "}}")
	always := false
	for _, status := range []string{"always()", "failure()", "cancelled()", "success()"} {
		always = always || strings.Contains(text, status)
	}
	if !always && f.machine.failure != nil {
		return false, nil
	}
	if strings.TrimSpace(text) == "" {
		return true, nil
	}
	v, err := evaluate(text, f)
	return truth(v), err
}

// use runs an action.
func (f *frame) use(s Step, env map[string]string) (map[string]string, error) {
	with := map[string]string{}
	for key, text := range s.With {
		var err error
		if with[key], err = fill(text, f); err != nil {
			return nil, err
		}
	}
	name, _, _ := strings.Cut(s.Uses, "@")
	dir, ours := f.machine.runner.Actions[name]
	if name == "./" {
		dir, ours = f.machine.Workspace, true
	}
	if ours {
		return f.compose(dir, with, env)
	}
	do, known := f.machine.runner.Uses[name]
	if own, isOwn := artifactActions[name]; isOwn && !known {
		do, known = own, true
	}
	if !known {
		return nil, fmt.Errorf("nothing stands in for %s", name)
	}
	if err := do(f.machine, with); err != nil {
		f.machine.failure = fmt.Errorf("%s: %w", name, err)
	}
	return map[string]string{}, nil
}

// compose runs a composite action of ours.
func (f *frame) compose(dir string, with, env map[string]string) (map[string]string, error) {
	a, err := readAction(dir)
	if err != nil {
		return nil, err
	}
	inner := &frame{machine: f.machine, steps: map[string]map[string]string{}, inputs: map[string]string{}, env: env, action: dir}
	for key := range with {
		if _, ok := a.Inputs[key]; !ok {
			return nil, fmt.Errorf("the action has no input %s", key)
		}
	}
	for key, in := range a.Inputs {
		text, given := with[key]
		if in.Required && text == "" {
			return nil, fmt.Errorf("the input %s is required", key)
		}
		if !given {
			if text, err = fill(in.Default, f); err != nil {
				return nil, err
			}
		}
		inner.inputs[key] = text
	}
	if err := inner.run(a.Runs.Steps); err != nil {
		return nil, err
	}
	outputs := map[string]string{}
	for key, out := range a.Outputs {
		if outputs[key], err = fill(out.Value, inner); err != nil {
			return nil, err
		}
	}
	return outputs, nil
}

// call implements [scope].
func (f *frame) call(name string) (any, error) {
	switch name {
	case "always":
		return true, nil
	case "success":
		return f.machine.failure == nil, nil
	case "failure":
		return f.machine.failure != nil, nil
	case "cancelled":
		return false, nil
	}
	return nil, fmt.Errorf("%s() is no function of this runner", name)
}

// lookup implements [scope].
func (f *frame) lookup(name string) (any, error) {
	parts := strings.Split(name, ".")
	unknown := fmt.Errorf("%s is nothing that a run has", name)
	of := func(m map[string]string) (any, error) {
		if v, ok := m[parts[1]]; ok && len(parts) == 2 {
			return v, nil
		}
		return nil, unknown
	}
	r := f.machine.runner
	switch {
	case len(parts) < 2:
	case parts[0] == "github":
		return of(r.GitHub)
	case parts[0] == "runner" && parts[1] == "temp" && len(parts) == 2:
		return f.machine.Temp, nil
	case parts[0] == "vars" && f.inputs == nil:
		return of(r.Vars)
	case parts[0] == "secrets" && f.inputs == nil:
		if f.machine.job.Environment == "" {
			return nil, fmt.Errorf("%s: the job is in no environment, so it has no secret", name)
		}
		return of(r.Secrets)
	case parts[0] == "env" && len(parts) == 2:
		return f.machine.env[parts[1]], nil
	case parts[0] == "inputs" && f.inputs != nil:
		return of(f.inputs)
	case parts[0] == "inputs" && len(parts) == 2:
		return r.Inputs[parts[1]], nil
	case parts[0] == "steps" && len(parts) == 4 && parts[2] == "outputs":
		if outputs, ok := f.steps[parts[1]]; ok {
			return outputs[parts[3]], nil
		}
	case parts[0] == "needs" && len(parts) == 3 && parts[2] == "result":
		if n, ok := f.machine.needs[parts[1]]; ok {
			return n.Status, nil
		}
	case parts[0] == "needs" && len(parts) == 4 && parts[2] == "outputs":
		if v, ok := f.machine.needs[parts[1]].Outputs[parts[3]]; ok {
			return v, nil
		}
	}
	return nil, unknown
}

// within is a path of a step: relative to the workspace, unless it is absolute.
func (m *Machine) within(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(m.Workspace, path)
}
