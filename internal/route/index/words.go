package index

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/spool"
)

// A Cut counts what an index leaves out so that each of its files can be read.
type Cut struct {
	Postings int // places of terms that stand nearly everywhere
	Terms    int // terms
	Edges    int // edges of files that nearly all others use
}

// Cut tells what Write left out.
func (b *Builder) Cut() Cut { return b.cut }

// Bounds that keep every piece below [bundle.MaxFile].
const (
	mostPostings = 1 << 17  // of one list of a term
	mostEdges    = 1 << 17  // of one file, out or in
	mostPiece    = 18 << 20 // bytes of a piece of words
)

// heldRows is how much of the rows of terms waits in memory, in bytes.
const heldRows = 48 << 20

// writeWords cuts the terms into pieces of about wordsPiece.
func (b *Builder) writeWords(h *Header, put func(string, []byte) error) error {
	norms, err := b.norms()
	if err != nil {
		return err
	}
	rows := newRowStore(heldRows)
	defer rows.away.Close()
	size := 0
	err = b.terms.each(func(t string, d *termData) {
		row := norms.row(t, d)
		size += len(row) + 1
		if len(row) > 0 {
			rows.add(t, row)
		}
	})
	if err != nil {
		return err
	}
	h.Pieces = 1
	for h.Pieces < maxPieces && size/h.Pieces > wordsPiece {
		h.Pieces *= 2
	}
	return rows.pieces(h.Pieces, &b.cut, put)
}

// buckets is how many parts rows wait in, a power of two: what is read at
// once to make pieces is one of them.
const buckets = 64

// A rowStore keeps rows until the number of pieces is known. A row waits in
// the bucket of its hash.
type rowStore struct {
	away   *spool.Spool
	bucket [buckets]struct {
		open   []byte
		blocks []spool.Place
	}
	count int
}

func newRowStore(held int) *rowStore { return &rowStore{away: spool.New(held)} }

// add takes the row of the next term.
func (s *rowStore) add(term string, row []byte) {
	h := fnv.New32a()
	h.Write([]byte(term))
	hash := h.Sum32()
	b := &s.bucket[hash%buckets]
	b.open = binary.LittleEndian.AppendUint32(b.open, hash)
	b.open = binary.AppendUvarint(b.open, uint64(s.count))
	b.open = binary.AppendUvarint(b.open, uint64(len(row)))
	b.open = append(b.open, row...)
	s.count++
	if len(b.open) >= block {
		b.blocks = append(b.blocks, s.away.Put(b.open))
		b.open = nil
	}
}

// A waiting row is one of a piece that is being made.
type waitingRow struct {
	piece, number int
	text          []byte
}

// group reads the rows of the buckets that step after first.
func (s *rowStore) group(first, step, pieces int) (rows []waitingRow, err error) {
	for n := first; n < buckets; n += step {
		b := &s.bucket[n]
		for i := range len(b.blocks) + 1 {
			data := b.open
			if i < len(b.blocks) {
				if data, err = s.away.Get(b.blocks[i]); err != nil {
					return nil, err
				}
			}
			for len(data) > 0 {
				r := waitingRow{piece: int(binary.LittleEndian.Uint32(data) % uint32(pieces))}
				number, n := binary.Uvarint(data[4:])
				size, m := binary.Uvarint(data[4+n:])
				data = data[4+n+m:]
				r.number, r.text, data = int(number), data[:size], data[size:]
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

// pieces gives the pieces to put, each with its terms in their order.
func (s *rowStore) pieces(count int, cut *Cut, put func(string, []byte) error) error {
	groups := min(count, buckets)
	for g := range groups {
		rows, err := s.group(g, groups, count)
		if err != nil {
			return err
		}
		order.By(rows, func(a, b waitingRow) int { return cmp.Or(a.piece-b.piece, a.number-b.number) })
		for n := g; n < count; n += groups {
			size := len("{\n}\n")
			for i := 0; i < len(rows) && rows[i].piece == n; i++ {
				size += len(",\n") + len(rows[i].text)
			}
			out := append(make([]byte, 0, min(size, bundle.MaxFile)), '{')
			for len(rows) > 0 && rows[0].piece == n {
				text := rows[0].text
				rows = rows[1:]
				if len(out)+len(text) > mostPiece {
					cut.Terms++
					continue
				}
				if len(out) > 1 {
					out = append(out, ',')
				}
				out = append(append(out, '\n'), text...)
			}
			out = append(out, "\n}\n"...)
			if err := put(bundle.PieceName(bundle.WordsDir, n), out); err != nil {
				return err
			}
		}
	}
	return nil
}
