package wire

import (
	"strings"
	"testing"
)

// digest is that of an image.
var digest = strings.Repeat("0a", 32)

// taskfileText has a task that runs another with variables of its own, and
// one that nothing runs.
const taskfileText = `version: '3'
vars:
  NAME: ghcr.io/acme/tasks
  CHANNEL: '{{default "dev" .CHANNEL}}'
tasks:
  ship:
    deps: [build]
    cmds:
      - task: put
        vars: {TAG: '{{.CHANNEL}}-v1'}
  try: docker run alpine:3.20 true
  build: docker build -t {{.NAME}} .
  put:
    cmds:
      - cmd: docker push {{.NAME}}:{{.TAG}}
`

// TestCommands: what the commands of a step publish, read and deploy. The
// step's first line is line 7.
func TestCommands(t *testing.T) {
	const at = " app/.github/workflows/a.yml:7"
	const when = " when=on a push"
	for _, tt := range []struct {
		name, head, run string
		files           tree
		want            []string
	}{
		{"docker build, tag and push", "image|unresolved", `docker build -t local . && docker tag local ghcr.io/acme/app:v1 && docker push ghcr.io/acme/app:v1`, nil,
			[]string{"image ghcr.io/acme/app published" + at + " version=v1" + when}},
		{"docker build that nothing pushes", "image|unresolved", `docker build -t ghcr.io/acme/app:v1 .`, nil,
			[]string{"unresolved image ghcr.io/acme/app: it is built, and nothing here pushes it: at" + at + when}},
		{"buildx that pushes", "image", `docker buildx build --platform linux/amd64 --push --tag=ghcr.io/acme/a -t "acme/b:$TAG" .`, nil,
			[]string{"image acme/b published" + at + when, "image ghcr.io/acme/a published" + at + when}},
		{"podman pushes what it has under another name", "image", `podman manifest push app docker.io/acme/app:latest && podman push acme-app ghcr.io/acme/other:2`, nil,
			[]string{"image acme/app published" + at + " version=latest" + when, "image ghcr.io/acme/other published" + at + " version=2" + when}},
		{"a name that is not told", "image|unresolved", `docker push "$IMAGE"`, nil,
			[]string{"unresolved image <image>: the name it is pushed under is not told by the workspace: at" + at + when}},
		{"bake", "image", `docker buildx bake --push`, tree{"app/docker-bake.hcl": "variable \"TAG\" { default = \"dev\" }\ntarget \"x\" {\n  tags = [\"ghcr.io/acme/baked:${TAG}\"] # one\n}\n"},
			[]string{"image ghcr.io/acme/baked published" + at + " version=dev" + when + " sure=95"}},
		{"ko", "image", `KO_DOCKER_REPO=ghcr.io/acme/tool ko build --bare ./cmd/tool`, nil,
			[]string{"image ghcr.io/acme/tool published" + at + when}},
		{"kaniko", "image", `/kaniko/executor --context . --destination=ghcr.io/acme/k:v2`, nil,
			[]string{"image ghcr.io/acme/k published" + at + " version=v2" + when}},
		{"Jib", "image", `./gradlew jib -Djib.to.image=ghcr.io/acme/j:v3`, nil,
			[]string{"image ghcr.io/acme/j published" + at + " version=v3" + when}},
		{"crane", "image", `crane copy acme/a:1 ghcr.io/acme/a:1`, nil,
			[]string{"image acme/a read" + at + " version=1" + when + " note=copied", "image ghcr.io/acme/a published" + at + " version=1" + when}},
		{"npm publish", "package", `npm publish --access public`, tree{"app/package.json": `{"name":"@acme/lib"}`},
			[]string{"package npm:@acme/lib published" + at + when}},
		{"a script of package.json", "package", `pnpm run release`, tree{"app/package.json": `{"name":"lib","scripts":{"release":"pnpm -r publish"}}`, "app/packages/a/package.json": `{"name":"a"}`, "app/packages/b/package.json": `{"name":"b","private":true}`},
			[]string{"package npm:a published" + at + when + " sure=80", "package npm:lib published" + at + when + " sure=80"}},
		{"a folder that the job makes", "package|unresolved", `npm publish pkg/`, tree{"app/bench/package.json": `{"name":"bench"}`},
			[]string{"unresolved package npm: which package is published could not be read from a package.json: at" + at + when}},
		{"a private package", "package|unresolved", `npm publish`, tree{"app/package.json": `{"name":"x","private":true}`},
			[]string{"unresolved package npm: which package is published could not be read from a package.json: at" + at + when}},
		{"twine", "package", `python -m twine upload dist/*`, tree{"app/pyproject.toml": "[project]\nname = \"acme-lib\" # x\n"},
			[]string{"package pypi:acme-lib published" + at + when}},
		{"cargo", "package", `cargo publish -p core; cargo publish --dry-run -p not`, nil,
			[]string{"package crates:core published" + at + when}},
		{"Maven", "package", `mvn -B deploy`, tree{"app/pom.xml": "<project><groupId>org.acme</groupId><artifactId>lib</artifactId></project>"},
			[]string{"package maven:org.acme:lib published" + at + when}},
		{"sbt", "package|unresolved", `sbt ci-release`, tree{"app/build.sbt": "developers := List(Developer(\n  id = \"jo\",\n  name = \"Jo Doe\"))\nlazy val settings = Def.settings(\n  name := \"lib\")\n"},
			[]string{"package maven:lib published" + at + when + " note=sbt sure=90"}},
		{"a chart", "helm chart", `helm push lib-1.2.tgz oci://ghcr.io/acme/charts`, nil,
			[]string{"helm chart ghcr.io/acme/charts/lib published" + at + when}},
		{"GoReleaser", "image|release|push", `goreleaser release --clean`, tree{"app/.goreleaser.yml": "dockers:\n  - image_templates: ['ghcr.io/acme/app:{{ .Tag }}']\nbrews:\n  - repository: {owner: acme, name: homebrew-tap}\n"}, []string{
			"image ghcr.io/acme/app published" + at + when + " sure=95",
			"push acme/homebrew-tap published" + at + when + " note=goreleaser brews sure=95",
			"release acme/app published" + at + when + " note=goreleaser"}},
		{"GoReleaser at night", "image|release|push|package", `goreleaser release --nightly`, tree{"app/.goreleaser.yml": "dockers:\n  - image_templates: ['ghcr.io/acme/app:{{ .Version }}']\nbrews:\n  - repository: {owner: acme, name: homebrew-tap}\nnpms:\n  - name: '@acme/app'\n"}, []string{
			"image ghcr.io/acme/app published" + at + when + " sure=95",
			"package npm:@acme/app published" + at + when + " note=goreleaser sure=95"}},
		{"GoReleaser that publishes nothing", "image|release|push|package", `goreleaser release --skip=validate,publish`, tree{"app/.goreleaser.yml": "dockers:\n  - image_templates: ['ghcr.io/acme/app:{{ .Version }}']\n"}, nil},
		{"an image of sbt", "image|unresolved", `sbt core/Docker/publish`, tree{"app/build.sbt": "Docker / packageName := s\"acme/${name.value}\"\ndockerBaseImage := Option(x)\n  .getOrElse(\"temurin:17\")\n"}, []string{
			"image acme/<name> published" + at + when + " sure=80", "image temurin read app/build.sbt:3 version=17 note=sbt"}},
		{"make", "image", `make push IMAGE=ghcr.io/acme/made`, tree{"app/Makefile": "IMAGE ?= x\nTAG := v1\npush: build\n\tdocker push $(IMAGE):$(TAG)\nbuild:\n\tdocker build \\\n\t  -t $(IMAGE):$(TAG) .\n"},
			[]string{"image ghcr.io/acme/made published" + at + " via=Makefile version=v1" + when + " sure=90"}},
		{"Kubernetes", "deploy|image", `kubectl -n live set image deploy/web web=ghcr.io/acme/web:v9 && kubectl apply -f k8s/`, nil, []string{
			"image ghcr.io/acme/web read" + at + " version=v9" + when,
			"deploy kubectl deploy/web by" + at + when + " note=live",
			"deploy kubectl k8s/ by" + at + when}},
		{"a manifest by its address", "deploy|release asset", `kubectl apply -n edge -f https://github.com/other/gateway/releases/download/v1.4.1/install.yaml`, nil, []string{
			"release asset install.yaml of other/gateway read" + at + " version=v1.4.1" + when,
			"deploy kubectl edge by" + at + when + " note=applies https://github.com/other/gateway/releases/download/v1.4.1/install.yaml"}},
		{"one image, however it is written", "image", `docker pull docker.io/library/nginx:1.27@sha256:` + digest + ` && docker pull library/nginx:1.27 && docker pull registry.acme.dev/library/nginx`, nil, []string{
			"image nginx read" + at + " version=1.27" + when, "image nginx read" + at + " version=1.27@sha256:" + digest + when, "image registry.acme.dev/library/nginx read" + at + when}},
		{"a tag, and a branch named after one", "branch|release", `V=${{ github.event.release.tag_name }}; git push origin "review-$V"; git push origin "v$V"`, nil, []string{
			"release acme/app published" + at + when + " note=pushes a tag"}},
		{"a container file in a script", "image", `./scripts/image.sh`, tree{"app/scripts/image.sh": "#!/bin/sh\ncat > ctx/Dockerfile <<EOF\nFROM fedora:32\nRUN true\nEOF\nnerdctl build -f- . <<'EOF'\nFROM docker.io/alpine:3\nEOF\ncat > notes <<EOF\nFROM me to you\nEOF\n"}, []string{
			"image alpine read app/scripts/image.sh:7 version=3" + when, "image fedora read app/scripts/image.sh:3 version=32" + when}},
		{"task", "image", `task ship CHANNEL=beta`, tree{"app/Taskfile.yml": taskfileText}, []string{
			"image alpine read app/Taskfile.yml:11 version=3.20 note=a target that no workflow runs sure=80",
			"image ghcr.io/acme/tasks published" + at + " via=Taskfile.yml version=beta-v1" + when + " sure=90"}},
		{"go install and go run", "package", `go install mvdan.cc/gofumpt@v0.7.0 sigs.k8s.io/controller-tools/cmd/controller-gen@v0.17.1; go run github.com/google/go-licenses/v2@latest check ./...; go run ./cmd/x@y`, nil, []string{
			"package go:github.com/google/go-licenses/v2 pinned" + at + " version=latest", "package go:mvdan.cc/gofumpt pinned" + at + " version=v0.7.0",
			"package go:sigs.k8s.io/controller-tools pinned" + at + " version=v0.17.1 note=cmd/controller-gen"}},
		{"helm upgrade", "deploy|helm chart", `helm upgrade --install web acme/web --version 1.2 -n live`, nil, []string{
			"helm chart acme/web read" + at + " version=1.2" + when, "deploy helm web by" + at + when + " note=live"}},
		{"terraform", "deploy", `terraform plan && terraform -chdir=infra apply -auto-approve`, nil, []string{"deploy terraform infra by" + at + when + " note=apply"}},
		{"a branch of the site", "branch|deploy", `mkdocs gh-deploy --force`, tree{"app/mkdocs.yml": "site_url: https://docs.acme.dev\n"}, []string{
			"branch gh-pages of app published" + at + when, "deploy pages docs.acme.dev by" + at + when}},
		{"another workflow", "call|unresolved", `gh workflow run b.yml --ref main; gh workflow run gone.yml`, tree{"app/.github/workflows/b.yml": "on: workflow_dispatch\njobs: {}\n"}, []string{
			"call run acme/app/.github/workflows/b.yml from" + at + " version=main" + when,
			"unresolved workflow acme/app/gone.yml: the repository has no such workflow: at" + at + when}},
		{"a script that is not there", "unresolved", `./scripts/gone.sh`, nil, []string{"unresolved script ./scripts/gone.sh: it is run, and is not in the workspace: at" + at + when}},
		{"text in text", "image", `sudo bash -c 'docker pull acme/in:1' && eval "docker pull acme/eval:1" && echo docker pull acme/not:1`, nil, []string{
			"image acme/eval read" + at + " version=1" + when, "image acme/in read" + at + " version=1" + when}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := tree{"app/.github/workflows/a.yml": runs(tt.run)}
			for name, text := range tt.files {
				files[name] = text
			}
			files.extract(t, Options{}).wants(t, tt.head, tt.want...)
		})
	}
}

