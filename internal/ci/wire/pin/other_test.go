package pin

import (
	"strings"
	"testing"
)

func TestVersionFiles(t *testing.T) {
	check(t, ".nvmrc", "# moved by a bot\nv22.1.0\n", "2 pins toolchain node@v22.1.0\n")
	check(t, ".python-version", "3.12\n3.11\n", "")
	check(t, "rust-toolchain", "[toolchain]\nchannel = \"1.80\"\n", "2 pins toolchain rust@1.80\n")
	check(t, "rust-toolchain.toml", "[toolchain]\nchannel = \"nightly-2026-01-01\"\n", "2 pins toolchain rust@nightly-2026-01-01\n")
	check(t, ".tool-versions", "nodejs 22.1.0 # lts\n\ngolang 1.26\nlonely\n", "1 pins toolchain node@22.1.0\n3 pins toolchain go@1.26\n")
	check(t, "mise.toml", "[tools]\nnode = \"22\"\npython = [\"3.12\", \"3.11\"]\nzig = { version = \"0.13\" }\n",
		"2 pins toolchain node@22\n3 pins toolchain python@3.12\n4 pins toolchain zig@0.13\n")
	check(t, "corpus.version", "# of the corpus\nv1.4\n", "2 pins pin file corpus.version@v1.4\n")
	check(t, "app-image", "ghcr.io/acme/app:v7\n", "1 pins image ghcr.io/acme/app@v7\n1 pins pin file app-image@ghcr.io/acme/app:v7\n")
	check(t, "VERSION", "1.2.3\n", "1 pins pin file VERSION@1.2.3\n")
	for _, no := range []string{"", "words of text\n", "1.2.3\n4.5.6\n", "word\n", strings.Repeat("# long\n", maxPinFile) + "1.2.3\n"} {
		check(t, "VERSION", no, "")
	}
}

func TestNix(t *testing.T) {
	check(t, "flake.nix", `
{
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-24.05";
  inputs.kit = { url = "git+https://github.com/acme/kit?ref=main"; };
  # inputs.old.url = "github:acme/old";
}
`, `
2 reads repository github.com/NixOS/nixpkgs@nixos-24.05 [flake input]
3 reads repository github.com/acme/kit@main [flake input]
`)
	check(t, "pkgs/tool.nix", `
{ fetchFromGitHub, fetchgit }:
rec {
  version = "1.4.0";
  src = fetchFromGitHub {
    owner = "acme";
    repo = "tool";
    rev = "v${version}";
    hash = "sha256-x";
  };
  other = fetchgit { url = "https://git.example.org/acme/other"; rev = "abc123"; };
  pname = "named";
  third = fetchFromGitHub { owner = "acme"; repo = pname; rev = "v${version}"; };
  patch = fetchurl { url = "https://github.com/acme/tool/archive/refs/tags/v1.3.tar.gz"; };
}
`, `
7 pins repository github.com/acme/tool@v1.4.0 [fetchFromGitHub]
10 pins repository git.example.org/acme/other@abc123 [fetchgit]
12 pins repository github.com/acme/named@v1.4.0 [fetchFromGitHub]
13 reads source archive github.com/acme/tool@v1.3 (github.com/acme/tool)
`)
	check(t, "flake.lock", `{"nodes": {"root": {"inputs": {"a": "a_2", "f": ["a", "f"]}},
"a_2": {"locked": {"type": "gitlab", "owner": "acme", "repo": "a",
  "rev": "0123456789abcdef0123456789abcdef01234567"}},
"deep": {"locked": {"type": "git", "url": "ssh://git@git.example.org/acme/deep.git", "rev": "abc"}, "original": {"ref": "main"}},
"tar": {"locked": {"type": "tarball", "url": "https://releases.example.org/26.05/all.tar.xz", "rev": "def"}},
"path": {"locked": {"type": "path"}}
}, "root": "root"}`, `
3 pins repository gitlab.com/acme/a@0123456789abcdef0123456789abcdef01234567 [input a]
4 pins repository git.example.org/acme/deep@main [input deep at abc] indirect
5 pins source archive releases.example.org/26.05/all.tar.xz@def [input tar] indirect
`)
}

