package extract

import (
	"bytes"
	"strings"
)

// A lexis says how a language writes comments, texts and words. It is enough
// for languages whose definitions are told by a few words and brackets, and
// it never fails: what it does not know is a mark of one byte.
type lexis struct {
	comments string // what begins a comment to the end of its line, in blanks: "// #"
	blocks   bool   // /* … */ is a comment
	texts    string // the quotes of texts: bytes
	escapes  bool   // a backslash in a text takes the meaning of what follows
	single   bool   // a text ends on its line
	doubled  bool   // a quote in a text is written twice
	names    string // the quotes of names: bytes, '[' closed by ']'
	inWord   string // what belongs to words beside letters, digits and '_'
	dollars  bool   // $tag$ … $tag$ is a text
	holes    bool   // texts have ${ … } with texts inside
	heredocs bool   // <<EOF … EOF is a text
	indented bool   // two single quotes begin and end a text
	urls     bool   // url( … ) may hold anything
	made     bool   // another tool makes it, and {{ … }} is what that puts in
}

// A lexeme is a piece of source that means something.
type lexeme struct {
	kind       tokenKind
	start, end int32 // offsets
	line       int32 // of the start, from 1
	note       int32 // the comment right above or before it: an index into lexed.notes, or -1
	pair       int32 // of a bracket: the token that closes or opens it, or -1
}

type tokenKind uint8

const (
	wordToken tokenKind = iota
	textToken           // in quotes, quotes included
	nameToken           // a name in quotes, quotes included
	markToken           // one byte
	holeToken           // {{ … }} of a template
)

// lexed is a source in tokens.
type lexed struct {
	source []byte
	tokens []lexeme
	notes  []note
	broken bool // a text, comment or bracket has no end
}

// A note is a comment, or several on lines that follow each other.
type note struct{ start, end, first, last int32 }

// A lexer makes the tokens of a source in one pass.
type lexer struct {
	lexis
	*lexed
	at      int
	line    int
	marks   []string        // what begins a comment
	endless map[string]bool // texts that were begun and never end
	open    []int32         // brackets
	braces  int             // of them, how many are {
}

func lex(src []byte, l lexis) *lexed {
	x := &lexer{lexis: l, lexed: &lexed{source: src}, line: 1, marks: strings.Fields(l.comments), endless: make(map[string]bool)}
	for x.at < len(src) {
		x.next()
	}
	if len(x.open) > 0 {
		x.broken = true
	}
	return x.lexed
}

func (x *lexer) next() {
	rest := x.source[x.at:]
	c := rest[0]
	switch {
	case c == '\n':
		x.line++
		x.at++
		return
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		x.at++
		return
	case x.blocks && bytes.HasPrefix(rest, []byte("/*")):
		x.comment(x.until("/*", "*/"))
		return
	case x.made && bytes.HasPrefix(rest, []byte("{{")) && x.template():
		return
	case c == '$' && x.dollars && x.dollarText(),
		x.indented && bytes.HasPrefix(rest, []byte("''")) && x.take(textToken, x.indentedEnd()),
		x.lexis.heredocs && bytes.HasPrefix(rest, []byte("<<")) && x.heredoc(),
		strings.IndexByte(x.texts, c) >= 0 && x.take(textToken, x.quoted(c, c)),
		strings.IndexByte(x.names, c) >= 0 && x.take(nameToken, x.quoted(c, closing(c))):
		return
	}
	for _, m := range x.marks {
		if bytes.HasPrefix(rest, []byte(m)) {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			x.comment(x.at + end)
			return
		}
	}
	if x.isWord(c) {
		end := x.at + 1
		for end < len(x.source) && x.isWord(x.source[end]) {
			end++
		}
		if x.urls && !x.endless["url("] && end < len(x.source) && x.source[end] == '(' && strings.EqualFold(string(x.source[x.at:end]), "url") {
			if i := bytes.IndexAny(x.source[end:], ")\n"); i > 0 && x.source[end+i] == ')' {
				end += i + 1
			} else {
				x.endless["url("] = true
			}
		}
		x.take(wordToken, end)
		return
	}
	x.take(markToken, x.at+1)
	x.bracket(c)
}