// TestSteps: what steps state by the actions they use.
func TestSteps(t *testing.T) {
	const at, when = " app/.github/workflows/a.yml:", " when=on a push"
	for _, tt := range []struct {
		name, head, steps string
		want              []string
	}{
		{"tags of another step", "image", `      - id: meta
        uses: docker/metadata-action@v5
        with: {images: "ghcr.io/acme/app\nacme/app"}
      - uses: docker/build-push-action@v6
        with: {push: "${{ github.event_name != 'pull_request' }}", tags: "${{ steps.meta.outputs.tags }}"}
`, []string{"image acme/app published" + at + "10" + when + " sure=90", "image ghcr.io/acme/app published" + at + "10" + when + " sure=90"}},
		{"a build without a push", "image|unresolved", "      - uses: docker/build-push-action@v6\n        with: {tags: ghcr.io/acme/app}\n", []string{
			"unresolved image ghcr.io/acme/app: it is built, and nothing here pushes it: at" + at + "7" + when}},
		{"files of a release", "release", "      - uses: softprops/action-gh-release@v2\n        with:\n          files: |\n            dist/*.tar.gz\n            LICENSE\n", []string{
			"release acme/app published" + at + "8" + when, "release asset <any>.tar.gz of app published" + at + "8" + when, "release asset LICENSE of app published" + at + "8" + when}},
		{"the branch that is checked out", "branch", "      - uses: actions/checkout@v4\n        with: {ref: pages}\n      - run: git push\n", []string{
			"branch pages of app published" + at + "8" + when + " sure=90", "branch pages of app read" + at + "7" + when}},
		{"artifacts up and down", "workflow artifact", "      - uses: actions/upload-artifact@v4\n        with: {name: dist, path: d}\n      - uses: actions/download-artifact@v4\n", []string{
			"workflow artifact dist of app published" + at + "7" + when, "workflow artifact dist of app read" + at + "8" + when + " note=all of the run"}},
		{"a cache", "cache", "      - uses: actions/cache/restore@v4\n        with: {key: \"go-${{ hashFiles('go.sum') }}\", path: x}\n", []string{
			"cache go-<hash> of app read" + at + "7" + when}},
		{"a commit with its version", "call", "      - uses: acme/act/sub@0123456789abcdef0123456789abcdef01234567 # v1.2.3\n", []string{
			"call action acme/act/sub from" + at + "6 version=0123456789abcdef0123456789abcdef01234567 note=which is v1.2.3"}},
		{"a step whose condition never holds", "image", "      - if: runner.os == 'Windows'\n        run: docker pull acme/x:1\n", nil},
		{"values that steps hand on", "image", "      - id: v\n        run: |\n          echo \"name=ghcr.io/acme/$(echo APP | tr A-Z a-z)\" >> \"$GITHUB_OUTPUT\"\n          echo TAG=v5 >> $GITHUB_ENV\n      - run: docker push ${{ steps.v.outputs.name }}:$TAG\n", []string{
			"image ghcr.io/acme/app published" + at + "10 version=v5" + when}},
		{"an image as a step", "image|call", "      - uses: docker://acme/check:1.2\n", []string{
			"image acme/check read" + at + "6 version=1.2", "call docker acme/check from" + at + "6 version=1.2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree{"app/.github/workflows/a.yml": workflowText("", tt.steps)}.extract(t, Options{}).wants(t, tt.head, tt.want...)
		})
	}
}

