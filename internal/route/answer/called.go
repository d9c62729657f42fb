package answer

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// called lists the definitions of the term's name, and the files of its base
// name, at most maxMeanings of each. unread is how many more there are: to
// look at one may cost a piece. A term that names a file is looked for in
// that file only, however many others there are.
func (e *Engine) called(t term) (list []ref, unread int, err error) {
	keys := []string{index.ExactKey(lexicon.Fold(t.name))}
	if t.base != "" {
		keys = append(keys, index.ExactKey(lexicon.Fold(t.base)))
	}
	if t.file != "" {
		keys = append(keys, index.ExactKey(lexicon.Fold(t.file[strings.LastIndexByte(t.file, '/')+1:])))
	}
	postings, err := e.index.Terms(keys)
	if err != nil {
		return nil, 0, err
	}
	lists := make([][]ref, len(keys))
	for i := range keys {
		e.index.Exact(postings[i].Exact, func(f, d int) { lists[i] = append(lists[i], ref{f, d}) })
	}
	if t.file != "" {
		lists[0], err = e.within(lists[0], lists[1], t.file)
		lists = lists[:1]
	} else if t.base != "" {
		lists[1], err = e.within(lists[1], lists[1], t.whole)
	}
	seen := map[ref]bool{}
	for _, all := range lists {
		n := 0
		for _, r := range all {
			switch {
			case seen[r]:
			case n == maxMeanings:
				unread++
			default:
				n++
				list = append(list, r)
			}
			seen[r] = true
		}
	}
	return list, unread, err
}

// within narrows a list that is too long to those files among named whose
// base name is the path's; if that is not enough, to the file of just this
// path. Files are numbered in the order of their class and path, so few
// records are looked at for that.
func (e *Engine) within(list, named []ref, path string) ([]ref, error) {
	if len(list) <= maxMeanings {
		return list, nil
	}
	files := map[int]bool{}
	for _, r := range named {
		if r.def < 0 {
			files[r.file] = true
		}
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r ref) bool { return !files[r.file] })
	if len(list) <= maxMeanings {
		return list, nil
	}
	var err error
	compare := func(i int) int {
		rec, readErr := e.index.File(list[i].file)
		if readErr != nil {
			err = readErr
			return 0
		}
		return cmp.Or(cmp.Compare(index.ClassOfPath(rec.Path), index.ClassOfPath(path)), strings.Compare(rec.Path, path))
	}
	from, found := sort.Find(len(list), func(i int) int { return -compare(i) })
	if err != nil || !found {
		return list, err
	}
	file := list[from].file
	return slices.DeleteFunc(list, func(r ref) bool { return r.file != file }), nil
}