func TestTerraform(t *testing.T) {
	check(t, "infra/main.tf", `
terraform {
  required_version = ">= 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
    legacy = "~> 1"
  }
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws//modules/x" # registry
  version = "5.1.0"
}
module "own" {
  source = "git::https://github.com/acme/modules.git//network?ref=v2.3"
}
module "ssh" { source = "git@github.com:acme/modules.git?ref=v3" }
module "local" {
  source = "./modules/local"
}
/* module "old" { source = "acme/old/aws" } */
resource "helm_release" "cache" {
  chart      = "redis"
  repository = "https://charts.example.com"
  version    = "18.1"
  values = [<<-EOT
    image: "no"
  EOT
  ]
}
resource "kubernetes_deployment" "app" {
  spec {
    template {
      spec {
        container {
          image = "ghcr.io/acme/app:${var.tag}"
          name  = "${var.on ? "a" : "b"}"
        }
      }
    }
  }
}
locals { list = [for x in y : x.image] }
`, `
2 pins toolchain terraform@>= 1.9
5 pins Terraform provider hashicorp/aws@~> 5.0
8 pins Terraform provider hashicorp/legacy@~> 1
13 pins Terraform module terraform-aws-modules/vpc/aws@5.1.0
17 pins repository github.com/acme/modules@v2.3 [terraform module network]
19 pins repository github.com/acme/modules@v3 [terraform module]
25 reads Helm chart redis@18.1 (https://charts.example.com)
38 reads image ghcr.io/acme/app@${var.tag} [terraform]
`)
	check(t, ".terraform.lock.hcl", "provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.1.0\"\n  hashes = [\"h1:x\",\n  ]\n}\n", "2 pins Terraform provider hashicorp/aws@5.1.0\n")
	for _, broken := range []string{"module \"a\" {", "module \"a\" = \"", "a = <<EOT\nx", "}}}", "a = [", "/*", "module a b c", "= =", "\"", "a \"b\" c {\n source = \"x/y/z\""} {
		Read("a.tf", []byte(broken))
	}
}

func TestPipelines(t *testing.T) {
	check(t, ".gitlab-ci.yml", `
image: ruby:3.3
include:
  - project: acme/pipelines
    ref: v4
    file: build.yml
test:
  services: ["postgres:16"]
  image: {name: "ghcr.io/acme/ci:2", entrypoint: [""]}
`, `
1 reads image ruby@3.3
3 reads repository gitlab.com/acme/pipelines@v4 [included pipeline]
7 reads image postgres@16 [service]
8 reads image ghcr.io/acme/ci@2
`)
	check(t, ".circleci/config.yml", `
orbs:
  node: circleci/node@5.1
jobs:
  a:
    docker:
      - image: cimg/go:1.26
`, `
2 pins orb circleci/node@5.1
6 reads image cimg/go@1.26
`)
	check(t, "Jenkinsfile", `
@Library('shared@v2') _
pipeline { agent { docker { image 'maven:3.9' } } }
// image 'old:1'
node { docker.image("ghcr.io/acme/build:7").inside { } }
`, `
1 reads shared library shared@v2 [Jenkins]
2 reads image maven@3.9 [Jenkins]
4 reads image ghcr.io/acme/build@7 [Jenkins]
`)
	check(t, ".devcontainer/devcontainer.json", `
{ // for editors
  "image": "mcr.microsoft.com/devcontainers/base:1",
  "features": { "ghcr.io/devcontainers/features/node:1": {}, "./local": {} }
}
`, `
2 reads image mcr.microsoft.com/devcontainers/base@1 [devcontainer]
3 reads image ghcr.io/devcontainers/features/node@1 [devcontainer feature]
`)
	check(t, "skaffold.yaml", "build:\n  artifacts:\n    - image: ghcr.io/acme/app\n      context: app\n", "3 declares image ghcr.io/acme/app [built by skaffold from app]\n")
	check(t, ".pre-commit-config.yaml", "repos:\n  - repo: https://github.com/acme/hooks\n    rev: v1.2\n  - repo: local\n", "3 pins repository github.com/acme/hooks@v1.2 [pre-commit hooks]\n")
	check(t, "lib/images.libsonnet", "{ images: { a: 'grafana/loki:2.9.1', b: \"text: some/thing\", c: 'a/b' } }\n", "1 reads image grafana/loki@2.9.1\n")
}

