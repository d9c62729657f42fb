package extract

import "github.com/marola-dev/marola-routing/internal/ci/extract/grammar"

// A memo keeps what expressions were found to be. Without it each link of a
// long chain of calls would be looked at again for every link behind it.
type memo struct {
	values map[grammar.Node]value
	texts  map[grammar.Node]string
}

func newMemo() memo {
	return memo{values: make(map[grammar.Node]value), texts: make(map[grammar.Node]string)}
}

func (m memo) typeOf(n grammar.Node, find func(grammar.Node) value) value {
	v, known := m.values[n]
	if !known {
		v = find(n)
		m.values[n] = v
	}
	return v
}

func (m memo) written(n grammar.Node, find func(grammar.Node) string) string {
	s, known := m.texts[n]
	if !known {
		if s = find(n); len(s) > maxQualifier {
			s = ""
		}
		m.texts[n] = s
	}
	return s
}
