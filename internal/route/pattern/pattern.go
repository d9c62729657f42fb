// Package pattern matches regular expressions of the kind that this module
// uses, in time that is linear in the text.
//
// Package regexp does the same and much more, and with the tables of Unicode
// that it brings it is a tenth of the program that every clone carries. Here
// are literals, classes, groups, alternatives, repetition, word boundaries and
// both ends; what a pattern means is what it means to package regexp, and a
// fuzz test holds the two together.
package pattern

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Pattern is a compiled expression. It is safe for concurrent use.
type Pattern struct {
	program []instruction
	groups  int // the whole match included
}

type operation uint8

const (
	opClass  operation = iota // a character of set; on to the next
	opSplit                   // next first, other second
	opJump                    // other
	opSave                    // the position, in slot other
	opAssert                  // what holds at the position
	opMatch
)

type instruction struct {
	op    operation
	other int
	set   *class
	holds assertion
}

type assertion uint8

const (
	atStart assertion = iota
	atEnd
	atWordBoundary
)

// Must compiles an expression. It panics where the expression is wrong, or
// holds what this package does not know.
func Must(expression string) *Pattern {
	p, err := Compile(expression)
	if err != nil {
		panic("pattern: " + expression + ": " + err.Error())
	}
	return p
}

// Compile compiles an expression.
func Compile(expression string) (*Pattern, error) {
	parser := parser{text: expression, groups: 1}
	tree, err := parser.parse()
	if err != nil {
		return nil, err
	}
	p := &Pattern{groups: parser.groups}
	p.emit(node{kind: group, index: 0, list: []node{tree}})
	p.add(instruction{op: opMatch})
	return p, nil
}

func (p *Pattern) add(i instruction) int {
	p.program = append(p.program, i)
	return len(p.program) - 1
}

// emit appends the program of a node.
func (p *Pattern) emit(n node) {
	switch n.kind {
	case one:
		p.add(instruction{op: opClass, set: n.set})
	case assert:
		p.add(instruction{op: opAssert, holds: n.holds})
	case sequence:
		for _, part := range n.list {
			p.emit(part)
		}
	case group:
		if n.index >= 0 {
			p.add(instruction{op: opSave, other: 2 * n.index})
			defer func() { p.add(instruction{op: opSave, other: 2*n.index + 1}) }()
		}
		p.emit(n.list[0])
	case alternatives:
		var ends []int
		for i, part := range n.list {
			if i == len(n.list)-1 {
				p.emit(part)
				break
			}
			split := p.add(instruction{op: opSplit})
			p.emit(part)
			ends = append(ends, p.add(instruction{op: opJump}))
			p.program[split].other = len(p.program)
		}
		for _, end := range ends {
			p.program[end].other = len(p.program)
		}
	case repeat:
		p.repeat(n)
	}
}

// repeat emits what may occur from n.least to n.most times; n.most < 0 means
// any number. A split prefers what comes next, so a lazy one jumps over.
func (p *Pattern) repeat(n node) {
	part := n.list[0]
	for range n.least {
		p.emit(part)
	}
	if n.most < 0 {
		split := p.split(n.lazy)
		p.emit(part)
		p.add(instruction{op: opJump, other: split})
		p.over(split, n.lazy)
		return
	}
	var splits []int
	for range n.most - n.least {
		splits = append(splits, p.split(n.lazy))
		p.emit(part)
	}
	for _, split := range slices.Backward(splits) {
		p.over(split, n.lazy)
	}
}

// split begins an optional part and returns where its choice is made.
func (p *Pattern) split(lazy bool) int {
	at := p.add(instruction{op: opSplit})
	if lazy { // first over it, second into it
		p.program[at].other = at + 2
		p.add(instruction{op: opJump})
	}
	return at
}

// over ends the optional part that split began.
func (p *Pattern) over(split int, lazy bool) {
	if lazy {
		p.program[split+1].other = len(p.program)
	} else {
		p.program[split].other = len(p.program)
	}
}

// Match reports whether the text holds a match.
func (p *Pattern) Match(text string) bool { return p.Index(text) != nil }

// Groups returns the leftmost match and its groups; nil when there is none. A
// group that took no part is "".
func (p *Pattern) Groups(text string) []string {
	at := p.Index(text)
	if at == nil {
		return nil
	}
	groups := make([]string, p.groups)
	for i := range groups {
		if at[2*i] >= 0 {
			groups[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	return groups
}

// thread is a place in the program, and what was saved on the way to it.
type thread struct {
	at    int
	saved []int
}

// Index returns the leftmost match: begin and end of the whole and of each
// group, -1 for a group that took no part; nil when there is none.
func (p *Pattern) Index(text string) []int {
	m := machine{p: p, text: text, seen: make([]int, len(p.program))}
	none := make([]int, 2*p.groups)
	for i := range none {
		none[i] = -1
	}
	var now, next []thread
	var found []int
	for at := 0; ; {
		if found == nil { // a match may begin here, if none began before
			m.step++
			for _, t := range now {
				m.seen[t.at] = m.step
			}
			now = m.follow(now, thread{0, none}, at)
		}
		r, width := utf8.DecodeRuneInString(text[at:])
		m.step++
		next = next[:0]
		for _, t := range now {
			i := p.program[t.at]
			if i.op == opMatch {
				found = t.saved
				break // what comes later is worse
			}
			if width > 0 && i.set.has(r) {
				next = m.follow(next, thread{t.at + 1, t.saved}, at+width)
			}
		}
		if width == 0 {
			return found
		}
		now, next = next, now
		at += width
		if len(now) == 0 && found != nil {
			return found
		}
	}
}

// machine runs a program over a text.
type machine struct {
	p    *Pattern
	text string
	seen []int // at which step an instruction was reached
	step int
}

// follow adds to list the threads that t comes to without reading on, best
// first.
func (m *machine) follow(list []thread, t thread, at int) []thread {
	for {
		if m.seen[t.at] == m.step {
			return list
		}
		m.seen[t.at] = m.step
		switch i := m.p.program[t.at]; i.op {
		case opSplit:
			list = m.follow(list, thread{t.at + 1, t.saved}, at)
			t.at = i.other
		case opJump:
			t.at = i.other
		case opSave:
			t.saved = slices.Clone(t.saved)
			t.saved[i.other] = at
			t.at++
		case opAssert:
			if !m.holds(i.holds, at) {
				return list
			}
			t.at++
		default:
			return append(list, t)
		}
	}
}

func (m *machine) holds(a assertion, at int) bool {
	switch a {
	case atStart:
		return at == 0
	case atEnd:
		return at == len(m.text)
	}
	before := at > 0 && isWord(rune(m.text[at-1]))
	after := at < len(m.text) && isWord(rune(m.text[at]))
	return before != after
}

func isWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// Quote is the expression that matches a text as it is.
func Quote(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(special, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// special are the characters that stand for something else.
const special = `\.+*?()|[]{}^$`
