package wiring

import (
	"cmp"
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/order"
)

// How much a word counts by where it stands. A word of a row's role ("read
// by") is in most rows, so its rarity says how little it tells.
const (
	inName  = 6.0
	inBase  = 4.0 // the base name of a file
	inKind  = 3.0
	inWhere = 2.0 // a repository or a folder
	inRest  = 1.0 // a role, a condition, a version, the text that states it
)

// maxTermWords is how many words of a term count.
const maxTermWords = 32

// Match returns the rows that a term means, best first: the name as a whole,
// then a part of the name, then rows that hold the words of the term in their
// name, role and one of their places, rare words counting most. Case,
// separators and the form of words do not count. In each row, places that
// hold words of the term come first.
func (w *Wiring) Match(term string) []Row {
	m := newMatcher(term)
	if m.folded == "" || len(m.words) == 0 {
		return nil
	}
	rows := w.Rows()
	masks := make([]rowMask, len(rows))
	for i := range rows {
		masks[i] = m.row(&rows[i])
	}
	m.weigh(masks)
	var found []scored
	for i, r := range rows {
		if s, ok := m.score(r, masks[i]); ok {
			s.order = i
			m.sortPlaces(&s.Row)
			found = append(found, s)
		}
	}
	order.By(found, func(a, b scored) int {
		return cmp.Or(b.whole-a.whole, cmp.Compare(b.points, a.points), a.order-b.order)
	})
	var out []Row
	for _, s := range found {
		out = append(out, s.Row)
	}
	return out
}

type scored struct {
	Row
	whole  int // see [matcher.whole]
	points float64
	order  int
}

// A mask has a bit for each word of the term.
type mask = uint32

// A rowMask says where the words of the term are in a row: in its head, and
// in that place which holds most of them.
type rowMask struct {
	name, kind        mask
	base, where, rest mask // of the best place
	all               mask // of the row with its best place
}

// A matcher holds the words of one term.
type matcher struct {
	folded string // the term as one name
	words  []string
	rarity []float64       // of each word, over the rows
	needed int             // how many words a row must have at least
	known  map[string]mask // files and conditions come again and again
}

func newMatcher(term string) *matcher {
	m := &matcher{folded: lexicon.Fold(strings.TrimSpace(term)), known: map[string]mask{}}
	asked := term
	if strings.ContainsAny(term, " \t\n") {
		asked += " ?" // a question, be it short: "read by whom"
	}
	said := lexicon.Parse(asked).Terms // without what only holds a sentence together
	for _, word := range lexicon.NameWords(term) {
		if len(m.words) < maxTermWords && slices.Contains(said, word) {
			m.words = append(m.words, word)
		}
	}
	m.needed = len(m.words)
	if fields := len(strings.Fields(term)); fields > 2 { // a sentence, of which some words are about nothing here
		m.needed = (len(m.words) + 1) / 2
	}
	return m
}

// in says which words a text has.
func (m *matcher) in(text string) mask {
	if text == "" {
		return 0
	}
	if have, ok := m.known[text]; ok {
		return have
	}
	var have mask
	for _, word := range lexicon.NameWords(text) {
		if i := slices.Index(m.words, word); i >= 0 {
			have |= 1 << i
		}
	}
	m.known[text] = have
	return have
}

// row finds the words in a row's head and in its best place.
func (m *matcher) row(r *Row) rowMask {
	out := rowMask{name: m.in(r.Name), kind: m.in(r.Kind)}
	out.all = out.name | out.kind
	for _, g := range r.Groups {
		role := m.in(g.Role)
		for _, p := range g.Places {
			at := m.place(p)
			at.rest |= role
			at.name, at.kind = out.name, out.kind
			at.all = at.name | at.kind | at.base | at.where | at.rest
			if bits.OnesCount32(at.all) > bits.OnesCount32(out.all) {
				out = at
			}
		}
	}
	return out
}

func (m *matcher) place(p Place) rowMask {
	at := rowMask{base: m.in(path.Base(p.File)), where: m.in(p.Repo) | m.in(path.Dir(p.File))}
	for _, text := range []string{p.Via, p.When, p.Version, p.Note, p.Evidence} {
		at.rest |= m.in(text)
	}
	at.all = at.base | at.where | at.rest
	return at
}

