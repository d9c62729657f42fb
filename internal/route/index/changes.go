package index

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// changesPiece is how many changes stand in one changes/NN.json. A question
// reads those of some twenty, which lie anywhere: pieces are small.
const changesPiece = 512

// maxChanges bounds the changes that a header may claim.
const maxChanges = 1 << 20

// Change takes one past commit: what its author said, and the paths of the
// files that it changed. Commits come by repository, newest first. One that
// changed no file of the index is passed over.
func (b *Builder) Change(subject string, paths []string) {
	var files []int32
	for _, p := range paths {
		if n, ok := b.number[p]; ok {
			files = append(files, int32(n))
		}
	}
	if len(files) == 0 || len(b.changes) == maxChanges {
		return
	}
	slices.Sort(files)
	number := int32(len(b.changes))
	b.changes = append(b.changes, slices.Compact(files))
	seen := map[string]bool{}
	lexicon.Words(subject, func(t string) {
		if !seen[t] {
			seen[t] = true
			b.terms.addChange(t, number)
		}
	})
}

// encodeChanges writes the files of each change, one change a line.
func (b *Builder) encodeChanges() [][]byte {
	var pieces [][]byte
	for run := range slices.Chunk(b.changes, changesPiece) {
		piece := []byte(`{"items":[`)
		for i, files := range run {
			if i > 0 {
				piece = append(piece, ',')
			}
			piece = append(piece, '\n', '[')
			last := int32(-1)
			for i, f := range files {
				if i > 0 {
					piece = append(piece, ',')
				}
				piece = strconv.AppendInt(piece, int64(f-last), 10)
				last = f
			}
			piece = append(piece, ']')
		}
		pieces = append(pieces, append(piece, "\n]}\n"...))
	}
	return pieces
}

// Changes gives the files of each of the changes, in their order.
func (r *Reader) Changes(numbers []int) ([][]int, error) {
	var names []string
	for _, n := range numbers {
		if name := changesName(n); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	r.bundle.Prefetch(names...)
	pieces := map[string][][]byte{}
	out := make([][]int, len(numbers))
	for i, n := range numbers {
		name := changesName(n)
		rows, ok := pieces[name]
		if !ok {
			data, err := r.bundle.Read(name)
			if err != nil {
				return nil, err
			}
			rows = bytes.SplitN(data, []byte{'\n'}, changesPiece+3)
			pieces[name] = rows
		}
		// The first row opens the list, the last two close it.
		at := n%changesPiece + 1
		if at >= len(rows)-2 {
			return nil, &bundle.Refused{File: name, Reason: fmt.Sprintf("it lacks change %d", n)}
		}
		files, err := r.changedFiles(bytes.TrimSuffix(rows[at], []byte{','}))
		if err != nil {
			return nil, &bundle.Refused{File: name, Reason: fmt.Sprintf("change %d: %v", n, err)}
		}
		out[i] = files
	}
	return out, nil
}

func changesName(n int) string { return bundle.PieceName(bundle.ChangesDir, n/changesPiece) }

// changedFiles reads one line.
func (r *Reader) changedFiles(row []byte) ([]int, error) {
	c, err := strictjson.NewCursor(row)
	if err != nil {
		return nil, err
	}
	list, err := c.Ints(nil)
	if err == nil {
		err = c.End()
	}
	if err != nil {
		return nil, err
	}
	file := -1
	for i, delta := range list {
		if delta < 1 || delta >= r.Header.Files-file {
			return nil, fmt.Errorf("it names no file of the index")
		}
		file += delta
		list[i] = file
	}
	return list, nil
}

// Numbers calls yield for each number of a Changes list. It stops quietly at
// what makes no sense, for the list is foreign.
func (r *Reader) Numbers(list []int, yield func(change int)) {
	n := -1
	for _, delta := range list {
		if delta < 1 || delta >= r.Header.Changes-n {
			return
		}
		n += delta
		yield(n)
	}
}
