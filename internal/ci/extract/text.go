package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
)

// The longest texts a File holds, in bytes.
const (
	maxName      = 200
	maxPath      = 400
	maxQualifier = 80
	maxSignature = 200
	maxDoc       = 300
)

// clip cuts s to at most n bytes, at a rune's border, with an ellipsis where
// something was lost.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := n - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// oneLine joins the words of s with single spaces and drops control and
// format characters, bidirectional ones included.
func oneLine(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
		case unicode.Is(unicode.C, r) || r == utf8.RuneError:
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain reports whether oneLine would change nothing.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// signature makes one line of a declaration's source, without the spaces
// that its line breaks leave behind and without what looks like a
// secret or is called one.
func signature(s string) string {
	if len(s) > 4*maxSignature {
		s = clip(s, 4*maxSignature)
	}
	s = oneLine(s)
	for _, r := range [...][2]string{{"( ", "("}, {", )", ")"}, {" )", ")"}, {"[ ", "["}, {", ]", "]"}, {" ]", "]"}} {
		if strings.Contains(s, r[0]) {
			s = strings.ReplaceAll(s, r[0], r[1])
		}
	}
	return clip(secret.Mask(secret.MaskNamed(s)), maxSignature)
}

// firstSentence returns the first sentence of a comment's text, markers
// already removed, on one line.
func firstSentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	// A blank line ends a paragraph, and so a sentence.
	for _, gap := range [...]string{"\n\n", "\n\r\n"} {
		if i := strings.Index(text, gap); i >= 0 {
			text = text[:i]
		}
	}
	if len(text) > 8*maxDoc {
		text = clip(text, 8*maxDoc)
	}
	text = secret.Mask(oneLine(text))
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '.', '!', '?':
			if endsSentence(text, i) {
				return clip(text[:i+1], maxDoc)
			}
		}
	}
	for i, r := range text {
		if r == '。' {
			return clip(text[:i+len("。")], maxDoc)
		}
	}
	return clip(text, maxDoc)
}

// endsSentence reports whether the mark at text[i] ends a sentence rather
// than an abbreviation, an initial or an ellipsis.
func endsSentence(text string, i int) bool {
	if i+1 == len(text) {
		return true
	}
	if text[i+1] != ' ' {
		return false
	}
	if text[i] != '.' {
		return true
	}
	word := text[strings.LastIndexByte(text[:i], ' ')+1 : i]
	word = strings.ToLower(strings.TrimLeft(word, "(\"'`"))
	switch word {
	case "e.g", "i.e", "etc", "cf", "vs", "resp", "approx", "dr", "mr", "mrs", "st", "no", "incl", "a.k.a", "eg", "ie":
		next, _ := utf8.DecodeRuneInString(text[i+2:])
		return word == "etc" && unicode.IsUpper(next) || word == "no" && !unicode.IsDigit(next)
	}
	if strings.HasSuffix(word, ".") {
		return false
	}
	return !(len(word) == 1 && word[0] >= 'a' && word[0] <= 'z' && text[i-1] < 'a')
}

// uncomment removes the markers of a comment: "//", "///", "/* */" with
// their leading stars, "#".
func uncomment(raw string) string {
	raw = strings.TrimSpace(raw)
	if strings.HasPrefix(raw, "/*") {
		raw = strings.TrimSuffix(strings.TrimPrefix(raw, "/*"), "*/")
		lines := strings.Split(raw, "\n")
		for i, l := range lines {
			l = strings.TrimSpace(l)
			lines[i] = strings.TrimSpace(strings.TrimLeft(l, "*!"))
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	lines := strings.Split(raw, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "//"):
			l = strings.TrimLeft(l, "/!")
		case strings.HasPrefix(l, "#"):
			l = strings.TrimLeft(l, "#")
		}
		lines[i] = strings.Trim(l, " \t\r")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// validText is s without what is no UTF-8.
func validText(s string) string { return strings.ToValidUTF8(s, "") }
