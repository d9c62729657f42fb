package skillbuild

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"path/filepath"
)

// The most that the programs of all platforms may have together, in bytes:
// as they lie in a checkout, and as git packs them.
const (
	MaxRaw    = 18 << 20
	MaxPacked = 7_500_000
)

// A Size is what a file, or several, weigh.
type Size struct {
	Raw    int64 // bytes in a checkout
	Packed int64 // bytes as git packs them
}

// Measure weighs the programs of a built skill.
func Measure(dir string, platforms []Platform) (each map[Platform]Size, total Size, err error) {
	each = map[Platform]Size{}
	for _, p := range platforms {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.Program())))
		if err != nil {
			return nil, Size{}, err
		}
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed) // at the level that git takes by itself
		if _, err := w.Write(data); err != nil {
			return nil, Size{}, err
		}
		if err := w.Close(); err != nil {
			return nil, Size{}, err
		}
		s := Size{int64(len(data)), int64(packed.Len())}
		each[p] = s
		total.Raw += s.Raw
		total.Packed += s.Packed
	}
	return each, total, nil
}

// Over says how a size passes the budget, or "".
func (s Size) Over() string {
	switch {
	case s.Raw > MaxRaw:
		return fmt.Sprintf("the programs have %.1f MB, more than %.1f", float64(s.Raw)/1e6, MaxRaw/1e6)
	case s.Packed > MaxPacked:
		return fmt.Sprintf("the programs have %.1f MB when they are packed, more than %.1f", float64(s.Packed)/1e6, MaxPacked/1e6)
	}
	return ""
}
