package doccode

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

const leastName, leastMember = 4, 2 // bytes of a name, of one with what holds it

// How far a document says that a name means the only candidate.
type surety int

const (
	no    surety = iota
	maybe        // if it elsewhere says for certain something of the same file
	sure
)

// definitions are those that a name in a document means: none, one, or all
// that it may mean, and how sure that is.
func (w *world) definitions(d *document, m mention) ([]*candidate, surety) {
	n := m.name
	if n.last == "" || len(n.last) < leastMember || len(n.quals) == 0 && len(n.last) < leastName || m.how == doccode.Block && d.defines[n.last] {
		return nil, no
	}
	list := w.fitting(d, m)
	at := &d.contexts[m.context]
	switch {
	case len(list) == 0:
		return nil, no
	case len(list) == 1:
		return list, w.certain(d, m, list[0], at)
	case m.how == doccode.Prose, len(list) > maxCompared:
		return nil, no
	}
	if one := w.told(list, d, m, at); one != nil {
		if word(n) {
			return []*candidate{one}, w.certain(d, m, one, at)
		}
		return []*candidate{one}, sure
	}
	if len(list) > doccode.MaxTo || m.how == doccode.Block || len(n.quals) == 0 && (word(n) || known[n.last]) {
		return nil, no // a word, and nothing says that it is more
	}
	return list, sure
}

// word reports a name that is written like a word of a sentence.
func word(n name) bool { return !shaped(n.last) && !n.call && !n.key && len(n.quals) == 0 }

func isValue(k extract.Kind) bool {
	return k == extract.Constant || k == extract.Variable || k == extract.Field || k == extract.EnumCase
}

// fitting are the candidates that agree with all that a name says by itself.
// A document says the same name again and again.
func (w *world) fitting(d *document, m mention) []*candidate {
	saysKind := d.contexts[m.context].saysKind
	key := fit{strings.Join(m.name.quals, "."), m.name.last, m.lang, m.name.call, m.name.dot, saysKind}
	list, known := d.fits[key]
	if !known {
		list = w.fit(d, m, saysKind)
		d.fits[key] = list
	}
	return slices.Clone(list)
}

// fit is what the candidates of a mention depend on.
type fit struct {
	quals, last, lang   string
	call, dot, saysKind bool
}

func (w *world) fit(d *document, m mention, saysKind bool) []*candidate {
	n := m.name
	var list []*candidate
	own := false
	for _, c := range w.names[n.last] {
		if m.lang != "" && c.lang != m.lang || len(n.quals) > 0 && !w.fits(c, n) {
			continue
		}
		if m.lang != "" && len(n.quals) == 0 && len(c.container) > 0 {
			continue // a member is not called by itself
		}
		if n.call && isValue(c.kind) {
			continue
		}
		if n.dot && len(n.quals) == 0 && (len(c.container) == 0 || c.kind == extract.Constant || c.kind == extract.Variable) {
			continue
		}
		own = own || c.repo == d.repo
		list = append(list, c)
	}
	if own {
		list = slices.DeleteFunc(list, func(c *candidate) bool { return c.repo != d.repo })
	}
	list = withoutAsides(list, d)
	if len(n.quals) == 0 {
		list = withoutMembers(list, saysKind)
	}
	if len(list) > maxCompared {
		return list
	}
	return onePerName(list, len(n.quals) == 0)
}

// withoutMembers leaves fields and cases out of what a bare name may mean,
// unless something else is called so: then nobody knows which is meant, but
// where the sentence says that it is a type, or the field is of that type.
func withoutMembers(list []*candidate, saysKind bool) []*candidate {
	other := slices.ContainsFunc(list, func(c *candidate) bool { return !members[c.kind] })
	return slices.DeleteFunc(list, func(c *candidate) bool {
		return members[c.kind] && (!other || saysKind || c.ofItself || c.kind == extract.EnumCase)
	})
}

