package bundle

import "fmt"

// Release is the version of this module's programs.
const Release = "0.1.0"

// Version is what every program's --version says after its name.
func Version() string { return fmt.Sprintf("%s (bundle format %d)", Release, Schema) }
