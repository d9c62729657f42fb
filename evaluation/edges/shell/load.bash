# Reads a script as bash does, but runs nothing of it except assignments, the
# reading of other scripts, and what finds their folder. Then it prints the
# functions that are known, each with the line and file of its definition, and
# what the words in WORDS stand for.
#
#   bash load.bash SCRIPT < WORDS
#
# extdebug is what makes it safe: a DEBUG trap that fails skips the command.

shopt -s extglob extdebug
mapfile -t __words
__count=0

# What stands in $( ) comes by here too, command by command.
__gate() {
  [[ ${FUNCNAME[1]} == __report ]] && return 0
  ((++__count > 20000)) && echo 'no such file: it would run for ever' >&2 && __report
  case $BASH_COMMAND in
    __report | 'source '* | '. '* | '\. '* | 'cd '* | pwd* | 'dirname '* | 'builtin cd '* | 'readlink -f '* | 'realpath '*) return 0 ;;
    *'>'*) return 1 ;;
    [A-Za-z_]*([A-Za-z0-9_])=* | 'declare '* | 'export '* | 'readonly '*) return 0 ;;
  esac
  return 1
}

__report() {
  trap - DEBUG
  local __name __word __text
  for __name in $(compgen -A function); do
    [[ $__name == __gate || $__name == __report ]] || printf 'function\t%s\n' "$(declare -F "$__name")"
  done
  for __word in "${__words[@]}"; do
    # Only letters, digits, dots, slashes, braces and dollars get here.
    eval "__text=$__word" 2>/dev/null && printf 'word\t%s\t%s\n' "$__word" "$__text"
  done
  exit 0
}

set -T
trap __gate DEBUG
source "$1"
__report
