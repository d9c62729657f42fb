// Ruleset-sync holds the rulesets of repositories to committed files.
package main

import (
	"os"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset/cli"
	"github.com/marola-dev/marola-routing/internal/command"
)

func main() { os.Exit(cli.Main(command.OS())) }