// withoutAsides leaves examples out, unless the document belongs to them.
func withoutAsides(list []*candidate, d *document) []*candidate {
	dir := path.Dir(d.path)
	return slices.DeleteFunc(list, func(c *candidate) bool {
		return aside(c.file) && (dir == "." || !strings.HasPrefix(c.file, dir+"/"))
	})
}

// onePerName keeps the first of several of one qualified name in a file, of a
// type and what in it is called the same, and the type where others are its
// namesakes' members.
func onePerName(list []*candidate, bare bool) []*candidate {
	var out []*candidate
	for _, c := range list {
		same := slices.ContainsFunc(out, func(o *candidate) bool {
			return o.file == c.file && (slices.Equal(o.container, c.container) || len(o.container) == 0 && bare && o.line <= c.line && c.line <= o.end)
		})
		if !same {
			out = append(out, c)
		}
	}
	if !bare {
		return out
	}
	top := 0
	var first *candidate
	for _, c := range out {
		if len(c.container) == 0 && isType(c.kind) {
			if top++; first == nil {
				first = c
			}
		}
	}
	if top == 1 && len(out) > 1 && !slices.ContainsFunc(out, func(c *candidate) bool { return c != first && (len(c.container) == 0 || members[c.kind]) }) {
		return []*candidate{first}
	}
	return out
}

func isType(k extract.Kind) bool {
	switch k {
	case extract.Class, extract.Interface, extract.Trait, extract.Object, extract.Enum, extract.Type, extract.Component, extract.Table, extract.View:
		return true
	}
	return false
}

// fits reports whether what stands before a name is what holds the
// candidate: its type, or, at the top level, its package, file or folder.
func (w *world) fits(c *candidate, n name) bool {
	last := n.quals[len(n.quals)-1]
	rest := n.quals[:len(n.quals)-1]
	if len(c.container) > 0 {
		in := c.container[len(c.container)-1]
		// A variable is often called as its type is.
		if in != last && !(n.call && !isCapital(last) && isCapital(in) && strings.EqualFold(in, last)) {
			return false
		}
	} else if !w.within(c, last) || !c.exported && (c.lang == "go" || !sameWord(stemOf(c.file), last)) {
		return false // a package shows what is exported alone
	}
	for _, q := range rest {
		if !slices.Contains(c.container, q) && !w.within(c, q) {
			return false
		}
	}
	return true
}

// within reports whether a word names where a candidate is: its package, its
// file, a folder around it or its repository.
func (w *world) within(c *candidate, word string) bool {
	if slices.Contains(c.module, word) || sameWord(w.repos[c.repo].Name, word) {
		return true
	}
	if sameWord(stemOf(c.file), word) {
		return true
	}
	dirs := strings.Split(path.Dir(c.file), "/")
	if c.lang == "go" {
		dirs = dirs[len(dirs)-1:]
	}
	return slices.ContainsFunc(dirs, func(dir string) bool { return sameWord(dir, word) })
}

