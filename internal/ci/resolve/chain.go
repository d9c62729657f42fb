package resolve

import "strings"

// A link of a chain such as a.b(c)[d].e: a name, and what follows it.
type step struct {
	name  string
	call  bool // its call's result is meant: a()
	index bool // an element of it is meant: a[0]
	args  int  // how many arguments its call has
}

// chain splits an expression of names, calls and indices, as Python,
// JavaScript and Scala write it; ok is false when it is something else or
// was cut short.
func chain(text string) (steps []step, ok bool) {
	for text = strings.TrimSpace(text); text != ""; {
		n := 0
		for n < len(text) && isNameByte(text[n]) {
			n++
		}
		if n == 0 || (text[0] >= '0' && text[0] <= '9') {
			return nil, false
		}
		s := step{name: text[:n]}
		text = text[n:]
		for text != "" && strings.IndexByte("([!", text[0]) >= 0 {
			if text[0] == '!' { // not null, says TypeScript
				text = text[1:]
				continue
			}
			s.call = s.call || text[0] == '('
			s.index = s.index || text[0] == '['
			inside := text
			if text, ok = skipBrackets(text); !ok {
				return nil, false
			}
			if inside = inside[1 : len(inside)-len(text)-1]; s.call && inside != "" {
				s.args = 1 + strings.Count(inside, ",")
			}
		}
		steps = append(steps, s)
		if text = strings.TrimSpace(text); text == "" {
			break
		}
		text = strings.TrimPrefix(text, "?") // a?.b
		rest, dot := strings.CutPrefix(text, ".")
		if rest = strings.TrimSpace(rest); !dot || rest == "" {
			return nil, false
		}
		text = rest
	}
	return steps, len(steps) > 0 && len(steps) <= maxSteps
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= 0x80 ||
		'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// skipBrackets drops the bracketed text at the start, quoted brackets being
// text.
func skipBrackets(text string) (rest string, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[i+1:], true
			}
		case '"', '\'', '`':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return "", false
			}
			i += end + 1
		}
	}
	return "", false
}

// annotation gives the type that a signature writes behind a name with a
// colon: "Config" of `def run(self, config: Config = None)`. ok says that
// the signature has a parameter of that name, with a type or without.
func annotation(signature, name string) (typ string, ok bool) {
	open := strings.IndexByte(signature, '(')
	if open < 0 {
		return "", false
	}
	for text := signature[open:]; ; {
		i := strings.Index(text, name)
		if i < 0 {
			return "", false
		}
		before, after := text[:i], text[i+len(name):]
		text = after
		if !startsParameter(before) {
			continue
		}
		after = strings.TrimLeft(after, " ?")
		if after == "" {
			return "", true // cut
		}
		switch after[0] {
		case ',', ')', '=', '}', ']':
			return "", true
		case ':':
			return untilTop(strings.TrimSpace(after[1:])), true
		}
	}
}

// isParameter reports whether an expression begins with a parameter of a
// definition around it, or with the object that a method is called on.
func (w *workspace) isParameter(from Ref, expr string) bool {
	links, ok := chain(strings.TrimPrefix(strings.TrimPrefix(expr, "await "), "new "))
	if !ok {
		return false
	}
	for r := range w.enclosing(from) {
		if _, is := annotation(w.def(r).Signature, links[0].name); is {
			return true
		}
	}
	return links[0].name == "self" || links[0].name == "cls"
}

// startsParameter reports whether a name that stands behind this text may be
// a parameter's: after a bracket or comma, with modifiers between.
func startsParameter(before string) bool {
	for {
		before = strings.TrimRight(before, " *.&{[")
		i := len(before)
		for i > 0 && isNameByte(before[i-1]) {
			i--
		}
		if !parameterModifier[before[i:]] {
			return strings.HasSuffix(before, "(") || strings.HasSuffix(before, ",")
		}
		before = before[:i]
	}
}

// parameterModifier holds what TypeScript and Scala write before a
// parameter's name.
var parameterModifier = wordSet("private protected public readonly val var implicit using override inline final")

// untilTop cuts a type off at what ends it: a comma, a bracket that it did
// not open, an equals sign, a body.
func untilTop(text string) string {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '<':
			depth++
		case '>':
			if i > 0 && text[i-1] == '=' {
				continue // =>
			}
			depth--
		case ')', ']':
			if depth--; depth < 0 {
				return strings.TrimSpace(text[:i])
			}
		case ',', '{', ';':
			if depth == 0 {
				return strings.TrimSpace(text[:i])
			}
		case '=':
			if depth == 0 && (i+1 >= len(text) || text[i+1] != '>') {
				return strings.TrimSpace(text[:i])
			}
		}
	}
	return strings.TrimSpace(text)
}

// declaredType gives the type in the signature of a variable or field:
// "Foo" of `val x: Foo = …`, `x: Foo`, `private x?: Foo`.
func declaredType(signature, name string) string {
	i := strings.Index(signature, name)
	if i < 0 {
		return ""
	}
	after := strings.TrimLeft(signature[i+len(name):], " ?!")
	if !strings.HasPrefix(after, ":") {
		return ""
	}
	return untilTop(strings.TrimSpace(after[1:]))
}
