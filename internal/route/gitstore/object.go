package gitstore

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// ReadFile reads one file at the top of the tree of the commit with this full
// hash, from the repository's own files: starting git takes longer than all
// else that a look at a bundle does. It keeps what [Store.File] keeps. ok is
// false where the files do not tell, because an object is stored as a
// difference, elsewhere or not at all: git has to be asked then.
func (p Place) ReadFile(commit, name string) (data []byte, ok bool, err error) {
	if !IsHash(commit) || !bundle.ValidName(name) {
		return nil, false, nil
	}
	raw, ok := p.object(commit, "commit", maxCommit)
	if !ok {
		return nil, false, nil
	}
	hash, ok := strings.CutPrefix(firstLine(raw), "tree ")
	if !ok || len(hash) != len(commit) || !IsHash(hash) {
		return nil, false, nil
	}
	if raw, ok = p.object(hash, "tree", maxTree); !ok {
		return nil, false, nil
	}
	entries, err := parseTree(raw, len(hash)/2)
	if err != nil {
		return nil, false, nil
	}
	entry, ok := entries[name]
	switch {
	case !ok:
		return nil, true, notThere(name)
	case entry.mode != modeFile:
		return nil, true, &bundle.Refused{File: name, Reason: fmt.Sprintf("it is %s, not a plain file", modeName(entry.mode))}
	}
	data, ok = p.object(entry.hash, "blob", bundle.MaxFile)
	return data, ok, nil
}

// HasCommit reports that the repository's own files have a commit; when they
// have not, git may still find it.
func (p Place) HasCommit(hash string) bool {
	if !IsHash(hash) {
		return false
	}
	_, ok := p.object(hash, "commit", maxCommit)
	return ok
}

func firstLine(data []byte) string {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(line)
}

// object reads a whole object of this type and of at most most bytes: a loose
// one, or one that a pack holds in full.
func (p Place) object(hash, kind string, most int64) ([]byte, bool) {
	objects := filepath.Join(p.CommonDir, "objects")
	if f, err := os.Open(filepath.Join(objects, hash[:2], hash[2:])); err == nil {
		defer f.Close()
		return looseObject(f, kind, most)
	}
	id, err := hex.DecodeString(hash)
	if err != nil {
		return nil, false
	}
	packs, err := filepath.Glob(filepath.Join(objects, "pack", "pack-*.idx"))
	if err != nil || len(packs) > maxPacks {
		return nil, false
	}
	for _, index := range packs {
		if at, ok := packOffset(index, id); ok {
			return packedObject(strings.TrimSuffix(index, ".idx")+".pack", at, kind, most, len(id))
		}
	}
	return nil, false
}

// maxPacks is in how many packs an object is looked for.
const maxPacks = 100

// looseObject reads "TYPE SIZE\0" and the bytes, compressed.
func looseObject(f io.Reader, kind string, most int64) ([]byte, bool) {
	z, err := zlib.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, false
	}
	in := bufio.NewReader(z)
	head, err := in.ReadSlice(0)
	if err != nil {
		return nil, false
	}
	text, ok := strings.CutPrefix(string(head[:len(head)-1]), kind+" ")
	size, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil || size < 0 || size > most {
		return nil, false
	}
	return exactly(in, size)
}

// exactly reads size bytes and the end.
func exactly(in io.Reader, size int64) ([]byte, bool) {
	data := make([]byte, size)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, false
	}
	if n, err := in.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return nil, false
	}
	return data, true
}

// packOffset looks an object up in the index of a pack, version 2: how many
// ids begin with at most each byte, then all ids, their checksums, and their
// places, of which those beyond 2 GB stand in a list of their own.
func packOffset(index string, id []byte) (int64, bool) {
	f, err := os.Open(index)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	const head, fan = 8, 256 * 4
	var b [head + fan]byte
	if _, err := f.ReadAt(b[:], 0); err != nil || string(b[:head]) != "\xfftOc\x00\x00\x00\x02" {
		return 0, false
	}
	upTo := func(first int) int64 { return int64(binary.BigEndian.Uint32(b[head+4*first:])) }
	low, high, all := int64(0), upTo(int(id[0])), upTo(255)
	if id[0] > 0 {
		low = upTo(int(id[0]) - 1)
	}
	ids := int64(head + fan)
	found := int64(-1)
	for entry := make([]byte, len(id)); low < high && found < 0; {
		middle := low + (high-low)/2
		if _, err := f.ReadAt(entry, ids+middle*int64(len(id))); err != nil {
			return 0, false
		}
		switch order := bytes.Compare(id, entry); {
		case order < 0:
			high = middle
		case order > 0:
			low = middle + 1
		default:
			found = middle
		}
	}
	if found < 0 {
		return 0, false
	}
	places := ids + all*int64(len(id)) + all*4
	var place [8]byte
	if _, err := f.ReadAt(place[:4], places+found*4); err != nil {
		return 0, false
	}
	at := int64(binary.BigEndian.Uint32(place[:4]))
	if at < 1<<31 {
		return at, true
	}
	if _, err := f.ReadAt(place[:], places+all*4+(at-1<<31)*8); err != nil {
		return 0, false
	}
	at = int64(binary.BigEndian.Uint64(place[:]))
	return at, at >= 0
}

// packedObject reads the object at a place in a pack: its type and size in a
// number of seven bits a byte, then the bytes, compressed.
func packedObject(pack string, at int64, kind string, most int64, hashSize int) ([]byte, bool) {
	f, err := os.Open(pack)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, false
	}
	in := bufio.NewReader(io.NewSectionReader(f, at, st.Size()-int64(hashSize)-at))
	b, err := in.ReadByte()
	kinds := [8]string{1: "commit", 2: "tree", 3: "blob"}
	if err != nil || kinds[b>>4&7] != kind {
		return nil, false // a difference to another object, or not what was asked for
	}
	size := int64(b & 15)
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = in.ReadByte(); err != nil || shift > 40 {
			return nil, false
		}
		size |= int64(b&0x7f) << shift
	}
	if size > most {
		return nil, false
	}
	z, err := zlib.NewReader(in)
	if err != nil {
		return nil, false
	}
	return exactly(z, size)
}
