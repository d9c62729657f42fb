package wire

import (
	"strings"
)

// An action states what a step does that uses a public action. Which these
// are is common knowledge, not of one organisation.
type action func(j *job, st node, line int)

// knownAction is what an action does, nil for one that is not known.
func knownAction(u use) action {
	if u.repo >= 0 {
		return nil // the workspace has it, so it can be read
	}
	return actions[strings.ToLower(u.target())]
}

// understood reports an action of which it is known what it does, also when
// that is nothing that concerns others.
func understood(u use) bool {
	owner, _, _ := strings.Cut(strings.ToLower(u.slug), "/")
	return owner == "actions" || owner == "github" || knownAction(u) != nil || plainActions[strings.ToLower(u.target())]
}

// plainActions set up programs, check, or report: nothing leaves the job
// that another repository could read.
var plainActions = setOf(`docker/login-action docker/setup-buildx-action docker/setup-qemu-action docker/setup-docker-action
	goreleaser/goreleaser-action-setup golangci/golangci-lint-action codecov/codecov-action coverallsapp/github-action
	pnpm/action-setup oven-sh/setup-bun denoland/setup-deno dtolnay/rust-toolchain actions-rs/toolchain actions-rs/cargo
	swatinem/rust-cache taiki-e/install-action taiki-e/cache-cargo-install-action coursier/setup-action coursier/cache-action sbt/setup-sbt olafurpg/setup-scala
	gradle/actions/setup-gradle gradle/actions/wrapper-validation gradle/actions/dependency-submission gradle/wrapper-validation-action gradle/gradle-build-action hashicorp/setup-terraform hashicorp/setup-packer opentofu/setup-opentofu terraform-linters/setup-tflint
	azure/setup-helm azure/setup-kubectl azure/login azure/docker-login azure/setup-kubectl azure/aks-set-context aws-actions/configure-aws-credentials aws-actions/amazon-ecr-login
	google-github-actions/auth google-github-actions/setup-gcloud google-github-actions/get-gke-credentials
	sigstore/cosign-installer anchore/sbom-action/download-syft anchore/scan-action aquasecurity/trivy-action aquasecurity/setup-trivy ossf/scorecard-action step-security/harden-runner
	crazy-max/ghaction-import-gpg crazy-max/ghaction-github-runtime crazy-max/ghaction-dump-context ruby/setup-ruby shivammathur/setup-php erlef/setup-beam
	astral-sh/setup-uv snok/install-poetry abatilo/actions-poetry pre-commit/action cachix/install-nix-action cachix/cachix-action determinatesystems/nix-installer-action determinatesystems/magic-nix-cache-action
	dorny/paths-filter tj-actions/changed-files tj-actions/verify-changed-files helm/kind-action helm/chart-testing-action engineerd/setup-kind medyagh/setup-minikube
	extractions/setup-just arduino/setup-protoc arduino/setup-task bufbuild/buf-setup-action ko-build/setup-ko imjasonh/setup-ko imjasonh/setup-crane
	msys2/setup-msys2 microsoft/setup-msbuild ilammy/msvc-dev-cmd nuget/setup-nuget android-actions/setup-android reactivecircus/android-emulator-runner
	jwalton/gh-find-current-pr amannn/action-semantic-pull-request wagoid/commitlint-github-action marocchino/sticky-pull-request-comment peter-evans/create-or-update-comment peter-evans/find-comment thollander/actions-comment-pull-request
	dessant/lock-threads rhysd/actionlint raven-actions/actionlint reviewdog/action-setup reviewdog/action-actionlint super-linter/super-linter github/super-linter ludeeus/action-shellcheck crate-ci/typos streetsidesoftware/cspell-action lycheeverse/lychee-action
	codespell-project/actions-codespell psf/black astral-sh/ruff-action zizmorcore/zizmor-action fossa-contrib/fossa-action fossas/fossa-action snyk/actions/setup sonarsource/sonarcloud-github-action sonarsource/sonarqube-scan-action
	slackapi/slack-github-action 8398a7/action-slack rtcamp/action-slack-notify ravsamhq/notify-slack-action mxschmitt/action-tmate jlumbroso/free-disk-space easimon/maximize-build-space
	styfle/cancel-workflow-action fkirc/skip-duplicate-actions nick-fields/retry nick-invision/retry dawidd6/action-get-tag tibdex/github-app-token peter-murray/workflow-application-token-action
	nixbuild/nix-quick-install-action browser-actions/setup-chrome cypress-io/github-action volta-cli/action jdx/mise-action asdf-vm/actions/install kenchan0130/actions-system-info
	codspeedhq/action benchmark-action/github-action-benchmark embarkstudios/cargo-deny-action rustsec/audit-check obi1kenobi/cargo-semver-checks-action typelevel/await-cirrus virtuslab/scala-cli-setup
	scalacenter/sbt-dependency-submission golang/govulncheck-action securego/gosec megalinter/megalinter oxsecurity/megalinter pypa/cibuildwheel mamba-org/setup-micromamba conda-incubator/setup-miniconda
	release-drafter/release-drafter changesets/setup bazel-contrib/setup-bazel graalvm/setup-graalvm depot/setup-action google/osv-scanner-action apache/skywalking-eyes/header advanced-security/maven-dependency-submission-action`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

var actions map[string]action

func init() { // here, for an action may use knownAction itself
	actions = map[string]action{
		"actions/checkout":                 (*job).checkoutAction,
		"actions/upload-artifact":          (*job).uploadArtifact,
		"actions/upload-pages-artifact":    func(*job, node, int) {},
		"actions/download-artifact":        (*job).downloadArtifact,
		"dawidd6/action-download-artifact": (*job).downloadArtifact,
		"actions/cache":                    (*job).cache,
		"actions/cache/save":               (*job).cache,
		"actions/cache/restore":            (*job).cache,
		"actions/deploy-pages":             func(j *job, _ node, line int) { j.deploys("pages", j.siteOf(), "", line, 100) },
		"actions/create-release": func(j *job, st node, line int) {
			j.releases(j.x.slug(max(j.repo, 0)), j.with1(st, "tag_name"), nil, line, 100, true)
		},
		"actions/upload-release-asset":                    (*job).oneAsset,
		"actions/github-script":                           (*job).githubScript,
		"docker/build-push-action":                        (*job).buildPush,
		"docker/metadata-action":                          (*job).imageMetadata,
		"docker/bake-action":                              (*job).bakeAction,
		"depot/build-push-action":                         (*job).buildPush,
		"redhat-actions/buildah-build":                    (*job).buildahBuild,
		"redhat-actions/push-to-registry":                 (*job).buildahPush,
		"aevea/action-kaniko":                             (*job).kanikoAction,
		"softprops/action-gh-release":                     releaseFiles("files", "tag_name", "repository"),
		"ncipollo/release-action":                         releaseFiles("artifacts", "tag", ""),
		"svenstaro/upload-release-action":                 releaseFiles("file", "tag", "repo_name"),
		"marvinpinto/action-automatic-releases":           releaseFiles("files", "automatic_release_tag", ""),
		"alexellis/upload-assets":                         releaseFiles("asset_paths", "", ""),
		"shogo82148/actions-upload-release-asset":         releaseFiles("asset_path", "", ""),
		"goreleaser/goreleaser-action":                    (*job).goreleaserAction,
		"googleapis/release-please-action":                releaseBy("release-please"),
		"google-github-actions/release-please-action":     releaseBy("release-please"),
		"cycjimmy/semantic-release-action":                releaseBy("semantic-release"),
		"python-semantic-release/python-semantic-release": releaseBy("semantic-release"),
		"go-semantic-release/action":                      releaseBy("semantic-release"),
		"mathieudutour/github-tag-action":                 releaseBy("pushes a tag"),
		"anothrnick/github-tag-action":                    releaseBy("pushes a tag"),
		"release-plz/action":                              releaseBy("release-plz"),
		"marcoieni/release-plz-action":                    releaseBy("release-plz"),
		"changesets/action":                               (*job).changesets,
		"pypa/gh-action-pypi-publish":                     (*job).pypiPublish,
		"js-devtools/npm-publish":                         (*job).npmPublish,
		"helm/chart-releaser-action":                      (*job).chartReleaser,
		"rubygems/release-gem":                            func(j *job, _ node, line int) { j.publishes("gem", j.gemNames(), "a .gemspec", "", line, 100) },
		"katyo/publish-crates": func(j *job, _ node, line int) {
			j.publishes("crates", j.allNamed("Cargo.toml", cargoName), "a Cargo.toml", "", line, 90)
		},
		"haaleo/publish-vscode-extension":               (*job).vscodePublish,
		"peter-evans/repository-dispatch":               (*job).dispatchAction,
		"peter-evans/slash-command-dispatch":            (*job).slashCommands,
		"benc-uk/workflow-dispatch":                     (*job).workflowDispatch,
		"convictional/trigger-workflow-and-wait":        (*job).workflowDispatch,
		"peter-evans/create-pull-request":               (*job).createPull,
		"mislav/bump-homebrew-formula-action":           (*job).homebrew,
		"dawidd6/action-homebrew-bump-formula":          (*job).homebrew,
		"macauley/action-homebrew-bump-cask":            (*job).homebrew,
		"peaceiris/actions-gh-pages":                    pagesAction("publish_branch", "external_repository", "cname"),
		"jamesives/github-pages-deploy-action":          pagesAction("branch", "repository-name", ""),
		"crazy-max/ghaction-github-pages":               pagesAction("target_branch", "repo", "fqdn"),
		"ad-m/github-push-action":                       (*job).pushAction,
		"stefanzweifel/git-auto-commit-action":          (*job).commitAction,
		"endbug/add-and-commit":                         (*job).commitAction,
		"scala-steward-org/scala-steward-action":        func(j *job, _ node, line int) {},
		"cloudflare/wrangler-action":                    deployAction("wrangler", "", "command"),
		"cloudflare/pages-action":                       deployAction("cloudflare pages", "projectName", ""),
		"amondnet/vercel-action":                        deployAction("vercel", "vercel-project-id", ""),
		"nwtgck/actions-netlify":                        deployAction("netlify", "site-id", ""),
		"netlify/actions/cli":                           deployAction("netlify", "", ""),
		"superfly/flyctl-actions":                       deployAction("flyctl", "", "args"),
		"firebaseextended/action-hosting-deploy":        deployAction("firebase", "projectId", "channelId"),
		"google-github-actions/deploy-cloudrun":         (*job).cloudRun,
		"azure/webapps-deploy":                          deployAction("az webapp", "app-name", "slot-name"),
		"azure/k8s-deploy":                              (*job).kubernetes,
		"aws-actions/amazon-ecs-deploy-task-definition": deployAction("ecs", "service", "cluster"),
		"akhileshns/heroku-deploy":                      deployAction("heroku", "heroku_app_name", ""),
		"appleboy/ssh-action":                           deployAction("ssh", "host", ""),
	}
}
