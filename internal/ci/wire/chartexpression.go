package wire

import "strings"

// A chartExpression is what stands between the braces of a chart's template.
type chartExpression struct {
	*chart
	words []string
	vars  map[string]string
	depth int
}

// chartWords takes an expression apart: words, texts in quotes with their
// opening quote, and the signs ( ) |.
func chartWords(text string) (out []string) {
	const most = 200
	for i := 0; i < len(text) && len(out) < most; {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '(' || c == ')' || c == '|':
			out = append(out, string(c))
			i++
		case c == '"' || c == '`':
			end := i + 1
			for end < len(text) && text[end] != c {
				if text[end] == '\\' && c == '"' {
					end++
				}
				end++
			}
			out = append(out, text[i:min(end, len(text))])
			i = end + 1
		default:
			end := i
			for end < len(text) && !strings.ContainsRune(" \t\r\n()|\"`", rune(text[end])) {
				end++
			}
			out = append(out, text[i:end])
			i = end
		}
	}
	return out
}

// pipeline is the value of a | b | c. ok is false where it is not told.
func (e *chartExpression) pipeline() (string, bool) {
	if e.depth++; e.depth > maxNesting {
		return "", false
	}
	defer func() { e.depth-- }()
	value, ok := e.command(nil)
	for ok && len(e.words) > 0 && e.words[0] == "|" {
		e.words = e.words[1:]
		value, ok = e.command([]string{value})
	}
	return value, ok
}

// command is a value, or a function with its arguments; piped is the last.
func (e *chartExpression) command(piped []string) (string, bool) {
	if len(e.words) == 0 {
		return "", false
	}
	name := e.words[0]
	if _, isFunction := chartFunctions[name]; !isFunction && name != "include" && name != "tpl" {
		if len(piped) > 0 {
			return "", false
		}
		return e.operand()
	}
	e.words = e.words[1:]
	if name == "include" {
		return e.include()
	}
	var args []string
	for len(e.words) > 0 && e.words[0] != ")" && e.words[0] != "|" {
		if name == "tpl" && len(args) == 1 {
			e.words = e.words[1:] // where it is put together
			continue
		}
		v, ok := e.operand()
		if !ok {
			return "", false
		}
		args = append(args, v)
	}
	args = append(args, piped...)
	if name == "tpl" {
		if len(args) == 0 {
			return "", false
		}
		return e.chart.text(args[0], nil, e.depth)
	}
	return chartFunctions[name](args)
}

// operand is one value: a text, a name, or an expression in parentheses.
func (e *chartExpression) operand() (string, bool) {
	if len(e.words) == 0 {
		return "", false
	}
	w := e.words[0]
	e.words = e.words[1:]
	switch {
	case w == "(":
		v, ok := e.pipeline()
		if !ok || len(e.words) == 0 || e.words[0] != ")" {
			return "", false
		}
		e.words = e.words[1:]
		return v, true
	case w[0] == '"' || w[0] == '`':
		return w[1:], true
	case w[0] == '.' || w[0] == '$':
		return e.value(w, e.vars)
	}
	return "", false
}

// include is the text of a named template that looks at the whole of the
// chart.
func (e *chartExpression) include() (string, bool) {
	if len(e.words) < 2 || e.words[0][0] != '"' || e.words[1] != "." && e.words[1] != "$" {
		return "", false
	}
	body, ok := e.defines[e.words[0][1:]]
	e.words = e.words[2:]
	if !ok {
		return "", false
	}
	return e.chart.text(body, nil, e.depth+1)
}

// chartFunctions are those of templates in which names of images are put
// together.
var chartFunctions = map[string]func([]string) (string, bool){
	"default": func(a []string) (string, bool) {
		if len(a) != 2 {
			return "", false
		}
		if a[1] != "" {
			return a[1], true
		}
		return a[0], true
	},
	"coalesce": func(a []string) (string, bool) {
		for _, v := range a {
			if v != "" {
				return v, true
			}
		}
		return "", true
	},
	"printf":   formattedValues,
	"quote":    lastOf,
	"squote":   lastOf,
	"toString": lastOf,
	"trim":     lastOf,
	"required": lastOf,
	"lower":    lastOf,
}

func lastOf(a []string) (string, bool) {
	if len(a) == 0 {
		return "", false
	}
	return strings.TrimSpace(a[len(a)-1]), true
}

// formattedValues puts values at %s and %v of the first.
func formattedValues(a []string) (string, bool) {
	if len(a) == 0 {
		return "", false
	}
	out, rest := "", a[0]
	for _, v := range a[1:] {
		i := strings.IndexByte(rest, '%')
		if i < 0 || i+1 == len(rest) || rest[i+1] != 's' && rest[i+1] != 'v' {
			return "", false
		}
		out, rest = out+rest[:i]+v, rest[i+2:]
	}
	return out + rest, !strings.Contains(rest, "%")
}
