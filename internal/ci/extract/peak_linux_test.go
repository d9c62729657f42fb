package extract

import "syscall"

// peakMemory is the most memory that this process, and the largest of its
// children that have ended, ever held, in bytes.
func peakMemory() (own, children int64) {
	var self, ended syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &self) != nil || syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ended) != nil {
		return 0, 0
	}
	return int64(self.Maxrss) << 10, int64(ended.Maxrss) << 10
}
