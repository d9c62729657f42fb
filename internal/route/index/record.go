package index

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

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
	defs    []Def // all of them, once they were asked for
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
		if !ValidPath(rec.Path) {
			return nil, &bundle.Refused{File: p.name, Reason: fmt.Sprintf("%q is not the path of a file in a workspace", plaintext.Line(rec.Path, 200))}
		}
		rec.head = nil
	}
	return rec, nil
}

// maxItems bounds the items of one piece: an empty one costs a reader more
// memory than it has bytes.
const maxItems = 1 << 18

// readNodes cuts one piece into records, by its lines.
func (r *Reader) readNodes(n int) (*nodePiece, error) {
	p := &nodePiece{name: bundle.PieceName(bundle.NodesDir, n)}
	data, err := r.bundle.Read(p.name)
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(data, []byte{'\n'}); n > maxItems {
		return nil, &bundle.Refused{File: p.name, Reason: fmt.Sprintf("it has %d items; at most %d are read", n, maxItems)}
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

// ValidPath reports whether a file of a workspace may have this path: it is
// relative and clean, does not leave the workspace, and an answer can carry
// it unchanged.
func ValidPath(p string) bool {
	return p != "" && p != "." && p != ".." && !path.IsAbs(p) && !strings.HasPrefix(p, "../") && path.Clean(p) == p && utf8.ValidString(p) &&
		!strings.ContainsFunc(p, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) })
}

// Len is the number of definitions.
func (rec *Record) Len() int { return len(rec.rawDefs) }

// Def returns definition i, 0 ≤ i < Len.
func (rec *Record) Def(i int) (d Def, err error) {
	if rec.defs != nil {
		return rec.defs[i], nil
	}
	err = rec.decode(rec.rawDefs[i], func(c *strictjson.Cursor) (err error) {
		d, err = rec.reader.readDef(c)
		return err
	})
	return d, err
}

// Defs returns all definitions. The caller must not change them.
func (rec *Record) Defs() ([]Def, error) {
	if rec.defs == nil {
		defs := make([]Def, rec.Len())
		for i := range defs {
			var err error
			if defs[i], err = rec.Def(i); err != nil {
				return nil, err
			}
		}
		rec.defs = defs
	}
	return rec.defs, nil
}

// Out returns the edges from the file and its definitions, by definition.
func (rec *Record) Out() ([]Edge, error) { return rec.edges(&rec.rawOut, &rec.out, outWidth) }

// In returns the edges to the file and its definitions, by definition and
// without lines.
func (rec *Record) In() ([]Edge, error) { return rec.edges(&rec.rawIn, &rec.in, inWidth) }

// OutOf returns the edges from one definition, or from the file (−1).
func (rec *Record) OutOf(def int) ([]Edge, error) { return of(def, rec.Out) }

// InTo returns the edges to one definition, or to the file (−1).
func (rec *Record) InTo(def int) ([]Edge, error) { return of(def, rec.In) }

func of(def int, all func() ([]Edge, error)) ([]Edge, error) {
	edges, err := all()
	first := sort.Search(len(edges), func(i int) bool { return edges[i].Def >= def })
	end := first + sort.Search(len(edges)-first, func(i int) bool { return edges[first+i].Def > def })
	return edges[first:end], err
}

func (rec *Record) edges(raw *[]byte, edges *[]Edge, width int) ([]Edge, error) {
	if *raw == nil {
		return *edges, nil
	}
	var read []Edge
	err := rec.decode(*raw, func(c *strictjson.Cursor) error {
		return c.Object(func([]byte) (err error) {
			read, err = rec.readEdges(c, width)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	*raw, *edges = nil, read
	return read, nil
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
	if err == nil && i < 8 {
		err = fmt.Errorf("a definition has 8 fields, not %d", i)
	}
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

// readEdges refuses an edge that leads nowhere. Only whether the other file
// has the definition is left open: it would cost that file's record.
func (rec *Record) readEdges(c *strictjson.Cursor, width int) ([]Edge, error) {
	flat, err := c.Ints(nil)
	if err != nil {
		return nil, err
	}
	if len(flat)%width != 0 {
		return nil, fmt.Errorf("%d numbers do not make edges of %d each", len(flat), width)
	}
	h := &rec.reader.Header
	edges := make([]Edge, 0, len(flat)/width)
	def := -1
	for ; len(flat) > 0; flat = flat[width:] {
		delta, rule := flat[0], flat[1]
		e := Edge{File: flat[2], Other: flat[3]}
		if width == outWidth {
			e.Line = flat[4]
		}
		switch {
		case delta < 0 || delta >= rec.Len()-def:
			return nil, errors.New("an edge names a definition that the file has not")
		case rule < 0 || rule >= len(h.Rules):
			return nil, errors.New("an edge names a rule that the index has not")
		case e.File < 0 || e.File >= h.Files || e.Other < -1 || e.Line < 0:
			return nil, errors.New("an edge leads to no file of the index")
		}
		def += delta
		e.Def, e.Rule = def, h.Rules[rule]
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
