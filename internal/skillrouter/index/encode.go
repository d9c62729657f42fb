package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/lexical"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// The file is a line that names the format, the SHA-256 of what follows, then
// numbers as varints and texts with their lengths: the model; the words of
// all profiles, each once; the contents; the files.
const (
	magic    = "mega-tron skill index 1\n"
	headSize = len(magic) + sha256.Size
)

// Bounds on what a file may hold, so that a lying one costs little.
const (
	maxEncoded  = 512 << 20
	maxVectors  = maxSections
	maxVector   = 4096 // dimensions
	maxContents = 100_000
)

// encode writes the index.
func (x *Index) encode() []byte {
	w := &writer{}
	w.text(x.model)

	vocabulary := map[string]int{}
	var list []string
	keys := make([]Key, 0, len(x.contents))
	for k, c := range x.contents {
		keys = append(keys, k)
		for _, word := range c.Profile.Words {
			if _, ok := vocabulary[word.Word]; !ok {
				vocabulary[word.Word] = 0
				list = append(list, word.Word)
			}
		}
	}
	slices.Sort(list)
	w.number(len(list))
	for i, word := range list {
		vocabulary[word] = i
		w.text(word)
	}
	slices.SortFunc(keys, func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	w.number(len(keys))
	for _, k := range keys {
		c := x.contents[k]
		w.out = append(w.out, k[:]...)
		w.number(int(max(0, c.used)))
		w.float(c.Profile.Length)
		w.number(len(c.Profile.Words))
		last := -1
		for _, word := range c.Profile.Words {
			at := vocabulary[word.Word]
			w.number(at - last - 1)
			w.float(word.Weight)
			last = at
		}
		w.vector(c.Head)
		w.vector(c.Name)
		w.flag(c.Complete)
		w.number(len(c.Sections))
		for _, v := range c.Sections {
			w.vector(v)
		}
	}
	paths := make([]string, 0, len(x.files))
	for p, f := range x.files {
		if x.contents[f.key] != nil {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	w.number(len(paths))
	for _, p := range paths {
		f := x.files[p]
		w.text(p)
		w.number(int(f.size))
		w.out = binary.AppendVarint(w.out, f.mtime)
		w.out = append(w.out, f.key[:]...)
		w.text(f.front.Name)
		w.text(f.front.Description)
		m := f.front.Meta
		w.text(string(m.Status))
		w.number(m.Helpful)
		w.number(m.Harmful)
		w.number(m.ConsecutiveHarmful)
		w.texts(m.HelpfulContexts)
		w.texts(m.HarmfulContexts)
	}
	keysOfTexts := make([]string, 0, len(x.texts))
	for s := range x.texts {
		keysOfTexts = append(keysOfTexts, s)
	}
	slices.Sort(keysOfTexts)
	w.number(len(keysOfTexts))
	for _, s := range keysOfTexts {
		w.text(s)
		w.number(int(max(0, x.texts[s].used)))
		w.vector(x.texts[s].vector)
	}
	pools := make([]Key, 0, len(x.pools))
	for k := range x.pools {
		pools = append(pools, k)
	}
	slices.SortFunc(pools, func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	w.number(len(pools))
	for _, k := range pools {
		p := x.pools[k]
		w.out = append(w.out, k[:]...)
		w.number(int(max(0, p.used)))
		w.number(len(p.measures))
		for _, f := range p.measures {
			w.float(f)
		}
	}
	sum := sha256.Sum256(w.out)
	return slices.Concat([]byte(magic), sum[:], w.out)
}

// decode reads what encode wrote. The error says why the index is not used.
func (x *Index) decode(data []byte) error {
	if len(data) < headSize || !bytes.HasPrefix(data, []byte(magic)) {
		return errors.New("it is no index of this version")
	}
	if sum := sha256.Sum256(data[headSize:]); !bytes.Equal(sum[:], data[len(magic):headSize]) {
		return errors.New("it is damaged")
	}
	// One string for all texts: what is kept of it points into it.
	r := &reader{rest: string(data[headSize:])}
	if model := r.text(); model != x.model {
		return fmt.Errorf("it is of the model %.80q", model)
	}
	list := make([]string, r.count(1))
	for i := range list {
		list[i] = r.text()
	}
	n := r.count(len(Key{}) + 8)
	if n > maxContents {
		r.bad = true
	}
	for ; n > 0 && !r.bad; n-- {
		k := r.key()
		c := &Content{used: int64(r.number())}
		c.Profile.Length = r.float()
		c.Profile.Words = make([]lexical.Weighted, r.count(5))
		last := -1
		for i := range c.Profile.Words {
			at := last + 1 + r.number()
			weight := r.float()
			if at >= len(list) || at <= last {
				r.bad = true
				break
			}
			c.Profile.Words[i] = lexical.Weighted{Word: list[at], Weight: weight}
			last = at
		}
		c.Head, c.Name = r.vector(), r.vector()
		c.Complete = r.flag()
		sections := r.number()
		if sections > maxVectors {
			r.bad = true
		}
		for ; sections > 0 && !r.bad; sections-- {
			c.Sections = append(c.Sections, r.vector())
		}
		x.contents[k] = c
	}
	for n := r.count(len(Key{}) + 10); n > 0 && !r.bad; n-- {
		path := r.text()
		f := file{size: int64(r.number()), mtime: r.signed(), key: r.key()}
		f.front = skill.Front{Name: r.text(), Description: r.text()}
		m := &f.front.Meta
		m.Status = skill.Status(r.text())
		m.Helpful, m.Harmful, m.ConsecutiveHarmful = r.number(), r.number(), r.number()
		m.HelpfulContexts, m.HarmfulContexts = r.texts(), r.texts()
		x.files[path] = f
	}
	for n := r.count(3); n > 0 && !r.bad; n-- {
		s := r.text()
		x.texts[s] = text{used: int64(r.number()), vector: r.vector()}
	}
	for n := r.count(len(Key{}) + 2); n > 0 && !r.bad; n-- {
		k := r.key()
		p := pool{used: int64(r.number())}
		many := r.number()
		if many > MaxMeasures {
			r.fail()
		}
		for ; many > 0 && !r.bad; many-- {
			p.measures = append(p.measures, r.float())
		}
		x.pools[k] = p
	}
	if r.bad || r.rest != "" {
		x.pools = map[Key]pool{}
		x.contents, x.files, x.texts = map[Key]*Content{}, map[string]file{}, map[string]text{}
		return errors.New("it is damaged")
	}
	return nil
}

type writer struct{ out []byte }

func (w *writer) number(n int) { w.out = binary.AppendUvarint(w.out, uint64(n)) }
func (w *writer) text(s string) {
	w.number(len(s))
	w.out = append(w.out, s...)
}
func (w *writer) texts(list []string) {
	w.number(len(list))
	for _, s := range list {
		w.text(s)
	}
}
func (w *writer) float(f float32) {
	w.out = binary.LittleEndian.AppendUint32(w.out, math.Float32bits(f))
}
func (w *writer) flag(b bool) {
	if b {
		w.number(1)
	} else {
		w.number(0)
	}
}
func (w *writer) vector(v Vector) {
	w.number(len(v.Steps))
	if len(v.Steps) == 0 {
		return
	}
	w.float(v.Scale)
	for _, s := range v.Steps {
		w.out = append(w.out, byte(s))
	}
}

// A reader reads what a writer wrote; once bad, all it gives is empty.
type reader struct {
	rest string
	bad  bool
}

func (r *reader) fail() { r.bad, r.rest = true, "" }

func (r *reader) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) uvarint() uint64 {
	x, shift := uint64(0), 0
	for i := 0; i < len(r.rest) && i < 10; i++ {
		b := r.rest[i]
		x |= uint64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return x
		}
	}
	r.fail()
	return 0
}

func (r *reader) number() int {
	x := r.uvarint()
	if x > math.MaxInt32*1024 {
		r.fail()
		return 0
	}
	return int(x)
}

func (r *reader) signed() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads how many rows follow, each of at least so many bytes.
func (r *reader) count(least int) int {
	n := r.number()
	if n > len(r.rest)/least {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) text() string { return r.take(r.number()) }

func (r *reader) texts() (list []string) {
	n := r.number()
	if n > skill.MaxContexts {
		r.fail()
	}
	for ; n > 0 && !r.bad; n-- {
		list = append(list, strings.Clone(r.text()))
	}
	return list
}

func (r *reader) float() float32 {
	s := r.take(4)
	if s == "" {
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32([]byte(s)))
	if f != f || f < 0 || f > 1e9 {
		r.fail()
		return 0
	}
	return f
}

func (r *reader) flag() bool { return r.number() == 1 }

func (r *reader) key() (k Key) {
	copy(k[:], r.take(len(k)))
	return k
}

func (r *reader) vector() (v Vector) {
	n := r.number()
	if n > maxVector {
		r.fail()
	}
	if n == 0 || r.bad {
		return Vector{}
	}
	v.Scale = r.float()
	s := r.take(n)
	v.Steps = make([]int8, len(s))
	for i := range len(s) {
		v.Steps[i] = int8(s[i])
	}
	return v
}
