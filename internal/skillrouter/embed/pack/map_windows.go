package pack

import (
	"os"
	"syscall"
	"unsafe"
)

func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	mapping, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, syscall.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, nil, err
	}
	defer syscall.CloseHandle(mapping)
	address, err := syscall.MapViewOfFile(mapping, syscall.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, nil, err
	}
	// The address is not Go's memory: the mapping holds it until it is undone.
	start := *(*unsafe.Pointer)(unsafe.Pointer(&address))
	return unsafe.Slice((*byte)(start), size), func() error { return syscall.UnmapViewOfFile(address) }, nil
}
