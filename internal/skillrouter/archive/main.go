// Archive puts mega-tron together with the model that it is best with, one
// archive a platform: unpacked anywhere, the program finds the model.
//
//	go run ./internal/skillrouter/archive DIR PACK LICENCE
//
// DIR holds the programs as scripts/release/dist.sh names them, and gets the
// archives. The same inputs give the same bytes.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed"
)

const program = "mega-tron"

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: archive DIR PACK LICENCE")
		os.Exit(2)
	}
	made, err := write(os.Args[1], os.Args[2], os.Args[3], ".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "archive:", err)
		os.Exit(1)
	}
	for _, name := range made {
		fmt.Println(name)
	}
}

// An entry is a file of an archive.
type entry struct {
	name string // slashes between directories
	mode fs.FileMode
	data []byte
}

// write makes the archive of each program in dir; module is where our own
// licence is.
func write(dir, packFile, licenceFile, module string) (made []string, err error) {
	model, err := modelOf(packFile, licenceFile)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"LICENSE", "NOTICE"} {
		data, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			return nil, err
		}
		model = append(model, entry{name, 0o644, data})
	}
	binaries, err := filepath.Glob(filepath.Join(dir, program+"-*"))
	if err != nil {
		return nil, err
	}
	for _, binary := range binaries {
		if strings.HasSuffix(binary, ".zip") || strings.HasSuffix(binary, ".gz") {
			continue // of an earlier run
		}
		data, err := os.ReadFile(binary)
		if err != nil {
			return nil, err
		}
		to, windows := strings.CutSuffix(binary, ".exe")
		form, extension, inside := tarball, ".tar.gz", program
		if windows {
			form, extension, inside = zipped, ".zip", program+".exe"
		}
		packed, err := form(append([]entry{{inside, 0o755, data}}, model...))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(to+extension, packed, 0o644); err != nil {
			return nil, err
		}
		made = append(made, to+extension)
	}
	if len(made) == 0 {
		return nil, fmt.Errorf("%s holds no %s-OS-ARCH", dir, program)
	}
	return made, nil
}

// modelOf are the entries of a model that is whole, with its licence.
func modelOf(packFile, licenceFile string) ([]entry, error) {
	m, err := embed.Open(packFile)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if err := m.Verify(); err != nil {
		return nil, fmt.Errorf("%s: %w", packFile, err)
	}
	licence, err := os.ReadFile(licenceFile)
	if err != nil {
		return nil, err
	}
	// The text is the one that the pack means: its first word names it.
	if named := m.Meta().Licence; named == "" || !strings.HasPrefix(strings.ToLower(string(licence)), strings.ToLower(named)) {
		return nil, fmt.Errorf("the licence of the model is %q, and %s is the text of another", named, licenceFile)
	}
	data, err := os.ReadFile(packFile)
	if err != nil {
		return nil, err
	}
	return []entry{
		{"models/" + m.Name() + ".pack", 0o644, data},
		{"models/" + m.Name() + ".LICENSE", 0o644, licence},
	}, nil
}

// epoch is when all entries were changed: the earliest time that a zip file
// can tell.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func tarball(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, e := range entries {
		err = errors.Join(err, t.WriteHeader(&tar.Header{Name: program + "/" + e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: epoch}))
		_, failed := t.Write(e.data)
		err = errors.Join(err, failed)
	}
	err = errors.Join(err, t.Close(), z.Close())
	return out.Bytes(), err
}

func zipped(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: program + "/" + e.name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(e.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(w, bytes.NewReader(e.data)); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}
