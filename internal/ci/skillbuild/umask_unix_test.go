//go:build unix

package skillbuild

import "syscall"

// umask sets the mask of new files and returns the one before.
func umask(mask int) int { return syscall.Umask(mask) }
