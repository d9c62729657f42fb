package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// artifactActions are the two that hand files from job to job.
var artifactActions = map[string]func(*Machine, map[string]string) error{
	"actions/upload-artifact":   upload,
	"actions/download-artifact": download,
}

func (m *Machine) artifact(name string) (string, error) {
	if name == "" || strings.ContainsAny(name, `/\:*?"<>|`) {
		return "", fmt.Errorf("%q is no name of an artifact", name)
	}
	return filepath.Join(m.runner.Dir, "artifacts", name), nil
}

// upload keeps what the original keeps: no hidden files, no file modes, and
// nothing of an artifact's name twice.
func upload(m *Machine, with map[string]string) error {
	to, err := m.artifact(with["name"])
	if err != nil {
		return err
	}
	if _, err := os.Stat(to); err == nil && with["overwrite"] != "true" {
		return fmt.Errorf("an artifact %s is there already", with["name"])
	}
	if with["if-no-files-found"] != "error" {
		return errors.New("without if-no-files-found: error an empty artifact is a success")
	}
	from := m.within(strings.TrimSpace(with["path"]))
	if strings.Contains(from, "\n") {
		return errors.New("this runner uploads one path")
	}
	n := 0
	err = filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if rel == "." && !e.IsDir() {
			rel = e.Name()
		}
		if strings.HasPrefix(e.Name(), ".") && rel != "." {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() {
			return nil
		}
		n++
		return copyFile(path, filepath.Join(to, rel))
	})
	if err == nil && n == 0 {
		err = fmt.Errorf("no files were found with the path %s", from)
	}
	return err
}

func download(m *Machine, with map[string]string) error {
	from, err := m.artifact(with["name"])
	if err != nil {
		return err
	}
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("there is no artifact %s", with["name"])
	}
	to := m.within(with["path"])
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return copyFile(path, filepath.Join(to, rel))
	})
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644))
}
