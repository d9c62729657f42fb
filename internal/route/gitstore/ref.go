package gitstore

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// maxPacked is the largest packed-refs that is read, in bytes: some 800,000
// refs.
const maxPacked = 64 << 20

// Ref returns the commit that the full name of a ref ("refs/…") stands for,
// read from the repository's files; "" when there is no such ref. known is
// false where the files do not tell: a way of storing refs that is not files,
// a damaged file. Git has to be asked then.
func (p Place) Ref(name string) (hash string, known bool) {
	if st, err := os.Stat(filepath.Join(p.CommonDir, "reftable")); err == nil && st.IsDir() {
		return "", false
	}
	return p.follow(name)
}

// follow reads a ref and those that it names, as many as git follows.
func (p Place) follow(name string) (hash string, known bool) {
	for range 5 {
		if !strings.HasPrefix(name, "refs/") || !ValidRef(name) {
			return "", false
		}
		data, err := readSmall(filepath.Join(p.CommonDir, filepath.FromSlash(name)), 8<<10)
		if err != nil {
			return p.packed(name)
		}
		text := strings.TrimSpace(string(data))
		next, symbolic := strings.CutPrefix(text, "ref: ")
		if !symbolic {
			return text, IsHash(text)
		}
		name = next
	}
	return "", false
}

// packed looks a ref up in packed-refs, whose lines are "HASH NAME".
func (p Place) packed(name string) (hash string, known bool) {
	path := filepath.Join(p.CommonDir, "packed-refs")
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return "", true
	}
	data, err := readSmall(path, maxPacked)
	if err != nil {
		return "", false
	}
	at := bytes.Index(data, []byte(" "+name+"\n"))
	if at < 0 {
		return "", true
	}
	hash = string(data[bytes.LastIndexByte(data[:at], '\n')+1 : at])
	return hash, IsHash(hash)
}
