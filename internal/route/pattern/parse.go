package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A node is a part of an expression.
type node struct {
	kind        kind
	set         *class    // of one
	holds       assertion // of assert
	list        []node
	index       int // of group: its number, or -1
	least, most int // of repeat
	lazy        bool
}

type kind uint8

const (
	one kind = iota
	assert
	sequence
	alternatives
	group
	repeat
)

// A class is a set of characters.
type class struct {
	ranges          []rune // pairs, both ends included
	letters, digits bool   // of any script
	not             bool
	fold            bool // ASCII letters of either case
}

func (c *class) has(r rune) bool {
	in := c.holds(r)
	if !in && c.fold {
		switch {
		case 'a' <= r && r <= 'z':
			in = c.holds(r - 'a' + 'A')
		case 'A' <= r && r <= 'Z':
			in = c.holds(r - 'A' + 'a')
		}
	}
	return in != c.not
}

func (c *class) holds(r rune) bool {
	for i := 0; i < len(c.ranges); i += 2 {
		if c.ranges[i] <= r && r <= c.ranges[i+1] {
			return true
		}
	}
	return c.letters && unicode.IsLetter(r) || c.digits && unicode.IsNumber(r)
}

// parser reads an expression.
type parser struct {
	text   string
	groups int
	fold   bool
	depth  int
}

const (
	maxDepth  = 50
	maxRepeat = 1000
)

func (p *parser) parse() (node, error) {
	n, err := p.alternatives()
	if err == nil && p.text != "" {
		err = fmt.Errorf("%q is not understood", p.text)
	}
	return n, err
}

func (p *parser) take(lead string) bool {
	rest, ok := strings.CutPrefix(p.text, lead)
	p.text = rest
	return ok
}

func (p *parser) alternatives() (node, error) {
	n := node{kind: alternatives}
	for {
		part, err := p.sequence()
		if err != nil {
			return n, err
		}
		n.list = append(n.list, part)
		if !p.take("|") {
			return n, nil
		}
	}
}

func (p *parser) sequence() (node, error) {
	n := node{kind: sequence}
	for p.text != "" && p.text[0] != '|' && p.text[0] != ')' {
		part, err := p.atom()
		if err != nil {
			return n, err
		}
		if part, err = p.repeated(part); err != nil {
			return n, err
		}
		n.list = append(n.list, part)
	}
	return n, nil
}

// repeated reads what says how often a part may occur.
func (p *parser) repeated(part node) (node, error) {
	n := node{kind: repeat, list: []node{part}}
	switch {
	case p.take("*"):
		n.most = -1
	case p.take("+"):
		n.least, n.most = 1, -1
	case p.take("?"):
		n.most = 1
	case p.take("{"):
		bounds, rest, ok := strings.Cut(p.text, "}")
		least, most, _ := strings.Cut(bounds, ",")
		if n.least, n.most = number(least), number(most); !ok || n.least < 0 || n.most < n.least {
			return n, fmt.Errorf("{%s is not understood", bounds)
		}
		p.text = rest
	default:
		return part, nil
	}
	if n.most != 1 && part.mayBeEmpty() {
		return n, errors.New("what may be empty is repeated")
	}
	n.lazy = p.take("?")
	if p.text != "" && strings.IndexByte("*+?{", p.text[0]) >= 0 {
		return n, errors.New("a repetition is repeated")
	}
	return n, nil
}

// number reads a number up to maxRepeat; -1 when there is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n > maxRepeat || text != strconv.Itoa(n) {
		return -1
	}
	return n
}

// mayBeEmpty reports whether the part matches no character at all.
func (n node) mayBeEmpty() bool {
	empty := func(part node) bool { return part.mayBeEmpty() }
	switch n.kind {
	case one:
		return false
	case alternatives:
		return slices.ContainsFunc(n.list, empty)
	case sequence, group:
		return !slices.ContainsFunc(n.list, func(part node) bool { return !empty(part) })
	case repeat:
		return n.least == 0 || empty(n.list[0])
	}
	return true
}