// TestChartReleaser: a chart inside another is packaged with it, and is
// not released by itself.
func TestChartReleaser(t *testing.T) {
	tree{
		"app/.github/workflows/a.yml":           workflowText("", "      - uses: helm/chart-releaser-action@v1\n"),
		"app/charts/outer/Chart.yaml":           "name: outer\nversion: 1.0.0\n",
		"app/charts/outer/charts/in/Chart.yaml": "name: in\nversion: 1.0.0\n",
	}.extract(t, Options{}).wants(t, "helm chart",
		"helm chart outer of app published app/.github/workflows/a.yml:6 version=1.0.0 when=on a push sure=90")
}

// TestJobs: matrices, environments, called workflows and composite actions.
func TestJobs(t *testing.T) {
	e := tree{
		"app/.github/workflows/a.yml": `on:
  push: {tags: ['v*']}
  workflow_run: {workflows: [Build, Gone]}
env: {REG: ghcr.io/acme}
jobs:
  first:
    runs-on: ubuntu-latest
    outputs: {image: '${{ steps.n.outputs.image }}'}
    steps:
      - id: n
        run: echo "image=$REG/by-output" >> "$GITHUB_OUTPUT"
  images:
    needs: first
    runs-on: ubuntu-latest
    environment: {name: live, url: 'https://acme.dev'}
    strategy:
      matrix:
        name: [a, b]
        kind: [x, y]
        exclude: [{name: b, kind: y}]
        include: [{name: c, kind: z}]
    steps:
      - run: docker push $REG/${{ matrix.name }}-${{ matrix.kind }}:1
      - run: docker push ${{ needs.first.outputs.image }}:1
      - uses: ./.github/actions/push
        with: {name: by-action}
  call:
    uses: ./.github/workflows/b.yml
    with: {name: by-call}
`,
		"app/.github/workflows/b.yml":          "name: Build\non: {workflow_call: {inputs: {name: {type: string}}}}\njobs: {p: {steps: [{run: 'docker push ghcr.io/acme/${{ inputs.name }}:2'}]}}\n",
		"app/.github/actions/push/action.yml":  "inputs: {name: {default: none}}\nruns:\n  using: composite\n  steps:\n    - shell: bash\n      run: docker push ghcr.io/acme/${{ inputs.name }}:3\n",
		"app/.github/actions/alone/action.yml": "runs: {using: composite, steps: [{shell: bash, run: 'docker pull acme/alone:4'}]}\n",
	}.extract(t, Options{})
	const at, when = " app/.github/workflows/a.yml:", " when=on a `v*` tag"
	e.wants(t, "image",
		"image acme/alone read app/.github/actions/alone/action.yml:1 version=4 note=only when used sure=70",
		"image ghcr.io/acme/a-x published"+at+"23 version=1"+when,
		"image ghcr.io/acme/a-y published"+at+"23 version=1"+when,
		"image ghcr.io/acme/b-x published"+at+"23 version=1"+when,
		"image ghcr.io/acme/by-action published"+at+"25 via=app/.github/actions/push version=3"+when,
		"image ghcr.io/acme/by-call published"+at+"28 via=b.yml version=2"+when,
		"image ghcr.io/acme/by-output published"+at+"24 version=1"+when,
		"image ghcr.io/acme/c-z published"+at+"23 version=1"+when)
	e.wants(t, "deploy", "deploy environment live by"+at+"15"+when+" note=https://acme.dev")
	e.wants(t, "call run", "call run acme/app/.github/workflows/b.yml from"+at+"3 note=runs after it")
	e.wants(t, "unresolved", "unresolved workflow Gone: no workflow of the repository has this name: at"+at+"3")
}

