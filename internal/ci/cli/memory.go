package cli

import (
	"math"
	"runtime/debug"
)

// softMemory is from where on memory is collected early rather than taken, in
// bytes. It is well above what most workspaces need, and below what the
// smallest of the usual CI machines have.
const softMemory = 1 << 30

// boundMemory sets the limit unless GOMEMLIMIT has set one.
func boundMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(softMemory)
	}
}
