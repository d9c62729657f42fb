#!/bin/sh
# dist.sh DIR [PROGRAM…]: the programs of cmd/, or those that are named, for
# this machine's platform, as DIR/PROGRAM-OS-ARCH. The same commit, the same
# Go and, for the builder, the same C compiler give the same bytes in any
# directory.
set -eu

out=${1:?the directory to write to is missing}
shift
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/../.."
if [ "$#" = 0 ]; then set -- cmd/*; fi
platform=$(go env GOOS)-$(go env GOARCH)$(go env GOEXE)
mkdir -p "$out"
for program in "$@"; do
  program=$(basename "$program")
  cgo=0
  if [ "$program" = bundle-publish ]; then
    cgo=1 # its parsers are C
    GOTOOLCHAIN=local sh scripts/page-engine.sh
  fi
  CGO_ENABLED=$cgo GOFLAGS=-mod=readonly GOWORK=off GOTOOLCHAIN=local \
    go build -trimpath -buildvcs=false -ldflags '-s -w -buildid=' -o "$out/$program-$platform" "./cmd/$program"
done
