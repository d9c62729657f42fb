package publish

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// counter counts what it reads.
type counter struct{ n int }

func (c *counter) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(io.Discard, r)
	c.n += int(n)
	return n, err
}

// packOf writes a pack by hand, so that it can lie.
func packOf(count int, objects ...[]byte) []byte {
	b := []byte("PACK\x00\x00\x00\x02")
	b = binary.BigEndian.AppendUint32(b, uint32(count))
	for _, o := range objects {
		b = append(b, o...)
	}
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// packed is one entry of a pack: kind and size as declared, and the content
// packed.
func packed(kind plumbing.ObjectType, size int64, base []byte, content []byte) []byte {
	head := byte(kind)<<4 | byte(size&0x0f)
	size >>= 4
	var out []byte
	for size > 0 {
		out = append(out, head|0x80)
		head = byte(size & 0x7f)
		size >>= 7
	}
	out = append(out, head)
	out = append(out, base...)
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(content)
	_ = w.Close()
	return append(out, z.Bytes()...)
}

func TestPacksThatClaimTooMuch(t *testing.T) {
	small := limits{packed: 10_000, objects: 10, object: 1000, total: 3000}
	zeros := make([]byte, 1001)
	blob := []byte("hello")
	base := plumbing.ComputeHash(plumbing.BlobObject, blob)
	deltaTo := func(size ...byte) []byte { return append(append([]byte{5}, size...), 0x90, 5) }
	delta := func(d []byte) []byte {
		return packOf(2, packed(plumbing.BlobObject, 5, nil, blob), packed(plumbing.REFDeltaObject, int64(len(d)), base[:], d))
	}
	for _, tt := range []struct {
		name  string
		pack  []byte
		large bool // refused for its size, not for damage
	}{
		{"a large object", packOf(1, packed(plumbing.BlobObject, 1001, nil, zeros)), true},
		{"a declared terabyte", packOf(1, packed(plumbing.BlobObject, 1<<40, nil, blob)), true},
		{"a delta to a terabyte", delta(deltaTo(0x80, 0x80, 0x80, 0x80, 0x80, 0x20)), true},
		{"a delta to a size that is no number", delta(deltaTo(bytes.Repeat([]byte{0x80}, 15)...)), true},
		{"a delta without sizes", delta([]byte{5}), true},
		{"more objects than allowed", packOf(11, packed(plumbing.BlobObject, 5, nil, blob)), true},
		{"many that are large together", packOf(4, bytes.Repeat(packed(plumbing.BlobObject, 1000, nil, zeros[:1000]), 4)), true},
		{"more bytes than allowed", bytes.Repeat([]byte("x"), 10_001), true},
		{"more than it says", packOf(1, packed(plumbing.BlobObject, 10, nil, zeros)), false},
		{"fewer objects than it says", packOf(3, packed(plumbing.BlobObject, 5, nil, blob)), false},
		{"no pack at all", []byte("<html>"), false},
		{"nothing", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := unpack(bytes.NewReader(tt.pack), small)
			if large := (*tooLarge)(nil); err == nil || errors.As(err, &large) != tt.large {
				t.Errorf("got %v", err)
			}
		})
	}
	for name, pack := range map[string][]byte{
		"a blob":  packOf(1, packed(plumbing.BlobObject, 5, nil, blob)),
		"a delta": delta(deltaTo(5)),
	} {
		if objects, err := unpack(bytes.NewReader(pack), small); err != nil || objects.HasEncodedObject(base) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAPublishedBundleThatIsTooLarge(t *testing.T) {
	defer func(old limits) { packLimits = old }(packLimits)
	packLimits.object = 4000
	dir := bare(t)
	git(t, dir, "config", "uploadpack.allowFilter", "true")
	work := t.TempDir()
	git(t, work, "init", "-q", "-b", branch)
	must(t, writeFile(work, "build.json", `{"schema":1,"head":"`+head(1)+`","commit_time":"2026-10-20T08:00:00Z","x":"`+strings.Repeat(" ", 4000)+`"}`))
	git(t, work, "add", ".")
	git(t, work, "commit", "-q", "-m", "large")
	git(t, work, "push", "-q", dir, branch)
	_, err := tryPublish(t, open(t, dir), snapshot(t, sample(2)))
	var gate *Gate
	if !errors.As(err, &gate) || !strings.Contains(err.Error(), "an object of") {
		t.Errorf("got %v", err)
	}
	if result := publish(t, open(t, dir), snapshot(t, sample(2)), func(o *Options) { o.First = true }); !result.Changed {
		t.Errorf("%+v", result)
	}
}

func TestWhatStandsOnTheBranchIsADamagedBundle(t *testing.T) {
	for name, tt := range map[string]struct {
		file, text, reason string
	}{
		"no build.json":  {"graph.json", "{}", "it has no build.json"},
		"no JSON":        {"build.json", "{", "build.json"},
		"a repeated key": {"build.json", `{"schema":1,"schema":1}`, "build.json"},
		"another format": {"build.json", `{"schema":99,"head":"` + head(1) + `","commit_time":"2026-10-20T08:00:00Z"}`, "version 99"},
		"no time":        {"build.json", `{"schema":1,"head":"` + head(1) + `"}`, "commit_time"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := bare(t)
			work := t.TempDir()
			git(t, work, "init", "-q", "-b", branch)
			must(t, writeFile(work, tt.file, tt.text))
			git(t, work, "add", ".")
			git(t, work, "commit", "-q", "-m", "foreign")
			git(t, work, "push", "-q", dir, branch)
			before := tip(t, dir)
			_, err := tryPublish(t, open(t, dir), snapshot(t, sample(2)))
			var gate *Gate
			if !errors.As(err, &gate) || !strings.Contains(err.Error(), tt.reason) || !strings.Contains(gate.Hint(), "--first") {
				t.Errorf("got %v", err)
			}
			if tip(t, dir) != before {
				t.Error("the branch moved")
			}
			result := publish(t, open(t, dir), snapshot(t, sample(2)), func(o *Options) { o.First = true })
			if !result.Changed || result.Previous != before || git(t, dir, "rev-list", "--count", branch) != "1" {
				t.Errorf("--first: %+v", result)
			}
		})
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(packOf(1, packed(plumbing.BlobObject, 5, nil, []byte("hello"))))
	f.Add([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\x70"))
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, err := unpack(bytes.NewReader(data), limits{packed: 1 << 16, objects: 100, object: 1 << 16, total: 1 << 18})
		if (err == nil) != (objects != nil) {
			t.Fatalf("objects %v, error %v", objects != nil, err)
		}
	})
}
