package wire

import (
	"bytes"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
)

// managersByKind are the managers of bots that move a kind of pin wherever it
// stands, by the names of both bots, which do not contradict.
var managersByKind = map[pin.Kind][]string{
	pin.NPM: {"npm", "bun"}, pin.GoModule: {"gomod"}, pin.Crate: {"cargo"}, pin.Gem: {"bundler"}, pin.Composer: {"composer"},
	pin.Python: {"pip", "uv", "pipenv", "poetry", "pep621", "pip_requirements", "pip_setup", "pip-compile"},
	pin.Module: {"terraform", "opentofu"}, pin.Provider: {"terraform", "opentofu"},
	pin.Orb: {"circleci"},
}

// managersByFile are those that move what stands in a file of this name.
var managersByFile = map[string][]string{
	".nvmrc": {"nvm"}, ".node-version": {"nodenv"}, ".python-version": {"pyenv"}, ".ruby-version": {"ruby-version"}, ".tool-versions": {"asdf"},
	"mise.toml": {"mise"}, ".mise.toml": {"mise"}, ".terraform-version": {"terraform-version"}, ".terragrunt-version": {"terragrunt-version"},
	".bazelversion": {"bazelisk"}, ".bun-version": {"bun-version"}, ".go-version": {"go-version"},
	"rust-toolchain": {"rust-toolchain"}, "rust-toolchain.toml": {"rust-toolchain"},
	"gradle-wrapper.properties": {"gradle-wrapper", "gradle"}, "maven-wrapper.properties": {"maven-wrapper", "maven"}, "build.properties": {"sbt"},
	"package.json": {"npm", "bun"}, "go.mod": {"gomod"}, "Cargo.toml": {"cargo"}, "composer.json": {"composer"}, "Gemfile": {"bundler"},
	"pyproject.toml": {"pep621", "poetry"}, "pom.xml": {"maven"},
	".pre-commit-config.yaml": {"pre-commit"}, ".pre-commit-config.yml": {"pre-commit"},
	"flake.lock": {"nix"}, "flake.nix": {"nix"},
	"kustomization.yaml": {"kustomize"}, "kustomization.yml": {"kustomize"}, "Kustomization": {"kustomize"},
	"Chart.yaml": {"helmv3", "helm"}, "Chart.lock": {"helmv3", "helm"}, "requirements.yaml": {"helm-requirements"}, "requirements.lock": {"helm-requirements"},
	"helmfile.yaml": {"helmfile"}, "helmfile.yml": {"helmfile"},
	"devcontainer.json": {"devcontainer", "devcontainers"}, ".devcontainer.json": {"devcontainer", "devcontainers"},
	".gitlab-ci.yml": {"gitlabci"}, ".gitlab-ci.yaml": {"gitlabci"}, "Jenkinsfile": {"jenkins"},
	"libs.versions.toml": {"gradle"},
}

// managersOf are the managers of bots that know what a file pins. A manager
// looks at files of certain names only: an image in a file of another is
// nobody's.
func managersOf(p pinFact) []string {
	if list := managersByKind[p.Kind]; list != nil {
		return list
	}
	base, ext := p.file.base(), path.Ext(p.file.path)
	if list := managersByFile[base]; list != nil {
		return list
	}
	lower := strings.ToLower(base)
	switch {
	case isWorkflow(p.file.path) || isAction(p.file.path):
		return []string{"github-actions"}
	case strings.Contains(lower, "dockerfile") || strings.Contains(lower, "containerfile"):
		return []string{"docker", "dockerfile"}
	case (strings.HasPrefix(lower, "docker-compose") || strings.HasPrefix(lower, "compose")) && isYAML(lower):
		return []string{"docker-compose"}
	case strings.HasPrefix(p.file.path, ".circleci/"):
		return []string{"circleci"}
	case ext == ".sbt" || ext == ".scala":
		return []string{"sbt"}
	case ext == ".gradle" || strings.HasSuffix(base, ".gradle.kts"):
		return []string{"gradle"}
	case ext == ".tf" || ext == ".tofu" || ext == ".hcl":
		return []string{"terraform", "opentofu", "terragrunt"}
	case p.Kind == pin.Image && strings.HasPrefix(lower, "values") && isYAML(lower):
		return []string{"helm-values", "docker"}
	case p.Kind == pin.Image && isYAML(lower) && bytes.Contains(p.file.data, []byte("apiVersion:")):
		return []string{"kubernetes", "docker"}
	}
	return nil
}

// sourceOf is where Renovate looks for the versions of what a file pins, ""
// where that is not told.
func sourceOf(p pinFact) string {
	switch p.Kind {
	case pin.Image:
		return "docker"
	case pin.NPM:
		return "npm"
	case pin.GoModule:
		return "go"
	case pin.Crate:
		return "crate"
	case pin.Python:
		return "pypi"
	case pin.Maven:
		return "maven"
	case pin.Gem:
		return "rubygems"
	case pin.Composer:
		return "packagist"
	case pin.Chart:
		return "helm"
	case pin.Module:
		return "terraform-module"
	case pin.Provider:
		return "terraform-provider"
	case pin.Toolchain:
		switch p.Name {
		case "node", "python", "ruby":
			return p.Name + "-version"
		case "go":
			return "golang-version"
		case "pnpm", "npm", "yarn":
			return "npm"
		case "rust":
			return "rust-version"
		case "java":
			return "java-version"
		}
	}
	return ""
}
