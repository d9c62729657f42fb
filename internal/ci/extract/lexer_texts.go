package extract

import (
	"bytes"
	"strings"
)

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
		case c == '\'' && x.indented && bytes.HasPrefix(x.source[i:], []byte("''")) && !x.endless["${''"]:
			if end := bytes.Index(x.source[i+2:], []byte("''")); end >= 0 {
				i += end + 3
			} else {
				x.endless["${''"] = true
			}
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