// TestUnrun: what people run, and no workflow does.
func TestUnrun(t *testing.T) {
	tree{
		"app/.github/workflows/a.yml": runs(`make push; pnpm run release`),
		"app/Makefile":                "push:\n\tdocker push acme/run:1\nby-hand:\n\tdocker push acme/hand:$(V)\n",
		"app/justfile":                "publish tag:\n    docker push acme/just:$(cat VERSION)-{{tag}}\n",
		"app/package.json":            "{\"name\": \"app\",\n \"scripts\": {\n  \"release\": \"docker push acme/script-run:1\",\n  \"hand\": \"docker push acme/script-hand:1\"}}\n",
		"app/examples/a/package.json": "{\"scripts\": {\"hand\": \"docker push acme/example:1\"}}\n",
	}.extract(t, Options{}).wants(t, "image",
		"image acme/hand published app/Makefile:4 note=a target that no workflow runs sure=80",
		"image acme/just published app/justfile:2 version=<value>-<tag> note=a target that no workflow runs sure=80",
		"image acme/run published app/.github/workflows/a.yml:7 via=Makefile version=1 when=on a push sure=90",
		"image acme/script-hand published app/package.json:4 version=1 note=a script that no workflow runs sure=80",
		"image acme/script-run published app/.github/workflows/a.yml:7 version=1 when=on a push",
	)
}

