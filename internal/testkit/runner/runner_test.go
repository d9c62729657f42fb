//go:build unix

package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fixed is a scope of a few names.
type fixed map[string]any

func (f fixed) lookup(name string) (any, error) {
	if v, ok := f[name]; ok {
		return v, nil
	}
	return nil, os.ErrNotExist
}

func (f fixed) call(name string) (any, error) { return f.lookup(name + "()") }

func TestFill(t *testing.T) {
	s := fixed{"a": "x", "empty": "", "b.c-d": "y", "yes()": true}
	for text, want := range map[string]string{
		"plain":                             "plain",
		"${{ a }}/${{b.c-d}}":               "x/y",
		"${{ empty || a }}":                 "x",
		"${{ a || empty }}":                 "x",
		"${{ a && b.c-d || 'z' }}":          "y",
		"${{ empty && b.c-d || 'z' }}":      "z",
		"${{ a == 'X' }}":                   "true",
		"${{ a != 'x' || empty == '' }}":    "true",
		"${{ !(a == 'x') }}":                "false",
		"${{ yes() && (empty || 'last') }}": "last",
	} {
		if got, err := fill(text, s); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", text, got, err, want)
		}
	}
	for _, bad := range []string{"${{ nope }}", "${{ a || nope }}", "${{ a", "${{ a b }}", "${{ 'a }}", "${{ (a }}", "${{ }}", "${{ join(a) }}", "${{ no() }}"} {
		if got, err := fill(bad, s); err == nil {
			t.Errorf("%s is %q", bad, got)
		}
	}
}

// run writes files and runs jobs of the first one.
func run(t *testing.T, r *Runner, files map[string]string, jobs ...string) map[string]Result {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := ReadWorkflow(filepath.Join(dir, "workflow.yml"))
	if err != nil {
		t.Fatal(err)
	}
	r.Dir, r.Env = t.TempDir(), []string{"PATH=" + os.Getenv("PATH")}
	r.Actions = map[string]string{"example/act": filepath.Join(dir, "act")}
	results := map[string]Result{}
	for _, job := range jobs {
		results[job] = r.Run(w, job, results)
	}
	return results
}

func TestRun(t *testing.T) {
	got := run(t, &Runner{GitHub: map[string]string{"event_name": "push"}, Secrets: map[string]string{"KEY": "line one\nline two\n"}}, map[string]string{
		"workflow.yml": `
env: {WORD: outer}
jobs:
  make:
    outputs: {word: "${{ steps.act.outputs.word }}"}
    steps:
      - id: first
        run: |
          echo "said=$WORD & more" >> "$GITHUB_OUTPUT"
          echo "LATER=yes" >> "$GITHUB_ENV"
          mkdir -p out/.hidden && echo a > out/a && echo b > out/.b && echo c > out/.hidden/c && chmod 755 out/a
      - id: act
        uses: example/act@v1
        with: {in: "${{ steps.first.outputs.said }} $LATER"}
      - if: github.event_name == 'schedule'
        run: exit 1
      - uses: actions/upload-artifact@v4
        with: {name: files, path: out, if-no-files-found: error}
  use:
    needs: make
    environment: keys
    steps:
      - uses: actions/download-artifact@v4
        with: {name: files, path: "${{ runner.temp }}/in"}
      - env: {KEY: "${{ secrets.KEY }}", WORD: "${{ needs.make.outputs.word }}"}
        run: |
          printf '::add-mask::%s\n' 'line two'
          echo "key: $KEY word: $WORD"
          [ "$(ls -A "$RUNNER_TEMP/in")" = a ] && [ ! -x "$RUNNER_TEMP/in/a" ] && [ -z "$(ls -A)" ]
  broken:
    needs: [make]
    steps:
      - run: exit 3
      - run: echo never
      - if: failure()
        run: echo after
  after: {needs: broken, steps: [{run: "true"}]}
  ok:
    if: always()
    needs: [broken, after]
    steps: [{env: {R: "${{ needs.broken.result }} ${{ needs.after.result }}"}, run: 'test "$R" = "failure skipped"'}]
`,
		"act/action.yml": `
inputs: {in: {required: true}, other: {default: "d-${{ github.event_name }}"}}
outputs: {word: {value: "${{ steps.s.outputs.w }}"}}
runs:
  using: composite
  steps:
    - id: s
      shell: bash
      env: {IN: "${{ inputs.in }}", OTHER: "${{ inputs.other }}"}
      run: printf 'w<<x\n%s %s %s\nx\n' "$IN" "$OTHER" "$(basename "$GITHUB_ACTION_PATH")" >> "$GITHUB_OUTPUT"
`}, "make", "use", "broken", "after", "ok")
	for job, want := range map[string]string{"make": "success", "use": "success", "broken": "failure", "after": "skipped", "ok": "success"} {
		if got[job].Status != want {
			t.Errorf("%s ends with %s (%v), want %s:\n%s", job, got[job].Status, got[job].Err, want, got[job].Log)
		}
	}
	if word := got["make"].Outputs["word"]; word != "outer & more $LATER d-push act" {
		t.Errorf("the output is %q", word)
	}
	if log := got["use"].Log; !strings.Contains(log, "key: line one\n***\n") {
		t.Errorf("the log is %q", log)
	}
	if log := got["broken"].Log; strings.Contains(log, "never") || !strings.Contains(log, "after") {
		t.Errorf("the log of the broken job is %q", log)
	}
}

