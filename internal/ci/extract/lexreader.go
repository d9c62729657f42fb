package extract

// A lexReader is what the readers share that need no more of a language than
// its tokens.
type lexReader struct {
	*collector
	*lexed
	from int // definition whose uses are being read
}

func newLexReader(c *collector, l lexis) *lexReader {
	r := &lexReader{collector: c, lexed: lex(c.src, l), from: -1}
	c.file.Broken = r.broken
	return r
}

// declare defines what token at names, between two tokens, with the comment
// above the first of them.
func (r *lexReader) declare(parent int, kind Kind, name string, at, first, last int, sig string) int {
	return r.define(parent, Definition{
		Name:      name,
		Kind:      kind,
		Line:      r.line(at),
		EndLine:   r.endLine(last),
		Signature: signature(validText(sig)),
		Doc:       r.doc(first),
		Exported:  true,
	})
}

// mention tells a use of a name.
func (r *lexReader) mention(rel, name, qualifier string, at int) {
	r.refer(Reference{From: r.from, Relation: rel, Name: name, Qualifier: qualifier, Line: r.line(at)})
}

// within reads something as part of definition i.
func (r *lexReader) within(i int, read func()) {
	outer := r.from
	r.from = i
	read()
	r.from = outer
}

// next gives the next token at or behind i, below limit, that is the mark or
// word and in no bracket; limit when there is none.
func (r *lexReader) next(i, limit int, words ...string) int {
	for ; i < limit; i++ {
		if r.is(i, words...) {
			return i
		}
		if r.is(i, "(", "[", "{") {
			i = r.pair(i, limit)
		}
	}
	return limit
}
