#!/bin/sh
# sums.sh DIR TAG: the hashes of a release's files, as DIR/SHA256SUMS for people
# and, of bundle-publish, as the table by which the action of the release's
# commit knows the binaries that belong to it.
set -eu

dir=${1:?the directory of the binaries is missing}
tag=${2:?the tag is missing}
table=$(cd "$(dirname "$0")/../action" && pwd)/release.sha256

case $tag in
v[0-9]*) ;;
*) printf 'release: %s is no version such as v1.2.3\n' "$tag" >&2 && exit 1 ;;
esac
cd "$dir"
rm -f SHA256SUMS
sha256sum -- * >"${TMPDIR:-/tmp}/sums.$$"
mv "${TMPDIR:-/tmp}/sums.$$" SHA256SUMS
{
  printf '# from https://github.com/marola-dev/marola-routing/releases/download/%s\n' "$tag"
  grep '  bundle-publish-' SHA256SUMS
} >"$table"