func closing(c byte) byte {
	if c == '[' {
		return ']'
	}
	return c
}

func (x *lexer) isWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80 || strings.IndexByte(x.inWord, c) >= 0
}

// take makes a token up to an offset; false where there is none, because the
// text that begins here never ends.
func (x *lexer) take(kind tokenKind, end int) bool {
	if end <= x.at {
		return false
	}
	n := int32(len(x.notes)) - 1
	if n >= 0 && (int(x.notes[n].last) < x.line-1 || len(x.tokens) > 0 && x.tokens[len(x.tokens)-1].start > x.notes[n].start) {
		n = -1
	}
	x.tokens = append(x.tokens, lexeme{kind: kind, start: int32(x.at), end: int32(end), line: int32(x.line), note: n, pair: -1})
	x.line += bytes.Count(x.source[x.at:end], []byte{'\n'})
	x.at = end
	return true
}

func (x *lexer) bracket(c byte) {
	here := int32(len(x.tokens)) - 1
	switch c {
	case '(', '[', '{':
		x.open = append(x.open, here)
		if c == '{' {
			x.braces++
		}
	case ')', ']', '}':
		last := len(x.open) - 1
		if last < 0 || !strings.ContainsRune("()[]{}", rune(c)) {
			x.broken = true
			return
		}
		opener := x.source[x.tokens[x.open[last]].start]
		if !(opener == '(' && c == ')' || opener == '[' && c == ']' || opener == '{' && c == '}') {
			// A brace closes what was left open inside it; another bracket
			// that fits nothing is nothing.
			x.broken = true
			if c != '}' || x.braces == 0 {
				return
			}
			for x.source[x.tokens[x.open[last]].start] != '{' {
				last--
			}
		}
		x.tokens[here].pair = x.open[last]
		x.tokens[x.open[last]].pair = here
		if c == '}' {
			x.braces--
		}
		x.open = x.open[:last]
	}
}

// until is the offset behind what ends the thing that begins here. Where it
// never ends, it ends with its line.
func (x *lexer) until(begin, end string) int {
	if !x.endless[begin] {
		if i := bytes.Index(x.source[x.at+len(begin):], []byte(end)); i >= 0 {
			return x.at + len(begin) + i + len(end)
		}
	}
	x.endless[begin] = true
	x.broken = true
	if i := bytes.IndexByte(x.source[x.at:], '\n'); i >= 0 {
		return x.at + i
	}
	return len(x.source)
}

// comment passes a comment, which joins the one that ends right above it.
func (x *lexer) comment(end int) {
	first := x.line
	x.line += bytes.Count(x.source[x.at:end], []byte{'\n'})
	alone := len(x.tokens) == 0 || int(x.tokens[len(x.tokens)-1].line) < first
	if n := len(x.notes) - 1; n >= 0 && alone && int(x.notes[n].last) == first-1 && x.source[x.at] == x.source[x.notes[n].start] &&
		(len(x.tokens) == 0 || x.tokens[len(x.tokens)-1].start < x.notes[n].start) && !bytes.HasPrefix(x.source[x.at:], []byte("/*")) {
		x.notes[n].end, x.notes[n].last = int32(end), int32(x.line)
	} else if alone {
		x.notes = append(x.notes, note{int32(x.at), int32(end), int32(first), int32(x.line)})
	}
	x.at = end
}

// template takes {{ … }}.
func (x *lexer) template() bool {
	end := holeEnd(x.source[x.at:])
	return end > 0 && x.take(holeToken, x.at+end)
}

// maxHole is how long {{ … }} may be, in bytes.
const maxHole = 400

// holeEnd is the length of the {{ … }} that a source begins with, on one
// line; 0 when it has no end.
func holeEnd(src []byte) int {
	src = src[:min(len(src), maxHole)]
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		src = src[:i]
	}
	if i := bytes.Index(src, []byte("}}")); i > 0 {
		return i + 2
	}
	return 0
}
