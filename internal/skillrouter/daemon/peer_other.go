//go:build unix && !linux && !darwin

package daemon

import "net"

// trusted: the directory is closed to others, and the socket in it.
func trusted(net.Conn) bool { return true }
