#!/bin/sh
# commit.sh TAG: the commit of a release, and its tag. It is a child of the
# commit that was built, and adds what was built from it: it is on no branch,
# and main never holds a binary. Whoever pins the release pins this commit.
set -eu

tag=${1:?the tag is missing}
cd "$(dirname "$0")/../.."
git add --force scripts/action/release.sha256
if [ -d skills ]; then git add --force skills; fi
if git status --porcelain --untracked-files=no | grep -qv '^[AM]  '; then
  printf 'release: the checkout has changes that belong to no release\n' >&2
  git status --short >&2
  exit 1
fi
# A runner has no name for its commits.
git -c user.name='github-actions[bot]' -c user.email='41898282+github-actions[bot]@users.noreply.github.com' commit --quiet --message "Release $tag"
git tag "$tag"
git rev-parse HEAD
