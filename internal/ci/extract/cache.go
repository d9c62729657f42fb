package extract

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/spool"
)

// A Cache keeps what was read from files, by blob id, in one pack file. It
// is a help, never a source of truth: an entry that is damaged, cut short or
// of another [Version] is a miss, and a directory that cannot be read or
// written is an empty cache. It is safe for concurrent use. Save ends it.
//
// A large pack stays on disk, and so do many new entries: what a cache needs
// of memory is a place for each entry.
type Cache struct {
	path string // "" keeps nothing

	mu      sync.Mutex
	entries map[string]cached
	dirty   bool
	pack    io.ReaderAt // the pack as it was; nil when there is none
	file    *os.File    // that pack, where it stays on disk
	fresh   *spool.Spool
}

// An Entry is what a cache keeps of one blob.
type Entry struct {
	File  *File
	Extra []byte // the caller's own, as it gave it
}

// cached says where an entry is.
type cached struct {
	sum   [sumSize]byte
	at    int64 // in the pack; -1 for a new one
	size  int   // of the payload
	place spool.Place
	idle  byte // saves since the last use
}

const (
	sumSize  = 16
	maxIdle  = 8        // an entry not used through so many saves is dropped
	maxPack  = 4 << 30  // a larger pack is not ours, or not worth reading
	heldPack = 64 << 20 // a larger one is read piece by piece
	maxKey   = 200
)

var packMagic = fmt.Appendf(nil, "marola extract pack %d\n", Version)

// OpenCache reads the pack of the directory, which need not exist. The name
// tells packs of one directory apart, one for each repository, say; it must
// be a file name. Without a directory nothing is kept.
func OpenCache(dir, name string) *Cache {
	if dir == "" || name == "" || filepath.Base(name) != name {
		return &Cache{}
	}
	return openCache(filepath.Join(dir, name+".pack"), heldPack)
}

// openCache keeps about so many bytes of old and of new entries in memory.
func openCache(path string, held int) *Cache {
	c := &Cache{path: path, entries: make(map[string]cached), fresh: spool.New(held)}
	if size, err := c.open(held); err == nil {
		c.scan(size)
	}
	return c
}

// open opens the pack and tells its size.
func (c *Cache) open(held int) (int64, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return 0, err
	}
	st, err := f.Stat()
	if err == nil && (!st.Mode().IsRegular() || st.Size() > maxPack) {
		err = fmt.Errorf("%s is not a pack", c.path)
	}
	if err != nil {
		f.Close()
		return 0, err
	}
	if st.Size() > int64(held) {
		c.pack, c.file = f, f
		return st.Size(), nil
	}
	defer f.Close()
	data := make([]byte, st.Size())
	n, err := io.ReadFull(f, data)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil // what is there can be used
	}
	c.pack = bytes.NewReader(data[:n])
	return int64(n), err
}

// scan finds the entries of the pack, up to the first that is damaged.
func (c *Cache) scan(size int64) {
	r := &packReader{in: bufio.NewReaderSize(io.NewSectionReader(c.pack, 0, size), 64<<10), size: size}
	head := make([]byte, len(packMagic))
	if r.read(head); !r.bad && bytes.Equal(head, packMagic) {
		for c.load(r) {
		}
	}
}

// A packReader goes through a pack. Once it is bad, it has come to the end.
type packReader struct {
	in   *bufio.Reader
	at   int64
	size int64
	bad  bool
}

func (r *packReader) number() uint64 {
	n, shift := uint64(0), 0
	for ; shift < 63; shift += 7 {
		b, err := r.in.ReadByte()
		if err != nil {
			break
		}
		r.at++
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return n
		}
	}
	r.bad = true
	return 0
}

func (r *packReader) read(to []byte) {
	n, err := io.ReadFull(r.in, to)
	r.at += int64(n)
	r.bad = r.bad || err != nil
}

func (r *packReader) skip(n int) {
	done, err := r.in.Discard(n)
	r.at += int64(done)
	r.bad = r.bad || err != nil
}

// load takes one record off the pack.
func (c *Cache) load(r *packReader) bool {
	n := r.number()
	if r.bad || n == 0 || n > maxKey {
		return false
	}
	head := make([]byte, n+1+sumSize)
	r.read(head)
	size := r.number()
	if r.bad || size > uint64(r.size-r.at) {
		return false
	}
	e := cached{at: r.at, size: int(size), idle: head[n]}
	copy(e.sum[:], head[n+1:])
	r.skip(e.size)
	c.entries[string(head[:n])] = e
	return true
}

// payload reads an entry. The bytes must not be changed.
func (c *Cache) payload(e cached) ([]byte, error) {
	if e.at < 0 {
		return c.fresh.Get(e.place)
	}
	data := make([]byte, e.size)
	_, err := c.pack.ReadAt(data, e.at)
	return data, err
}

// cacheKey joins what an entry depends on.
func cacheKey(blob, variant string) string { return blob + " " + variant }

func checksum(key string, payload []byte) (sum [sumSize]byte) {
	h := sha256.New()
	io.WriteString(h, key)
	h.Write([]byte{0})
	h.Write(payload)
	copy(sum[:], h.Sum(nil))
	return sum
}

// Get returns the entry of a blob, whose variant is [Variant] of its path,
// and whether there is one to be trusted.
func (c *Cache) Get(blob, variant string) (Entry, bool) {
	key := cacheKey(blob, variant)
	c.mu.Lock()
	e, ok := c.entries[key]
	c.mu.Unlock()
	if !ok {
		return Entry{}, false
	}
	payload, err := c.payload(e)
	if err != nil || checksum(key, payload) != e.sum {
		return Entry{}, false
	}
	size, n := binary.Uvarint(payload)
	if n <= 0 || size > uint64(len(payload)-n) {
		return Entry{}, false
	}
	f, err := decodeFile(payload[n : n+int(size)])
	if err != nil {
		return Entry{}, false
	}
	entry := Entry{File: f}
	if extra := payload[n+int(size):]; len(extra) > 0 {
		entry.Extra = extra
	}
	if e.idle != 0 {
		c.mu.Lock()
		e.idle = 0
		c.entries[key] = e
		c.mu.Unlock()
	}
	return entry, true
}

// Put keeps an entry for the blob until Save.
func (c *Cache) Put(blob, variant string, e Entry) {
	key := cacheKey(blob, variant)
	if c.path == "" || len(key) > maxKey || e.File == nil {
		return
	}
	body := appendFile(nil, e.File)
	payload := binary.AppendUvarint(make([]byte, 0, len(body)+len(e.Extra)+5), uint64(len(body)))
	payload = append(payload, body...)
	payload = append(payload, e.Extra...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = cached{sum: checksum(key, payload), at: -1, size: len(payload), place: c.fresh.Put(payload)}
	c.dirty = true
}

// Len is the number of entries.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}
