#!/bin/sh
# Reads the workflows, the action and the templates for what an attacker could
# use, with zizmor: the very files that .github/zizmor.txt names by hash, in an
# environment of their own.
set -eu

cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement .github/zizmor.txt
sh scripts/release/examples.sh "$(git rev-parse HEAD)" v0.0.0 "$tmp/examples" # as a release hands them out
"$tmp/venv/bin/zizmor" --offline --no-progress .github/workflows/*.yml action.yml "$tmp"/examples/*.yml
