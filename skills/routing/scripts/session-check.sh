#!/bin/sh
# The SessionStart hook: at most three lines, no network, no write, exit code
# 0 whatever happens. Where its program cannot run it says nothing.
case $0 in
  *\\*) here=$(printf '%s' "$0" | tr '\\' /) && here=${here%/*} ;;
  */*) here=${0%/*} ;;
  *) here=. ;;
esac
case $(uname -s -m 2>/dev/null) in
  'Linux x86_64') bin=$here/../bin/linux-amd64/route ;;
  'Linux aarch64' | 'Linux arm64') bin=$here/../bin/linux-arm64/route ;;
  'Darwin x86_64') bin=$here/../bin/darwin-amd64/route ;;
  'Darwin arm64') bin=$here/../bin/darwin-arm64/route ;;
  MINGW* | MSYS* | CYGWIN*) bin=$here/../bin/windows-amd64/route.exe ;;
  *) bin= ;;
esac
if [ "${1-}" = --self-test ]; then
  [ -x "$bin" ] || { echo 'session-check: no route binary for this platform' >&2; exit 1; }
  exec "$bin" session-check --self-test
fi
[ ! -x "$bin" ] || "$bin" session-check "$@" 2>/dev/null
exit 0
