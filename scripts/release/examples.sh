#!/bin/sh
# examples.sh COMMIT TAG DIR: the templates of docs/examples as a release hands
# them out: with its commit in the place that stands for it.
set -eu

commit=${1:?the full commit is missing}
tag=${2:?the tag is missing}
out=${3:?the directory to write to is missing}

case $commit in
*[!0-9a-f]*) commit='' ;;
esac
[ "${#commit}" = 40 ] || {
  printf 'release: a template names a full commit, and this is none\n' >&2
  exit 1
}
mkdir -p "$out"
for template in "$(dirname "$0")"/../../docs/examples/*.yml; do
  sed -e "s/FULL_COMMIT_HASH # RELEASE/$commit # $tag/" -e "s/FULL_COMMIT_HASH/$commit/" "$template" >"$out/$(basename "$template")"
done
