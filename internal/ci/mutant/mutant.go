// Package mutant damages source text in the ways that real files are damaged
// and in some that only a spiteful writer finds, for tests that must survive
// it. It is part of no program.
package mutant

import (
	"bytes"
	"math/rand/v2"
	"regexp"
)

// Of returns the mutant of data that seed names: the same one each time, at
// most size bytes long. Data is not changed.
func Of(data []byte, seed uint64, size int) []byte {
	m := &mutation{rand: rand.New(rand.NewPCG(seed, uint64(len(data)))), tokens: token.FindAll(data, 2_000), size: size}
	data = bytes.Clone(data)
	for range 1 + m.rand.IntN(3) {
		data = damages[m.rand.IntN(len(damages))](m, data)
		if len(data) > size {
			data = data[:size:size]
		}
	}
	return data
}

// token is a word or a run of one kind of sign.
var token = regexp.MustCompile(`\w+|[({\[]+|[)}\]]+|[^\w\s(){}\[\]]+|\s+`)

// A mutation is the making of one mutant.
type mutation struct {
	rand   *rand.Rand
	tokens [][]byte // the words and signs of the source, so of its language
	size   int
}

var damages = []func(*mutation, []byte) []byte{
	// The end is missing, or the start.
	func(m *mutation, d []byte) []byte { return d[:m.at(d)] },
	func(m *mutation, d []byte) []byte { return d[m.at(d):] },
	// A part is missing, twice there, elsewhere, or both: a merge gone wrong.
	func(m *mutation, d []byte) []byte { a, b := m.part(d); return splice(d, a, b, nil) },
	func(m *mutation, d []byte) []byte { a, b := m.part(d); return splice(d, b, b, d[a:b]) },
	func(m *mutation, d []byte) []byte {
		a, b := m.part(d)
		part := bytes.Clone(d[a:b])
		d = splice(d, a, b, nil)
		i := m.at(d)
		return splice(d, i, i, part)
	},
	// The same with whole lines.
	func(m *mutation, d []byte) []byte { a, b := m.lines(d); return splice(d, a, b, nil) },
	func(m *mutation, d []byte) []byte { a, b := m.lines(d); return splice(d, b, b, d[a:b]) },
	func(m *mutation, d []byte) []byte {
		lines := bytes.SplitAfter(d, []byte("\n"))
		i, j := m.rand.IntN(len(lines)), m.rand.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return bytes.Join(lines, nil)
	},
	// Bits that a disk lost.
	func(m *mutation, d []byte) []byte {
		for range 1 + m.rand.IntN(16) {
			if len(d) > 0 {
				d[m.rand.IntN(len(d))] ^= byte(1 << m.rand.IntN(8))
			}
		}
		return d
	},
	// Words and signs of the language where they do not belong.
	func(m *mutation, d []byte) []byte {
		for range 1 + m.rand.IntN(8) {
			i := m.at(d)
			d = splice(d, i, i, m.token())
		}
		return d
	},
	func(m *mutation, d []byte) []byte {
		all := token.FindAllIndex(d, -1)
		if len(all) == 0 {
			return d
		}
		at := all[m.rand.IntN(len(all))]
		return splice(d, at[0], at[1], m.token())
	},
	// Signs that change how all after them is read.
	func(m *mutation, d []byte) []byte { i := m.at(d); return splice(d, i, i, []byte(m.pick(signs))) },
	// Bytes that are no text, and text that is not what it looks like.
	func(m *mutation, d []byte) []byte { i := m.at(d); return splice(d, i, i, []byte(m.pick(odd))) },
	// Other ends of lines, here and there or all over, or none.
	func(m *mutation, d []byte) []byte {
		often, end := 1+m.rand.IntN(3), []byte(m.pick([]string{"\r\n", "\r", "\n\r", "\u2028", "\v", "\n\n\n", " ", "\\\n"}))
		lines := bytes.SplitAfter(d, []byte("\n"))
		for i, l := range lines {
			if m.rand.IntN(often) == 0 && bytes.HasSuffix(l, []byte("\n")) {
				lines[i] = append(bytes.TrimSuffix(bytes.Clone(l), []byte("\n")), end...)
			}
		}
		return bytes.Join(lines, nil)
	},
	// Nesting that no person writes, closed or not.
	func(m *mutation, d []byte) []byte {
		pair, depth, i := nests[m.rand.IntN(len(nests))], 1<<m.rand.IntN(14), m.at(d)
		nest := bytes.Repeat([]byte(pair[0]), depth)
		if m.rand.IntN(2) == 0 {
			nest = append(append(nest, m.token()...), bytes.Repeat([]byte(pair[1]), depth)...)
		}
		return splice(d, i, i, nest)
	},
	// A part again and again, as far as there is room.
	func(m *mutation, d []byte) []byte {
		a, b := m.part(d)
		b = min(b, a+200)
		if a == b || len(d) >= m.size {
			return d
		}
		return splice(d, b, b, bytes.Repeat(d[a:b], min((m.size-len(d))/(b-a), 1<<m.rand.IntN(20))))
	},
	// One word that does not end.
	func(m *mutation, d []byte) []byte {
		i := m.at(d)
		return splice(d, i, i, bytes.Repeat([]byte(m.pick([]string{"x", "é", "_", "9", "=", " ", "\t"})), min(m.size, 1<<m.rand.IntN(17))))
	},
}