// TestRunRefuses: what GitHub lets pass, or only warns of, and what this
// runner cannot do.
func TestRunRefuses(t *testing.T) {
	const act = "inputs: {in: {required: true}}\nruns: {using: composite, steps: [{run: 'true', shell: bash}]}\n"
	for name, c := range map[string]struct{ steps, act, want string }{
		"a name that no run has":            {`[{run: "true", env: {A: "${{ github.nope }}"}}]`, act, "github.nope"},
		"T11 an expression in a script":     {`[{run: "echo ${{ github.event_name }}"}]`, act, "expression"},
		"P05 an input that is not declared": {`[{uses: example/act@v1, with: {in: a, forceOrphan: b}}]`, act, "no input forceOrphan"},
		"an input that is missing":          {`[{uses: example/act@v1}]`, act, "required"},
		"a step that is not there":          {`[{run: "true", env: {A: "${{ steps.x.outputs.y }}"}}]`, act, "steps.x"},
		"a secret without an environment":   {`[{run: "true", env: {A: "${{ secrets.KEY }}"}}]`, act, "environment"},
		"an action that nobody stands for":  {`[{uses: other/action@v1}]`, act, "other/action"},
		"a composite step without a shell":  {`[{uses: example/act@v1, with: {in: a}}]`, strings.Replace(act, ", shell: bash", "", 1), "shell"},
		"an output that is no line":         {`[{run: 'echo x >> "$GITHUB_OUTPUT"'}]`, act, "cannot read"},
		"P32 an artifact without files":     {`[{run: "mkdir -p out/.git && touch out/.git/x"}, {uses: actions/upload-artifact@v4, with: {name: a, path: out, if-no-files-found: error}}]`, act, "no files"},
		"P33 two artifacts of a name":       {`[{run: "touch f"}, {uses: actions/upload-artifact@v4, with: {name: a, path: f, if-no-files-found: error}}, {uses: actions/upload-artifact@v4, with: {name: a, path: f, if-no-files-found: error}}]`, act, "there already"},
		"an artifact that is not there":     {`[{uses: actions/download-artifact@v4, with: {name: b, path: x}}]`, act, "no artifact b"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Runner{GitHub: map[string]string{"event_name": "push"}, Secrets: map[string]string{"KEY": "x"}}
			got := run(t, r, map[string]string{"workflow.yml": "jobs: {a: {steps: " + c.steps + "}}", "act/action.yml": c.act}, "a")["a"]
			if got.Status != "failure" || !strings.Contains(got.Err.Error(), c.want) {
				t.Errorf("the job ends with %s: %v; want %q", got.Status, got.Err, c.want)
			}
		})
	}
}
