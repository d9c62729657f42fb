package answer

import (
	"sort"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// filesUnder are the numbers from ≤ n < to of the files of a class that have a
// path, or whose path begins with it. Files are numbered in the order of their
// class and path, so a few records are looked at.
func (e *Engine) filesUnder(class index.Class, path string, prefix bool) (from, to int, err error) {
	h := &e.index.Header
	first, end := h.Classes[class], h.Files
	if int(class)+1 < len(h.Classes) {
		end = h.Classes[class+1]
	}
	// search is the first file at which or behind which the path belongs.
	search := func(before func(string) bool) int {
		return first + sort.Search(end-first, func(i int) bool {
			rec, readErr := e.index.File(first + i)
			if readErr != nil {
				err = readErr
				return true
			}
			return !before(rec.Path)
		})
	}
	from = search(func(p string) bool { return p < path })
	to = search(func(p string) bool {
		return p <= path || prefix && len(p) > len(path) && p[:len(path)] == path
	})
	return from, max(from, to), err
}
