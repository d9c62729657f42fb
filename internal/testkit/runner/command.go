package runner

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// command runs the script of a step.
func (f *frame) command(s Step, env map[string]string) (map[string]string, error) {
	m := f.machine
	if strings.Contains(s.Run, "${{") {
		return nil, errors.New("an expression stands in run:, where its value becomes code")
	}
	shell := []string{"-e"}
	switch {
	case s.Shell == "bash":
		shell = []string{"--noprofile", "--norc", "-eo", "pipefail"}
	case s.Shell != "":
		return nil, fmt.Errorf("the shell %s is not run here", s.Shell)
	case f.inputs != nil:
		return nil, errors.New("a composite action must name the shell")
	}
	m.files++
	file := func(name string) string {
		return filepath.Join(filepath.Dir(m.Temp), fmt.Sprintf("%s-%d", name, m.files))
	}
	script := file("script.sh")
	if err := os.WriteFile(script, []byte(s.Run), 0o600); err != nil {
		return nil, err
	}
	own := map[string]string{
		"GITHUB_OUTPUT": file("output"), "GITHUB_ENV": file("env"), "GITHUB_PATH": file("path"), "GITHUB_STEP_SUMMARY": file("summary"),
		"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": m.Workspace, "RUNNER_TEMP": m.Temp,
		"GITHUB_SERVER_URL": m.runner.GitHub["server_url"], "GITHUB_REPOSITORY": m.runner.GitHub["repository"], "GITHUB_API_URL": m.runner.GitHub["api_url"],
	}
	if f.action != "" {
		own["GITHUB_ACTION_PATH"] = f.action
	}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"} {
		if err := os.WriteFile(own[name], nil, 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("bash", append(shell, script)...)
	cmd.Dir = m.Workspace
	cmd.Env = m.environment(own, env)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	failed := cmd.Run()
	m.read(out.String())
	summary, err := os.ReadFile(own["GITHUB_STEP_SUMMARY"])
	if err != nil {
		return nil, err
	}
	m.log.Write(summary)
	if failed != nil {
		m.failure = fmt.Errorf("%q: %w", s.Run, failed)
	}
	return m.takeOver(own)
}

// environment is what a step's script sees: of one name, the last counts.
func (m *Machine) environment(own, step map[string]string) []string {
	env := append([]string{}, m.runner.Env...)
	for _, set := range []map[string]string{m.env, own, step} {
		for key, text := range set {
			env = append(env, key+"="+text)
		}
	}
	for _, dir := range m.path {
		for i, kv := range env {
			if path, ok := strings.CutPrefix(kv, "PATH="); ok {
				env[i] = "PATH=" + dir + string(os.PathListSeparator) + path
			}
		}
	}
	return env
}

// read takes the commands out of what a step printed.
func (m *Machine) read(printed string) {
	for line := range strings.Lines(printed) {
		if mask, ok := strings.CutPrefix(strings.TrimSpace(line), "::add-mask::"); ok {
			m.masks = append(m.masks, strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n").Replace(mask))
			continue
		}
		m.log.WriteString(line)
	}
}

// takeOver reads what a step left in its files, and returns its outputs.
func (m *Machine) takeOver(files map[string]string) (map[string]string, error) {
	outputs, err := readPairs(files["GITHUB_OUTPUT"])
	if err != nil {
		return nil, err
	}
	set, err := readPairs(files["GITHUB_ENV"])
	if err != nil {
		return nil, err
	}
	for key, text := range set {
		m.env[key] = text
	}
	data, err := os.ReadFile(files["GITHUB_PATH"])
	for dir := range strings.FieldsFuncSeq(string(data), func(r rune) bool { return r == '\n' }) {
		m.path = append(m.path, dir)
	}
	return outputs, err
}

// readPairs reads a file of names and values, in both its forms.
func readPairs(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pairs := map[string]string{}
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		name, end, long := strings.Cut(lines[i], "<<")
		if plain, value, ok := strings.Cut(lines[i], "="); ok && (!long || len(plain) < len(name)) {
			pairs[plain] = value
			continue
		}
		if !long {
			if lines[i] != "" {
				return nil, fmt.Errorf("the runner cannot read the line %q", lines[i])
			}
			continue
		}
		var value []string
		for i++; i < len(lines) && lines[i] != end; i++ {
			value = append(value, lines[i])
		}
		if i == len(lines) {
			return nil, fmt.Errorf("the value of %s has no end", name)
		}
		pairs[name] = strings.Join(value, "\n")
	}
	return pairs, nil
}
