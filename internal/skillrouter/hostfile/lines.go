package hostfile

import (
	"slices"
	"strings"
)

// revertLines takes out of a text of lines what leads from before to after,
// where somebody changed the text since. Lines that were added go, those that
// were replaced come back if what replaced them is still there. A line that
// holds up the next one that stays, as a header of a table does, stays with it.
func revertLines(text, after, before string, holds func(line, next string) bool) string {
	now, with, without := lines(text), lines(after), lines(before)
	toBefore, toNow := match(with, without), match(with, now)
	drop := make([]bool, len(now))
	add := map[int][]string{} // before the line of that number
	for i, k := 0, 0; i < len(with) || k < len(without); {
		if i < len(with) && toBefore[i] == k {
			i, k = i+1, k+1
			continue
		}
		j, l := i, len(without)
		for j < len(with) && toBefore[j] < 0 {
			j++
		}
		if j < len(with) {
			l = toBefore[j]
		}
		replaceLines(hunk{i, j, without[k:l]}, toNow, drop, add, len(now))
		i, k = j, l
	}
	keepHeld(now, drop, holds)
	var b strings.Builder
	last := ""
	put := func(s string) {
		if last != "" && !strings.HasSuffix(last, "\n") {
			b.WriteString("\n")
		}
		b.WriteString(s)
		last = s
	}
	for n := range len(now) + 1 {
		for _, s := range add[n] {
			put(s)
		}
		if n < len(now) && !drop[n] {
			put(now[n])
		}
	}
	out := b.String()
	// The file may have ended without a line end, which came with our lines.
	if n := len(without); n > 0 && !strings.HasSuffix(before, "\n") && strings.TrimRight(last, "\r\n") == strings.TrimRight(without[n-1], "\r\n") {
		out = strings.TrimSuffix(strings.TrimSuffix(out, "\n"), "\r")
	}
	return out
}

// keepHeld keeps lines that others which stay would be lost without.
func keepHeld(now []string, drop []bool, holds func(line, next string) bool) {
	next := ""
	for i, line := range slices.Backward(now) {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		if drop[i] && next != "" && holds(line, next) {
			drop[i] = false
		}
		if !drop[i] {
			next = line
		}
	}
}

// A hunk is the lines from to to of after, and what before has for them.
type hunk struct {
	from, to int
	before   []string
}

func replaceLines(h hunk, toNow []int, drop []bool, add map[int][]string, end int) {
	whole := true
	for n := h.from; n < h.to; n++ {
		whole = whole && toNow[n] >= 0 && (n == h.from || toNow[n] == toNow[n-1]+1)
	}
	if h.from < h.to && len(h.before) > 0 && !whole {
		return // somebody changed what was replaced: theirs stays
	}
	for n := h.from; n < h.to; n++ {
		if toNow[n] >= 0 {
			drop[toNow[n]] = true
		}
	}
	if len(h.before) == 0 {
		return
	}
	at := end
	switch {
	case h.from < h.to:
		at = toNow[h.from]
	case h.from > 0 && toNow[h.from-1] >= 0:
		at = toNow[h.from-1] + 1
	case h.to < len(toNow) && toNow[h.to] >= 0:
		at = toNow[h.to]
	}
	add[at] = append(add[at], h.before...)
}

// lines cuts a text behind each line end.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// maxTable bounds the work of match, in pairs of lines.
const maxTable = 1 << 24

// match pairs equal lines of two texts, as many as can be in order: for each
// of a the number of its partner in b, or -1. Line ends do not count.
func match(a, b []string) []int {
	m := make([]int, len(a))
	for i := range m {
		m[i] = -1
	}
	same := func(i, j int) bool { return strings.TrimRight(a[i], "\r\n") == strings.TrimRight(b[j], "\r\n") }
	from, i, j := 0, len(a), len(b)
	for from < i && from < j && same(from, from) {
		m[from] = from
		from++
	}
	for i > from && j > from && same(i-1, j-1) {
		i, j = i-1, j-1
		m[i] = j
	}
	rows, columns := i-from, j-from
	if rows == 0 || columns == 0 || rows*columns > maxTable {
		return m
	}
	best := make([]int32, (rows+1)*(columns+1))
	at := func(r, c int) *int32 { return &best[r*(columns+1)+c] }
	for r := rows - 1; r >= 0; r-- {
		for c := columns - 1; c >= 0; c-- {
			if same(from+r, from+c) {
				*at(r, c) = *at(r+1, c+1) + 1
			} else {
				*at(r, c) = max(*at(r+1, c), *at(r, c+1))
			}
		}
	}
	for r, c := 0, 0; r < rows && c < columns; {
		switch {
		case same(from+r, from+c):
			m[from+r] = from + c
			r, c = r+1, c+1
		case *at(r+1, c) >= *at(r, c+1):
			r++
		default:
			c++
		}
	}
	return m
}

// Difference is what a person is shown of a change: each line that goes, with
// "- " before it, and each that comes, with "+ ".
func Difference(before, after string) (rows []string) {
	a, b := lines(before), lines(after)
	m := match(a, b)
	j := 0
	for i, line := range a {
		if m[i] < 0 {
			rows = append(rows, "- "+strings.TrimRight(line, "\r\n"))
			continue
		}
		for ; j < m[i]; j++ {
			rows = append(rows, "+ "+strings.TrimRight(b[j], "\r\n"))
		}
		j++
	}
	for ; j < len(b); j++ {
		rows = append(rows, "+ "+strings.TrimRight(b[j], "\r\n"))
	}
	return rows
}