func (p *parser) atom() (node, error) {
	switch {
	case p.take("("):
		return p.group()
	case p.take("["):
		return p.class()
	case p.take("^"):
		return node{kind: assert, holds: atStart}, nil
	case p.take("$"):
		return node{kind: assert, holds: atEnd}, nil
	case p.take("."):
		return node{kind: one, set: &class{ranges: []rune{'\n', '\n'}, not: true}}, nil
	case p.take(`\b`):
		return node{kind: assert, holds: atWordBoundary}, nil
	case strings.IndexByte("*+?{", p.text[0]) >= 0:
		return node{}, errors.New("there is nothing to repeat")
	}
	set := &class{fold: p.fold}
	if err := p.character(set); err != nil {
		return node{}, err
	}
	return node{kind: one, set: set}, nil
}

func (p *parser) group() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return node{}, errors.New("groups are nested too deep")
	}
	n, fold := node{kind: group, index: -1}, p.fold
	switch {
	case p.take("?:"):
	case p.take("?i:"):
		p.fold = true
	case strings.HasPrefix(p.text, "?"):
		return n, fmt.Errorf("(%.3s is not understood", p.text)
	default:
		n.index = p.groups
		p.groups++
	}
	part, err := p.alternatives()
	if err != nil {
		return n, err
	}
	if !p.take(")") {
		return n, errors.New("a group does not end")
	}
	p.fold = fold
	p.depth--
	n.list = []node{part}
	return n, nil
}

// class reads what stands in brackets.
func (p *parser) class() (node, error) {
	set := &class{fold: p.fold, not: p.take("^")}
	for first := true; first || !p.take("]"); first = false {
		if p.text == "" {
			return node{}, errors.New("a class does not end")
		}
		before := len(set.ranges)
		if err := p.character(set); err != nil {
			return node{}, err
		}
		single := len(set.ranges) == before+2 && set.ranges[before] == set.ranges[before+1]
		if single && len(p.text) > 1 && p.text[0] == '-' && p.text[1] != ']' {
			p.take("-")
			var end class
			if err := p.character(&end); err != nil {
				return node{}, err
			}
			if len(end.ranges) != 2 || end.ranges[0] != end.ranges[1] || end.ranges[0] < set.ranges[before] {
				return node{}, errors.New("a range does not end")
			}
			set.ranges[before+1] = end.ranges[0]
		}
	}
	return node{kind: one, set: set}, nil
}

// character reads a character, or what stands for a set of them, into set.
func (p *parser) character(set *class) error {
	if !p.take(`\`) {
		r, width := utf8.DecodeRuneInString(p.text)
		if r == utf8.RuneError && width <= 1 {
			return errors.New("it is not text")
		}
		p.text = p.text[width:]
		set.ranges = append(set.ranges, r, r)
		return nil
	}
	switch {
	case p.take("w"):
		set.ranges = append(set.ranges, 'a', 'z', 'A', 'Z', '0', '9', '_', '_')
	case p.take("d"):
		set.ranges = append(set.ranges, '0', '9')
	case p.take("s"):
		set.ranges = append(set.ranges, '\t', '\n', '\f', '\r', ' ', ' ')
	case p.take("S") && len(set.ranges) == 0 && !set.not:
		set.ranges, set.not = []rune{'\t', '\n', '\f', '\r', ' ', ' '}, true
	case p.take("pL"):
		set.letters = true
	case p.take("pN"):
		set.digits = true
	case p.text != "" && strings.IndexByte(special+"/-", p.text[0]) >= 0:
		set.ranges = append(set.ranges, rune(p.text[0]), rune(p.text[0]))
		p.text = p.text[1:]
	default:
		return fmt.Errorf(`\%.1s is not understood`, p.text)
	}
	return nil
}
