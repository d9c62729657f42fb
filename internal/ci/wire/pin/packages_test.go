package pin

import (
	"strings"
	"testing"
)

func TestGoModules(t *testing.T) {
	check(t, "go.mod", `
module example.com/acme/app/v2 // the app

go 1.26.0
toolchain go1.26.3

require example.com/acme/lib v1.2.3
require (
	example.com/other/x v0.0.0-20240101000000-0123456789ab // indirect
	"example.com/quoted" v1.0.0
)
replace example.com/acme/lib => ../lib
replace (
	example.com/other/x v0.1.0 => example.com/acme/fork v0.2.0
)
// require example.com/old v1
`, `
1 declares Go module example.com/acme/app/v2
3 pins toolchain go@1.26.0
4 pins toolchain go@1.26.3 [toolchain]
6 pins Go module example.com/acme/lib@v1.2.3
8 pins Go module example.com/other/x@v0.0.0-20240101000000-0123456789ab indirect
9 pins Go module example.com/quoted@v1.0.0
11 reads Go module example.com/acme/lib [replaced by the folder ../lib]
13 pins Go module example.com/acme/fork@v0.2.0 [replaces example.com/other/x]
`)
	check(t, "go.work", "go 1.26\nuse (\n\t./a\n\t./b\n)\nrequire (\n", "1 pins toolchain go@1.26\n")
}

func TestNPM(t *testing.T) {
	check(t, "package.json", `
{
  "name": "@acme/app", // comments are kept by some
  "version": "1.0.0",
  "packageManager": "pnpm@9.1.0+sha512.abc",
  "engines": { "node": ">=22" },
  "dependencies": {
    "left": "^1.0.0",
    "@acme/lib": "workspace:*",
    "forked": "acme/forked#v2",
    "git": "git+ssh://git@github.com/acme/git.git#semver:^3",
    "alias": "npm:@acme/real@4",
    "tar": "https://example.com/x.tgz",
    "latest": "npm:@acme/newest",
    "empty": ""
  },
  "devDependencies": { "dev": "~2", },
}
`, `
2 declares npm package @acme/app@1.0.0
4 pins toolchain pnpm@9.1.0 [packageManager]
5 pins toolchain node@>=22 [engines]
7 pins npm package left@^1.0.0
8 reads npm package @acme/lib@workspace:*
9 pins repository github.com/acme/forked@v2 [npm package forked]
10 pins repository github.com/acme/git@^3 [npm package git]
11 pins npm package @acme/real@4
12 pins npm package tar@https://example.com/x.tgz
13 reads npm package @acme/newest
16 pins npm package dev@~2
`)
	check(t, "package-lock.json", `
{
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "app" },
    "node_modules/@acme/lib": {
      "version": "1.2.3"
    },
    "node_modules/a/node_modules/forked": {
      "version": "2.0.0",
      "resolved": "git+ssh://git@github.com/acme/forked.git#0123456789abcdef0123456789abcdef01234567"
    },
    "node_modules/linked": { "link": true }
  }
}
`, `
6 pins npm package @acme/lib@1.2.3 indirect
10 pins repository github.com/acme/forked@0123456789abcdef0123456789abcdef01234567 [npm package forked]
`)
	check(t, "package-lock.json", `{"dependencies":{"a":{"version":"1.0.0","dependencies":{"b":{"version":"2.0.0"}}}}}`,
		"1 pins npm package a@1.0.0 indirect\n1 pins npm package b@2.0.0 indirect\n")
	check(t, "yarn.lock", `
# yarn lockfile v1

"@acme/lib@^1.0.0", "@acme/lib@^1.1.0":
  version "1.2.3"
  resolved "https://registry.example.com/lib-1.2.3.tgz#abc"
forked@acme/forked:
  version "2.0.0"
  resolved "https://codeload.github.com/acme/forked/tar.gz/0123456789abcdef0123456789abcdef01234567"
`, `
4 pins npm package @acme/lib@1.2.3 indirect
7 pins npm package forked@2.0.0 indirect
8 reads source archive github.com/acme/forked@0123456789abcdef0123456789abcdef01234567 (github.com/acme/forked)
`)
	check(t, "yarn.lock", `
__metadata:
  version: 8

"@acme/lib@npm:^1.0.0":
  version: 1.2.3
  resolution: "@acme/lib@npm:1.2.3"
"own@workspace:.":
  version: 0.0.0-use.local
"forked@git@github.com:acme/forked.git":
  version: 3.0.0
  resolution: "forked@git@github.com:acme/forked.git#commit=0123456789abcdef0123456789abcdef01234567"
`, `
5 pins npm package @acme/lib@1.2.3 indirect
10 pins npm package forked@3.0.0 indirect
11 pins repository github.com/acme/forked@0123456789abcdef0123456789abcdef01234567 [npm package forked]
`)
	check(t, "pnpm-lock.yaml", `
lockfileVersion: '9.0'
importers:
  .:
    dependencies: {}
packages:
  '@acme/lib@1.2.3':
    resolution: {integrity: x}
  plain@4.5.6(peer@1.0.0):
    resolution: {integrity: y}
  /@acme/old/0.1.0:
    resolution: {integrity: z}
snapshots:
  '@acme/lib@1.2.3': {}
`, `
6 pins npm package @acme/lib@1.2.3 indirect
8 pins npm package plain@4.5.6 indirect
10 pins npm package @acme/old@0.1.0 indirect
`)
}

