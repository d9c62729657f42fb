package cli

import (
	"errors"
	"os"
	"path/filepath"
)

// replaceFile puts data in the place of a file in one step: it is written
// beside it, under a name that is short however long the file's is, and moved.
func replaceFile(name string, data []byte, perm os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(perm), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
