package wire

import (
	"testing"
)

// held extracts without the guard, and holds the result to what readers
// accept.
func held(t *testing.T, files tree) {
	x := newExtraction(files.repos(), Options{})
	x.bare = true
	w, err := x.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Check(); err != nil {
		t.Fatalf("readers would refuse it: %v", err)
	}
}

func FuzzWorkflow(f *testing.F) {
	for _, s := range []string{
		"on: push\njobs:\n  a:\n    strategy:\n      matrix:\n        os: [x, y]\n        include: [{os: x, tag: v}]\n        exclude: [{os: y}]\n    steps:\n      - uses: docker/build-push-action@v6\n        with: {push: true, tags: 'a/b:${{ matrix.tag }}'}\n",
		"on:\n  workflow_call:\n    inputs: {a: {default: b}}\n  schedule: [{cron: '0 1 * * *'}]\njobs:\n  a: {uses: ./.github/workflows/a.yml, with: {a: '${{ inputs.a }}'}}\n",
		"on: {repository_dispatch: {types: [a]}, workflow_run: {workflows: [b]}}\njobs: {x: {environment: {name: p, url: u}, container: c, services: {d: {image: e}}, steps: [{run: 'gh api repos/a/b/dispatches -f event_type=${{ a.b[''c''] || !d }}'}]}}\n",
		"x: &a {<<: *a}\non: *a\n", "jobs: {a: {steps: [{uses: 'docker://'}, {uses: ./}, {uses: '@'}, {uses: a/b/../../c@d}]}}", "\ufeff", "\t",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		held(t, tree{"app/.github/workflows/a.yml": text, "app/action.yml": text, "app/scripts/a.sh": "docker pull a/b\n"})
	})
}

func FuzzShell(f *testing.F) {
	for _, s := range []string{
		"a=(x \"y z\"); a+=(w); gh release upload v1 \"${a[@]}\" ${a[1]} ${#a} ${a[@]:1:2}\n",
		"V=${GITHUB_REF#refs/tags/}; docker push \"x/${V%%-*}:${V//./-}\" {a,b,}{1..3}\n",
		"case $x in a*) git push origin HEAD:b;; *) cd d && git -C e push f g:h;; esac\n",
		"f() { curl -d \"{\\\"event_type\\\": \\\"$1\\\"}\" https://api.github.com/repos/a/b/dispatches; }\nf t\n",
		"cat <<EOF | gh api repos/a/b/dispatches --input -\n{\"event_type\": \"x\"}\nEOF\n", "bash -c 'eval \"docker pull a/$0\"'\n",
		"X=$(cat f | tr A-Z a-z) make -C d t V=1\n", "{,a} {,}\n", "${{ x }}", "for ((;;)); do :; done\n", "$'\\x00' \"$(<f)\" <(a) >(b)\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		held(t, tree{"app/scripts/a.sh": text, "app/Makefile": "all:\n\t" + text + "\n", "app/docker-bake.hcl": text, "app/.goreleaser.yml": text,
			"app/.github/workflows/a.yml": workflowText("", "      - run: scripts/a.sh\n      - run: make all\n      - run: docker buildx bake --push\n      - run: goreleaser release\n")})
	})
}

// FuzzExpression: an expression of any shape has a value.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"a.b['c'] && 'd' || format('{0}', e)", "!(a == 'b')", "fromJSON('[\"x\"]')[0]", "((((", "'", "a[", "a(b,", "1.5 >= x.*.y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scope(func(parts []string) ([]string, bool) { return []string{"v"}, len(parts)%2 == 0 })
		if len(s.evaluate(text)) == 0 || len(s.expand("a ${{"+text+"}} b")) == 0 {
			t.Errorf("%q has no value", text)
		}
		s.never(text)
	})
}
