package skillbuild

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The most that the programs of all platforms may have together, in bytes: as
// they lie in a checkout, and as git packs them, which finds what they have
// in common.
const (
	MaxRaw    = 21_500_000
	MaxPacked = 7_500_000
)

// A Size is what a file, or several, weigh.
type Size struct {
	Raw    int64 // bytes in a checkout
	Packed int64 // bytes compressed; of several, in one pack of git's
}

// Measure weighs the programs of a built skill, each by itself and all
// together.
func Measure(ctx context.Context, dir string, platforms []Platform, env []string) (each map[Platform]Size, total Size, err error) {
	each = map[Platform]Size{}
	tmp, err := os.MkdirTemp("", "pack")
	if err != nil {
		return nil, Size{}, err
	}
	defer os.RemoveAll(tmp)
	g := &gitIn{ctx: ctx, dir: tmp, env: env}
	g.line("init", "-q", "--bare", ".")
	var blobs strings.Builder
	for _, p := range platforms {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.Program())))
		if err != nil {
			return nil, Size{}, err
		}
		packed, err := compressed(data)
		if err != nil {
			return nil, Size{}, err
		}
		blob, err := g.run(nil, data, "hash-object", "-w", "--stdin", "--no-filters")
		if err != nil {
			return nil, Size{}, err
		}
		fmt.Fprintf(&blobs, "%s %s\n", bytes.TrimSpace(blob), p.Program())
		each[p] = Size{int64(len(data)), packed}
		total.Raw += int64(len(data))
	}
	pack, err := g.run(nil, []byte(blobs.String()), "pack-objects", "-q", "--stdout", "--threads=1")
	total.Packed = int64(len(pack))
	return each, total, err
}

// compressed is the length of data as git stores it by itself.
func compressed(data []byte) (int64, error) {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return int64(packed.Len()), nil
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
