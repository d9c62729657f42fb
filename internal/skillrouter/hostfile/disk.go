package hostfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile bounds the files that are edited, in bytes.
const maxFile = 8 << 20

// tempSuffix ends the name of a file that is being written. It is the same
// each time, so that one that a killed process left is replaced, not kept.
const tempSuffix = ".mega-tron.tmp"

// during is called between the steps of a write; tests end the process there.
var during = func(step string) {}

// read reads a file; one that is not there is nil.
func read(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	if st.Size() > maxFile {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are edited", path, st.Size(), maxFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if data == nil {
		data = []byte{}
	}
	return data, err
}

// Read reads a file of a host, bounded; one that is not there is nil.
func Read(path string) ([]byte, error) { return read(path) }

// write replaces a file at once: whoever reads it, and whatever ends this
// process, there is the old one or the new one. A link stays, what it leads to
// is written.
func write(path string, data []byte, mode fs.FileMode) error {
	path = target(path)
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	during("begin " + path)
	temp := path + tempSuffix
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	during("made " + temp)
	half := len(data) / 2
	_, err = f.Write(data[:half])
	during("half " + temp)
	if err == nil {
		_, err = f.Write(data[half:])
	}
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	during("whole " + temp)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	during("renamed " + path)
	return nil
}

// target is the file that a path leads to, through links, whether it is there
// or not.
func target(path string) string {
	const most = 40
	for range most {
		next, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return path
}
