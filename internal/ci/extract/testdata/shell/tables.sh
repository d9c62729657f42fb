#!/bin/sh
# Runs one of its commands.

here=$(dirname "$0")
. "$here/lib/${KIND:-plain}.sh"
. "$PREFIX/$LIBDIR/common.sh"

cmd_start() { start_all; }
cmd_stop() { stop_all; }

# Picks a command by its name.
dispatch() {
  "cmd_$1" "$2"
  case "$1" in
    up) cmd_start ;;
    down) cmd_stop ;;
  esac
  handler=cmd_start
  $handler
  command cmd_stop
}

write_script() {
  cat <<'TEXT'
fake() { cmd_start; }
cmd_stop
TEXT
  cat <<-TEXT
	$(cmd_start)
	TEXT
}

dispatch "$@"
