package jsonplace

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Revert takes out of a text what leads from before to after, where somebody
// changed the text since: it was after once. What was added is taken away
// unless it has been changed, what was replaced or removed comes back unless
// something else stands there; everything else stays.
func Revert(text, after, before []byte) ([]byte, error) {
	e, err := Edit(text)
	if err != nil {
		return nil, err
	}
	a, err := decode(after)
	if err != nil {
		return nil, err
	}
	b, err := decode(before)
	if err != nil {
		return nil, err
	}
	e.revert(nil, a, b)
	return e.Bytes()
}

// A tree is a value with the order of its members.
type tree struct {
	raw     []byte // canonical: compact, members sorted
	names   []string
	members map[string]*tree
	list    []*tree
	kind    byte
}

func decode(text []byte) (*tree, error) {
	e, err := Edit(text)
	if err != nil {
		return nil, err
	}
	s, _ := e.find(nil)
	return e.tree(s.from, s.to), e.err
}

func (e *Editor) tree(from, to int) *tree {
	s := e.at(from, to)
	t := &tree{kind: s.kind, members: map[string]*tree{}}
	for _, m := range s.entries {
		child := e.tree(m.From, m.To)
		if s.kind == '[' {
			t.list = append(t.list, child)
			continue
		}
		if t.members[m.Name] == nil {
			t.names = append(t.names, m.Name)
		}
		t.members[m.Name] = child
	}
	t.raw = t.canonical(e.plain[from:to])
	return t
}

func (t *tree) canonical(raw []byte) []byte {
	var b bytes.Buffer
	switch t.kind {
	case '{':
		b.WriteByte('{')
		names := slices.Sorted(slices.Values(t.names))
		for i, n := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(Quote(n))
			b.WriteByte(':')
			b.Write(t.members[n].raw)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, c := range t.list {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(c.raw)
		}
		b.WriteByte(']')
	case '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return raw
		}
		return Quote(s)
	default:
		return raw
	}
	return b.Bytes()
}

// ordered is the value in compact form, members in their own order.
func (t *tree) ordered() []byte {
	var b bytes.Buffer
	switch t.kind {
	case '{':
		b.WriteByte('{')
		for i, n := range t.names {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(Quote(n))
			b.WriteByte(':')
			b.Write(t.members[n].ordered())
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, c := range t.list {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(c.ordered())
		}
		b.WriteByte(']')
	default:
		return t.raw
	}
	return b.Bytes()
}

// Same reports whether two texts are the same value, however they are laid out.
func Same(a, b []byte) bool {
	x, err := decode(a)
	y, err2 := decode(b)
	return err == nil && err2 == nil && equal(x, y)
}

func equal(a, b *tree) bool {
	if a == nil || b == nil {
		return a == b
	}
	return bytes.Equal(a.raw, b.raw)
}

// revert undoes the difference of two values at a path of the text.
func (e *Editor) revert(path []string, after, before *tree) {
	s, ok := e.find(path)
	if !ok || equal(after, before) || e.err != nil {
		return
	}
	now := e.tree(s.from, s.to)
	switch {
	case now.kind == '{' && after.kind == '{' && before.kind == '{':
		e.revertObject(path, now, after, before)
	case now.kind == '[' && after.kind == '[' && before.kind == '[':
		e.revertList(path, now, after, before)
	}
}

func (e *Editor) revertObject(path []string, now, after, before *tree) {
	names := slices.Clone(after.names)
	for _, n := range before.names {
		if after.members[n] == nil {
			names = append(names, n)
		}
	}
	for _, name := range names {
		a, b, c := after.members[name], before.members[name], now.members[name]
		child := append(slices.Clone(path), name)
		switch {
		case equal(a, b):
		case container(a) && container(b) && container(c) && a.kind == b.kind && b.kind == c.kind:
			e.revert(child, a, b) // entry by entry: what stays keeps its form
		case b != nil && (a == nil) == (c == nil) && equal(a, c):
			e.Set(path, Pair{name, b.ordered()})
		case a == nil || c == nil:
		case b == nil && equal(a, c):
			e.Delete(child...)
		case b == nil && a.kind == c.kind && container(a):
			e.revert(child, a, &tree{kind: a.kind, raw: []byte{a.kind, a.kind + 2}, members: map[string]*tree{}})
			if left, ok := e.find(child); ok && len(left.entries) == 0 {
				e.Delete(child...)
			}
		}
		if e.err != nil {
			return
		}
	}
}

func container(t *tree) bool { return t != nil && (t.kind == '{' || t.kind == '[') }

func (e *Editor) revertList(path []string, now, after, before *tree) {
	ours, gone := minus(after.list, before.list), minus(before.list, after.list)
	left := slices.Clone(now.list)
	for _, o := range slices.Backward(ours) {
		for i, v := range slices.Backward(left) {
			if equal(o, v) {
				e.DeleteElement(path, i)
				left = slices.Delete(left, i, i+1)
				break
			}
		}
	}
	for _, g := range minus(gone, left) {
		e.Append(path, g.ordered())
	}
}

// minus is what a has and b has not, each as often as it is there.
func minus(a, b []*tree) (rest []*tree) {
	b = slices.Clone(b)
	for _, x := range a {
		if i := slices.IndexFunc(b, func(y *tree) bool { return equal(x, y) }); i >= 0 {
			b = slices.Delete(b, i, i+1)
			continue
		}
		rest = append(rest, x)
	}
	return rest
}
