package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/marola-dev/marola-routing/internal/command"
)

// metadata is action.yml, as far as it must agree with the program.
type metadata struct {
	Inputs  yaml.Node
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID    string
			Shell string
			Env   map[string]string
			Run   string
		}
	}
}

type metadataInput struct {
	Description string
	Required    bool
	Default     *string
}

func readMetadata(t *testing.T) (m metadata, names []string, inputs map[string]metadataInput) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	inputs = map[string]metadataInput{}
	for i := 0; i < len(m.Inputs.Content); i += 2 {
		var in metadataInput
		if err := m.Inputs.Content[i+1].Decode(&in); err != nil {
			t.Fatal(err)
		}
		name := m.Inputs.Content[i].Value
		names, inputs[name] = append(names, name), in
	}
	return m, names, inputs
}

// programInputs are those that say which program runs; the script reads them.
var programInputs = []string{"binary", "binary-sha256"}

// TestActionReadsEveryInput: "P05 misspelt input ignored". What action.yml
// offers is read, and what the program reads is offered.
func TestActionReadsEveryInput(t *testing.T) {
	m, names, inputs := readMetadata(t)
	want := []string{"command"}
	for _, in := range actionInputs {
		want = append(want, in.name)
	}
	if want = append(want, programInputs...); !slices.Equal(names, want) {
		t.Errorf("P05: action.yml has the inputs\n%v\nthe program reads\n%v", names, want)
	}
	run := m.Runs.Steps[len(m.Runs.Steps)-1]
	passed := map[string]string{"INPUT_COMMAND": "command"}
	for _, in := range actionInputs {
		passed[in.variable()] = in.name
	}
	for variable, name := range passed {
		if got, want := run.Env[variable], "${{ inputs."+name+" }}"; got != want {
			t.Errorf("P05: action.yml passes %s as %q, want %q", variable, got, want)
		}
	}
	if len(run.Env) != len(passed)+1 || run.Env["BUNDLE_PUBLISH"] == "" {
		t.Errorf("the step that runs the program has variables that nobody reads: %v", run.Env)
	}
	script, err := os.ReadFile(filepath.Join("..", "..", "..", "scripts", "action", "binary.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range programInputs {
		variable := actionInput{name: name}.variable()
		if m.Runs.Steps[0].Env[variable] != "${{ inputs."+name+" }}" || !strings.Contains(string(script), "${"+variable+"-") {
			t.Errorf("P05: the input %s does not reach the script that reads it", name)
		}
	}
	for name, in := range inputs {
		if in.Description == "" {
			t.Errorf("the input %s has no description", name)
		}
	}
}

// TestActionDefaults: what an input is when it is left out agrees with the
// flag's own default, and no secret has one.
func TestActionDefaults(t *testing.T) {
	_, _, inputs := readMetadata(t)
	for _, in := range actionInputs {
		declared := inputs[in.name]
		switch in.kind {
		case yesNo:
			if declared.Default == nil || *declared.Default != "false" {
				t.Errorf("%s must be false unless it is given", in.name)
			}
		case standing:
			if declared.Default == nil || *declared.Default == "" {
				t.Errorf("%s has no default", in.name)
				continue
			}
			for name, f := range in.flags {
				if d := flagsOf(t, name).Lookup(f).DefValue; d != "" && !sameDefault(d, *declared.Default) {
					t.Errorf("%s is %q unless it is given, and --%s of %s is %q", in.name, *declared.Default, f, name, d)
				}
			}
		default:
			if declared.Default != nil {
				t.Errorf("%s has the default %q; only a flag's own may stand", in.name, *declared.Default)
			}
		}
	}
}

func sameDefault(a, b string) bool {
	long, errA := time.ParseDuration(a)
	short, errB := time.ParseDuration(b)
	return a == b || errA == nil && errB == nil && long == short
}

// notPassed are the flags that the action has no input for, and why.
var notPassed = map[string]string{
	"json":             "a program reads the outputs",
	"local":            "it writes where a person's own route looks",
	"part":             "parts come from a matrix of jobs, which run the program themselves",
	"token-stdin":      "a step has no standard input",
	"private-key-file": "a key in a file outlives the step",
}

// TestActionPassesEveryFlag: a flag that is added to a command is decided on
// here: an input of the action, or a reason against it.
func TestActionPassesEveryFlag(t *testing.T) {
	for _, name := range []string{"build", "check", "publish", "page"} {
		passed := map[string]bool{}
		for _, in := range actionInputs {
			passed[in.flags[name]] = true
		}
		flagsOf(t, name).VisitAll(func(f *flag.Flag) {
			if !passed[f.Name] && notPassed[f.Name] == "" {
				t.Errorf("no input of the action is --%s of %s", f.Name, name)
			}
			delete(passed, f.Name)
		})
		delete(passed, "")
		for f := range passed {
			t.Errorf("an input is --%s of %s, which has no such flag", f, name)
		}
	}
}

func flagsOf(t *testing.T, name string) *flag.FlagSet {
	t.Helper()
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	for _, v := range tool().Verbs {
		if v.Name == name {
			v.Setup(fs)
			return fs
		}
	}
	t.Fatalf("there is no command %s", name)
	return nil
}

// TestActionOutputs: action.yml hands on what the program sets, each from the
// step that runs it.
func TestActionOutputs(t *testing.T) {
	m, _, _ := readMetadata(t)
	set := []string{"bundle-bytes", "changed", "commit", "previous-score", "score", "tree"} // step.txtar sees each of them set
	var names []string
	for name, out := range m.Outputs {
		names = append(names, name)
		if out.Value != "${{ steps.run.outputs."+name+" }}" {
			t.Errorf("the output %s is %q", name, out.Value)
		}
	}
	if slices.Sort(names); !slices.Equal(names, set) {
		t.Errorf("the outputs are %v, want %v", names, set)
	}
}

// TestActionKeepsSecretsToItself: only the step that runs the program has
// them, and that step runs nothing else.
func TestActionKeepsSecretsToItself(t *testing.T) {
	m, _, _ := readMetadata(t)
	last := len(m.Runs.Steps) - 1
	for i, step := range m.Runs.Steps {
		for variable, text := range step.Env {
			for _, in := range actionInputs {
				if in.kind == secret && strings.Contains(text, "inputs."+in.name+" ") && i != last {
					t.Errorf("step %d has the secret %s in %s", i+1, in.name, variable)
				}
			}
		}
	}
	if run := m.Runs.Steps[last].Run; run != `"$BUNDLE_PUBLISH" action` {
		t.Errorf("the step with the secrets runs %q", run)
	}
}

func TestSetInputs(t *testing.T) {
	defaults := map[string]string{"bundle": "out dir", "bench": "routing-bench.yaml", "branch": "routing-bundle", "baseline": "https://example.org/u", "remote": "https://example.org/u", "transport": "git", "timeout": "2m"}
	for _, in := range actionInputs {
		if in.kind == yesNo {
			defaults[in.name] = "false"
		}
	}
	for _, c := range []struct {
		command     string
		given       map[string]string
		want, wrong string
	}{
		{"build", nil, " --out out dir --bench routing-bench.yaml", ""},
		{"build", map[string]string{"bench": "none", "no-cache": "true", "jobs": "2", "source-branch": "main"}, " --out out dir --branch main --jobs 2 --no-cache", ""},
		{"check", map[string]string{"baseline": "none", "allow-removed": "true"}, " --bundle out dir --bench routing-bench.yaml --branch routing-bundle --timeout 2m --allow-removed", ""},
		{"check", map[string]string{"token": "ghs_secret"}, " --bundle out dir --bench routing-bench.yaml --branch routing-bundle --baseline https://example.org/u --token-env INPUT_TOKEN --timeout 2m", ""},
		{"publish", map[string]string{"dry-run": "true"}, " --bundle out dir --branch routing-bundle --remote https://example.org/u --transport git --timeout 2m --dry-run", ""},
		{"publish", map[string]string{"bundle": "--dry-run"}, " --bundle --dry-run --branch routing-bundle --remote https://example.org/u --transport git --timeout 2m", ""},

		{"check", map[string]string{"baseline": ""}, "", "baseline is empty"},
		{"publish", map[string]string{"remote": ""}, "", "remote is empty"},
		{"build", map[string]string{"token": "x"}, "", "token is of no use to build"},
		{"build", map[string]string{"dry-run": "true"}, "", "dry-run is of no use to build"},
		{"publish", map[string]string{"dry-run": "yes"}, "", `dry-run is "yes"; it is true or false`},
		{"publish", map[string]string{"dry-run": ""}, "", `dry-run is ""; it is true or false`},
		{"publish", map[string]string{"timeout": "soon"}, "", "the input timeout: parse error"},
	} {
		t.Run(fmt.Sprint(c.command, " ", c.given), func(t *testing.T) {
			var env []string
			for _, in := range actionInputs {
				text, given := c.given[in.name]
				if !given {
					text = defaults[in.name]
				}
				env = append(env, in.variable()+"="+text)
			}
			typed, err := setInputs(flagsOf(t, c.command), command.Process{Env: env})
			switch {
			case c.wrong == "" && (err != nil || typed != c.want):
				t.Errorf("it means %q (%v), want %q", typed, err, c.want)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("the error is %v, want one with %q", err, c.wrong)
			case strings.Contains(typed, "ghs_secret"):
				t.Error("it shows the token")
			}
		})
	}
}
