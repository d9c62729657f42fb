#!/bin/sh
# Stands in for rustc (RUSTC_WORKSPACE_WRAPPER) on the workspace's own crates: prints the bodies of each
# as well, into the folder that DUMPS names.
rustc=$1
shift
crate='' kind=unit
previous=''
for argument; do
	case $previous in
	--crate-name) crate=$argument ;;
	--crate-type) [ "$argument" = bin ] && [ "$kind" = unit ] && kind=bin || kind=lib ;;
	esac
	[ "$argument" = --test ] && kind=test
	previous=$argument
done
if [ -n "$crate" ] && [ "$crate" != ___ ] && [ "$crate" != build_script_build ]; then
	RUSTC_BOOTSTRAP=1 "$rustc" "$@" -Zunpretty=thir-tree > "$DUMPS/$crate.$kind.$$.thir" 2> /dev/null || rm -f "$DUMPS/$crate.$kind.$$.thir"
fi
exec "$rustc" "$@"
