package answer

import (
	"cmp"
	"math"
	"slices"
)

// like credits the files of the past changes that were described most like
// the question: the files that one change needs, the next one of its kind
// needs too. told is by change, the rarity of the words it shares with the
// question. A change gives its square, for one that shares all is worth more
// than two that share half, less when it is spread over many files.
func (e *Engine) like(f *field, told []float32) error {
	var nearest []int
	for n, v := range told {
		if v <= 0 {
			continue
		}
		nearer := func(a, b int) int { return cmp.Or(cmp.Compare(told[b], told[a]), cmp.Compare(a, b)) }
		if len(nearest) == likeChanges && nearer(n, nearest[likeChanges-1]) > 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(nearest, n, nearer)
		nearest = slices.Insert(nearest, i, n)
		nearest = nearest[:min(len(nearest), likeChanges)]
	}
	changed, err := e.index.Changes(nearest)
	if err != nil {
		return err
	}
	for i, files := range changed {
		v := float64(told[nearest[i]])
		each := float32(v * v / math.Sqrt(float64(len(files))))
		for _, file := range files {
			f.at(file).like += each
		}
	}
	for i := range f.list {
		c := &f.list[i]
		c.like = float32(math.Sqrt(float64(c.like)))
	}
	return nil
}