// TestPipelines: scripts of other services than GitHub's, and what they run on.
func TestPipelines(t *testing.T) {
	tree{
		"app/.gitlab-ci.yml":              "build:\n  image: python:3.13\n  script:\n    - docker run --privileged docker.io/tonistiigi/binfmt:latest\n    - |\n      docker push acme/lab:1\nmac:\n  image: macos-15-xcode-16\n  tags: [saas-macos-medium-m1]\n",
		"app/.circleci/config.yml":        "jobs:\n  a:\n    machine:\n      image: default\n    steps:\n      - run:\n          command: docker push acme/circle:1\n",
		"app/.circleci/prepare.sh":        "#!/bin/sh\ndocker pull acme/prepared:1\n",
		"app/azure-pipelines.yml":         "jobs:\n- job: a\n  steps:\n  - bash: docker pull acme/azure:1\n  - script: docker pull acme/azure:2\n  parameters:\n    pythonVersion: '3.13'\n",
		"app/resources/virtualenv.toml":   "default = { version = \"1.2\", url = \"https://github.com/other/get/releases/download/1.2/env.pyz\" }\n",
		"app/tools.mk":                    "tool:\n\t$(CURL) https://github.com/other/tool/releases/download/$(TOOL_VERSION)/tool-$(patsubst v%,%,$(TOOL_VERSION))-$(HOST_OS).tar.gz\n",
		"app/scripts/util/check.sh":       "#!/bin/sh\nDIR=$(cd \"$(dirname \"$0\")\" && pwd)\n\"$DIR/hash.sh\"\n\"$DIR/gone.sh\"\n",
		"app/scripts/util/hash.sh":        "#!/bin/sh\ndocker pull acme/hash:1\n",
		"app/Makefile":                    "include make/*.mk\nall:\n",
		"app/.github/workflows/other.yml": "on: push\njobs: {a: {steps: [{run: make all elsewhere}]}}\n",
	}.extract(t, Options{}).wants(t, "image|release asset|toolchain|unresolved",
		"image acme/azure read app/azure-pipelines.yml:4 version=1 note=a script of another service sure=80",
		"image acme/azure read app/azure-pipelines.yml:5 version=2 note=a script of another service sure=80",
		"image acme/circle published app/.circleci/config.yml:7 version=1 note=a script of another service sure=80",
		"image acme/hash read app/scripts/util/hash.sh:2 version=1 note=a script that no workflow runs sure=80",
		"image acme/lab published app/.gitlab-ci.yml:6 version=1 note=a script of another service sure=80",
		"image acme/prepared read app/.circleci/prepare.sh:2 version=1 note=a script that no workflow runs sure=80",
		"image python read app/.gitlab-ci.yml:2 version=3.13",
		"image tonistiigi/binfmt read app/.gitlab-ci.yml:4 version=latest note=a script of another service sure=80",
		"release asset env.pyz of other/get read app/resources/virtualenv.toml:1 version=1.2 sure=80",
		"release asset tool-<tag>-<tag>.tar.gz of other/tool read app/tools.mk:2 version=$(TOOL_VERSION) sure=80",
		"toolchain python pinned app/azure-pipelines.yml:7 version=3.13 note=parameter pythonVersion",
		"unresolved script <dir>/gone.sh: it is run, and where it lies is not told: at app/scripts/util/check.sh:4 note=a script that no workflow runs sure=80",
		"unresolved target make elsewhere: it is in a file that the Makefile includes, or nowhere: at app/.github/workflows/other.yml:2 when=on a push",
	)
}

