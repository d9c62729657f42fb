#!/bin/sh
# Which bundle-publish the action runs; docs/action.md tells the same.
#
#   binary.sh         the one that was handed over, or that of the release;
#                     where there is neither, says that it is to be built
#   binary.sh build   builds it from the action's own checkout
#
# A binary runs only if its SHA-256 is the one that was named: by the caller
# for one that is handed over, by the action's own commit for one of a release.
# What is built comes from the commit itself, and its modules are held to go.sum.
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
into=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/bundle-publish.$$

fail() {
  printf 'action: %s\n' "$1" >&2
  printf 'hint: %s\n' "$2" >&2
  exit 1
}

output() { printf '%s\n' "$1" >>"${GITHUB_OUTPUT:-/dev/stdout}"; }

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1"
  else
    shasum -a 256 <"$1"
  fi | cut -d ' ' -f 1
}

# keep FILE SHA256: a copy that may be executed, whatever the artifact did to
# the file's mode. The copy is what is compared.
keep() {
  mkdir -p "$into"
  cp "$1" "$into/bundle-publish$exe"
  [ "$(sha256 "$into/bundle-publish$exe")" = "$2" ] ||
    fail "$1 is not the binary that was meant: its SHA-256 is $(sha256 "$into/bundle-publish$exe")" "do not run it; look who could write it"
  chmod 755 "$into/bundle-publish$exe"
  output "path=$into/bundle-publish$exe"
}

exe=''
case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS* | CYGWIN*) os=windows exe=.exe ;;
*) os=other ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) arch=other ;;
esac

if [ "${1-}" = build ]; then
  mkdir -p "$into"
  cd "$here"
  if [ "${INPUT_COMMAND-}" = page ]; then GOTOOLCHAIN=local sh scripts/page-engine.sh; fi
  GOFLAGS=-mod=readonly GOWORK=off GOTOOLCHAIN=local go build -trimpath -buildvcs=false -o "$into/bundle-publish$exe" ./cmd/bundle-publish
  output "path=$into/bundle-publish$exe"
  exit 0
fi

if [ -n "${INPUT_BINARY-}${INPUT_BINARY_SHA256-}" ]; then
  case ${INPUT_BINARY_SHA256-} in
  '' | *[!0-9a-f]*) fail "binary-sha256 is no SHA-256" "give binary and binary-sha256 together, the second in 64 small hex digits" ;;
  esac
  [ "${#INPUT_BINARY_SHA256}" = 64 ] || fail "binary-sha256 is no SHA-256" "it has 64 hex digits"
  [ -f "${INPUT_BINARY-}" ] || fail "there is no file ${INPUT_BINARY-}" "look which path the artifact was downloaded to"
  keep "$INPUT_BINARY" "$INPUT_BINARY_SHA256"
  exit 0
fi

# On the commit of a release: its address, then a line for each binary.
table=$here/scripts/action/release.sha256
name=bundle-publish-$os-$arch$exe
want=''
if [ -f "$table" ]; then
  want=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\$/\1/p" "$table")
fi
if [ -n "$want" ]; then
  base=$(sed -n 's/^# from \(https:[^ ]*\)$/\1/p' "$table")
  mkdir -p "$into"
  # Nothing of the job's environment goes along but what a proxy needs: a
  # token in it is nobody's business on the way to a mirror.
  env -i PATH="$PATH" HOME="${HOME-}" SYSTEMROOT="${SYSTEMROOT-}" \
    https_proxy="${https_proxy-${HTTPS_PROXY-}}" no_proxy="${no_proxy-${NO_PROXY-}}" \
    curl --fail --silent --show-error --location --proto '=https' --retry 3 --max-time 300 --output "$into/download" "$base/$name" ||
    fail "$base/$name could not be downloaded" "look at the line above; a mirror's copy can be handed over with binary and binary-sha256"
  keep "$into/download" "$want"
  exit 0
fi

output "go=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1.x/p' "$here/go.mod")"
