// Route answers "where is it" from a routing bundle, read through git.
package main

import (
	"os"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/cli"
)

func main() { os.Exit(cli.Main(command.OS())) }
