package extract

import "strings"

// A groovyReader reads Groovy by its tokens: braces say what stands in what,
// and the start of a statement whether it declares something. The grammar of
// tree-sitter knows build scripts only: nine of ten classes are errors to it.
type groovyReader struct {
	*collector
	scopes
	tokens []scanToken
	at     int
	frames []groovyFrame
	opens  *groovyFrame // what the next brace opens, when that is known
	from   int          // definition whose uses are being read
	fields map[string]map[string]value
}

// A groovyFrame is what stands between two braces.
type groovyFrame struct {
	def     int    // definition that ends with it, or -1
	parent  int    // definition that declarations belong to, or -1
	from    int    // definition that uses belong to, or -1
	class   string // type around, as qualified in the file
	kind    Kind   // of a type's body, else ""
	base    string // what the type extends
	cases   bool   // constants of an enum may come
	depth   int    // of brackets inside
	inside  bool   // a method is around: names are local
	private bool
}

func parseGroovy(c *collector) error {
	r := &groovyReader{collector: c, tokens: groovyTokens(string(c.src)), from: -1, fields: make(map[string]map[string]value)}
	r.frames = []groovyFrame{{def: -1, parent: -1, from: -1}}
	if t := r.tokens[0]; (t.text == "package" || t.text == "import") && !legal(t.doc) {
		r.file.Doc = firstSentence(t.doc)
	}
	r.push()
	for r.tok(0).kind != 0 {
		r.next()
	}
	for k := len(r.frames) - 1; k > 0; k-- {
		r.file.Broken = true
		r.close()
	}
	r.pop()
	return nil
}

func (r *groovyReader) tok(ahead int) scanToken {
	return r.tokens[min(max(r.at+ahead, 0), len(r.tokens)-1)]
}

func (r *groovyReader) top() *groovyFrame { return &r.frames[len(r.frames)-1] }

// mark is the text of a token that is no string, "" of one.
func (r *groovyReader) mark(ahead int) string {
	if t := r.tok(ahead); t.kind != 's' && t.kind != '0' {
		return t.text
	}
	return ""
}

// starts reports whether a statement can begin here.
func (r *groovyReader) starts() bool {
	if r.top().depth > 0 {
		return false
	}
	if r.at == 0 {
		return true
	}
	switch last := r.tokens[r.at-1]; {
	case last.kind == 'o' && (last.text == "{" || last.text == "}" || last.text == ";"):
		return true
	case last.kind == 'o' && last.text == ">" && r.at > 1 && r.tokens[r.at-2].text == "-": // { x -> …
		return true
	case last.line == r.tok(0).line:
		return false
	case last.text == "*" && r.mark(-2) == ".": // import a.*
		return true
	case last.kind == 'o' && strings.Contains(".,=+-*/%&|<?:([", last.text):
		return false
	}
	return !strings.Contains(".?&|,=", r.mark(0)) || r.mark(0) == ""
}

func (r *groovyReader) next() {
	f := r.top()
	starts := r.starts()
	if starts {
		r.from = f.from
		if r.declaration() {
			return
		}
	}
	if f.cases && f.depth == 0 && r.enumCase() || starts && r.command() {
		return
	}
	switch t := r.tok(0); {
	case t.kind == 'n':
		r.name(t)
	case t.kind == 'k' && t.text == "new" && r.tok(1).kind == 'n':
		r.at++
		r.created()
		return
	case t.kind != 'o':
	case t.text == "{":
		r.open()
	case t.text == "}":
		if len(r.frames) == 1 {
			r.file.Broken = true
		} else {
			r.close()
		}
	case t.text == "(" || t.text == "[":
		f.depth++
	case t.text == ")" || t.text == "]":
		f.depth = max(0, f.depth-1)
	case t.text == ";":
		f.cases = false
	}
	r.at++
}

// open begins what stands behind a brace: the body of what was declared just
// now, or a closure.
func (r *groovyReader) open() {
	outer := *r.top()
	f := groovyFrame{def: -1, parent: outer.parent, from: r.from, class: outer.class, inside: outer.inside || r.from >= 0 && outer.kind != "", private: outer.private}
	if r.opens != nil {
		f = *r.opens
		r.opens = nil
	}
	r.frames = append(r.frames, f)
	r.from = f.from
	r.push()
	if f.inside {
		r.closureParameters()
	}
}

func (r *groovyReader) close() {
	f := *r.top()
	if f.def >= 0 {
		d := &r.file.Definitions[f.def]
		d.EndLine = max(d.Line, r.tok(0).line)
	}
	r.frames = r.frames[:len(r.frames)-1]
	r.pop()
	r.from = r.top().from
}

// closureParameters binds the names of `{ a, T b -> …`.
func (r *groovyReader) closureParameters() {
	var bound []string
	for k := 1; k < 40; k++ {
		switch t := r.tok(k); {
		case t.kind == 'n':
			bound = append(bound, t.text)
		case t.text == "-" && r.mark(k+1) == ">":
			for _, name := range bound {
				r.bind(name, value{})
			}
			return
		case t.text != ",":
			return
		}
	}
}

// enumCase defines a constant: a name between commas.
func (r *groovyReader) enumCase() bool {
	t := r.tok(0)
	last := r.mark(-1)
	if t.kind != 'n' || last != "{" && last != "," {
		return false
	}
	switch r.mark(1) {
	case ",", ";", "(", "}", "{":
	default:
		if r.tok(1).line == t.line {
			return false
		}
	}
	f := r.top()
	i := r.define(f.parent, Definition{
		Name: t.text, Kind: EnumCase, Line: t.line, Signature: t.text, Doc: r.doc(t.doc),
		Exported: r.file.Definitions[f.parent].Exported,
	})
	if r.mark(1) == "{" {
		r.opens = &groovyFrame{def: i, parent: i, from: i, class: f.class, kind: Class}
	}
	r.at++
	return true
}

func (r *groovyReader) doc(text string) string {
	if legal(text) {
		return ""
	}
	return firstSentence(plainJavadoc(cutTags("\n" + text)))
}

// source is what the tokens from one to another are written as, the last
// left out.
func (r *groovyReader) source(from, to int) string {
	if from >= to {
		return ""
	}
	start := r.tokens[from].start
	return string(r.src[start:min(r.tokens[to-1].end, start+4*maxSignature)])
}

// balanced is the place behind a bracket's partner, or -1 where it has none
// near by.
func (r *groovyReader) balanced(at int, open, end string) int {
	depth := 0
	for k := at; k < len(r.tokens) && k < at+maxGroovyHead; k++ {
		if r.tokens[k].kind != 'o' {
			continue
		}
		switch r.tokens[k].text {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return -1
}

// maxGroovyHead bounds how many tokens the head of a declaration may have.
const maxGroovyHead = 600
