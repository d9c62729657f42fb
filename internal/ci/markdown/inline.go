package markdown

import "strings"

// A PieceKind says what a piece of a block's text is.
type PieceKind int

// The kinds of pieces.
const (
	Text    PieceKind = iota // words, without marks of emphasis removed
	Span                     // what stands between backticks
	Target                   // where a link leads; what it says comes before it as pieces of its own
	Address                  // an address that stands by itself
)

// A Piece is a part of a block's text.
type Piece struct {
	Kind PieceKind
	Text string
	Line int // in the document, from 1
}

// Inline cuts the text of a block that begins at a line of its document.
func Inline(text string, line int) []Piece {
	in := &inline{text: text, line: line, unclosed: map[int]bool{}}
	in.scan()
	return in.out
}

type inline struct {
	text     string
	line     int
	at, from int // where it reads, and where the words that are open began
	wordLine int
	out      []Piece
	unclosed map[int]bool // runs of so many backticks that nothing closes
	tagEnd   int          // where the next > or line break is, while it is ahead
}

func (in *inline) scan() {
	in.wordLine = in.line
	for in.at < len(in.text) {
		switch c := in.text[in.at]; {
		case c == '\n':
			in.at++
			in.line++
		case c == '\\' && in.at+1 < len(in.text) && in.text[in.at+1] != '\n':
			in.at += 2
		case c == '`':
			in.span()
		case c == ']' && in.at+1 < len(in.text) && in.text[in.at+1] == '(':
			in.target()
		case c == '<':
			in.tag()
		case (c == 'h' || c == 'H') && in.address():
		default:
			in.at++
		}
	}
	in.words(len(in.text))
}

// words puts out the words up to a place.
func (in *inline) words(end int) {
	if end > in.from {
		in.out = append(in.out, Piece{Text, in.text[in.from:end], in.wordLine})
	}
}

// piece puts out what stands from start to end, and goes on at next.
func (in *inline) piece(kind PieceKind, start, end, open, next int) {
	in.words(open)
	in.out = append(in.out, Piece{kind, in.text[start:end], in.line})
	in.line += strings.Count(in.text[open:next], "\n")
	in.at, in.from, in.wordLine = next, next, in.line
}

func (in *inline) span() {
	open := in.at
	n := len(in.text[open:]) - len(strings.TrimLeft(in.text[open:], "`"))
	start := open + n
	if end := in.closing(start, n); end >= 0 {
		in.piece(Span, start, end, open, end+n)
		return
	}
	in.at = start
}

// closing is where a run of exactly n backticks begins, or −1.
func (in *inline) closing(from, n int) int {
	if in.unclosed[n] {
		return -1
	}
	for i := from; i < len(in.text); {
		if in.text[i] != '`' {
			i++
			continue
		}
		run := len(in.text[i:]) - len(strings.TrimLeft(in.text[i:], "`"))
		if run == n {
			return i
		}
		i += run
	}
	in.unclosed[n] = true
	return -1
}

// maxTarget bounds where a link leads, in bytes.
const maxTarget = 1000

func (in *inline) target() {
	start := in.at + 2
	rest := in.text[start:min(len(in.text), start+maxTarget)]
	depth := 0
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\n':
			in.at++
			return
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				to := strings.TrimSpace(rest[:i])
				if cut := strings.IndexAny(to, " \t"); cut >= 0 {
					to = to[:cut] // a title follows
				}
				at := start + strings.Index(rest, to)
				in.piece(Target, at, at+len(to), in.at, start+i+1)
				return
			}
		}
	}
	in.at++
}

// tag passes over HTML, and puts out an address between angle brackets.
func (in *inline) tag() {
	if in.tagEnd <= in.at {
		in.tagEnd = len(in.text)
		if i := strings.IndexAny(in.text[in.at:], ">\n"); i >= 0 {
			in.tagEnd = in.at + i
		}
	}
	end := in.tagEnd - in.at
	if end < 2 || end > maxTarget || in.tagEnd == len(in.text) || in.text[in.tagEnd] != '>' {
		in.at++
		return
	}
	rest := in.text[in.at : in.tagEnd+1]
	inside := rest[1:end]
	if strings.Contains(inside, "://") && !strings.ContainsAny(inside, " \"'") {
		in.piece(Address, in.at+1, in.at+end, in.at, in.at+end+1)
		return
	}
	if c := inside[0]; c == '/' || c == '!' || c|0x20 >= 'a' && c|0x20 <= 'z' {
		in.words(in.at)
		in.at += end + 1
		in.from, in.wordLine = in.at, in.line
		return
	}
	in.at++
}

// address puts out an address that stands among words.
func (in *inline) address() bool {
	rest := in.text[in.at:min(len(in.text), in.at+maxTarget)]
	if !strings.HasPrefix(rest, "https://") && !strings.HasPrefix(rest, "http://") {
		return false
	}
	end := strings.IndexAny(rest, " \t\n)>]\"'`|")
	if end < 0 {
		end = len(rest)
	}
	for end > 0 && strings.IndexByte(".,;:!?*", rest[end-1]) >= 0 {
		end--
	}
	in.piece(Address, in.at, in.at+end, in.at, in.at+end)
	return true
}

// Plain is text as a person reads it: without backticks, marks of emphasis,
// HTML, and where links lead.
func Plain(text string) string {
	var b strings.Builder
	for _, p := range Inline(text, 1) {
		switch p.Kind {
		case Text:
			b.WriteString(unmarked(p.Text))
		case Span:
			b.WriteString(p.Text)
		case Address:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// unmarked is words without marks of emphasis and the brackets of links.
func unmarked(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == '*', c == '[', c == ']':
		case c == '!' && i+1 < len(s) && s[i+1] == '[':
		case c == '_' && (i == 0 || s[i-1] == ' ' || i+1 == len(s) || s[i+1] == ' '):
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
