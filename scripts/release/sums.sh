#!/bin/sh
# sums.sh DIR TAG: the hashes of a release's files, as DIR/SHA256SUMS for people
# and, of bundle-publish, as the table by which the action of the release's
# commit knows the binaries that belong to it.
set -eu

dir=${1:?the directory of the binaries is missing}
tag=${2:?the tag is missing}
table=$(cd "$(dirname "$0")/../action" && pwd)/release.sha256

version=v$(sed -n 's/^const Release = "\([^"]*\)"$/\1/p' "$(dirname "$0")/../../internal/route/bundle/version.go")
[ "$tag" = "$version" ] || {
  printf 'release: the programs say that they are %s, not %s\n' "$version" "$tag" >&2
  printf 'hint: the version is raised in a pull request of its own\n' >&2
  exit 1
}
cd "$dir"
rm -f SHA256SUMS
sha256sum -- * >"${TMPDIR:-/tmp}/sums.$$"
mv "${TMPDIR:-/tmp}/sums.$$" SHA256SUMS
{
  printf '# from https://github.com/marola-dev/marola-routing/releases/download/%s\n' "$tag"
  grep '  bundle-publish-' SHA256SUMS
} >"$table"
