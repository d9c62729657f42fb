package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/cputime"
)

// TestYAML: what workflows may look like, each with its right outcome.
func TestYAML(t *testing.T) {
	const at = ".github/workflows/a.yml"
	for _, tt := range []struct {
		name, head, text string
		want             []string
	}{
		{"malformed", "unresolved|call", "on: push\njobs:\n  a:\n   steps:\n    - uses: acme/x@v1\n  - broken: [\n", []string{
			"unresolved action acme/x v1: the file that uses it cannot be read: at app/" + at + ":5",
			"unresolved file " + at + ": it is not valid YAML: line 2: did not find expected key: at app/" + at + ":0",
		}},
		{"a tab", "unresolved|call", "on: push\njobs:\n\ta: {}\n", []string{
			"unresolved file " + at + ": it is not valid YAML: line 3: found character that cannot start any token: at app/" + at + ":0",
		}},
		{"no mapping", "unresolved|call", "- just\n- a list\n", []string{"unresolved file " + at + ": it is not a mapping: at app/" + at + ":0"}},
		{"empty", "unresolved|call", "", []string{"unresolved file " + at + ": it is not a mapping: at app/" + at + ":0"}},
		{"a byte order mark", "call", "\ufeffon: push\njobs: {a: {steps: [{uses: actions/checkout@v4}]}}\n", []string{
			"call action actions/checkout from app/" + at + ":2 version=v4"}},
		{"CRLF", "call|image", "on: push\r\njobs:\r\n  a:\r\n    steps:\r\n      - uses: actions/checkout@v4\r\n      - run: |\r\n          docker pull acme/tool:1\r\n          docker pull acme/other:2 # two\r\n", []string{
			"image acme/other read app/" + at + ":8 version=2 when=on a push",
			"image acme/tool read app/" + at + ":7 version=1 when=on a push",
			"call action actions/checkout from app/" + at + ":5 version=v4"}},
		{"anchors and merges", "call|image", `on: push
x-pull: &pull {run: "docker pull acme/tool:1"}
x-job: &job
  container: acme/base:2
  steps: &steps
    - uses: actions/checkout@v4
    - *pull
jobs:
  a: *job
  b:
    <<: *job
    container: acme/own:3
  c:
    steps: *steps
`, []string{
			"image acme/base read app/" + at + ":4 version=2 when=on a push",
			"image acme/own read app/" + at + ":12 version=3 when=on a push",
			"image acme/tool read app/" + at + ":2 version=1 when=on a push",
			"call action actions/checkout from app/" + at + ":6 version=v4"}},
		{"a reference to itself", "call", "on: push\njobs: &a\n  x: *a\n  y: {steps: [{uses: acme/z@v1}]}\n", []string{
			"call action acme/z from app/" + at + ":4 version=v1"}},
		{"a key twice", "unresolved file|image", "on: push\njobs:\n  a:\n    steps:\n      - run: docker pull acme/one:1\n        run: docker pull acme/two:2\n", []string{
			"image acme/two read app/" + at + ":6 version=2 when=on a push",
			"unresolved file " + at + ": the key run stands twice, which the service refuses; the last one is read: at app/" + at + ":6"}},
		{"PowerShell", "unresolved|release asset", "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - shell: pwsh\n        run: gh release upload v1 a.zip\n      - shell: pwsh\n        run: Write-Host hello\n  b:\n    runs-on: windows-latest\n    steps:\n      - run: docker push acme/x\n      - shell: bash\n        run: gh release upload v1 b.zip\n", []string{
			"release asset b.zip of app published app/" + at + ":15 version=v1 when=on a push",
			"unresolved script a.yml:13: a step in PowerShell, which is not followed, names docker: at app/" + at + ":13 when=on a push",
			"unresolved script a.yml:7: a step in PowerShell, which is not followed, names gh: at app/" + at + ":7 when=on a push"}},
		{"Python by the defaults", "unresolved", "on: push\ndefaults: {run: {shell: python}}\njobs:\n  a:\n    steps:\n      - run: |\n          import subprocess\n          subprocess.run(['gh', 'x'])\n", []string{
			"unresolved script a.yml:6: a step in python, which is not followed, names subprocess: at app/" + at + ":6 when=on a push"}},
		{"expressions in strings", "image|dispatch|unresolved", workflowText("", `      - env:
          NAME: "acme/${{ format('{0}-{1}', 'my', github.event.repository.name) }}"
        run: |
          echo "${{ 'it''s }} fine' }}"; docker push "$NAME:${{ github.sha }}"
          gh api "repos/acme/x/dispatches" -f 'event_type=${{ github.ref == 'refs/heads/main' && 'live' || 'test' }}'
`), []string{
			"image acme/my-app published app/" + at + ":9 when=on a push",
			"dispatch live sent app/" + at + ":10 when=on a push note=to acme/x sure=80",
			"dispatch test sent app/" + at + ":10 when=on a push note=to acme/x sure=80"}},
		{"shell with an error of syntax", "unresolved|image", runs("docker pull acme/one:1", "if then fi ((", "docker pull acme/two:2"), []string{
			"image acme/one read app/" + at + ":7 version=1 when=on a push",
			"unresolved script a.yml:6: the step's shell text has an error of syntax; it was followed as far as it goes: at app/" + at + ":6 when=on a push"}},
		{"a script that is one expression", "image", "on: {workflow_dispatch: {inputs: {cmd: {default: docker pull acme/x:1}}}}\njobs: {a: {steps: [{run: '${{ inputs.cmd }}'}]}}\n", []string{
			"image acme/x read app/" + at + ":2 version=1 when=by hand"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree{"app/" + at: tt.text}.extract(t, Options{}).wants(t, tt.head, tt.want...)
		})
	}
}

