package index

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// Bounds on what a header may claim, so that a lying one costs nothing.
const (
	maxFiles  = 2_000_000
	maxPieces = 1 << 14
)

// A Reader answers from the index of one bundle. It reads a piece when it is
// first asked for and keeps what it decoded; it is not safe for concurrent
// use.
type Reader struct {
	bundle *bundle.Bundle
	Header Header
	words  map[int]map[string]Postings
	nodes  map[int]*nodePiece
}

// Open reads the header.
func Open(b *bundle.Bundle) (*Reader, error) {
	r := &Reader{bundle: b, words: map[int]map[string]Postings{}, nodes: map[int]*nodePiece{}}
	if err := r.readHeader(); err != nil {
		return nil, err
	}
	h := &r.Header
	bad := func(what string) error {
		return &bundle.Refused{File: bundle.IndexName, Reason: what}
	}
	switch {
	case h.Lexicon != lexicon.Version:
		return nil, &bundle.Refused{File: bundle.IndexName, Next: "update the routing skill (skills-vendor update routing), or use git grep",
			Reason: fmt.Sprintf("its words are cut by rules %d, this program knows rules %d", h.Lexicon, lexicon.Version)}
	case len(h.Words) > maxPieces:
		return nil, bad("the number of word pieces is out of range")
	case h.Files > 0 && len(h.Words) == 0: // so of builders that cut words by their hash
		return nil, bad("there are files but no word pieces")
	case !sort.StringsAreSorted(h.Words):
		return nil, bad("the word pieces are not in order")
	case h.Files < 0 || h.Files > maxFiles || h.Names < 0:
		return nil, bad("the number of files is out of range")
	case h.Changes < 0 || h.Changes > maxChanges:
		return nil, bad("the number of changes is out of range")
	case len(h.Classes) != Classes || !sort.IntsAreSorted(h.Classes) || h.Classes[0] != 0 || h.Classes[Classes-1] > h.Files:
		return nil, bad("the classes are not in order")
	case !sort.IntsAreSorted(h.Nodes) || len(h.Nodes) > 0 && h.Nodes[0] != 0 || len(h.Nodes) > h.Files:
		return nil, bad("the node pieces are not in order")
	case h.Files > 0 && len(h.Nodes) == 0:
		return nil, bad("there are files but no node pieces")
	}
	return r, nil
}

// Terms reads the postings of the given terms. The result is in their order;
// a term that no file holds has empty lists.
func (r *Reader) Terms(terms []string) ([]Postings, error) {
	want := map[int]map[string]bool{}
	for _, t := range terms {
		n := r.wordsPiece(t)
		if n < 0 {
			continue
		}
		if want[n] == nil {
			want[n] = map[string]bool{}
		}
		want[n][t] = true
	}
	var names []string
	for n := range want {
		names = append(names, bundle.PieceName(bundle.WordsDir, n))
	}
	r.bundle.Prefetch(names...)
	out := make([]Postings, len(terms))
	for i, t := range terms {
		n := r.wordsPiece(t)
		if n < 0 {
			continue
		}
		if r.words[n] == nil {
			r.words[n] = map[string]Postings{}
		}
		if p, ok := r.words[n][t]; ok {
			out[i] = p
			continue
		}
		found, err := r.readWords(n, want[n])
		if err != nil {
			return nil, err
		}
		for t := range want[n] {
			r.words[n][t] = found[t]
		}
		out[i] = found[t]
	}
	return out, nil
}

// wordsPiece is the number of the piece that a term stands in, or −1 for one
// before the first.
func (r *Reader) wordsPiece(term string) int {
	return sort.Search(len(r.Header.Words), func(i int) bool { return r.Header.Words[i] > term }) - 1
}

// readWords reads the wanted terms of one piece.
func (r *Reader) readWords(n int, want map[string]bool) (map[string]Postings, error) {
	name := bundle.PieceName(bundle.WordsDir, n)
	data, err := r.bundle.Read(name)
	if err != nil {
		return nil, err
	}
	found := map[string]Postings{}
	for term := range want {
		row := line(data, append(AppendString([]byte{'\n'}, term), ':'))
		if row == nil {
			continue
		}
		c, err := strictjson.NewCursor(row)
		if err == nil {
			found[term], err = readPostings(c)
		}
		if err != nil {
			return nil, &bundle.Refused{File: name, Reason: fmt.Sprintf("the term %q: %v", term, err)}
		}
	}
	return found, nil
}

// line returns what follows key on its line, without the comma that ends it,
// or nil.
func line(data, key []byte) []byte {
	i := bytes.Index(data, key)
	if i < 0 {
		return nil
	}
	row, _, _ := bytes.Cut(data[i+len(key):], []byte{'\n'})
	return bytes.TrimSuffix(row, []byte{','})
}

func readPostings(c *strictjson.Cursor) (p Postings, err error) {
	err = c.Object(func(key []byte) (err error) {
		switch string(key) {
		case "f":
			p.Files, err = c.String()
		case "h":
			p.History, err = c.String()
		case "c":
			p.Changes, err = c.Ints(nil)
		case "w":
			p.Paths, err = c.String()
		case "n":
			p.Names, err = c.String()
		case "d":
			p.Docs, err = c.String()
		case "x":
			p.Exact, err = c.String()
		default:
			err = c.Skip()
		}
		return err
	})
	if err == nil {
		err = c.End()
	}
	return p, err
}
