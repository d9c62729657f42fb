package gitstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// maxIndex is the largest index file that is read here, in bytes; git itself
// is asked about a larger one.
const maxIndex = 64 << 20

// errIndex means that the index file alone does not tell.
var errIndex = errors.New("the index is in a form that is not read here")

// Gitlinks returns the commit that the checkout pins at each submodule's
// path, at those of paths at least. It reads the index file. Where that does
// not tell all (a split index, a later form), it asks git what HEAD has at
// these paths: git reading such an index would write to the repository.
func (g Git) Gitlinks(ctx context.Context, p Place, paths []string) (map[string]string, error) {
	if p.Top == "" {
		return nil, nil
	}
	path := filepath.Join(p.GitDir, "index")
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return nil, nil
	}
	if data, err := readSmall(path, maxIndex); err == nil {
		size := 20
		if p.FileConfig().Get("extensions.objectformat") == "sha256" {
			size = 32
		}
		if links, err := parseIndex(data, size); err == nil {
			return links, nil
		}
	}
	g.Dir = p.Top
	args := append([]string{"ls-tree", "-z", "--full-tree", "HEAD", "--"}, paths...)
	out, err := g.Output(ctx, args...)
	if err != nil {
		return nil, err
	}
	links := map[string]string{}
	for item := range strings.SplitSeq(string(out), "\x00") {
		meta, path, ok := strings.Cut(item, "\t")
		if fields := strings.Fields(meta); ok && len(fields) == 3 && fields[0] == modeGitlink {
			links[path] = fields[2]
		}
	}
	return links, nil
}

// The parts of an index entry, in bytes.
const (
	beforeMode = 24 // two times, device, inode
	statSize   = 40 // all that stat says
	gitlink    = 0o160000
)

// parseIndex reads the gitlinks of an index file, of version 2, 3 or 4, with
// hashes of size bytes.
func parseIndex(data []byte, size int) (map[string]string, error) {
	if len(data) < 12+size || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, errIndex
	}
	body := data[:len(data)-size] // the rest is a checksum
	at := 12
	links := map[string]string{}
	var name []byte
	for range count {
		fixed := statSize + size + 2
		if len(body)-at < fixed {
			return nil, errIndex
		}
		entry := body[at:]
		flags := binary.BigEndian.Uint16(entry[statSize+size:])
		if flags&0x4000 != 0 {
			fixed += 2
		}
		if len(entry) < fixed {
			return nil, errIndex
		}
		tail := entry[fixed:]
		keep := 0
		if version == 4 {
			drop, n, ok := indexVarint(tail)
			if !ok || drop > len(name) {
				return nil, errIndex
			}
			keep, tail = len(name)-drop, tail[n:]
			fixed += n
		}
		end := bytes.IndexByte(tail, 0)
		if end < 0 {
			return nil, errIndex
		}
		name = append(name[:keep], tail[:end]...)
		mode := binary.BigEndian.Uint32(entry[beforeMode:])
		if stage := flags >> 12 & 3; mode == gitlink && stage == 0 {
			links[string(name)] = hex.EncodeToString(entry[statSize : statSize+size])
		}
		length := fixed + end + 1
		if version < 4 {
			length = (fixed + end + 8) &^ 7 // padded with one to eight NULs
		}
		if length > len(entry) {
			return nil, errIndex
		}
		at += length
	}
	return links, understood(body[at:])
}

// understood refuses the extensions that change what the entries mean: those
// whose names begin with a small letter, but for the one of sparse
// directories, in which no submodule is hidden.
func understood(extensions []byte) error {
	for len(extensions) > 0 {
		if len(extensions) < 8 {
			return errIndex
		}
		name, length := extensions[:4], uint64(binary.BigEndian.Uint32(extensions[4:]))
		if length > uint64(len(extensions)-8) || name[0] >= 'a' && string(name) != "sdir" {
			return errIndex
		}
		extensions = extensions[8+length:]
	}
	return nil
}

// indexVarint reads the number of bytes that a name drops from the one
// before: seven bits a byte, highest first, and one more at each byte that
// follows.
func indexVarint(data []byte) (value, n int, ok bool) {
	for n < len(data) && n < 5 {
		b := data[n]
		n++
		value += int(b & 0x7f)
		if b&0x80 == 0 {
			return value, n, true
		}
		value = (value + 1) << 7
	}
	return 0, 0, false
}