func stemOf(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

func sameWord(a, b string) bool {
	return a == b || strings.EqualFold(strings.ReplaceAll(a, "-", "_"), strings.ReplaceAll(b, "-", "_"))
}

// certain says how sure it is that the only candidate is what the document
// means.
func (w *world) certain(d *document, m mention, c *candidate, at *context) surety {
	n := m.name
	switch {
	case n.dot && !n.call && isCapital(n.last):
		return no // a variable of a template
	case m.from != "":
		return w.imported(m, c)
	case m.how == doccode.Block && len(n.quals) == 0:
		return maybe
	case len(n.quals) > 0, m.role:
		return sure
	case known[n.last] || word(n) && !isCapital(n.last):
		if at.hasAny(c.places(), n.last) && (at.saysMember || at.hasAny(c.places()[:2], n.last)) {
			return sure
		}
		return no
	case word(n) && strings.ToUpper(n.last) == n.last:
		return no
	case word(n):
		if isType(c.kind) && at.saysKind {
			return sure
		}
		return maybe
	case c.kind == extract.Variable, c.kind == extract.Constant && strings.ToUpper(n.last) != n.last:
		return maybe // perhaps a parameter's or an option's name
	case !c.exported && !at.hasAny(c.places(), n.last):
		return maybe // perhaps something of elsewhere
	case !shaped(n.last) && !isCapital(n.last) && !n.dot:
		return maybe // perhaps a function that the reader is to write
	}
	return sure
}

// scopes are what stands before the names of packages of one owner.
var scopes = regexp.MustCompile(`@[\w-]+/`)

// imported says whether the line that imports a name names where the
// candidate is.
func (w *world) imported(m mention, c *candidate) surety {
	for part := range strings.FieldsFuncSeq(scopes.ReplaceAllString(m.from, ""), func(r rune) bool { return !isNameByte(byte(min(r, 0x7f))) && r != '-' }) {
		if part != m.name.last && part != "src" && part != "lib" && w.within(c, part) {
			return sure
		}
	}
	return no
}

func isCapital(s string) bool { return s[0] >= 'A' && s[0] <= 'Z' }

// places are what names a candidate's file or what holds it for certain.
func (c *candidate) places() []string {
	list := []string{c.file, path.Base(c.file)}
	if len(c.container) > 0 {
		list = append(list, c.container[len(c.container)-1])
	}
	return list
}

// told is the one candidate that the context names by its file, its folder,
// what holds it or its repository, or nil.
func (w *world) told(list []*candidate, d *document, m mention, at *context) *candidate {
	shared := map[string]int{}
	marks := make([][]string, len(list))
	for i, c := range list {
		marks[i] = w.marks(c)
		for _, mark := range marks[i] {
			shared[mark]++
		}
	}
	var one *candidate
	for i, c := range list {
		for _, mark := range marks[i] {
			if shared[mark] == 1 && mark != m.name.last && at.has(mark) {
				if one != nil && one != c {
					return nil
				}
				one = c
			}
		}
	}
	if one == nil {
		if home := home(d.path); home != "" {
			for _, c := range list {
				if strings.HasPrefix(c.file, home+"/") {
					if one != nil {
						return nil
					}
					one = c
				}
			}
		}
	}
	return one
}

// marks are the words by which a document tells a candidate from others.
func (w *world) marks(c *candidate) []string {
	base := path.Base(c.file)
	marks := []string{c.file, base, path.Dir(c.file)}
	if stem := strings.TrimSuffix(base, path.Ext(base)); len(stem) > 3 && !common[strings.ToLower(stem)] {
		marks = append(marks, stem)
	}
	if len(c.container) > 0 {
		marks = append(marks, c.container[len(c.container)-1])
	}
	for _, dir := range strings.Split(path.Dir(c.file), "/") {
		if len(dir) > 3 {
			marks = append(marks, dir)
		}
	}
	if r := w.repos[c.repo]; r.Path != "" {
		marks = append(marks, r.Name)
	}
	slices.Sort(marks)
	return slices.Compact(marks)
}

// has reports whether a context names something: as a whole between
// backticks, as a part of a path or a qualified name there, or as a word that
// is written as no word is.
func (c *context) has(mark string) bool {
	for _, s := range c.block {
		if s == mark || strings.HasSuffix(strings.TrimSuffix(s, "/"), "/"+mark) {
			return true
		}
		for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("/.:# ()", r) }) {
			if part == mark {
				return true
			}
		}
	}
	if !shaped(mark) && !strings.ContainsAny(mark, "-/") {
		return false
	}
	return holdsWord(c.words, mark) || holdsWord(c.heading, mark)
}

// hasAny reports whether a context names one of several, which is not itself
// the name in question.
func (c *context) hasAny(marks []string, self string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return mark != self && c.has(mark) })
}

// holdsWord reports whether a text has a word by itself.
func holdsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !isNameByte(text[i-1])) && (end == len(text) || !isNameByte(text[end])) {
			return true
		}
		from = end
	}
}
