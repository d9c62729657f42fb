package pin

import (
	"strings"
	"testing"
)

const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestImageReferences(t *testing.T) {
	for in, want := range map[string]string{
		"alpine":                             "alpine ",
		"alpine:3.20":                        "alpine 3.20",
		"docker.io/library/alpine:3":         "alpine 3",
		"index.docker.io/acme/app":           "acme/app ",
		"ghcr.io/acme/app:v1@" + digest:      "ghcr.io/acme/app v1@" + digest,
		"localhost:5000/app":                 "localhost:5000/app ",
		"registry.example:5000/a/b:c":        "registry.example:5000/a/b c",
		"docker://ghcr.io/acme/lint:1":       "ghcr.io/acme/lint 1",
		"ghcr.io/acme/app:${TAG}":            "ghcr.io/acme/app ${TAG}",
		"${REGISTRY}/app:{{ .Values.tag }}":  "${REGISTRY}/app {{ .Values.tag }}",
		"ghcr.io/acme/app@" + digest:         "ghcr.io/acme/app " + digest,
		"img/logo.png":                       "",
		"https://example.com/a":              "",
		"Some text":                          "",
		"":                                   "",
		"{{ .Values.image }}":                "",
		"ghcr.io/Acme/app":                   "",
		"a@sha256:short":                     "",
		strings.Repeat("a", maxReference+10): "",
	} {
		img, ok := parseImage(in)
		if got := img.name + " " + img.version; ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %v; want %q", in, got, ok, want)
		}
	}
}

func TestDockerfile(t *testing.T) {
	check(t, "Dockerfile", `
# syntax=docker/dockerfile:1.7
ARG BASE=ghcr.io/acme/base
ARG TAG="2.1"
FROM --platform=$BUILDPLATFORM golang:1.26@`+digest+` AS build
ARG TAG=9.9
RUN --mount=type=bind,from=ghcr.io/acme/tools:3,target=/t \
    # FROM nowhere:1
    make
COPY --from=build /a /b
COPY --from=ghcr.io/acme/certs:7 /c /d
COPY --from=0 /e /f
RUN <<EOF
FROM inside:1
EOF
FROM ${BASE}:${TAG}
from build
FROM scratch
FROM $UNKNOWN/app:1
FROM alpine:${V:-3.20} as last
ADD https://github.com/acme/tool/releases/download/v1.2.0/tool-1.2.0-linux.tar.gz /opt
RUN curl -L https://github.com/acme/tool/releases/latest/download/tool-${ARCH}.zip \
    && wget https://raw.githubusercontent.com/acme/conf/main/etc/app.conf
`, `
1 reads image docker/dockerfile@1.7 [syntax]
4 reads image golang@1.26@`+digest+` [stage build]
6 reads image ghcr.io/acme/tools@3 [copied from]
10 reads image ghcr.io/acme/certs@7 [copied from]
15 reads image ghcr.io/acme/base@2.1
18 reads image $UNKNOWN/app@1 50%
19 reads image alpine@3.20 [stage last]
20 reads release asset tool-<tag>-linux.tar.gz@v1.2.0 (github.com/acme/tool)
21 reads release asset tool-<tag>.zip@latest (github.com/acme/tool)
22 reads file etc/app.conf@main (github.com/acme/conf)
`)
	check(t, "win.Dockerfile", "# escape=`\nFROM `\n  mcr.microsoft.com/windows:1\n", "2 reads image mcr.microsoft.com/windows@1\n")
	check(t, "Dockerfile", "FROM\nFROM --platform=x\nCOPY --from=\nRUN <<\n\\\n", "")
}

func TestCompose(t *testing.T) {
	check(t, "docker-compose.yml", `
x-common: &common
  image: ghcr.io/acme/common:1
services:
  web:
    <<: *common
  app:
    image: "${APP_IMAGE:-ghcr.io/acme/app:latest}"
  db:
    image: postgres:16 # the database
  own:
    image: acme/own:dev
    build:
      context: ./own
  # image: old:1
`, `
2 reads image ghcr.io/acme/common@1
7 reads image ghcr.io/acme/app@latest
9 reads image postgres@16
11 declares image acme/own@dev [built from ./own]
`)
}

