package ruleset

import (
	"iter"
	"slices"
)

// A pair is an element of the file's set and the one of the live set that it
// belongs to; one of the two may be absent.
type pair struct{ want, have Value }

func (p pair) either() Value {
	if p.want.kind != Absent {
		return p.want
	}
	return p.have
}

// match pairs the elements of two sets: first those that are equal, then
// those of one key, in order. Elements of one key may be several; each pairs
// once.
func match(want, have []Value, key func(Value) string) []pair {
	byForm, byKey := map[string][]int{}, map[string][]int{}
	for i, h := range have {
		byForm[string(h.JSON())] = append(byForm[string(h.JSON())], i)
	}
	partner := make([]int, len(want))
	taken := make([]bool, len(have))
	for i, w := range want {
		partner[i] = -1
		if same := byForm[string(w.JSON())]; len(same) > 0 {
			partner[i], byForm[string(w.JSON())] = same[0], same[1:]
			taken[same[0]] = true
		}
	}
	for i, h := range have {
		if !taken[i] {
			byKey[key(h)] = append(byKey[key(h)], i)
		}
	}
	var pairs []pair
	for i, w := range want {
		if left := byKey[key(w)]; partner[i] < 0 && len(left) > 0 {
			partner[i], byKey[key(w)] = left[0], left[1:]
			taken[left[0]] = true
		}
		if partner[i] < 0 {
			pairs = append(pairs, pair{want: w})
		} else {
			pairs = append(pairs, pair{w, have[partner[i]]})
		}
	}
	for i, h := range have {
		if !taken[i] {
			pairs = append(pairs, pair{have: h})
		}
	}
	return slices.Clip(pairs)
}

// members are the members of two canonical objects by name, sorted.
func members(want, have Value) iter.Seq2[string, pair] {
	return func(yield func(string, pair) bool) {
		w, h := want.members, have.members
		for len(w) > 0 || len(h) > 0 {
			var name string
			var p pair
			switch {
			case len(h) == 0 || len(w) > 0 && w[0].Name < h[0].Name:
				name, p.want, w = w[0].Name, w[0].Value, w[1:]
			case len(w) == 0 || h[0].Name < w[0].Name:
				name, p.have, h = h[0].Name, h[0].Value, h[1:]
			default:
				name, p.want, p.have, w, h = w[0].Name, w[0].Value, h[0].Value, w[1:], h[1:]
			}
			if !yield(name, p) {
				return
			}
		}
	}
}
