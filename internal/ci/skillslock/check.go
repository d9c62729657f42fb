package skillslock

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Bounds of a vendored skill.
const (
	MaxFile  = 16 << 20 // bytes of one file
	MaxSkill = 96 << 20 // bytes of one skill
)

// Blob is git's hash of a file's contents.
func Blob(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// A File is one file on disk.
type File struct {
	Blob       string
	Executable bool
	Refused    string // why it cannot be a skill's file, as in "is a symbolic link", or ""
}

// Scan reads the files of a skill's directory, by path below it. On a system
// whose checkouts have other line ends (foldCR), a file counts with those
// that git stores if it is then the one that is wanted. A directory that is
// absent has no files.
func Scan(root *os.Root, skill string, want map[string]string, foldCR bool) (map[string]File, error) {
	found := map[string]File{}
	st, err := root.Lstat(skill)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", skill)
	}
	total := int64(0)
	err = fs.WalkDir(root.FS(), skill, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return nil
		}
		rel := file[len(skill)+1:]
		if len(found) > MaxFiles {
			return fmt.Errorf("%s has more than %d files", skill, MaxFiles)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			found[rel] = File{Refused: "is a symbolic link"}
			return nil
		case !info.Mode().IsRegular():
			found[rel] = File{Refused: "is not a plain file"}
			return nil
		case info.Size() > MaxFile:
			found[rel] = File{Refused: fmt.Sprintf("has %d bytes, more than a skill's file may", info.Size())}
			return nil
		}
		if total += info.Size(); total > MaxSkill {
			return fmt.Errorf("%s has more than %d bytes", skill, MaxSkill)
		}
		data, err := readCapped(root, file)
		if err != nil {
			return err
		}
		blob := Blob(data)
		if foldCR && want[rel] != "" && blob != want[rel] {
			if folded := Blob(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))); folded == want[rel] {
				blob = folded
			}
		}
		found[rel] = File{Blob: blob, Executable: info.Mode()&0o111 != 0}
		return nil
	})
	return found, err
}

func readCapped(root *os.Root, file string) ([]byte, error) {
	f, err := root.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxFile))
}

// Problems are how the files of a skill differ from its row, one a line. The
// executable bit counts only where the row records modes and the system has
// such a bit.
func Problems(skill string, row Row, found map[string]File, bits bool) (problems []string) {
	report := func(file, format string, args ...any) {
		problems = append(problems, path.Join(skill, file)+": "+fmt.Sprintf(format, args...))
	}
	var names []string
	for file := range row.Files {
		names = append(names, file)
	}
	for file := range found {
		if _, listed := row.Files[file]; !listed {
			names = append(names, file)
		}
	}
	slices.Sort(names)
	for _, file := range names {
		want, listed := row.Files[file]
		have, there := found[file]
		switch {
		case !listed:
			report(file, "not in the lock")
		case !there:
			report(file, "missing")
		case have.Refused != "":
			report(file, "%s", have.Refused)
		case have.Blob != want:
			report(file, "changed (%.7s != %.7s)", have.Blob, want)
		case bits && row.Modes != nil && have.Executable != (row.Modes[file] == Executable):
			if have.Executable {
				report(file, "is executable, and is not upstream")
			} else {
				report(file, "has lost its executable bit")
			}
		}
	}
	return problems
}
