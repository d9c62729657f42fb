package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/hub"
	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/tiny"
)

// thumb packs a tiny model under a licence.
func thumb(t *testing.T, licence string) (file string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "thumb")
	if err := tiny.WriteEncoder(dir, "cls"); err != nil {
		t.Fatal(err)
	}
	c, err := hub.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b, meta, err := c.Pack(hub.Options{Licence: licence})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.WriteTo(&out, meta); err != nil {
		t.Fatal(err)
	}
	return put(t, filepath.Join(dir, "thumb.pack"), out.String())
}

func put(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

const module = "../../.."

// text is the licence of the model that a release carries.
const text = "bge-small-en-v1.5.LICENSE"

func TestArchives(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "mega-tron-linux-amd64"), "for linux")
	put(t, filepath.Join(dir, "mega-tron-windows-arm64.exe"), "for windows")
	put(t, filepath.Join(dir, "route-linux-amd64"), "another program")
	pack := thumb(t, "mit")
	made, err := write(dir, pack, text, module)
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]string{}
	for _, file := range made {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first[filepath.Base(file)] = string(data)
	}
	inside := map[string]map[string]string{
		"mega-tron-linux-amd64.tar.gz": untar(t, first["mega-tron-linux-amd64.tar.gz"]),
		"mega-tron-windows-arm64.zip":  unzip(t, first["mega-tron-windows-arm64.zip"]),
	}
	for archive, program := range map[string]string{"mega-tron-linux-amd64.tar.gz": "mega-tron", "mega-tron-windows-arm64.zip": "mega-tron.exe"} {
		files := inside[archive]
		if !strings.HasPrefix(files["-rwxr-xr-x mega-tron/"+program], "for ") {
			t.Errorf("%s has no program", archive)
		}
		want, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		if files["-rw-r--r-- mega-tron/models/thumb.pack"] != string(want) {
			t.Errorf("%s has no model", archive)
		}
		if !strings.Contains(files["-rw-r--r-- mega-tron/models/thumb.LICENSE"], "MIT License") || !strings.Contains(files["-rw-r--r-- mega-tron/LICENSE"], "Apache License") || files["-rw-r--r-- mega-tron/NOTICE"] == "" || len(files) != 5 {
			t.Errorf("%s has not all licences", archive)
		}
	}
	again, err := write(dir, pack, text, module)
	if err != nil || !slices.Equal(again, made) {
		t.Fatalf("again: %v, %v", again, err)
	}
	for _, file := range again {
		if data, err := os.ReadFile(file); err != nil || string(data) != first[filepath.Base(file)] {
			t.Errorf("%s has other bytes: %v", file, err)
		}
	}
}

// TestNoArchive: what would be given away without its licence, damaged, or
// without a program, is not.
func TestNoArchive(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "mega-tron-linux-amd64"), "for linux")
	damaged := thumb(t, "mit")
	data, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	put(t, damaged, string(data))
	for name, c := range map[string]struct{ dir, pack, licence, want string }{
		"another licence": {dir, thumb(t, "apache-2.0"), text, "the text of another"},
		"no licence text": {dir, thumb(t, "mit"), filepath.Join(dir, "none"), "none"},
		"damaged":         {dir, damaged, text, "damaged"},
		"no program":      {t.TempDir(), thumb(t, "mit"), text, "holds no mega-tron"},
	} {
		if _, err := write(c.dir, c.pack, c.licence, module); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func untar(t *testing.T, data string) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[fs.FileMode(h.Mode).String()+" "+h.Name] = string(body)
	}
}

func unzip(t *testing.T, data string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Mode().String()+" "+f.Name] = string(body)
	}
	return files
}
