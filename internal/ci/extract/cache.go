package extract

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// A Cache keeps what was read from files, by blob id, in one pack file. It
// is a help, never a source of truth: an entry that is damaged, cut short or
// of another [Version] is a miss, and a directory that cannot be read or
// written is an empty cache. It is safe for concurrent use.
type Cache struct {
	path string

	mu      sync.Mutex
	entries map[string]cached
	dirty   bool
}

// An Entry is what a cache keeps of one blob.
type Entry struct {
	File  *File
	Extra []byte // the caller's own, as it gave it
}

// cached is an entry as it stands in the pack.
type cached struct {
	sum     [sumSize]byte
	payload []byte
	idle    byte // saves since the last use
}

const (
	sumSize = 16
	maxIdle = 8         // an entry not used through so many saves is dropped
	maxPack = 512 << 20 // a larger pack is not ours, or not worth reading
	maxKey  = 200
)

var packMagic = fmt.Appendf(nil, "marola extract pack %d\n", Version)

// OpenCache reads the pack of the directory, which need not exist. The name
// tells packs of one directory apart, one for each repository, say; it must
// be a file name.
func OpenCache(dir, name string) *Cache {
	c := &Cache{entries: make(map[string]cached)}
	if dir == "" || name == "" || filepath.Base(name) != name {
		return c
	}
	c.path = filepath.Join(dir, name+".pack")
	data, err := readPack(c.path)
	if err != nil {
		return c
	}
	rest, ok := bytes.CutPrefix(data, packMagic)
	for ok && len(rest) > 0 {
		rest, ok = c.load(rest)
	}
	return c
}

func readPack(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxPack {
		return nil, fmt.Errorf("%s is not a pack", path)
	}
	data := make([]byte, st.Size())
	n, err := io.ReadFull(f, data)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil // what is there can be used
	}
	return data[:n], err
}

// load takes one record off the pack.
func (c *Cache) load(rest []byte) ([]byte, bool) {
	keyLen, n := binary.Uvarint(rest)
	if n <= 0 || keyLen == 0 || keyLen > maxKey || uint64(len(rest)-n) < keyLen+1+sumSize {
		return nil, false
	}
	rest = rest[n:]
	key := string(rest[:keyLen])
	rest = rest[keyLen:]
	e := cached{idle: rest[0]}
	copy(e.sum[:], rest[1:])
	rest = rest[1+sumSize:]
	size, n := binary.Uvarint(rest)
	if n <= 0 || size > uint64(len(rest)-n) {
		return nil, false
	}
	e.payload = rest[n : n+int(size)]
	c.entries[key] = e
	return rest[n+int(size):], true
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
	if !ok || checksum(key, e.payload) != e.sum {
		return Entry{}, false
	}
	size, n := binary.Uvarint(e.payload)
	if n <= 0 || size > uint64(len(e.payload)-n) {
		return Entry{}, false
	}
	f, err := decodeFile(e.payload[n : n+int(size)])
	if err != nil {
		return Entry{}, false
	}
	entry := Entry{File: f}
	if extra := e.payload[n+int(size):]; len(extra) > 0 {
		entry.Extra = bytes.Clone(extra)
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
	if len(key) > maxKey || e.File == nil {
		return
	}
	body := appendFile(nil, e.File)
	payload := binary.AppendUvarint(make([]byte, 0, len(body)+len(e.Extra)+5), uint64(len(body)))
	payload = append(payload, body...)
	payload = append(payload, e.Extra...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = cached{sum: checksum(key, payload), payload: payload}
	c.dirty = true
}

// Len is the number of entries.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}
