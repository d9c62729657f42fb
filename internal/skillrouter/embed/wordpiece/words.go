package wordpiece

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// words walks over the words of a text: first over its fields, which spaces
// part, then over the words of a field, which punctuation parts. No step of
// folding looks beyond a space, so a text is read only as far as needed.
type words struct {
	settings Settings
	folded   []byte
	rest     string
}

// nextField returns the next part of text without spaces.
func (w *words) nextField(text string) (field, rest string, ok bool) {
	text = strings.TrimLeftFunc(text, w.isSpace)
	if text == "" {
		return "", "", false
	}
	if i := strings.IndexFunc(text, w.isSpace); i >= 0 {
		return text[:i], text[i:], true
	}
	return text, "", true
}

// isSpace: to a model with clean text a vertical tab and a next line are
// control characters, which vanish, not spaces.
func (w *words) isSpace(r rune) bool {
	if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
		return true
	}
	if r < utf8.RuneSelf {
		return !w.settings.CleanText && (r == '\v' || r == '\f')
	}
	return unicode.IsSpace(r) && (!w.settings.CleanText || r != 0x85)
}

// reset folds a field, whose words next then returns.
func (w *words) reset(field string) {
	w.folded = w.fold(w.folded[:0], field)
	w.rest = string(w.folded)
}

// next returns the next word of the field.
func (w *words) next() (string, bool) {
	w.rest = strings.TrimLeftFunc(w.rest, unicode.IsSpace)
	if w.rest == "" {
		return "", false
	}
	end := len(w.rest)
	for i, r := range w.rest {
		if isPunctuation(r) {
			end = i
			if i == 0 {
				end = utf8.RuneLen(r)
			}
			break
		}
		if unicode.IsSpace(r) {
			end = i
			break
		}
	}
	word := w.rest[:end]
	w.rest = w.rest[end:]
	return word, true
}

// fold cleans a field, takes it apart, drops marks and lowers case, in this
// order, as the settings say.
func (w *words) fold(to []byte, field string) []byte {
	ascii := true
	for _, r := range field {
		switch {
		case w.settings.CleanText && isControl(r):
			continue
		case w.settings.SplitHan && isHan(r):
			to = append(to, ' ')
			to = utf8.AppendRune(to, r)
			to = append(to, ' ')
			ascii = false
		default:
			to = utf8.AppendRune(to, r)
			ascii = ascii && r < utf8.RuneSelf
		}
	}
	if ascii {
		if w.settings.Lowercase {
			for i, c := range to {
				if 'A' <= c && c <= 'Z' {
					to[i] = c + 'a' - 'A'
				}
			}
		}
		return to
	}
	if w.settings.StripAccents {
		to = norm.NFD.Bytes(to)
	}
	out := make([]byte, 0, len(to))
	for _, r := range string(to) {
		switch {
		case w.settings.StripAccents && isMark(r):
		case w.settings.Lowercase && r == 'İ':
			out = append(out, "i\u0307"...) // the one letter that lowers to two
		case w.settings.Lowercase:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

func isMark(r rune) bool { return unicode.Is(unicode.Mn, r) }

// isControl is what clean text is without: what is not a character to see,
// and what stands for a damaged one.
func isControl(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	}
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	}
	return unicode.IsPunct(r)
}

// isHan is BERT's own list of blocks. It is not the script: kana and Hangul
// are written with spaces or cut by the vocabulary.
func isHan(r rune) bool {
	return r >= 0x3400 && (r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff ||
		r >= 0x20000 && r <= 0x2a6df || r >= 0x2a700 && r <= 0x2b81f || r >= 0x2b920 && r <= 0x2ceaf || r >= 0x2f800 && r <= 0x2fa1f)
}
