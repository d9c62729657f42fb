package extract

import "strings"

// A scanToken is one token of a source that a scanner of ours reads.
type scanToken struct {
	kind       byte // 'n' name, 'k' keyword, 's' string, '0' number, 'o' anything else; 0 behind the last
	text       string
	line       int
	start, end int
	doc        string // text of the comments right above it
}

var luaKeywords = names(`and break do else elseif end false for function goto if in local nil not or repeat
	return then true until while`)

// luaTokens cuts a source into tokens. The text of a string is what stands
// between its marks; head is that of the comment before the first token. It reads every byte once, and never fails.
func luaTokens(src string) (tokens []scanToken, head string) {
	l := luaLexer{src: src, line: 1}
	if strings.HasPrefix(src, "#") {
		l.skipLine()
	}
	for l.next() {
	}
	return append(l.tokens, scanToken{line: l.line, start: len(src), end: len(src)}), l.head
}

type luaLexer struct {
	src    string
	at     int
	line   int
	tokens []scanToken

	comments []string // those above the next token
	head     string
	last     int // line on which the last of them ends
}

func (l *luaLexer) skipLine() {
	if i := strings.IndexByte(l.src[l.at:], '\n'); i >= 0 {
		l.at += i
	} else {
		l.at = len(l.src)
	}
}

func (l *luaLexer) next() bool {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n':
			l.line++
			l.at++
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case strings.HasPrefix(l.src[l.at:], "--"):
			l.comment()
		default:
			l.token(c)
			return true
		}
	}
	return false
}

// comment keeps what may document the next token: comments that stand on
// lines of their own, without an empty line between.
func (l *luaLexer) comment() {
	line, start := l.line, l.at
	l.at += 2
	if level, ok := l.longOpen(); ok {
		l.long(level)
	} else {
		l.skipLine()
	}
	text := l.src[start:l.at]
	if k := len(l.tokens); k > 0 && l.tokens[k-1].line == line {
		return
	}
	if line > l.last+1 {
		l.comments = l.comments[:0]
	}
	if len(l.comments) < 64 {
		l.comments = append(l.comments, clip(text, 8*maxDoc))
	}
	l.last = l.line
}

// longOpen reads "[==[" and says how many marks it has.
func (l *luaLexer) longOpen() (level int, ok bool) {
	i := l.at
	if i >= len(l.src) || l.src[i] != '[' {
		return 0, false
	}
	for i++; i < len(l.src) && l.src[i] == '='; i++ {
		level++
	}
	if i >= len(l.src) || l.src[i] != '[' {
		return 0, false
	}
	l.at = i + 1
	return level, true
}

// long reads up to "]==]".
func (l *luaLexer) long(level int) (text string) {
	closing := "]" + strings.Repeat("=", level) + "]"
	rest := l.src[l.at:]
	end := strings.Index(rest, closing)
	if end < 0 {
		end, closing = len(rest), ""
	}
	l.line += strings.Count(rest[:end], "\n")
	l.at += end + len(closing)
	return rest[:end]
}

func (l *luaLexer) token(c byte) {
	t := scanToken{kind: 'o', line: l.line, start: l.at}
	if len(l.comments) > 0 {
		if len(l.tokens) == 0 {
			l.head = luaDoc(l.comments)
		}
		if l.last >= l.line-1 {
			t.doc = luaDoc(l.comments)
		}
		l.comments = l.comments[:0]
	}
	switch {
	case isWordByte(c) && !(c >= '0' && c <= '9'):
		l.word()
		t.kind, t.text = 'n', l.src[t.start:l.at]
		if luaKeywords[t.text] {
			t.kind = 'k'
		}
	case c >= '0' && c <= '9', c == '.' && l.at+1 < len(l.src) && l.src[l.at+1] >= '0' && l.src[l.at+1] <= '9':
		for l.at < len(l.src) && (isWordByte(l.src[l.at]) || l.src[l.at] == '.' && !strings.HasPrefix(l.src[l.at:], "..")) {
			l.at++
		}
		t.kind = '0'
	case c == '"' || c == '\'':
		t.kind, t.text = 's', l.quoted(c)
	default:
		if level, ok := l.longOpen(); ok {
			t.kind, t.text = 's', l.long(level)
			break
		}
		t.text = l.operator()
	}
	t.end = l.at
	l.tokens = append(l.tokens, t)
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func (l *luaLexer) word() {
	for l.at < len(l.src) && isWordByte(l.src[l.at]) {
		l.at++
	}
}

// quoted reads a string of one line.
func (l *luaLexer) quoted(mark byte) string {
	l.at++
	start := l.at
	for l.at < len(l.src) {
		switch l.src[l.at] {
		case mark:
			l.at++
			return l.src[start : l.at-1]
		case '\n':
			return l.src[start:l.at]
		case '\\':
			if l.at+1 < len(l.src) && l.src[l.at+1] == '\n' {
				l.line++
			}
			l.at++
		}
		l.at++
	}
	l.at = min(l.at, len(l.src))
	return l.src[start:l.at]
}

func (l *luaLexer) operator() string {
	for _, op := range [...]string{"...", "..", "::", "==", "~=", "<=", ">=", "//", "<<", ">>"} {
		if strings.HasPrefix(l.src[l.at:], op) {
			l.at += len(op)
			return op
		}
	}
	l.at++
	return l.src[l.at-1 : l.at]
}

// luaDoc is the text of comments without their marks, up to the first tag.
func luaDoc(comments []string) string {
	var lines []string
	for _, c := range comments {
		c = strings.TrimLeft(c, "-")
		if strings.HasPrefix(c, "[") && strings.HasSuffix(c, "]") {
			c = strings.Trim(c, "[]=")
		}
		for line := range strings.Lines(c) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "@") {
				if len(lines) > 0 {
					return strings.Join(lines, "\n")
				}
				continue
			}
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
