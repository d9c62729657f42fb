package extract

import (
	"bytes"
	"strings"
)

// A tag is one tag of HTML, or of what Vue and Svelte make of it.
type tag struct {
	name       string
	attributes []attribute
	start, end int // offsets, brackets included
	line       int
	raw        int  // of a script or style: the offset where its text ends; 0 when it has none
	closing    bool // </name>
	selfClosed bool // <name/>
}

type attribute struct {
	name, value string
	start, end  int // offsets of the value, quotes included; equal when there is none
	line        int
}

// get is the value of an attribute; ok says that the tag has it.
func (t tag) get(name string) (value string, ok bool) {
	for _, a := range t.attributes {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// tags yields the tags of a source in one pass. What stands in comments is
// passed over, and so is the text of script and style elements.
func tags(src []byte) func(yield func(tag) bool) {
	return func(yield func(tag) bool) {
		at, line, seen := 0, 1, 0
		noComment, noRaw := false, make(map[string]bool)
		wasted := 0 // bytes read of tags that never end
		for at < len(src) {
			i := bytes.IndexByte(src[at:], '<')
			if i < 0 {
				return
			}
			at += i
			line += bytes.Count(src[seen:at], []byte{'\n'})
			seen = at
			if bytes.HasPrefix(src[at:], []byte("<!--")) && !noComment {
				if end := bytes.Index(src[at:], []byte("-->")); end >= 0 {
					at += end + 3
				} else {
					noComment = true
					at += 4
				}
				continue
			}
			t, ok := readTag(src, at, line)
			if !ok {
				if wasted += t.end - at; wasted > 4*len(src) {
					return
				}
				at++
				continue
			}
			at = t.end
			if low := strings.ToLower(t.name); (low == "script" || low == "style") && !t.closing && !t.selfClosed && !noRaw[low] {
				if end := rawEnd(src, at, low); end >= 0 {
					t.raw, at = end, end
				} else {
					noRaw[low] = true
				}
			}
			if !yield(t) {
				return
			}
		}
	}
}

// rawEnd is where the text of a script or style ends, or -1.
func rawEnd(src []byte, at int, name string) int {
	for at < len(src) {
		i := bytes.Index(src[at:], []byte("</"))
		if i < 0 {
			return -1
		}
		at += i
		if rest := src[at+2:]; len(rest) >= len(name) && strings.EqualFold(string(rest[:len(name)]), name) {
			return at
		}
		at += 2
	}
	return -1
}

// maxTag is how long one tag may be, in bytes.
const maxTag = 64 << 10

func readTag(src []byte, at, line int) (tag, bool) {
	t := tag{start: at, line: line}
	limit := min(len(src), at+maxTag)
	i := at + 1
	if i < limit && src[i] == '/' {
		t.closing = true
		i++
	}
	begin := i
	for i < limit && isTagByte(src[i]) {
		i++
	}
	if i == begin || !(src[begin] >= 'a' && src[begin] <= 'z' || src[begin] >= 'A' && src[begin] <= 'Z') {
		return t, false
	}
	t.name = validText(string(src[begin:i]))
	for i < limit {
		switch c := src[i]; {
		case c == '>':
			t.end = i + 1
			return t, true
		case c == '<':
			t.end = i // a tag that is not finished
			return t, true
		case c == '\n':
			line++
			i++
		case c == '/':
			t.selfClosed = i+1 < limit && src[i+1] == '>'
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '=' || c == '"' || c == '\'':
			i++
		default:
			var a attribute
			a, i = readAttribute(src, i, limit)
			a.line = line
			line += strings.Count(a.value, "\n")
			t.attributes = append(t.attributes, a)
		}
	}
	t.end = i
	return t, i == len(src)
}

func isTagByte(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c == ':' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// readAttribute reads name, name=value, name="value", name={value} or
// {value}.
func readAttribute(src []byte, i, limit int) (attribute, int) {
	begin := i
	if src[i] == '{' {
		end := braced(src, i, limit)
		return attribute{value: string(src[i:end]), start: i, end: end}, end
	}
	for i < limit && strings.IndexByte(" \t\r\n=/>\"'<", src[i]) < 0 {
		i++
	}
	if i == begin {
		i++
	}
	a := attribute{name: string(src[begin:i]), start: i, end: i}
	if i >= limit || src[i] != '=' {
		return a, i
	}
	i++
	a.start = i
	switch {
	case i >= limit:
	case src[i] == '"' || src[i] == '\'':
		quote := src[i]
		end := bytes.IndexByte(src[i+1:limit], quote)
		if end < 0 {
			a.start, a.end = i, i
			return a, i + 1
		}
		a.value = string(src[i+1 : i+1+end])
		i += end + 2
	case src[i] == '{':
		end := braced(src, i, limit)
		a.value = string(src[i:end])
		i = end
	default:
		for i < limit && strings.IndexByte(" \t\r\n>", src[i]) < 0 {
			i++
		}
		a.value = string(src[a.start:i])
	}
	a.end = i
	return a, i
}

// braced is the offset behind the brace that closes the one at i, texts
// aside.
func braced(src []byte, i, limit int) int {
	depth, quote := 0, byte(0)
	for ; i < limit; i++ {
		switch c := src[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return limit
}
