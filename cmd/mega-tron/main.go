// Mega-tron finds the skills that help with a prompt.
package main

import (
	"os"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/cli"
)

func main() { os.Exit(cli.Main(command.OS())) }
