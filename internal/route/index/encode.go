package index

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// An encoder writes the lists of one term.
type encoder struct {
	out []byte
	cut *Cut
}

func (e *encoder) open(key string) {
	if len(e.out) > 0 {
		e.out = append(e.out, ',')
	}
	e.out = append(e.out, '"')
	e.out = append(e.out, key...)
	e.out = append(e.out, '"', ':', '[')
}

func (e *encoder) int(n int) {
	if e.out[len(e.out)-1] != '[' {
		e.out = append(e.out, ',')
	}
	e.out = strconv.AppendInt(e.out, int64(n), 10)
}

// heaviest cuts a list that is too long to be read for a question. A term with
// so many places tells little; those where it weighs most stay, the first
// files before the others.
func (e *encoder) heaviest(list postingList, value func(weighted) int) postingList {
	if len(list) <= mostPostings {
		return list
	}
	e.cut.Postings += len(list) - mostPostings
	sorted(list)
	if value != nil {
		slices.SortStableFunc(list, func(a, b weighted) int { return value(b) - value(a) })
	}
	return list[:mostPostings]
}

func sorted(list postingList) postingList {
	slices.SortFunc(list, func(a, b weighted) int {
		if a.file != b.file {
			return int(a.file - b.file)
		}
		return int(a.part - b.part)
	})
	return list
}

// one writes (Δfile, value) pairs.
func (e *encoder) one(key string, list postingList, value func(weighted) int) {
	if len(list) == 0 {
		return
	}
	e.open(key)
	last := -1
	for _, p := range sorted(e.heaviest(list, value)) {
		e.int(int(p.file) - last)
		e.int(value(p))
		last = int(p.file)
	}
	e.out = append(e.out, ']')
}

// differences writes what each number, in rising order, is more than the one
// before, the first than −1.
func (e *encoder) differences(key string, list []int32) {
	if len(list) == 0 {
		return
	}
	e.open(key)
	last := int32(-1)
	for _, n := range list {
		e.int(int(n - last))
		last = n
	}
	e.out = append(e.out, ']')
}

// many writes (Δfile, count, count × (part, value)), and without value
// (Δfile, count, count × part).
func (e *encoder) many(key string, list postingList, value func(weighted) int) {
	if len(list) == 0 {
		return
	}
	e.open(key)
	byFile(sorted(e.heaviest(list, value)), func(delta int, group []weighted) {
		e.int(delta)
		e.int(len(group))
		for _, p := range group {
			e.int(int(p.part))
			if value != nil {
				e.int(value(p))
			}
		}
	})
	e.out = append(e.out, ']')
}

func byFile(list []weighted, each func(delta int, group []weighted)) {
	last := int32(-1)
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].file == list[0].file {
			n++
		}
		each(int(list[0].file-last), list[:n])
		last = list[0].file
		list = list[n:]
	}
}

// AppendString writes a JSON string.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ' || r == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
