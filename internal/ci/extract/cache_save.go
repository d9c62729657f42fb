package extract

import (
	"bufio"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Save writes the pack, if there is anything new in it: beside the old one,
// then in its place. Entries that nobody asked for through several saves
// are dropped. The error is worth a warning, no more. Save ends the cache,
// which is empty then and keeps nothing.
func (c *Cache) Save() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.end()
	if c.path == "" || !c.dirty {
		return nil
	}
	dir := filepath.Dir(c.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, filepath.Base(c.path)+".*.tmp")
	if err != nil {
		return err
	}
	if err := c.write(tmp); err != nil {
		tmp.Close()
		os.Remove(tmp.Name())
		return err
	}
	if err := tmp.Close(); err != nil {
		os.Remove(tmp.Name())
		return err
	}
	c.closePack() // Windows replaces no file that is open
	if err := os.Rename(tmp.Name(), c.path); err != nil {
		os.Remove(tmp.Name())
		return err
	}
	return nil
}

func (c *Cache) closePack() {
	if c.file != nil {
		c.file.Close()
		c.file = nil
	}
}

func (c *Cache) end() {
	c.closePack()
	if c.fresh != nil {
		c.fresh.Close()
	}
	c.path, c.dirty, c.entries, c.pack = "", false, nil, nil
}

func (c *Cache) write(f *os.File) error {
	w := bufio.NewWriterSize(f, 1<<20)
	w.Write(packMagic)
	var head []byte
	for _, key := range slices.Sorted(maps.Keys(c.entries)) {
		e := c.entries[key]
		if e.idle >= maxIdle {
			continue
		}
		payload, err := c.payload(e)
		if err != nil {
			return err
		}
		head = binary.AppendUvarint(head[:0], uint64(len(key)))
		head = append(head, key...)
		head = append(head, e.idle+1) // a use sets it back
		head = append(head, e.sum[:]...)
		head = binary.AppendUvarint(head, uint64(len(payload)))
		w.Write(head)
		w.Write(payload)
	}
	return w.Flush() // reports the first error of all writes
}
