package extract

import (
	"bytes"
	"strings"
	"unicode"
)

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