func TestCargo(t *testing.T) {
	check(t, "Cargo.toml", `
[package]
name = "app"
version = "0.3.0"
rust-version = "1.80"

[dependencies]
serde = { version = "1", features = ["derive"] } # data
lib = { path = "../lib" }
shared.workspace = true
forked = { git = "https://github.com/acme/forked", rev = "abc1234" }

[dependencies.long]
package = "long-name"
version = "2"

[target.'cfg(unix)'.dev-dependencies]
nix = "0.29"

[patch.crates-io]
patched = { git = "https://github.com/acme/patched", branch = "fix" }
`, `
2 declares crate app@0.3.0
4 pins toolchain rust@1.80 [rust-version]
7 pins crate serde@1
8 reads crate lib [the folder ../lib]
9 reads crate shared [as the workspace says]
10 pins repository github.com/acme/forked@abc1234 [crate forked]
12 pins crate long-name@2
17 pins crate nix@0.29
20 pins repository github.com/acme/patched@fix [crate patched]
`)
	check(t, "Cargo.lock", `
version = 4

[[package]]
name = "own"
version = "0.3.0"

[[package]]
name = "serde"
version = "1.0.200"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "forked"
version = "0.1.0"
source = "git+https://github.com/acme/forked?rev=abc1234#abc1234567890123456789012345678901234567"
`, `
8 pins crate serde@1.0.200 indirect
15 pins repository github.com/acme/forked@abc1234567890123456789012345678901234567 [crate forked]
`)
}

func TestPython(t *testing.T) {
	check(t, "pyproject.toml", `
[build-system]
requires = ["hatchling==1.25"]

[project]
name = "Acme_App"
version = "2.0"
requires-python = ">=3.12"
dependencies = [
  "requests[socks]>=2.32; python_version > '3.8'", # web
  "acme-lib @ git+https://github.com/acme/lib@v1.4",
]

[project.optional-dependencies]
dev = ["pytest~=8"]

[tool.poetry.dependencies]
python = "^3.12"
numpy = "2.0"
forked = { git = "https://github.com/acme/forked.git", tag = "v3" }
local = { path = "../local" }

[tool.uv.sources]
tool = { git = "https://github.com/acme/tool", branch = "main" }
`, `
2 pins Python package hatchling@1.25
5 declares Python package acme-app@2.0
7 pins toolchain python@>=3.12 [requires-python]
9 pins Python package requests@>=2.32
10 pins repository github.com/acme/lib@v1.4 [Python package acme-lib]
14 pins Python package pytest@~=8
17 pins toolchain python@^3.12
18 pins Python package numpy@2.0
19 pins repository github.com/acme/forked@v3 [Python package forked]
20 reads Python package local [the folder ../local]
23 pins repository github.com/acme/tool@main [Python package tool]
`)
	check(t, "requirements-dev.txt", `
# tools
-r base.txt
--index-url https://example.com
Flask_Thing==3.0.1  # web
-e git+https://github.com/acme/lib@v1.5#egg=acme-lib
git+ssh://git@github.com/acme/other.git@main#egg=other
long==1.0 --hash=sha256:abc \
`, `
4 pins Python package flask-thing@3.0.1
5 pins repository github.com/acme/lib@v1.5 [Python package]
6 pins repository github.com/acme/other@main [Python package]
7 pins Python package long@1.0
`)
	check(t, "uv.lock", `
version = 1
[[package]]
name = "own"
version = "1"
source = { editable = "." }
[[package]]
name = "acme_lib"
version = "1.4.0"
source = { git = "https://github.com/acme/lib?rev=v1.4#0123456789abcdef0123456789abcdef01234567" }
[[package]]
name = "requests"
version = "2.32.3"
source = { registry = "https://example.com/simple" }
`, `
9 pins repository github.com/acme/lib@0123456789abcdef0123456789abcdef01234567 [Python package acme_lib]
11 pins Python package requests@2.32.3 indirect
`)
	check(t, "poetry.lock", `
[[package]]
name = "lib"
version = "1.4.0"

[package.source]
type = "git"
url = "https://github.com/acme/lib.git"
reference = "main"
resolved_reference = "0123456789abcdef0123456789abcdef01234567"
`, "7 pins repository github.com/acme/lib@0123456789abcdef0123456789abcdef01234567 [Python package lib]\n")
	check(t, "Pipfile.lock", `{"_meta":{"requires":{"python_version":"3.12"}},
"default":{"six":{"version":"==1.16.0"},"lib":{"git":"https://github.com/acme/lib","ref":"v2"}}}`, `
1 pins toolchain python@3.12
2 pins Python package six@1.16.0 indirect
2 pins repository github.com/acme/lib@v2 [Python package lib]
`)
}

