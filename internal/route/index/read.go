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
		yield(file, list[i+1])
	}
}

// Groups calls yield for each (file, part, value) of a Passages, Names or
// Docs list.
func (r *Reader) Groups(list []int, yield func(file, part, value int)) {
	r.groups(list, 2, func(file int, item []int) { yield(file, item[0], item[1]) })
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
			if list[i] >= 0 {
				yield(file, list[i:i+width])
			}
			i += width
		}
	}
}

// Prefetch starts reading the records of the given files.
func (r *Reader) Prefetch(files []int) {
	var names []string
	seen := map[int]bool{}
	for _, f := range files {
		if n, ok := r.piece(f); ok && !seen[n] && r.nodes[n] == nil {
			seen[n] = true
			names = append(names, bundle.PieceName(bundle.NodesDir, n))
		}
	}
	r.bundle.Prefetch(names...)
}

func (r *Reader) piece(file int) (int, bool) {
	if file < 0 || file >= r.Header.Files {
		return 0, false
	}
	return sort.SearchInts(r.Header.Nodes, file+1) - 1, true
}

// A nodePiece is a run of records, each decoded when asked for.
type nodePiece struct {
	name    string
	records []*Record
}

// A Record is what a nodes piece knows of one file, decoded as it is asked
// for: an answer needs one definition of a file that has hundreds.
type Record struct {
	Path string
	Repo int
	Lang string
	Doc  string
	Cuts []int

	reader  *Reader
	name    string // of the piece
	head    []byte
	rawDefs [][]byte
	rawOut  []byte
	rawIn   []byte
	out, in []Edge
}

// File returns the record of a file.
func (r *Reader) File(file int) (*Record, error) {
	n, ok := r.piece(file)
	if !ok {
		return nil, &bundle.Refused{File: bundle.IndexName, Reason: fmt.Sprintf("there is no file %d", file)}
	}
	p := r.nodes[n]
	if p == nil {
		var err error
		if p, err = r.readNodes(n); err != nil {
			return nil, err
		}
		r.nodes[n] = p
	}
	i := file - r.Header.Nodes[n]
	if i >= len(p.records) {
		return nil, &bundle.Refused{File: p.name, Reason: fmt.Sprintf("it lacks file %d", file)}
	}
	rec := p.records[i]
	if rec.head != nil {
		if err := rec.decode(rec.head, rec.readHead); err != nil {
			return nil, err
		}
		rec.head = nil
	}
	return rec, nil
}

// readNodes cuts one piece into records, by its lines.
func (r *Reader) readNodes(n int) (*nodePiece, error) {
	p := &nodePiece{name: bundle.PieceName(bundle.NodesDir, n)}
	data, err := r.bundle.Read(p.name)
	if err != nil {
		return nil, err
	}
	var rec *Record
	for row := range bytes.SplitSeq(data, []byte{'\n'}) {
		row = bytes.TrimSuffix(row, []byte{','})
		switch {
		case bytes.HasPrefix(row, []byte(`{"path":`)):
			rec = &Record{reader: r, name: p.name, head: row}
			p.records = append(p.records, rec)
		case rec == nil:
		case bytes.HasPrefix(row, []byte{'['}):
			rec.rawDefs = append(rec.rawDefs, row)
		case bytes.HasPrefix(row, []byte(`{"out":`)):
			rec.rawOut = row
		case bytes.HasPrefix(row, []byte(`{"in":`)):
			rec.rawIn = row
		}
	}
	return p, nil
}

// decode reads one line of a record.
func (rec *Record) decode(row []byte, read func(*strictjson.Cursor) error) error {
	c, err := strictjson.NewCursor(row)
	if err == nil {
		err = read(c)
	}
	if err == nil {
		err = c.End()
	}
	if err != nil {
		return &bundle.Refused{File: rec.name, Reason: err.Error()}
	}
	return nil
}

func (rec *Record) readHead(c *strictjson.Cursor) error {
	return c.Object(func(key []byte) (err error) {
		switch string(key) {
		case "path":
			rec.Path, err = c.String()
		case "repo":
			rec.Repo, err = c.Int()
		case "lang":
			rec.Lang, err = c.String()
		case "doc":
			rec.Doc, err = c.String()
		case "cuts":
			rec.Cuts, err = c.Ints(nil)
		default:
			err = c.Skip()
		}
		return err
	})
}

// Len is the number of definitions.
func (rec *Record) Len() int { return len(rec.rawDefs) }

// Def returns definition i, 0 ≤ i < Len.
func (rec *Record) Def(i int) (d Def, err error) {
	err = rec.decode(rec.rawDefs[i], func(c *strictjson.Cursor) (err error) {
		d, err = rec.reader.readDef(c)
		return err
	})
	return d, err
}

// Defs returns all definitions.
func (rec *Record) Defs() ([]Def, error) {
	defs := make([]Def, rec.Len())
	for i := range defs {
		var err error
		if defs[i], err = rec.Def(i); err != nil {
			return nil, err
		}
	}
	return defs, nil
}

// Out returns the edges from the file and its definitions.
func (rec *Record) Out() ([]Edge, error) { return rec.edges(&rec.rawOut, &rec.out, outWidth) }

// In returns the edges to the file and its definitions, without lines.
func (rec *Record) In() ([]Edge, error) { return rec.edges(&rec.rawIn, &rec.in, inWidth) }

func (rec *Record) edges(raw *[]byte, edges *[]Edge, width int) ([]Edge, error) {
	if *raw == nil {
		return *edges, nil
	}
	err := rec.decode(*raw, func(c *strictjson.Cursor) error {
		return c.Object(func([]byte) (err error) {
			*edges, err = rec.reader.readEdges(c, width)
			return err
		})
	})
	*raw = nil
	return *edges, err
}

func (r *Reader) readDef(c *strictjson.Cursor) (d Def, err error) {
	i, bits := 0, 0
	err = c.Array(func() (err error) {
		switch i++; i {
		case 1:
			d.Name, err = c.String()
		case 2:
			d.Container, err = c.String()
		case 3:
			var n int
			n, err = c.Int()
			d.Kind = word(r.Header.Kinds, n)
		case 4:
			d.Line, err = c.Int()
		case 5:
			d.End, err = c.Int()
		case 6:
			bits, err = c.Int()
		case 7:
			d.Signature, err = c.String()
		case 8:
			d.Doc, err = c.String()
		default:
			err = c.Skip()
		}
		return err
	})
	d.Exported, d.Entry, d.Test = bits&flagExported != 0, bits&flagEntry != 0, bits&flagTest != 0
	return d, err
}

// An edge is the difference to the definition of the edge before (from −1),
// rule, other file, definition in it and, in the record of the file that
// states it, the line.
const (
	inWidth  = 4
	outWidth = 5
)

func (r *Reader) readEdges(c *strictjson.Cursor, width int) ([]Edge, error) {
	flat, err := c.Ints(nil)
	if err != nil {
		return nil, err
	}
	edges := make([]Edge, 0, len(flat)/width)
	def := -1
	for ; len(flat) >= width; flat = flat[width:] {
		def += flat[0]
		e := Edge{Def: def, File: flat[2], Other: flat[3]}
		if width == outWidth {
			e.Line = flat[4]
		}
		if n := flat[1]; n >= 0 && n < len(r.Header.Rules) {
			e.Rule = r.Header.Rules[n]
		}
		edges = append(edges, e)
	}
	return edges, nil
}

// word is words[n], or "" for a number that a foreign file made up.
func word(words []string, n int) string {
	if n < 0 || n >= len(words) {
		return ""
	}
	return words[n]
}
