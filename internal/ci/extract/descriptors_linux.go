package extract

import (
	"os"
	"strconv"
	"sync"
	"syscall"
)

// keepDescriptors sees to it, once, that a parser process inherits no
// descriptor that this process was itself given by its parent: Go closes its
// own in a child, but not those. A child that held another program's pipe
// open would keep that program's reader waiting.
var keepDescriptors = sync.OnceFunc(markInherited)

func markInherited() {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, e := range list {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd <= 2 {
			continue
		}
		syscall.CloseOnExec(fd)
	}
}