// A version that stands elsewhere in the file is the one that counts.
func TestWorkflowVariables(t *testing.T) {
	got := said(Workflow(".github/workflows/ci.yml", []byte(`
on: {workflow_call: {inputs: {helm: {default: v3.12.0}, none: {type: string}}}}
env:
  GO: "1.25"
  TFLINT_VERSION: v0.59.1
  APP_VERSION: 1.0.0
  NODE_VERSION: lts
jobs:
  a:
    env: {GOLANG_VERSION: "1.24.1"}
    strategy:
      matrix:
        node: [20, 22, "${{ inputs.helm }}"]
        include: [{node: 24}]
    steps:
      - uses: actions/setup-go@v5
        with: {go-version: "${{ env.GO }}"}
      - uses: actions/setup-node@v4
        with: {node-version: "${{ matrix.node }}"}
      - uses: azure/setup-helm@v4
        with: {version: "${{ inputs.helm }}"}
      - uses: azure/setup-helm@v4
        with: {version: "${{ inputs.none }}"}
      - uses: cycjimmy/semantic-release-action@v5
        with: {semantic_version: 25.0.0}
`)))
	want := strings.TrimPrefix(`
5 pins toolchain tflint@v0.59.1 [variable TFLINT_VERSION]
10 pins toolchain go@1.24.1 [variable GOLANG_VERSION]
17 pins toolchain go@1.25 [input of actions/setup-go@v5]
19 pins toolchain node@20 [input of actions/setup-node@v4]
19 pins toolchain node@22 [input of actions/setup-node@v4]
19 pins toolchain node@v3.12.0 [input of actions/setup-node@v4]
19 pins toolchain node@24 [input of actions/setup-node@v4]
21 pins toolchain helm@v3.12.0 [input of azure/setup-helm@v4]
23 reads toolchain helm [input of azure/setup-helm@v4, which a run tells]
25 pins toolchain semantic@25.0.0 [input of cycjimmy/semantic-release-action@v5]
`, "\n")
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	check(t, "Makefile", "HELM_VERSION ?= v3.12.0 # one\nTAG_VERSION := $(shell git describe)\nRELEASE_VERSION = 1.2.3\n", "1 pins toolchain helm@v3.12.0 [variable HELM_VERSION]\n")
	check(t, "deploy/ci.yaml", "variables:\n  KIND_VERSION: 0.20.0\n", "2 pins toolchain kind@0.20.0 [variable KIND_VERSION]\n")
	check(t, "ami/plugins.pkr.hcl", "packer {\n  required_plugins {\n    amazon = {\n      version = \"~> 1\"\n      source  = \"github.com/hashicorp/amazon\"\n    }\n  }\n}\n", "5 pins repository github.com/hashicorp/packer-plugin-amazon@~> 1 [packer plugin]\n")
	check(t, "eks/main.tf", "module \"eks\" {\n  kubernetes_version = \"1.33\"\n}\n", "2 pins toolchain kubernetes@1.33\n")
	check(t, "Dockerfile", "ARG UV_VERSION=0.5.1\nFROM alpine:3\nENV TINI_VERSION=v0.19.0 X=1\nENV JQ_VERSION 1.7.1\nRUN <<EOF\ncurl -L https://github.com/o/r/releases/download/v1/a.tgz\nEOF\n",
		"1 pins toolchain uv@0.5.1 [variable UV_VERSION]\n2 reads image alpine@3\n3 pins toolchain tini@v0.19.0 [variable TINI_VERSION]\n4 pins toolchain jq@1.7.1 [variable JQ_VERSION]\n6 reads release asset a.tgz@v1 (github.com/o/r)\n")
}

