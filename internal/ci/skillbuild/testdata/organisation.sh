#!/bin/sh
# Makes an organisation: an umbrella and five submodules, each of which has
# some code, and then the skill, as one command sets it up.
#
#   sh organisation.sh DIR SKILLS_VENDOR ORGANISATION_URL
#
# Git has to find DIR at ORGANISATION_URL, and there a repository
# marola-routing that has a release of the skill.
set -eu
dir=$1 vendor=$2 url=$3

mkdir -p "$dir"
for name in app site corpus ml oods umbrella; do
  git init -q "$dir/$name"
  cd "$dir/$name"
  mkdir src
  printf 'package src\n\nfunc WaterBoard() {}\n' >src/board.go
  if [ "$name" != oods ]; then # which has nothing of all this
    mkdir .claude
    cat >.claude/settings.json <<END
{
  // where our plugins come from
  "extraKnownMarketplaces": {"acme": {"source": {"source": "github", "repo": "acme/devkit", "ref": "v1.2.3"}}},
}
END
    cat >.claude/routing.json <<END
{"umbrella": "$url/umbrella", "plugin": "devkit", "marketplace": "acme", "runs": "a formatter after each edit", "optout": "ACME_PLUGIN_OPTOUT"}
END
    printf '# Agents\n\nBe kind.' >AGENTS.md
  fi
  git add -A
  git commit -q -m 'What there was'
  git tag before
  if [ "$name" = umbrella ]; then
    for part in app site corpus ml oods; do
      git submodule --quiet add "$url/$part" "parts/$part"
    done
    git commit -q -m 'Parts'
    git tag -f before >/dev/null
  fi
  "$vendor" install --upstream "$url/marola-routing" --umbrella "$url/umbrella"
  git add -A
  git commit -q -m 'The routing skill'
done