func TestKubernetes(t *testing.T) {
	check(t, "deploy/app.yaml", `
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      initContainers:
        - {name: init, image: busybox:1.36}
      containers:
        - name: app
          image: ghcr.io/acme/app:v3
          args: ["--sidecar-image=quay.io/acme/side:2", "--level=info:2"]
          env:
            - name: WORKER
              value: ghcr.io/acme/worker:v1
            - name: ADDRESS
              value: db.example.com/x:5432
---
kind: CustomResourceDefinition
spec:
  properties:
    image: {type: string}
---
kind: Application
spec:
  source:
    repoURL: https://github.com/acme/deploy.git
    targetRevision: v1.0
    path: apps/one
  other:
    repoURL: https://charts.example.com
    chart: cache
    targetRevision: 4.5.6
---
kind: GitRepository
spec:
  url: ssh://git@github.com/acme/fleet
  ref: {branch: main}
---
kind: HelmRelease
spec:
  chart:
    spec:
      chart: podinfo
      version: "6.x"
      sourceRef: {name: pods}
`, `
7 reads image busybox@1.36
10 reads image ghcr.io/acme/app@v3
11 reads image quay.io/acme/side@2
14 reads image ghcr.io/acme/worker@v1
26 reads repository github.com/acme/deploy@v1.0 [apps/one]
31 reads Helm chart cache@4.5.6 (https://charts.example.com)
36 reads repository github.com/acme/fleet@main
43 reads Helm chart podinfo@6.x (pods)
`)
}

func TestHelm(t *testing.T) {
	check(t, "chart/values.yaml", `
image:
  registry: ghcr.io
  repository: acme/app
  tag: "1.2"
sidecar:
  image: {name: quay.io/acme/side, tag: v9}
plain:
  image: ghcr.io/acme/plain
  imageTag: v4
job:
  repository: acme/job
  digest: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
kubectlImage: bitnami/kubectl:1.30
imagePullPolicy: Always
`, `
3 reads image ghcr.io/acme/app@1.2
6 reads image quay.io/acme/side@v9
8 reads image ghcr.io/acme/plain@v4
11 reads image acme/job@`+digest+`
13 reads image bitnami/kubectl@1.30
`)
	check(t, "chart/templates/pod.yaml", `
{{- if .Values.on }}
spec:
  containers:
    - name: a
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
    - image: 'ghcr.io/acme/fixed:{{ .Chart.AppVersion }}' # fixed
    # image: old:1
{{- end }}
`, "6 reads image ghcr.io/acme/fixed@{{ .Chart.AppVersion }}\n")
	check(t, "chart/Chart.yaml", `
name: app
version: 1.2.3
dependencies:
  - name: redis
    repository: https://charts.example.com/stable
    version: ~18
  - name: local
    repository: file://../local
    version: 0.1.0
`, `
1 declares Helm chart app@1.2.3
6 pins Helm chart redis@~18 (https://charts.example.com/stable)
9 pins Helm chart local@0.1.0
`)
	check(t, "helmfile.yaml", "releases:\n  - name: x\n    chart: stable/redis\n    version: 1.0\n  - chart: ./local\n", "3 reads Helm chart redis@1.0 (stable)\n")
}

func TestKustomize(t *testing.T) {
	check(t, "base/kustomization.yaml", `
resources:
  - deploy.yaml
  - github.com/acme/fleet//base?ref=v1.4
  - https://raw.githubusercontent.com/acme/crds/v2/all.yaml
helmCharts:
  - name: cert-manager
    repo: https://charts.example.com
    version: v1.15
images:
  - name: app
    newName: ghcr.io/acme/app
    newTag: v7
  - name: ghcr.io/acme/side
    digest: `+digest+`
`, `
3 reads repository github.com/acme/fleet@v1.4 [kustomize]
4 reads file all.yaml@v2 (github.com/acme/crds)
6 reads Helm chart cert-manager@v1.15 (https://charts.example.com)
12 pins image ghcr.io/acme/app@v7 [kustomize]
14 pins image ghcr.io/acme/side@`+digest+` [kustomize]
`)
}

func TestBrokenYAML(t *testing.T) {
	check(t, "deploy/a.yaml", "spec:\n\timage: ghcr.io/acme/app:1\n  bad: [\n- image: acme/b:2\n", "2 reads image ghcr.io/acme/app@1\n4 reads image acme/b@2\n")
	check(t, "deploy/b.yaml", "a: &a\n  image: acme/x:1\nb: *a\nc: *missing\n", "2 reads image acme/x@1\n")
	check(t, "deploy/c.yaml", "a: &a {image: acme/x:1, self: *a}\n", "1 reads image acme/x@1\n")
	check(t, "deploy/d.yaml", "image: acme/x:1\nimage: acme/y:1\n", "1 reads image acme/x@1\n2 reads image acme/y@1\n")
	deep := strings.Repeat("a: {", 500) + "image: acme/x:1" + strings.Repeat("}", 500)
	if got := Read("deep.yaml", []byte(deep)); len(got) != 0 {
		t.Errorf("deeper than the limit: %v", got)
	}
}

func TestLargeYAMLIsReadByLines(t *testing.T) {
	data := strings.Repeat("# filler filler filler filler\n", maxYAML/20) + "image: acme/x:1\n"
	if got := Read("big.yaml", []byte(data)); len(got) != 1 || got[0].Line != maxYAML/20+1 {
		t.Errorf("got %v", got)
	}
}