// TestAside: workflows that the service does not run use what they name.
func TestAside(t *testing.T) {
	tree{
		"app/examples/a/.github/workflows/ci.yml": "on: push\njobs:\n  a:\n    container: acme/box:1\n    services: {db: {image: postgres:17}}\n    steps:\n      - uses: actions/checkout@v3\n      - uses: ./local\n",
		"app/templates/release.yml":               "jobs:\n  a:\n    uses: acme/kit/.github/workflows/w.yml@v2\n",
		"app/other.yml":                           "jobs: [uses: none]\nuses: b/c@v1\n",
	}.extract(t, Options{}).wants(t, "image|call",
		"image acme/box read app/examples/a/.github/workflows/ci.yml:4 version=1",
		"image postgres read app/examples/a/.github/workflows/ci.yml:5 version=17",
		"call workflow acme/kit/.github/workflows/w.yml from app/templates/release.yml:3 version=v2 note=a workflow that does not run from this folder",
		"call action actions/checkout from app/examples/a/.github/workflows/ci.yml:7 version=v3 note=a workflow that does not run from this folder",
	)
}

// TestChartImages: templates of a chart name images with its values.
func TestChartImages(t *testing.T) {
	tree{
		"app/chart/Chart.yaml":  "name: app\nversion: 1.0.0\nappVersion: \"2.1.0\"\n",
		"app/chart/values.yaml": "image:\n  repository: acme/app\n  tag: null\nside: {registry: quay.io, repository: acme/side, tag: v3}\nmany: {image: acme/many:1}\n",
		"app/chart/templates/_helpers.tpl": "{{/* a */}}\n{{- define \"app.side\" -}}\n{{- $r := .Values.side.registry -}}\n{{- printf \"%s/%s:%s\" $r .Values.side.repository (.Values.side.tag | toString) -}}\n{{- end -}}\n" +
			"{{ define \"app.loop\" }}{{ include \"app.loop\" . }}{{ end }}{{ define \"app.choice\" }}{{ if .Values.a }}acme/a{{ else }}acme/b{{ end }}{{ end }}",
		"app/chart/templates/a.yaml": "spec:\n  - image: \"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}\"\n    image: {{ include \"app.side\" . | quote }}\n" +
			"    image: {{ tpl .Values.many.image . }}\n    image: {{ include \"app.loop\" . }}\n    image: {{ include \"app.choice\" $ }}\n    image: \"{{ .Values.gone.repository }}:{{ .image }}\"\n",
	}.extract(t, Options{}).wants(t, "image|unresolved",
		"image acme/app pinned app/chart/Chart.yaml:3 version=2.1.0 note=appVersion",
		"image acme/app read app/chart/templates/a.yaml:2 version=2.1.0 note=with the chart's values sure=90",
		"image acme/app read app/chart/values.yaml:2",
		"image acme/b read app/chart/templates/a.yaml:6 note=with the chart's values sure=90",
		"image acme/many read app/chart/templates/a.yaml:4 version=1 note=with the chart's values sure=90",
		"image acme/many read app/chart/values.yaml:5 version=1",
		"image quay.io/acme/side read app/chart/templates/a.yaml:3 version=v3 note=with the chart's values sure=90",
		"image quay.io/acme/side read app/chart/values.yaml:4 version=v3",
		"unresolved image {{ .Values.gone.repository }}:{{ .image }}: a template of the chart puts its name together, and could not be followed: at app/chart/templates/a.yaml:7",
		"unresolved image {{ include \"app.loop\" . }}: a template of the chart puts its name together, and could not be followed: at app/chart/templates/a.yaml:5",
	)
}

