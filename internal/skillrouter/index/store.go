package index

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// keepDays is how long a content is kept that no pool has: a branch is left
// and come back to, a plugin is switched off and on.
const keepDays = 60

// keepPoolDays is how long what was measured of a pool is kept: it is another
// one after each change, and measured again in milliseconds.
const keepPoolDays = 3

// Load reads the index of a model. A file that is not there gives an empty
// index; one that cannot be used gives an empty one and the reason.
func Load(path, model string) (*Index, error) {
	x := New(model)
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err == nil {
		err = x.decode(data)
	}
	if err != nil {
		return New(model), fmt.Errorf("the index %s is made anew: %w", path, err)
	}
	return x, nil
}

// Waiting for another process that saves, which takes milliseconds.
const (
	lockTimeout = 3 * time.Second
	lockEvery   = 5 * time.Millisecond
)

var errBusy = errors.New("another process has been saving it for too long")

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxEncoded {
		return nil, errors.New("it is no file of an index")
	}
	data := make([]byte, st.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

// Save writes the index when it has changed. What another process has learnt
// meanwhile stays; the file is replaced at once, so readers see the old or
// the new one.
func (x *Index) Save(path string) error {
	if !x.changed {
		return nil
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unlock, err := lock(path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if other, err := Load(path, x.model); err == nil {
		x.merge(other)
		x.version++
	}
	x.forget()
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s is no file: it is not replaced", path)
	}
	temp, err := os.CreateTemp(dir, filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(x.encode())
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err == nil {
		x.changed = false
	}
	return err
}

// merge takes what the other knows and x does not.
func (x *Index) merge(other *Index) {
	for k, c := range other.contents {
		have := x.contents[k]
		if have == nil {
			x.contents[k] = c
			continue
		}
		if have.Head.Empty() {
			have.Head, have.Name = c.Head, c.Name
		}
		if !have.Complete && c.Complete {
			have.Sections, have.Complete = c.Sections, true
		}
		have.used = max(have.used, c.used)
	}
	for s, t := range other.texts {
		if have, ok := x.texts[s]; !ok || have.used < t.used {
			x.texts[s] = t
		}
	}
	for k, p := range other.pools {
		if have, ok := x.pools[k]; !ok || have.used < p.used {
			x.pools[k] = p
		}
	}
	for p, f := range other.files {
		if _, ok := x.files[p]; !ok {
			x.files[p] = f
		}
	}
}

// forget drops contents that no pool has had for long, and files of them.
func (x *Index) forget() {
	for k, c := range x.contents {
		if c.used < x.today()-keepDays {
			delete(x.contents, k)
		}
	}
	for s, t := range x.texts {
		if t.used < x.today()-keepDays {
			delete(x.texts, s)
		}
	}
	for k, p := range x.pools {
		if p.used < x.today()-keepPoolDays {
			delete(x.pools, k)
		}
	}
	for p, f := range x.files {
		if x.contents[f.key] == nil {
			delete(x.files, p)
		}
	}
}
