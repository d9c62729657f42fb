// Skills-vendor keeps the skills that a repository vendors.
package main

import (
	"os"

	"github.com/marola-dev/marola-routing/internal/ci/skillsvendor"
	"github.com/marola-dev/marola-routing/internal/command"
)

func main() { os.Exit(skillsvendor.Main(command.OS())) }