func TestWorkflowInputs(t *testing.T) {
	got := said(Workflow(".github/workflows/ci.yml", []byte(`
jobs:
  a:
    steps:
      - uses: actions/setup-node@v4
        with: {node-version: "22"}
      - uses: actions/setup-go@v5
        with:
          go-version: ${{ env.GO }}
      - uses: hashicorp/setup-terraform@v3
        with:
          version: 1.9.2
      - uses: docker/setup-qemu-action@v3
        with:
          image: tonistiigi/binfmt:qemu-v9
      - uses: acme/deploy@v1
        with:
          app-version: "7"
          image: ${{ env.IMAGE }}
          version: 3
      - run: echo
`)))
	want := strings.TrimPrefix(`
6 pins toolchain node@22 [input of actions/setup-node@v4]
9 reads toolchain go [input of actions/setup-go@v5, which a run tells]
12 pins toolchain terraform@1.9.2 [input of hashicorp/setup-terraform@v3]
15 reads image tonistiigi/binfmt@qemu-v9 [input of docker/setup-qemu-action@v3]
`, "\n")
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Workflow("a.yml", []byte("a: [")); got != nil {
		t.Errorf("broken YAML gave %v", got)
	}
}

func TestPrograms(t *testing.T) {
	check(t, "src/fetch.py", `
URL = f"https://github.com/acme/corpus/releases/download/{tag}/corpus-{tag}.tar.gz"
# "https://github.com/acme/old/releases/download/v1/old.zip"
RAW = "https://raw.githubusercontent.com/acme/conf/refs/heads/main/app.json"
BADGE = "https://raw.githubusercontent.com/acme/conf/main/badge.svg"
PAGE = "https://github.com/acme/corpus/releases"
ANY = f"https://github.com/acme/corpus/releases/download/v1/{name}"
`, `
1 reads release asset corpus-<tag>.tar.gz@{tag} (github.com/acme/corpus) 80%
3 reads file app.json@main (github.com/acme/conf) 80%
6 reads repository github.com/acme/corpus@v1 (github.com/acme/corpus) [a file of a release] 80%
`)
	check(t, "Makefile", "get:\n\tgit clone --depth 1 https://github.com/acme/data.git d\n\tcurl -LO https://github.com/$(ORG)/tool/releases/latest/download/tool.zip\n",
		"2 reads repository github.com/acme/data [git clone]\n")
	check(t, "a.min.js", strings.Repeat("x", maxAddressLine)+"https://github.com/a/b/releases/download/v1/c.zip", "")
}

func TestRepositoryNames(t *testing.T) {
	for in, want := range map[string]string{
		"https://github.com/acme/app.git":                "github.com/acme/app ",
		"git@github.com:acme/app.git":                    "github.com/acme/app ",
		"ssh://git@github.com:22/acme/app":               "github.com/acme/app ",
		"git::ssh://git@github.com/acme/app//sub?ref=v1": "github.com/acme/app v1",
		"github:acme/app/v2":                             "github.com/acme/app v2",
		"git+https://user:pw@gitlab.com/a/b/c.git@main":  "gitlab.com/a/b/c main",
		"https://github.com/acme/app/tree/v3/docs":       "github.com/acme/app v3/docs",
		"https://github.com/acme/app?branch=dev#0123":    "github.com/acme/app 0123",
		"git://git.example.org/a/b":                      "git.example.org/a/b ",
		"https://github.com/acme":                        "",
		"./local":                                        "",
		"nothing":                                        "",
		"":                                               "",
		"a:":                                             "",
		"https://github.com/a b/c":                       "",
	} {
		name, ref, ok := RepositoryName(in)
		if got := name + " " + ref; ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %v; want %q", in, got, ok, want)
		}
	}
}