func TestRuby(t *testing.T) {
	check(t, "Gemfile", `
ruby "3.3.0"
gem "rails", "~> 7.1"
gem 'own', github: 'acme/own', tag: 'v2'
gem("raw", git: "https://github.com/acme/raw.git", branch: "main")
# gem "old"
`, `
1 pins toolchain ruby@3.3.0
2 pins gem rails@~> 7.1
3 pins repository github.com/acme/own@v2 [gem own]
4 pins repository github.com/acme/raw@main [gem raw]
`)
	check(t, "Gemfile.lock", `
GIT
  remote: https://github.com/acme/own.git
  revision: 0123456789abcdef0123456789abcdef01234567
  tag: v2
  specs:
    own (2.0.0)

GEM
  remote: https://gems.example.com/
  specs:
    rails (7.1.3)
      rack (>= 2)
    rack (3.0.9)

RUBY VERSION
   ruby 3.3.0p0
`, `
3 pins repository github.com/acme/own@0123456789abcdef0123456789abcdef01234567 [gem]
11 pins gem rails@7.1.3 indirect
13 pins gem rack@3.0.9 indirect
16 pins toolchain ruby@3.3.0p0
`)
	check(t, "own.gemspec", "Gem::Specification.new do |s|\n  s.name = \"own\"\nend\n", "2 declares gem own\n")
}

func TestComposer(t *testing.T) {
	check(t, "composer.json", `{"name": "acme/app",
"require": {"php": ">=8.3", "acme/lib": "^2"},
"repositories": [{"type": "vcs", "url": "https://github.com/acme/lib"}]}`, `
1 declares Composer package acme/app
2 pins Composer package acme/lib@^2
2 pins toolchain php@>=8.3
3 reads repository github.com/acme/lib [Composer]
`)
	check(t, "composer.lock", `{"packages": [
{"name": "acme/lib", "version": "2.1.0"}]}`, "2 pins Composer package acme/lib@2.1.0 indirect\n")
}

