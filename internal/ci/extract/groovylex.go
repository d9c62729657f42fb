package extract

import "strings"

// groovyKeywords holds the words that are no names.
var groovyKeywords = names(`abstract as assert break case catch class continue def default do else enum extends final
	finally for goto if implements import in instanceof interface native new null package private protected public
	return static strictfp super switch synchronized this throw throws trait transient try var void volatile while
	true false boolean byte char double float int long short`)

// groovyPrimitives holds the types that are keywords.
var groovyPrimitives = names(`void boolean byte char double float int long short`)

// groovyModifiers holds the words that a declaration may begin with.
var groovyModifiers = names(`abstract def default final native private protected public static strictfp synchronized
	transient var volatile`)

// groovyTokens cuts a source into tokens. The text of a string is what stands
// between its marks. It reads every byte once, and never fails.
func groovyTokens(src string) []scanToken {
	l := groovyLexer{luaLexer{src: src, line: 1}}
	if strings.HasPrefix(src, "#!") {
		l.skipLine()
	}
	for l.next() {
	}
	return append(l.tokens, scanToken{line: l.line, start: len(src), end: len(src)})
}

type groovyLexer struct{ luaLexer }

func (l *groovyLexer) next() bool {
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch c := rest[0]; {
		case c == '\n':
			l.line++
			l.at++
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case strings.HasPrefix(rest, "//"):
			l.remark("\n")
		case strings.HasPrefix(rest, "/*"):
			l.remark("*/")
		default:
			l.token(c)
			return true
		}
	}
	return false
}

// remark reads a comment up to its end. One that stands on lines of its own
// may document the next token.
func (l *groovyLexer) remark(end string) {
	start, line := l.at, l.line
	if i := strings.Index(l.src[l.at+2:], end); i >= 0 {
		l.at += 2 + i
		if end != "\n" {
			l.at += len(end)
		}
	} else {
		l.at = len(l.src)
	}
	text := l.src[start:l.at]
	l.line += strings.Count(text, "\n")
	if k := len(l.tokens); k > 0 && l.tokens[k-1].line == line {
		return
	}
	if line > l.last+1 || end != "\n" {
		l.comments = l.comments[:0]
	}
	if len(l.comments) < 64 {
		l.comments = append(l.comments, clip(text, 16*maxDoc))
	}
	l.last = l.line
}

func (l *groovyLexer) token(c byte) {
	t := scanToken{kind: 'o', line: l.line, start: l.at}
	if len(l.comments) > 0 {
		if l.last >= l.line-1 {
			t.doc = uncomment(strings.Join(l.comments, "\n"))
		}
		l.comments = l.comments[:0]
	}
	rest := l.src[l.at:]
	switch {
	case isWordByte(c) && !(c >= '0' && c <= '9') || c == '$' && len(rest) > 1 && isWordByte(rest[1]):
		for l.at < len(l.src) && (isWordByte(l.src[l.at]) || l.src[l.at] == '$') {
			l.at++
		}
		t.kind, t.text = 'n', l.src[t.start:l.at]
		if groovyKeywords[t.text] {
			t.kind = 'k'
		}
	case c >= '0' && c <= '9':
		l.word()
		t.kind = '0'
	case strings.HasPrefix(rest, `'''`), strings.HasPrefix(rest, `"""`):
		t.kind, t.text = 's', l.until(rest[:3])
	case c == '"' || c == '\'':
		t.kind, t.text = 's', l.quoted(c)
	case strings.HasPrefix(rest, "$/"):
		t.kind, t.text = 's', l.until("/$")
	case c == '/' && l.slashy():
		t.kind, t.text = 's', l.until("/")
	default:
		l.at++
		t.text = l.src[t.start:l.at]
	}
	t.end = l.at
	l.tokens = append(l.tokens, t)
}

// slashy reports whether a slash begins a string: where a value must stand,
// and another slash is on the line.
func (l *groovyLexer) slashy() bool {
	if k := len(l.tokens); k > 0 {
		switch last := l.tokens[k-1]; {
		case last.kind == 'n', last.kind == '0', last.kind == 's', last.text == ")", last.text == "]", last.text == "}":
			return false
		}
	}
	line, _, _ := strings.Cut(l.src[l.at+1:min(len(l.src), l.at+1+maxSlashy)], "\n")
	return strings.Contains(line, "/")
}

// maxSlashy bounds how far the end of a string between slashes is looked for.
const maxSlashy = 1000

// until reads a string whose marks are longer than one byte, or a slash.
func (l *groovyLexer) until(mark string) string {
	skip := len(mark)
	l.at += skip
	start := l.at
	for l.at < len(l.src) {
		switch {
		case strings.HasPrefix(l.src[l.at:], mark):
			l.at += len(mark)
			return l.src[start : l.at-len(mark)]
		case l.src[l.at] == '\\' && l.at+1 < len(l.src):
			l.at++
		}
		if l.src[l.at] == '\n' {
			l.line++
		}
		l.at++
	}
	return l.src[start:]
}
