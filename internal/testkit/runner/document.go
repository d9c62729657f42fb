package runner

import (
	"fmt"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// A Workflow is a workflow file, as far as it is run here.
type Workflow struct {
	Env  map[string]string
	Jobs map[string]*Job
}

// A Job is a job of a workflow.
type Job struct {
	If          string
	Needs       Names
	Env         map[string]string
	Outputs     map[string]string
	Permissions map[string]string
	Environment string
	Steps       []Step
}

// Names is a list that may be written as a single name.
type Names []string

// UnmarshalYAML implements [yaml.Unmarshaler].
func (n *Names) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*n = Names{node.Value}
		return nil
	}
	return node.Decode((*[]string)(n))
}

// A Step is a step of a job or of a composite action.
type Step struct {
	ID, Name, If, Uses, Run, Shell string
	With, Env                      map[string]string
}

// An Action is the metadata of a composite action.
type Action struct {
	Inputs map[string]struct {
		Required bool
		Default  string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []Step
	}
}

// ReadWorkflow reads a workflow file.
func ReadWorkflow(file string) (*Workflow, error) {
	var w Workflow
	return &w, read(file, &w)
}

func readAction(dir string) (*Action, error) {
	var a Action
	if err := read(filepath.Join(dir, "action.yml"), &a); err != nil {
		return nil, err
	}
	if a.Runs.Using != "composite" {
		return nil, fmt.Errorf("the action in %s is %q; only composite ones are run", dir, a.Runs.Using)
	}
	return &a, nil
}

func read(file string, v any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
