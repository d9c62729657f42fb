//go:build unix

package pack

import (
	"os"
	"syscall"
)

func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	data, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	return data, func() error { return syscall.Munmap(data) }, err
}
