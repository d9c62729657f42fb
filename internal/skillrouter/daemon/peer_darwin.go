package daemon

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// trusted reports whether the other end is this person's.
func trusted(c net.Conn) bool {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return false
	}
	mine := false
	err = raw.Control(func(fd uintptr) {
		cred, err := unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		mine = err == nil && int(cred.Uid) == os.Getuid()
	})
	return err == nil && mine
}