var signs = []string{
	"\"", "'", "`", "\"\"\"", "'''", "/*", "*/", "//", "#", "--", "--[[", "{-", "<!--", "-->", "<<EOF\n", "<<~A\n", "${", "#{", "{{", "%{", "$(", "\\",
	"(", ")", "[", "]", "{", "}", "<", ">", "</script>", "<script>", "<?php", "?>", "end", "begin", "do", "=begin\n", "#if 0\n", "#endif\n", "#define A \\\n",
	";", ",", ":", ".", "=", "=>", "->", "@", "&", "*", "!", "?", "|", "~", "%", "...", "::", "\t", "---\n", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> b\n", "r#\"", "$$", "''",
}

var odd = []string{
	"\x00", "\x00\x00\x00\x00", "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\ufeff", "\ufffd", "\u202e", "\u2066", "\u200b", "\u0000é", "\x1b[31m", "\x07", "\x7f", "\u0085", "e\u0301", "\U0001f600", "\xfe\xff\x00a",
}

var nests = [][2]string{
	{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"}, {"((", "))"}, {"{[(", ")]}"}, {"a(", ")"}, {"a[", "]"}, {"a{", "}"}, {"A<", ">"}, {"if (a) {", "}"}, {"<a>", "</a>"}, {"$(", ")"}, {"${", "}"}, {"#{", "}"}, {"\"${", "}\""},
	{"a.", "b"}, {"a->", "b"}, {"a::", "b"}, {"!", ""}, {"-", ""}, {"*", ""}, {"a ? ", " : b"}, {"a = ", ""}, {"a + ", "b"}, {"() => ", "b"}, {"function a() {", "}"}, {"class A {", "}"}, {"module A\n", "end\n"}, {"begin ", " end"}, {"do ", " end"}, {"let a = ", " in b"}, {"fun x -> ", ""}, {"a: {", "}"}, {"- ", ""}, {"  ", ""}, {"/*", "*/"}, {"#if A\n", "#endif\n"}, {"@a ", ""}, {"else if a {} ", ""},
}

// at is a place in d, its end included.
func (m *mutation) at(d []byte) int { return m.rand.IntN(len(d) + 1) }

// part is a part of d: mostly a short one.
func (m *mutation) part(d []byte) (from, to int) {
	from = m.at(d)
	return from, min(len(d), from+m.rand.IntN(1<<m.rand.IntN(12)))
}

// lines is one line of d or a few.
func (m *mutation) lines(d []byte) (from, to int) {
	from = bytes.LastIndexByte(d[:m.at(d)], '\n') + 1
	to = from
	for range 1 + m.rand.IntN(4) {
		if i := bytes.IndexByte(d[to:], '\n'); i >= 0 {
			to += i + 1
		}
	}
	return from, to
}

func (m *mutation) token() []byte {
	if len(m.tokens) == 0 {
		return []byte(m.pick(signs))
	}
	return m.tokens[m.rand.IntN(len(m.tokens))]
}

func (m *mutation) pick(list []string) string { return list[m.rand.IntN(len(list))] }

// splice returns d with other bytes in the place of d[from:to].
func splice(d []byte, from, to int, with []byte) []byte {
	out := make([]byte, 0, len(d)-(to-from)+len(with))
	return append(append(append(out, d[:from]...), with...), d[to:]...)
}
