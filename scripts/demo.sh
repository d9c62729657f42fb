#!/bin/sh
# From this checkout to an answer: builds the tools, builds the bundle of this
# very repository, gates it, publishes it to a bare repository beside it,
# fetches it in a fresh clone and asks a question there. No account, and no
# network but for Go modules. Everything but bin/ is in one temporary
# directory, which is removed.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
question='decide whether a newer bundle is published'

# A git that called us, as a hook does, must not redirect the git we call.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_PREFIX
export GIT_TERMINAL_PROMPT=0

die() {
  printf 'demo: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
  exit 1
}

command -v go >/dev/null 2>&1 || die 'go is not installed' 'go.mod names the version that is needed'
command -v git >/dev/null 2>&1 || die 'git is not installed'
git -C "$root" rev-parse --verify --quiet 'HEAD^{commit}' >/dev/null 2>&1 ||
  die "$root is not a git clone with a commit, and a bundle is built from commits" 'clone the repository rather than downloading an archive of it'

# The name has a space in it on purpose: yours may have one, too.
tmp=$(mktemp -d "${TMPDIR:-/tmp}/routing demo.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bin=$root/bin
remote=$tmp/remote.git
url=file://$(printf '%s' "$remote" | sed 's/%/%25/g; s/ /%20/g')
steps=7
n=0

# step WHAT COMMAND… runs a command quietly and says how it went.
step() {
  what=$1
  shift
  n=$((n + 1))
  printf '[%d/%d] %s' "$n" "$steps" "$what"
  begin=$(date +%s)
  if "$@" >"$tmp/log" 2>&1; then
    printf ' (%d s)\n' "$(($(date +%s) - begin))"
  else
    code=$?
    printf '\n'
    sed 's/^/      /' "$tmp/log" >&2
    die "step $n failed with exit code $code: $what" 'what it printed stands above; what it left behind is removed'
  fi
}

tools() {
  cd "$root" && ${MAKE:-make} -s build
}

# What the tools keep for later would go to your cache directory; here it goes
# with the rest.
isolated() {
  XDG_CACHE_HOME=$tmp/cache "$@"
}

fetch() {
  cd "$tmp/fresh clone" && isolated "$bin/route" fetch --umbrella "$url"
}

echo "From this checkout to an answer. The first time, compiling takes a minute or two."
step 'build the tools' tools
step 'build the bundle of this repository' isolated "$bin/bundle-publish" build --root "$root" --out "$tmp/bundle" --bench "$root/routing-bench.yaml"
step 'gate it: no answer may be lost' "$bin/bundle-publish" check --bundle "$tmp/bundle" --bench "$root/routing-bench.yaml"
gate=$(tail -n 1 "$tmp/log")
step 'make a bare repository that plays the umbrella' git init --quiet --bare "$remote"
step 'publish the bundle to it' "$bin/bundle-publish" publish --bundle "$tmp/bundle" --remote "$url"
step 'clone this repository afresh' git clone --quiet "$root" "$tmp/fresh clone"
step 'fetch the bundle there' fetch

printf '\ngate: %s\n\n' "$gate"
printf '$ route query "%s"\n' "$question"
cd "$tmp/fresh clone"
isolated "$bin/route" query "$question" || die "the question was not answered" 'bin/route query --help tells how to ask'

cat <<'END'

That is all of it. For your own workspace, in its clone:

  bin/bundle-publish build --root YOUR_CLONE --local    build, for you alone
  bin/route query --repo YOUR_CLONE "what you look for"

To share it, publish from CI: docs/first-publish.md leads there.
END
