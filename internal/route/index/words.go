package index

import (
	"hash/fnv"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
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

// writeWords cuts the terms, in their order, into pieces of about wordsPiece:
// neighbours begin alike, and what begins alike packs well.
func (b *Builder) writeWords(h *Header, put func(string, []byte) error) error {
	norms, err := b.norms()
	if err != nil {
		return err
	}
	w := &wordsWriter{put: put, cut: &b.cut, first: []string{}}
	err = b.terms.each(func(t string, d *termData) { w.add(t, norms.row(t, d)) })
	if err == nil {
		err = w.flush()
	}
	h.Words = w.first
	return err
}

// A wordsWriter cuts rows into pieces.
type wordsWriter struct {
	put   func(string, []byte) error
	cut   *Cut
	first []string // term of each piece
	out   []byte   // of the last
	err   error
}

// pieceSize is how large piece n may grow: the first thousand as wordsPiece
// says, each further thousand twice as large as the one before, so that the
// pieces of the largest workspace are few enough to be listed.
func pieceSize(n int) int { return min(mostPiece, wordsPiece<<(n>>10)) }

// mayEnd says whether a piece may end before a term. It depends on the term
// alone, so that what is added to one piece moves no border of others.
func mayEnd(term string) bool {
	h := fnv.New32a()
	h.Write([]byte(term))
	return h.Sum32()%32 == 0
}

// add takes the row of the next term, or nothing.
func (w *wordsWriter) add(term string, row []byte) {
	switch n := pieceSize(max(0, len(w.first)-1)); {
	case w.err != nil || len(row) == 0:
		return
	case len(row) > mostPiece:
		w.cut.Terms++
		return
	case len(w.out) > 0 && (len(w.out)+len(row) > n || len(w.out) > n*3/4 && mayEnd(term)):
		w.err = w.flush()
	}
	if len(w.out) == 0 {
		w.first = append(w.first, term)
		w.out = append(w.out, '{')
	} else {
		w.out = append(w.out, ',')
	}
	w.out = append(append(w.out, '\n'), row...)
}

// flush gives the last piece to put.
func (w *wordsWriter) flush() error {
	if w.err != nil || len(w.out) == 0 {
		return w.err
	}
	data := append(w.out, "\n}\n"...)
	w.out = nil
	return w.put(bundle.PieceName(bundle.WordsDir, len(w.first)-1), data)
}
