package answer

import (
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/order"
)

// An Edit is a run of changed lines, as they were when the index was made. To
// is From−1 where lines were only added behind To.
type Edit struct {
	Path     string // from the workspace's root
	From, To int
}

// Edited finds the definitions that edits change: the innermost around each,
// or the file where there is none. outside counts the files that the index
// lacks.
func (e *Engine) Edited(edits []Edit) (l *Lookup, outside int, err error) {
	l = &Lookup{alone: true}
	byPath := map[string][]Edit{}
	var paths []string
	for _, x := range edits {
		if byPath[x.Path] == nil {
			paths = append(paths, x.Path)
		}
		byPath[x.Path] = append(byPath[x.Path], x)
	}
	order.By(paths, func(a, b string) int {
		if a < b {
			return -1
		}
		return 1
	})
	for _, p := range paths {
		file, ok, err := e.fileAt(p)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			outside++
			continue
		}
		if err := e.edited(l, file, byPath[p]); err != nil {
			return nil, 0, err
		}
	}
	return l, outside, nil
}

func (e *Engine) edited(l *Lookup, file int, edits []Edit) error {
	rec, err := e.index.File(file)
	if err != nil {
		return err
	}
	defs, err := rec.Defs()
	if err != nil {
		return err
	}
	seen := map[int]bool{}
	for _, x := range edits {
		list := innermost(defs, x)
		if len(list) == 0 {
			list = []int{-1}
		}
		for _, def := range list {
			if seen[def] {
				continue
			}
			seen[def] = true
			n, err := node(rec, ref{file, def})
			if err != nil {
				return err
			}
			l.Found, l.refs = append(l.Found, n), append(l.refs, ref{file, def})
		}
	}
	return nil
}

// innermost are the definitions that an edit touches, without those of which
// it touches only what a smaller one holds.
func innermost(defs []index.Def, x Edit) (list []int) {
	from, to := x.From, x.To
	if to < from {
		from, to = to, from // between two lines: inside where both are
	}
	inside := func(d index.Def) bool { return d.Line <= from && to <= d.End }
	for i, d := range defs {
		if d.Line > to || d.End < from || x.To < x.From && !inside(d) {
			continue
		}
		smaller := false
		for j, o := range defs {
			smaller = smaller || j != i && inside(o) && o.Line >= d.Line && o.End <= d.End && (o.End-o.Line < d.End-d.Line || j > i)
		}
		if !smaller {
			list = append(list, i)
		}
	}
	return list
}

// fileAt is the number of the file of just this path.
func (e *Engine) fileAt(path string) (file int, ok bool, err error) {
	from, to, err := e.filesUnder(index.ClassOfPath(path), path, false)
	return from, from < to, err
}