func TestJVM(t *testing.T) {
	check(t, "build.sbt", `
ThisBuild / organization := "com.acme"
name := "app"
scalaVersion := "3.4.2"
/* "com.old" % "gone" % "1" */
// "com.older" % "gone" % "1"
libraryDependencies ++= Seq(
  "com.acme" %% "lib" % "1.2.3",
  "org.typelevel" %%% "cats-core" % catsVersion % Test,
  "com.acme" % "java_2.13" % "4")
dockerBaseImage := "eclipse-temurin:21"
val corpus = url("https://github.com/acme/corpus/releases/download/v1.0/corpus-v1.0.tar.gz")
val site = "https://github.com/acme/corpus"
`, `
2 declares Maven artifact com.acme:app
3 pins toolchain scala@3.4.2
7 pins Maven artifact com.acme:lib@1.2.3
8 pins Maven artifact org.typelevel:cats-core@catsVersion
9 pins Maven artifact com.acme:java@4
10 reads image eclipse-temurin@21 [sbt]
11 reads release asset corpus-<tag>.tar.gz@v1.0 (github.com/acme/corpus)
`)
	check(t, "build.sbt", "val Scala3 = \"3.3.8\"\nscalaVersion := Scala3\n", "2 pins toolchain scala@3.3.8\n")
	check(t, "project/plugins.sbt", `addSbtPlugin("com.acme" % "sbt-tool" % "0.9")`, "1 pins Maven artifact com.acme:sbt-tool@0.9\n")
	check(t, "project/build.properties", "sbt.version=1.10.1\n", "1 pins toolchain sbt@1.10.1\n")
	check(t, "pom.xml", `
<?xml version="1.0" encoding="ISO-8859-1"?>
<project>
  <parent><groupId>com.acme</groupId><artifactId>parent</artifactId><version>7</version></parent>
  <artifactId>app_2.13</artifactId>
  <properties>
    <lib.version>1.2.3</lib.version>
    <java.version>21</java.version>
  </properties>
  <dependencies>
    <dependency>
      <groupId>${project.groupId}</groupId>
      <artifactId>lib</artifactId>
      <version>${lib.version}</version>
      <exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions>
    </dependency>
  </dependencies>
</project>
`, `
3 pins Maven artifact com.acme:parent@7
4 declares Maven artifact com.acme:app@7
7 pins toolchain java@21
12 pins Maven artifact com.acme:lib@1.2.3
`)
	check(t, "pom.xml", "<project><dependency><artifactId>a</artifactId><groupId>g", "1 pins Maven artifact g:a\n")
	check(t, "app/build.gradle.kts", `
plugins { id("com.acme.tool") version "1.1" }
dependencies {
    implementation("com.acme:lib:1.2.3")
    api 'com.acme:other:$otherVersion@aar'
    // implementation("com.acme:old:1")
}
`, `
1 pins Maven artifact com.acme.tool:com.acme.tool.gradle.plugin@1.1
3 pins Maven artifact com.acme:lib@1.2.3
4 pins Maven artifact com.acme:other@$otherVersion
`)
	check(t, "gradle/libs.versions.toml", `
[versions]
lib = "1.2.3"
[libraries]
lib = { module = "com.acme:lib", version.ref = "lib" }
two = { group = "com.acme", name = "two", version = "2" }
three = "com.acme:three:3"
bad = "com.acme"
`, `
4 pins Maven artifact com.acme:lib@1.2.3
5 pins Maven artifact com.acme:two@2
6 pins Maven artifact com.acme:three@3
`)
	check(t, "gradle/wrapper/gradle-wrapper.properties", `distributionUrl=https\://services.example.com/distributions/gradle-8.9-bin.zip`, "1 pins toolchain gradle@8.9\n")
}

func TestBrokenDocuments(t *testing.T) {
	check(t, "package.json", `{"name": "a", "dependencies": {"b": "1", "c": `, "1 declares npm package a\n1 pins npm package b@1\n")
	check(t, "package.json", "[1, 2]", "")
	check(t, "package.json", "", "")
	check(t, "package.json", `{"dependencies": {"a": {"deep": 1}, "\u0061b\ud83d\ude00": "1"}}`, "1 pins npm package ab😀@1\n")
	check(t, "Cargo.toml", "[dependencies\na = \n[dependencies]\nb = \"1\nc = \"2\"\n= 3\n[]\n[[]]\nd.e.f = 4\n", "4 pins crate b@1\n5 pins crate c@2\n")
	check(t, "Cargo.lock", "[[package]]\nname = \"a\"\nsource = '''\nx", "2 pins crate a indirect\n")
	check(t, "Gemfile.lock", "GIT\nGEM\n  specs:\n    x (\n", "4 pins gem x indirect\n")
	for name := range byName {
		for _, in := range []string{strings.Repeat("[", 5000), strings.Repeat(`{"a":`, 5000), strings.Repeat("- ", 5000), "\xff\xfe", "---\n---\n", "a = {b = {", "\"", "<a><b>"} {
			Read(name, []byte(in))
		}
	}
}
