package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func build(t testing.TB, meta any) []byte {
	t.Helper()
	b := &Builder{}
	b.Floats("f", []float32{1, -2.5, 3})
	b.Int8s("i", []int8{-127, 0, 127, 1, 2})
	b.Bytes("text", []byte("hello"))
	b.Floats("none", nil)
	var out bytes.Buffer
	if err := b.WriteTo(&out, meta); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestPackFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.pack")
	data := build(t, map[string]int{"n": 7})
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	check(t, p)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	// At an odd address the numbers cannot be used in place.
	p, err = Parse(append([]byte{0}, data...)[1:])
	if err != nil {
		t.Fatal(err)
	}
	check(t, p)
	if again := build(t, map[string]int{"n": 7}); !bytes.Equal(again, data) {
		t.Error("the same model gives other bytes")
	}
}

func check(t *testing.T, p *Pack) {
	t.Helper()
	if f, err := p.Small("f", 3); err != nil || !slices.Equal(f, []float32{1, -2.5, 3}) {
		t.Errorf("f = %v, %v", f, err)
	}
	if i, err := p.Int8s("i", 5); err != nil || !slices.Equal(i, []int8{-127, 0, 127, 1, 2}) {
		t.Errorf("i = %v, %v", i, err)
	}
	if b, err := p.Bytes("text"); err != nil || string(b) != "hello" {
		t.Errorf("text = %q, %v", b, err)
	}
	if f, err := p.Floats("none", 0); err != nil || len(f) != 0 {
		t.Errorf("none = %v, %v", f, err)
	}
	var meta struct{ N int }
	if err := p.Meta(&meta); err != nil || meta.N != 7 {
		t.Errorf("meta %+v, %v", meta, err)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	for _, ask := range []func() error{
		func() error { _, err := p.Floats("f", 4); return err },
		func() error { _, err := p.Floats("i", 1); return err },
		func() error { _, err := p.Int8s("missing", 1); return err },
		func() error { _, err := p.Bytes("f"); return err },
	} {
		if err := ask(); !errors.Is(err, ErrDamaged) {
			t.Errorf("what is not there: %v", err)
		}
	}
}

// lying is a pack whose header, with its right hash, says what is not so.
func lying(header string, data []byte) []byte {
	sum := sha256.Sum256([]byte(header))
	out := binary.LittleEndian.AppendUint32([]byte(magic), version)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	out = append(append(out, sum[:]...), header...)
	return append(append(out, make([]byte, aligned(int64(len(out)))-int64(len(out)))...), data...)
}

func TestPackThatLies(t *testing.T) {
	section := func(kind, offset, size string) string {
		return fmt.Sprintf(`{"meta":{},"sections":[{"name":"a","kind":%q,"offset":%s,"size":%s,"sha256":""}]}`, kind, offset, size)
	}
	for name, header := range map[string]string{
		"past the end":  section("f32", "0", "4000"),
		"far offset":    section("f32", "9223372036854775744", "64"),
		"huge size":     section("f32", "64", "9223372036854775807"),
		"negative":      section("f32", "-64", "64"),
		"negative size": section("f32", "0", "-1"),
		"not aligned":   section("f32", "4", "64"),
		"odd floats":    section("f32", "0", "63"),
		"twice":         `{"sections":[{"name":"a","kind":"i8"},{"name":"a","kind":"i8"}]}`,
		"no JSON":       "[",
		"many sections": `{"sections":[` + strings.Repeat("{},", maxSections) + "{}]}",
	} {
		if _, err := Parse(lying(header, make([]byte, 128))); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := Parse(lying(section("f32", "0", "128"), make([]byte, 128)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Small("a", 32); !errors.Is(err, ErrDamaged) {
		t.Errorf("a section with another hash: %v", err)
	}
	if err := p.Verify(); !errors.Is(err, ErrDamaged) {
		t.Errorf("a section with another hash is verified: %v", err)
	}
}

func TestPackOfAnotherVersion(t *testing.T) {
	data := build(t, nil)
	data[8] = 9
	if _, err := Parse(data); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Errorf("error %v", err)
	}
}

func TestOpenWhatIsNoPack(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil {
		t.Error("a directory is taken for a pack")
	}
	for name, data := range map[string]string{"empty": "", "text": strings.Repeat("no pack ", 100)} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(file); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMetaThatCannotBe(t *testing.T) {
	good := Meta{Kind: BERT, Precision: "int8", Pooling: CLS, MaxTokens: 512, Shape: Shape{
		Vocabulary: 30522, Hidden: 384, Layers: 12, Heads: 12, Intermediate: 1536, Positions: 512, Epsilon: 1e-12,
	}}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Meta){
		"kind":         func(m *Meta) { m.Kind = "gpt" },
		"precision":    func(m *Meta) { m.Precision = "int4" },
		"pooling":      func(m *Meta) { m.Pooling = "max" },
		"hidden":       func(m *Meta) { m.Shape.Hidden = 380 },
		"huge hidden":  func(m *Meta) { m.Shape.Hidden = 1 << 40 },
		"negative":     func(m *Meta) { m.Shape.Layers = -1 },
		"heads":        func(m *Meta) { m.Shape.Heads = 7 },
		"no heads":     func(m *Meta) { m.Shape.Heads = 0 },
		"small heads":  func(m *Meta) { m.Shape.Heads = 48 },
		"intermediate": func(m *Meta) { m.Shape.Intermediate = 1537 },
		"positions":    func(m *Meta) { m.Shape.Positions = 511 },
		"tokens":       func(m *Meta) { m.MaxTokens = 2 },
		"vocabulary":   func(m *Meta) { m.Shape.Vocabulary = 0 },
		"epsilon":      func(m *Meta) { m.Shape.Epsilon = -1 },
		"long name":    func(m *Meta) { m.Name = strings.Repeat("x", 201) },
		"static":       func(m *Meta) { m.Kind, m.Shape.Hidden = Static, 0 },
	} {
		m := good
		change(&m)
		if m.Check() == nil {
			t.Errorf("%s: %+v is accepted", name, m)
		}
	}
}

// FuzzParse: whatever the header says, under its right hash or not, nothing is
// read outside of the file.
func FuzzParse(f *testing.F) {
	f.Add(build(f, nil), "", []byte(nil))
	f.Add([]byte(nil), `{"meta":{},"sections":[{"name":"a","kind":"f32","offset":0,"size":64,"sha256":""}]}`, make([]byte, 64))
	f.Add([]byte(nil), `{"meta":{},"sections":[{"name":"a","kind":"bytes","offset":64,"size":9223372036854775807,"sha256":""}]}`, make([]byte, 64))
	f.Fuzz(func(t *testing.T, raw []byte, header string, data []byte) {
		for _, file := range [][]byte{raw, lying(header, data)} {
			p, err := Parse(file)
			if err != nil {
				continue
			}
			for _, s := range p.order {
				_, _ = p.Bytes(s.Name)
				_, _ = p.Small(s.Name, int(s.Size/4))
				if values, err := p.Int8s(s.Name, int(s.Size)); err == nil && len(values) > len(file) {
					t.Fatalf("%d bytes of a file of %d", len(values), len(file))
				}
			}
			_ = p.Verify()
		}
	})
}
