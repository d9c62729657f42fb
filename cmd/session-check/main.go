// Session-check is the SessionStart hook: at most three lines about routing
// in this checkout, read from this machine alone.
package main

import (
	"os"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/session"
)

func main() { os.Exit(session.Main(command.OS())) }
