#!/bin/sh
# page-engine.sh [DIR]: builds the search of the page that bundle-publish
# writes, package answer as WebAssembly, where the program embeds it from. The
# same source gives the same bytes. The loader is that of the Go that built it.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
into=${1:-$here/internal/ci/page/engine}
cd "$here"
mkdir -p "$into"
GOOS=js GOARCH=wasm CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off go build -trimpath -buildvcs=false -ldflags='-s -w -buildid=' -o "$into/engine.wasm.$$" ./internal/ci/page/wasm
gzip -9 -n -c "$into/engine.wasm.$$" >"$into/engine.wasm.gz.$$"
rm "$into/engine.wasm.$$"
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$into/wasm_exec.js.$$"
mv "$into/wasm_exec.js.$$" "$into/wasm_exec.js"
mv "$into/engine.wasm.gz.$$" "$into/engine.wasm.gz"
