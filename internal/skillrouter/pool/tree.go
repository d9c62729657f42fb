package pool

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// treeHash is the hash of all that is in a directory: names, contents, links,
// and whether a file may be run.
func treeHash(dir string) (string, error) {
	h := sha256.New()
	if _, err := os.Lstat(dir); err != nil {
		return "", err
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			fmt.Fprintf(h, "link %q %q\n", rel, to)
			return err
		case d.Type().IsRegular():
			info, err := d.Info()
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "file %q %t %d\n", rel, info.Mode()&0o111 != 0, info.Size())
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(h, f)
			return err
		}
		fmt.Fprintf(h, "%v %q\n", d.Type(), rel)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

func sameTree(a, b string) (bool, error) {
	x, err := treeHash(a)
	if err != nil {
		return false, err
	}
	y, err := treeHash(b)
	return x == y, err
}

// copyTree copies a directory to a place where nothing is. What is no file, no
// link and no directory stops it.
func copyTree(from, to string) error {
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == from {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.Mkdir(at, info.Mode().Perm()|0o700)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(target, at)
		case d.Type().IsRegular():
			return copyFile(path, at, info.Mode().Perm())
		}
		return fmt.Errorf("%s is neither file nor directory", path)
	})
	if err != nil {
		return errors.Join(err, os.RemoveAll(to))
	}
	return nil
}

func copyFile(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// move renames a directory, also to another file system: then what is moved
// goes only after its copy was read and is the same.
func move(from, to string) error {
	if os.Rename(from, to) == nil {
		return nil
	}
	if err := copyTree(from, to); err != nil {
		return err
	}
	same, err := sameTree(from, to)
	if err == nil && !same {
		err = fmt.Errorf("%s was changed while it was moved", from)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(to))
	}
	return os.RemoveAll(from)
}