// weigh makes a word that few rows have count more.
func (m *matcher) weigh(rows []rowMask) {
	m.rarity = make([]float64, len(m.words))
	for i := range m.words {
		n := 0
		for _, r := range rows {
			n += int(r.all >> i & 1)
		}
		m.rarity[i] = math.Log(1 + float64(len(rows)+1)/float64(n+1))
	}
}

// score says how well a row fits. A row that has not as many words as are
// needed does not.
func (m *matcher) score(r Row, at rowMask) (s scored, fits bool) {
	s.Row = r
	s.whole = m.whole(r)
	if s.whole == 0 && bits.OnesCount32(at.all) < m.needed {
		return s, false
	}
	var reached, all float64
	for i, rarity := range m.rarity {
		all += rarity
		bit := mask(1) << i
		weight := 0.0
		for _, f := range []struct {
			in     mask
			weight float64
		}{{at.name, inName}, {at.base, inBase}, {at.kind, inKind}, {at.where, inWhere}, {at.rest, inRest}} {
			if f.in&bit != 0 {
				weight = f.weight
				break
			}
		}
		if weight > 0 {
			reached += rarity
			s.points += rarity * weight
		}
	}
	if all > 0 {
		s.points *= reached / all
	}
	if aside(r) {
		s.points /= 2
	}
	return s, true
}

// whole says how far a row is called as the term says: 3: the term is its
// name or that of a file which pins it, 2: it is the name of a row which says
// what a file or a call does, 1: it is a part of the name.
func (m *matcher) whole(r Row) int {
	name := lexicon.Fold(r.Name)
	is := name == m.folded || strings.HasSuffix(name, "/"+m.folded)
	switch {
	case aside(r):
		return 0
	case is && (r.Kind == PinFile || r.Kind == CallWorkflow || r.Kind == CallAction || r.Kind == CallRun):
		return 2
	case is || r.pinnedIn(m.folded):
		return 3
	case strings.Contains(name, m.folded):
		return 1
	}
	return 0
}

// Named is the row that is about what has this name: by its own name, its last
// segment, what stands before the part that varies, or by a file that pins
// nothing else. It is nil where there is none. What jobs hand to each other,
// actions, triggers and what cannot be followed are not looked at.
func Named(rows []Row, name string) *Row {
	m := &matcher{folded: lexicon.Fold(name)}
	pinnedBy, pins, other := -1, 0, -1
	for i, r := range rows {
		if aside(r) || r.Kind == RunArtifact || r.Kind == Cache || r.Kind == CallAction {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(r.Name), "<")
		switch whole := m.whole(r); {
		case whole == 3 && !r.pinnedIn(m.folded), lexicon.Fold(strings.TrimRight(stem, "-_.")) == m.folded && r.Kind != PinFile:
			return &rows[i]
		case whole == 3:
			pinnedBy, pins = i, pins+1
		case whole == 2 && other < 0:
			other = i
		}
	}
	switch {
	case pins == 1:
		return &rows[pinnedBy]
	case pins == 0 && other >= 0:
		return &rows[other]
	}
	return nil
}

// aside reports a row that tells less than others with the same words: that
// an event starts something, or that something cannot be followed.
func aside(r Row) bool { return r.Kind == triggerKind || strings.HasPrefix(r.Kind, unresolvedKind) }

// pinnedIn reports whether a file with this path or base name, folded, pins
// what a row is about.
func (r Row) pinnedIn(folded string) bool {
	for _, g := range r.Groups {
		for _, p := range g.Places {
			if file := lexicon.Fold(p.File); g.Role == PinnedIn && (file == folded || strings.HasSuffix(file, "/"+folded)) {
				return true
			}
		}
	}
	return false
}

// sortPlaces puts the places that hold words of the term first.
func (m *matcher) sortPlaces(r *Row) {
	for i, g := range r.Groups {
		count := func(p Place) int { return bits.OnesCount32(m.place(p).all) }
		most := 0
		for _, p := range g.Places {
			most = max(most, count(p))
		}
		if most == 0 || len(g.Places) < 2 {
			continue
		}
		places := slices.Clone(g.Places)
		order.Stable(places, func(a, b Place) int { return count(b) - count(a) })
		r.Groups[i].Places = places
	}
}
