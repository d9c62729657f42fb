package pack

import (
	"fmt"
	"os"
	"unsafe"
)

// Open maps a pack. A pack is replaced by renaming another over it, never by
// writing to it: a process that has mapped it would see the bytes change.
func Open(path string) (*Pack, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	if st.Size() < prelude || st.Size() > maxFile {
		return nil, damaged("it has %d bytes", st.Size())
	}
	data, unmap, err := mapFile(f, int(st.Size()))
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	p, err := Parse(data)
	if err != nil {
		_ = unmap()
		return nil, err
	}
	p.close = unmap
	return p, nil
}

// moved copies data to where numbers can be used in place.
func moved(data []byte) []byte {
	room := make([]byte, len(data)+align)
	skip := int(-uintptr(unsafe.Pointer(&room[0])) & (align - 1))
	return append(room[skip:skip], data...)
}
