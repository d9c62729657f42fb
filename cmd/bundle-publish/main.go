// Bundle-publish builds a routing bundle, gates it and publishes it.
package main

import (
	"os"

	"github.com/marola-dev/marola-routing/internal/ci/cli"
	"github.com/marola-dev/marola-routing/internal/command"
)

func main() { os.Exit(cli.Main(command.OS())) }
