package cli_test

import (
	"os"
	"syscall"
)

// peakMemory is the most memory that a process which has ended, or one of
// those that it waited for, held, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) << 10
	}
	return 0
}