// TestChartTemplates: what a template of a chart comes to, and which are not
// followed. Nothing of it may take long.
func TestChartTemplates(t *testing.T) {
	helper := `{{ define "section" }}{{ .name | camelcase | untitle }}{{ end }}{{ define "ref" }}{{ $r := .global.registry | default .image.registry }}{{ printf "%s/%s:%v" $r .image.repository (default .version .image.tag) }}{{ end }}
{{ define "bomb" }}{{ include "bomb" . }}{{ include "bomb" . }}{{ end }}`
	for name, tt := range map[string]struct{ template, want string }{
		"a table handed on":      {`image: {{ include "ref" (dict "image" .Values.image "global" .Values.global "version" .Chart.AppVersion) }}`, "image quay.io/acme/app:2.1.0"},
		"a variable of the file": {"{{- $d := dict \"image\" .Values.image \"global\" .Values.global \"version\" \"9\" -}}\nimage: \"{{ template \"ref\" $d }}\"", "image quay.io/acme/app:9"},
		"a digest":               {`image: acme/x{{ if .Values.digest }}@{{ .Values.digest }}{{ else }}:{{ .Values.other.tag }}{{ end }}`, "image acme/x:7"},
		"a part of the version":  {`image: acme/x:{{ trimPrefix "v" .Values.v }}`, "image acme/x:1.2"},
		"the release":            {`image: acme/{{ .Release.Name }}:1`, "unresolved"},
		"no value":               {`image: {{ .Values.gone }}:1`, "unresolved"},
		"what it is handed":      {`image: {{ printf "%s/x:1" (coalesce $.context.Values.a "acme") }}`, "unresolved"},
		"the section of a name":  {`image: {{ (index .Values (include "section" (dict "name" "the-other_one"))).name }}:{{ (merge .Values.other .Values.image).tag }}`, "image acme/one:7"},
		"a loop":                 {`image: {{ range 1000000000 }}{{ end }}acme/x:1`, "unresolved"},
		"itself":                 {`image: {{ include "bomb" . }}`, "unresolved"},
		"a wide text":            {`image: {{ printf "%999999999s" "acme/x" }}`, "unresolved"},
		"tables in tables":       {`image: {{ $a := dict "a" . "b" . }}` + strings.Repeat(`{{ $a = dict "a" $a "b" $a }}`, 40) + `{{ $a }}`, "unresolved"},
		"a text twice as long":   {`image: {{ $a := "aaaaaaaa" }}` + strings.Repeat(`{{ $a = print $a $a }}`, 40) + `{{ $a }}`, "unresolved"},
		"no template":            {`image: {{ nosuch "x" }}{{`, "unresolved"},
	} {
		e := tree{
			"app/c/Chart.yaml":             "name: c\nversion: 1.0.0\nappVersion: 2.1.0\n",
			"app/c/values.yaml":            "global: {registry: quay.io}\nimage: {registry: docker.io, repository: acme/app, tag: ''}\nv: v1.2\nother: {tag: 7}\ntheOtherOne: {name: acme/one}\n",
			"app/c/templates/_helpers.tpl": helper,
			"app/c/templates/a.yaml":       tt.template + "\n",
		}.extract(t, Options{})
		var got []string
		for _, a := range e.w.Artifacts {
			for _, p := range a.Read {
				if strings.HasSuffix(p.File, "a.yaml") {
					got = append(got, a.Kind+" "+a.Name+":"+p.Version)
				}
			}
		}
		for range e.w.Unresolved {
			got = append(got, "unresolved")
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
