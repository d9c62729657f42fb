package daemon

import (
	"net"
	"os"
	"syscall"
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
		cred, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
		mine = err == nil && int(cred.Uid) == os.Getuid()
	})
	return err == nil && mine
}
