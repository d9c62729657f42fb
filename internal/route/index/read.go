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
	maxPieces = 4096
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
	case h.Pieces < 1 || h.Pieces > maxPieces:
		return nil, bad("the number of word pieces is out of range")
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
		n := Shard(t, r.Header.Pieces)
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
		n := Shard(t, r.Header.Pieces)
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
			p.Files, err = c.Ints(nil)
		case "h":
			p.History, err = c.Ints(nil)
		case "c":
			p.Changes, err = c.Ints(nil)
		case "p":
			p.Passages, err = c.Ints(nil)
		case "w":
			p.Paths, err = c.Ints(nil)
		case "n":
			p.Names, err = c.Ints(nil)
		case "d":
			p.Docs, err = c.Ints(nil)
		case "x":
			p.Exact, err = c.Ints(nil)
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

// maxValue is the largest share or impact that a posting may have: a larger
// one would lift a file above everything.
const maxValue = 100

// Pairs calls yield for each (file, value) of a Files or History list. It
// stops quietly at what makes no sense, for the list is foreign.
func (r *Reader) Pairs(list []int, yield func(file, value int)) {
	file := -1
	for i := 0; i+1 < len(list); i += 2 {
		if list[i] < 1 {
			return
		}
		if file += list[i]; file >= r.Header.Files {
			return
		}
		if v := list[i+1]; v >= 0 && v <= maxValue {
			yield(file, v)
		}
	}
}

// Groups calls yield for each (file, part, value) of a Passages, Names or
// Docs list.
func (r *Reader) Groups(list []int, yield func(file, part, value int)) {
	r.groups(list, 2, func(file int, item []int) {
		if v := item[1]; v >= 0 && v <= maxValue {
			yield(file, item[0], v)
		}
	})
}

// Exact calls yield for each (file, definition) of an Exact list; −1 is the
// file itself.
func (r *Reader) Exact(list []int, yield func(file, def int)) {
	r.groups(list, 1, func(file int, item []int) { yield(file, item[0]-1) })
}

func (r *Reader) groups(list []int, width int, yield func(file int, item []int)) {
	file := -1
	for i := 0; i+1 < len(list); {
		delta, count := list[i], list[i+1]
		if i += 2; delta < 1 || count < 0 || count > (len(list)-i)/width {
			return
		}
		if file += delta; file >= r.Header.Files {
			return
		}
		for range count {
			if list[i] >= 0 && list[i] <= maxItems {
				yield(file, list[i:i+width])
			}
			i += width
		}
	}
}
