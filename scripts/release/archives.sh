#!/bin/sh
# archives.sh DIR: mega-tron with its model, one archive for each platform whose
# program is in DIR. The model comes from the hub, by revision and hash; PACK
# names one that is here already.
set -eu

out=${1:?the directory of the programs is missing}
case $out in /*) ;; *) out=$PWD/$out ;; esac
pack=${PACK:-}
case $pack in '' | /*) ;; *) pack=$PWD/$pack ;; esac
cd "$(dirname "$0")/../.."
name=bge-small-en-v1.5
if [ -z "$pack" ]; then
  data=$(mktemp -d)
  trap 'rm -rf "$data"' EXIT
  XDG_DATA_HOME=$data XDG_CACHE_HOME=$data/cache go run ./cmd/mega-tron model fetch "$name"
  pack=$data/mega-tron/models/$name.pack
fi
go run ./internal/skillrouter/archive "$out" "$pack" "internal/skillrouter/archive/$name.LICENSE"