// TestLargeWorkflow: five megabytes are read whole, in time that follows
// their size.
func TestLargeWorkflow(t *testing.T) {
	var b strings.Builder
	b.WriteString("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n")
	n := 0
	for ; b.Len() < 5<<20; n++ {
		fmt.Fprintf(&b, "      - uses: acme/action%d@v1\n        with: {text: %s}\n", n%500, strings.Repeat("x", 400))
	}
	var e *extracted
	took := cputime.Of(func() { e = tree{"app/.github/workflows/a.yml": b.String()}.extract(t, Options{}) })
	if took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	places := e.w.LeftOut
	for _, c := range e.w.Calls {
		places += len(c.From)
	}
	for _, u := range e.w.Unresolved {
		places += len(u.At)
	}
	if len(e.w.Calls) != 500 || places < 2*n {
		t.Errorf("%d calls of 500, %d places of %d", len(e.w.Calls), places, 2*n)
	}
}

// TestTooLargeWorkflow: one that no service would run is listed, not read.
func TestTooLargeWorkflow(t *testing.T) {
	e := tree{"app/.github/workflows/a.yml": "on: push\n#" + strings.Repeat("x", maxYAML)}.extract(t, Options{})
	e.wants(t, "unresolved", fmt.Sprintf("unresolved file .github/workflows/a.yml: it is not valid YAML: it has %d bytes, more than %d: at app/.github/workflows/a.yml:0", maxYAML+10, maxYAML))
}

// TestExponential: small files that unfold to very large ones take no more
// than their share.
func TestExponential(t *testing.T) {
	var refs strings.Builder
	refs.WriteString("on: push\nx0: &x0 {a: acme/x@v1}\n")
	for i := range 40 {
		fmt.Fprintf(&refs, "x%d: &x%d {a: *x%d, b: *x%d, strategy: *x%d, matrix: *x%d}\n", i+1, i+1, i, i, i, i)
	}
	refs.WriteString("jobs:\n  a: {strategy: {matrix: *x40}, steps: [{uses: acme/x@v1, with: *x40, env: *x40}]}\n  b: *x40\n")
	var loops strings.Builder
	for i := range 30 {
		fmt.Fprintf(&loops, "for i%d in {1..50}; do ", i)
	}
	loops.WriteString("docker pull acme/x:1" + strings.Repeat("; done", 30))
	var calls strings.Builder
	calls.WriteString("f0() { docker pull acme/x:1; }\n")
	for i := range 30 {
		fmt.Fprintf(&calls, "          f%d() { f%d; f%d; f%d; }\n", i+1, i, i, i)
	}
	calls.WriteString("          f30\n          r() { r; r; }\n          r\n          V=x; for i in {1..60}; do V=$V$V$V; done; docker pull acme/$V\n")
	var vars strings.Builder
	vars.WriteString("V0=\n")
	for i := range 40 {
		fmt.Fprintf(&vars, "V%d=%s\n", i+1, strings.Repeat(fmt.Sprintf("$(V%d)", i), 30))
	}
	vars.WriteString("all:\n\techo $(V40)\n")
	for name, files := range map[string]tree{
		"references": {"app/.github/workflows/a.yml": refs.String()},
		"loops":      {"app/.github/workflows/a.yml": runs(loops.String())},
		"functions":  {"app/.github/workflows/a.yml": runs(calls.String())},
		"makefile":   {"app/.github/workflows/a.yml": runs("make all"), "app/Makefile": vars.String()},
		"matrix":     {"app/.github/workflows/a.yml": "on: push\njobs:\n  a:\n    strategy: {matrix: {" + bigMatrix() + "}}\n    steps: [{run: 'docker pull acme/${{ matrix.m0 }}:1'}]\n"},
		"calls": {"app/.github/workflows/a.yml": "on: [push, workflow_call]\njobs:\n" + func() (s string) {
			for i := range 20 {
				s += fmt.Sprintf("  j%d: {uses: ./.github/workflows/a.yml}\n", i)
			}
			return s
		}()},
		"scripts": {"app/.github/workflows/a.yml": runs("scripts/a.sh"), "app/scripts/a.sh": strings.Repeat("scripts/a.sh\n", 50)},
	} {
		t.Run(name, func(t *testing.T) {
			if took := cputime.Of(func() { files.extract(t, Options{}) }); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func bigMatrix() string {
	var parts []string
	for i := range 12 {
		parts = append(parts, fmt.Sprintf("m%d: [a, b, c, d, e, f]", i))
	}
	return strings.Join(parts, ", ")
}
