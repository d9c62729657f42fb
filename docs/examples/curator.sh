#!/bin/sh
# A curator: offers the skills of a shared directory that the prompt names.
# docs/wisdom.md has the contract. It needs jq, and sends nothing anywhere.
#
#   export TEAM_SKILLS=~/team-skills
#   mega-tron wisdom on ~/bin/curator.sh
set -eu
dir=${TEAM_SKILLS:?names no directory of skills}
prompt=$(jq -r .prompt) # the task is on standard input
for file in "$dir"/*/SKILL.md; do
	[ -f "$file" ] || continue
	name=$(basename "$(dirname "$file")")
	case $prompt in
	*"$name"*) jq -n --arg name "$name" --rawfile content "$file" '{name: $name, content: $content}' ;;
	esac
done | jq -s '{skills: .}'
