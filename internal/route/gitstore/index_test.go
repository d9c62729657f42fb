package gitstore

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// anIndex is an index with one gitlink, in version 2.
func anIndex() []byte {
	var b bytes.Buffer
	b.WriteString("DIRC\x00\x00\x00\x02\x00\x00\x00\x01")
	entry := make([]byte, 62)
	binary.BigEndian.PutUint32(entry[24:], gitlink)
	binary.BigEndian.PutUint16(entry[60:], 3)
	b.Write(entry)
	b.WriteString("mod" + "\x00\x00\x00\x00\x00\x00\x00") // 72 bytes in all
	b.Write(make([]byte, 20))
	return b.Bytes()
}

func FuzzParseIndex(f *testing.F) {
	whole := anIndex()
	if links, err := parseIndex(whole, 20); err != nil || len(links) != 1 || links["mod"] == "" {
		f.Fatalf("the sample: %q, %v", links, err)
	}
	f.Add(whole)
	for n := range whole {
		f.Add(whole[:n])
	}
	four := bytes.Clone(whole)
	four[7] = 4
	f.Add(four)
	f.Add(append(bytes.Clone(whole[:len(whole)-20]), "link\x00\x00\x00\x01xaaaaaaaaaaaaaaaaaaaa"...))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, size := range []int{20, 32} {
			links, err := parseIndex(data, size)
			if err != nil {
				continue
			}
			for path, hash := range links {
				if !IsHash(hash) || len(path) > len(data) {
					t.Errorf("%q is pinned at %q", path, hash)
				}
			}
		}
	})
}
