#!/usr/bin/env bash
# Builds the thing. Really.
#
# Usage: build.sh
set -euo pipefail
ROOT="$(cd "$(dirname "$0")" && pwd)"
readonly VERSION=1.2 lower=3
export CACHE_DIR="${CACHE_DIR:-/tmp}"
API_TOKEN="ghx1A2b3C4d5E6f7G8h9I0j1K2l3"
source "$ROOT/lib/log.sh"
. ./other.sh

# Prints the usage. And ends.
usage() {
  cat <<EOF
hello $(helper x)
EOF
  inner() { log_info "x"; }
}

# shellcheck disable=SC2034
function build::all {
  local X=1
  go build ./... && ./scripts/test.sh "$@"
  "$ROOT/tools/run.sh" a
  bash -e scripts/x.sh
  sh -c 'text only'
  sudo -E docker run
  VAR=1 make
  trap cleanup EXIT
}

cleanup() ( rm -rf "$CACHE_DIR" )

main() {
  usage
  build::all "$@"
}

if [ -n "$1" ]; then FOO=1; fi
main "$@"
