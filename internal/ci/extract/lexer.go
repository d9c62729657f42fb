package extract

import (
	"bytes"
	"strings"
	"unicode"
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

// quoted is the offset behind the text that begins here, or 0.
func (x *lexer) quoted(open, end byte) int {
	if x.endless[string(open)] {
		return 0
	}
	for i := x.at + 1; i < len(x.source); i++ {
		switch c := x.source[i]; {
		case c == '\n' && x.single:
			x.broken = true
			return 0
		case c == '\\' && x.escapes:
			i++
		case c == end:
			if x.doubled && i+1 < len(x.source) && x.source[i+1] == end {
				i++
				continue
			}
			return i + 1
		case c == '{' && x.made && bytes.HasPrefix(x.source[i:], []byte("{{")):
			if end := holeEnd(x.source[i:]); end > 0 {
				i += end - 1
			}
		case c == '$' && x.holes && i+1 < len(x.source) && x.source[i+1] == '{' && x.source[i-1] != '$':
			i = x.hole(i+2) - 1
		}
	}
	x.endless[string(open)] = true
	x.broken = true
	return 0
}

// hole is the offset behind the } that ends a ${ whose inside begins at i.
func (x *lexer) hole(i int) int {
	depth, inText := 1, false
	for ; i < len(x.source); i++ {
		switch c := x.source[i]; {
		case c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// dollarText takes $tag$ … $tag$.
func (x *lexer) dollarText() bool {
	end := x.at + 1
	for end < len(x.source) && (x.isWord(x.source[end]) && x.source[end] != '$') && end-x.at < 80 {
		end++
	}
	if end >= len(x.source) || x.source[end] != '$' {
		return false
	}
	tag := string(x.source[x.at : end+1])
	if x.endless[tag] {
		return false
	}
	i := bytes.Index(x.source[end+1:], []byte(tag))
	if i < 0 {
		x.broken = true
		if len(x.endless) < 64 { // tags are many where somebody makes them up
			x.endless[tag] = true
		} else {
			x.dollars = false
		}
		return false
	}
	return x.take(textToken, end+1+i+len(tag))
}

// indentedEnd is the offset behind a text that begins with two single
// quotes, in which three of them, or two and a dollar, are no end.
func (x *lexer) indentedEnd() int {
	if x.endless["''"] {
		return 0
	}
	for i := x.at + 2; i+1 < len(x.source); i++ {
		if x.source[i] == '$' && x.source[i+1] == '{' {
			i = x.hole(i+2) - 1
			continue
		}
		if x.source[i] != '\'' || x.source[i+1] != '\'' {
			continue
		}
		if i+2 < len(x.source) && strings.IndexByte("'$\\", x.source[i+2]) >= 0 {
			i += 2
			continue
		}
		return i + 2
	}
	x.endless["''"] = true
	x.broken = true
	return 0
}

// heredoc takes <<WORD up to the line that is that word alone.
func (x *lexer) heredoc() bool {
	i := x.at + 2
	if i < len(x.source) && (x.source[i] == '-' || x.source[i] == '~') {
		i++
	}
	begin := i
	for i < len(x.source) && (x.isWord(x.source[i])) {
		i++
	}
	word := string(x.source[begin:i])
	if word == "" || x.endless["<<"+word] || len(x.endless) > 64 {
		return false
	}
	for i < len(x.source) {
		nl := bytes.IndexByte(x.source[i:], '\n')
		if nl < 0 {
			break
		}
		i += nl + 1
		end := bytes.IndexByte(x.source[i:], '\n')
		if end < 0 {
			end = len(x.source) - i
		}
		if string(bytes.TrimSpace(x.source[i:i+end])) == word {
			return x.take(textToken, i+end)
		}
	}
	x.endless["<<"+word] = true
	x.broken = true
	return false
}

// text is a token as written.
func (l *lexed) text(i int) string {
	if i < 0 || i >= len(l.tokens) {
		return ""
	}
	return string(l.source[l.tokens[i].start:l.tokens[i].end])
}

// is reports whether a token is a word or mark, in whatever case.
func (l *lexed) is(i int, words ...string) bool {
	if i < 0 || i >= len(l.tokens) || l.tokens[i].kind == textToken || l.tokens[i].kind == nameToken {
		return false
	}
	t := l.tokens[i]
	for _, w := range words {
		if int(t.end-t.start) == len(w) && strings.EqualFold(string(l.source[t.start:t.end]), w) {
			return true
		}
	}
	return false
}

// kind is that of a token, a mark's behind the end.
func (l *lexed) kind(i int) tokenKind {
	if i < 0 || i >= len(l.tokens) {
		return markToken
	}
	return l.tokens[i].kind
}

// bare is a token's text without its quotes, on one line.
func (l *lexed) bare(i int) string {
	t := l.text(i)
	if k := l.kind(i); (k == textToken || k == nameToken) && len(t) >= 2 {
		switch {
		case strings.HasPrefix(t, "''") && strings.HasSuffix(t, "''") && len(t) >= 4:
			t = t[2 : len(t)-2]
		default:
			t = t[1 : len(t)-1]
		}
	}
	return oneLine(validText(t))
}

func (l *lexed) line(i int) int {
	if len(l.tokens) == 0 {
		return 1
	}
	return int(l.tokens[max(0, min(i, len(l.tokens)-1))].line)
}

// endLine is where a token ends.
func (l *lexed) endLine(i int) int {
	if len(l.tokens) == 0 {
		return 1
	}
	t := l.tokens[max(0, min(i, len(l.tokens)-1))]
	return int(t.line) + bytes.Count(l.source[t.start:t.end], []byte{'\n'})
}

// pair is the token that closes the bracket at i, or the last one before
// limit where nothing does.
func (l *lexed) pair(i, limit int) int {
	if p := int(l.tokens[i].pair); p > i && p < limit {
		return p
	}
	return max(i, limit-1)
}

// span is the source from one token to another, both included, as much as a
// signature may need.
func (l *lexed) span(from, to int) string {
	if from < 0 || from >= len(l.tokens) || to < from {
		return ""
	}
	start, end := int(l.tokens[from].start), int(l.tokens[min(to, len(l.tokens)-1)].end)
	return string(l.source[start:min(end, start+4*maxSignature)])
}

// doc is the first sentence of the comment that ends right above a token.
func (l *lexed) doc(i int) string {
	if i < 0 || i >= len(l.tokens) || l.tokens[i].note < 0 {
		return ""
	}
	return l.sentence(l.notes[l.tokens[i].note])
}

func (l *lexed) sentence(n note) string {
	text := string(l.source[n.start:min(n.end, n.start+16*maxDoc)])
	text = validText(uncommentAny(text))
	if legal(text) {
		return ""
	}
	return firstSentence(strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-=#*", r) }))
}

// head is the first sentence of the comment that the source begins with,
// when a blank line or nothing follows it.
func (l *lexed) head() string {
	for i, n := range l.notes {
		if len(l.tokens) > 0 && l.tokens[0].start < n.start {
			break
		}
		if len(l.tokens) > 0 && l.tokens[0].note == int32(i) {
			break
		}
		if s := l.sentence(n); s != "" {
			return s
		}
	}
	return ""
}

// uncommentAny is uncomment that knows "--" too.
func uncommentAny(raw string) string {
	if !strings.HasPrefix(raw, "--") && !strings.HasPrefix(raw, ";") {
		return uncomment(raw)
	}
	lines := strings.Split(raw, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l), "-;"))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
