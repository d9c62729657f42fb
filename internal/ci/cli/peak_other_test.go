//go:build !linux

package cli_test

import "os"

// peakMemory is told on Linux only.
func peakMemory(*os.ProcessState) int64 { return 0 }
