package index

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/order"
)

// An encoder writes the lists of one term.
type encoder struct {
	out []byte
	cut *Cut
}

func (e *encoder) open(key string, bracket byte) {
	if len(e.out) > 0 {
		e.out = append(e.out, ',')
	}
	e.out = append(e.out, '"')
	e.out = append(e.out, key...)
	e.out = append(e.out, '"', ':', bracket)
}

// item writes one item of a list: what its number is more than that before,
// and its mark. Of neighbours the difference is left out.
func (e *encoder) item(difference int32, mark byte) {
	if difference != 1 {
		e.out = strconv.AppendInt(e.out, int64(difference), 10)
	}
	e.out = append(e.out, mark)
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
		order.Stable(list, func(a, b weighted) int { return value(b) - value(a) })
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

// files writes files, each with its value and then its parts with theirs.
// Parts of a file that is not among files are left out.
func (e *encoder) files(key string, files postingList, value func(weighted) int, parts postingList, partValue func(weighted) int) {
	if len(files) == 0 {
		return
	}
	e.open(key, '"')
	files, parts = sorted(e.heaviest(files, value)), sorted(e.heaviest(parts, partValue))
	last := int32(-1)
	for _, f := range files {
		e.item(f.file-last, fileMark+byte(value(f)))
		last = f.file
		n, end := 0, 0
		for n < len(parts) && parts[n].file < f.file {
			n++
		}
		for end = n; end < len(parts) && parts[end].file == f.file; end++ {
		}
		e.parts(parts[n:end], partValue)
		parts = parts[end:]
	}
	e.out = append(e.out, '"')
}

// parts writes the parts of one file.
func (e *encoder) parts(list postingList, value func(weighted) int) {
	last := int32(-1)
	for _, p := range list {
		v := 1
		if value != nil {
			v = value(p)
		}
		e.item(p.part-last, partMark+byte(v))
		last = p.part
	}
}

// grouped writes parts by file, with their values; without value each has 1.
func (e *encoder) grouped(key string, list postingList, value func(weighted) int) {
	if len(list) == 0 {
		return
	}
	e.open(key, '"')
	list = sorted(e.heaviest(list, value))
	last := int32(-1)
	for len(list) > 0 {
		file, n := list[0].file, 1
		for n < len(list) && list[n].file == file {
			n++
		}
		e.item(file-last, bareMark)
		e.parts(list[:n], value)
		last, list = file, list[n:]
	}
	e.out = append(e.out, '"')
}

// differences writes what each number, in rising order, is more than the one
// before, the first than −1.
func (e *encoder) differences(key string, list []int32) {
	if len(list) == 0 {
		return
	}
	e.open(key, '[')
	last := int32(-1)
	for i, n := range list {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.out = strconv.AppendInt(e.out, int64(n-last), 10)
		last = n
	}
	e.out = append(e.out, ']')
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
