package index

import (
	"container/heap"
	"encoding/binary"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/spool"
)

// The lists of a term, as [Postings] has them.
const (
	inFiles = iota
	inHistory
	inPassages
	inPaths
	inNames
	inDocs
	inExact
	lists
)

// termData is where one term stands, list by list.
type termData struct {
	list    [lists]postingList
	changes []int32
}

type postingList []weighted

// weighted is one posting: how heavily a term stands in a part of a file.
type weighted struct {
	file, part int32
	weight     float32
}

// A termStore gathers postings by term. Past a bound it writes what it holds
// to a temporary file, as a run of terms in their order, and begins anew; the
// runs are merged when they are read.
type termStore struct {
	limit int // bytes to hold, about
	size  int // bytes held, about
	held  map[string]*termData
	order []string // the terms of held, once nothing is added any more
	away  *spool.Spool
	runs  [][]spool.Place // each a run's blocks
}

// What a term and a posting take in memory, in bytes, about.
const (
	termSize    = 320
	postingSize = 18
	changeSize  = 6
)

func newTermStore(limit int) *termStore {
	return &termStore{limit: limit, held: map[string]*termData{}, away: spool.New(0)}
}

func (s *termStore) term(t string) *termData {
	d := s.held[t]
	if d == nil {
		if s.size > s.limit {
			s.spill()
		}
		d = &termData{}
		s.held[strings.Clone(t)] = d
		s.size += termSize + len(t)
	}
	return d
}

func (s *termStore) add(term string, list int, file, part int32, w float64) {
	d := s.term(term)
	d.list[list] = append(d.list[list], weighted{file, part, float32(w)})
	s.size += postingSize
}

// addChange adds a change, whose numbers rise.
func (s *termStore) addChange(term string, number int32) {
	d := s.term(term)
	d.changes = append(d.changes, number)
	s.size += changeSize
}

// block is the size from which a block of a run is written, in bytes.
const block = 64 << 10

// spill writes a run.
func (s *termStore) spill() {
	var run []spool.Place
	out := make([]byte, 0, block*5/4)
	for _, t := range slices.Sorted(maps.Keys(s.held)) {
		if out = appendTerm(out, t, s.held[t]); len(out) >= block {
			run = append(run, s.away.Put(out))
			out = out[:0]
		}
	}
	run = append(run, s.away.Put(out))
	s.runs = append(s.runs, run)
	s.held = make(map[string]*termData, len(s.held))
	s.size = 0
}

// appendTerm writes a term: its text, then each list.
func appendTerm(dst []byte, term string, d *termData) []byte {
	dst = appendText(dst, term)
	for _, list := range d.list {
		dst = binary.AppendUvarint(dst, uint64(len(list)))
		for _, p := range list {
			dst = binary.AppendUvarint(dst, uint64(p.file))
			dst = binary.AppendUvarint(dst, uint64(p.part))
			// Weights are small whole numbers mostly: the low bits are zero.
			dst = binary.AppendUvarint(dst, uint64(bits.Reverse32(math.Float32bits(p.weight))))
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(d.changes)))
	for _, n := range d.changes {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// each gives every term with its lists, in the order of the terms. The lists
// hold until yield returns; yield may put them in another order.
func (s *termStore) each(yield func(term string, d *termData)) error {
	if len(s.runs) > 0 {
		return s.merge(yield)
	}
	if s.order == nil {
		s.order = slices.Sorted(maps.Keys(s.held))
	}
	for _, t := range s.order {
		yield(t, s.held[t])
	}
	return nil
}

func (s *termStore) merge(yield func(term string, d *termData)) error {
	if len(s.held) > 0 {
		s.spill()
	}
	s.held = nil
	var open runHeap
	for n, blocks := range s.runs {
		r := &runReader{number: n, away: s.away, blocks: blocks}
		if r.next() {
			open = append(open, r)
		} else if r.err != nil {
			return r.err
		}
	}
	heap.Init(&open)
	var d termData
	for len(open) > 0 {
		term := open[0].term
		for i := range d.list {
			d.list[i] = d.list[i][:0]
		}
		d.changes = d.changes[:0]
		for len(open) > 0 && open[0].term == term {
			r := open[0]
			r.read(&d)
			if r.next() {
				heap.Fix(&open, 0)
			} else {
				heap.Pop(&open)
			}
			if r.err != nil {
				return r.err
			}
		}
		yield(term, &d)
	}
	return nil
}

func (s *termStore) close() {
	s.away.Close()
	s.held, s.order, s.runs = nil, nil, nil
}

// A runReader reads one run, term by term.
type runReader struct {
	number int
	away   *spool.Spool
	blocks []spool.Place
	rest   []byte
	term   string
	err    error
}

// next goes to the next term, if there is one.
func (r *runReader) next() bool {
	for len(r.rest) == 0 {
		if len(r.blocks) == 0 {
			return false
		}
		if r.rest, r.err = r.away.Get(r.blocks[0]); r.err != nil {
			return false
		}
		r.blocks = r.blocks[1:]
	}
	n := r.uvarint()
	r.term = string(r.rest[:n])
	r.rest = r.rest[n:]
	return true
}

// read adds the lists of the term.
func (r *runReader) read(d *termData) {
	for i := range d.list {
		for range r.uvarint() {
			d.list[i] = append(d.list[i], weighted{int32(r.uvarint()), int32(r.uvarint()), math.Float32frombits(bits.Reverse32(uint32(r.uvarint())))})
		}
	}
	for range r.uvarint() {
		d.changes = append(d.changes, int32(r.uvarint()))
	}
}

func (r *runReader) uvarint() uint64 {
	x, n := binary.Uvarint(r.rest)
	r.rest = r.rest[n:]
	return x
}

// A runHeap has the run with the first term in front, and of several the
// earliest: the numbers of changes rise from run to run.
type runHeap []*runReader

func (h runHeap) Len() int { return len(h) }
func (h runHeap) Less(i, j int) bool {
	if h[i].term != h[j].term {
		return h[i].term < h[j].term
	}
	return h[i].number < h[j].number
}
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)   { *h = append(*h, x.(*runReader)) }
func (h *runHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
