package wire

import (
	"encoding/json"
	"strings"
)

// A scope tells what a name in an expression holds: env.X, inputs.X,
// matrix.X … Each of the values is possible. ok is false where nothing tells.
type scope func(parts []string) (values []string, ok bool)

// expand replaces each ${{ … }} in a text. The result has every value that
// the text may have, at least one.
func (s scope) expand(text string) []string {
	out := []string{""}
	for {
		i := strings.Index(text, "${{")
		if i < 0 {
			return concat(out, []string{text})
		}
		expr, rest, ok := cutExpression(text[i+3:])
		if !ok {
			return concat(out, []string{text})
		}
		out = concat(concat(out, []string{text[:i]}), s.evaluate(expr))
		text = rest
	}
}

// cutExpression splits at the }} that ends an expression: one that is not in
// quotes.
func cutExpression(text string) (expr, rest string, ok bool) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\'':
			quoted = !quoted
		case !quoted && strings.HasPrefix(text[i:], "}}"):
			return text[:i], text[i+2:], true
		}
	}
	return strings.Cut(text, "}}") // an odd quote
}

// evaluate gives the values that an expression may have, at least one.
func (s scope) evaluate(expr string) []string {
	e := evaluator{scope: s, text: expr}
	r := e.or()
	e.space()
	if e.at < len(e.text) || e.failed || len(r.values) == 0 {
		return []string{unknown(lastName(expr))}
	}
	return union(r.values)
}

// never reports a condition that is false whatever is not told.
func (s scope) never(expr string) bool {
	e := evaluator{scope: s, text: expr}
	r := e.or()
	e.space()
	if e.at < len(e.text) || e.failed || r.maybe || len(r.values) == 0 {
		return false
	}
	for _, v := range r.values {
		if v != "" && v != "false" {
			return false
		}
	}
	return true
}

// lastName is the last name in an expression, for what it cannot tell.
func lastName(expr string) string {
	words := strings.FieldsFunc(expr, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	})
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// A result is what a part of an expression may be.
type result struct {
	values []string
	maybe  bool // may also be false or empty
	bool   bool // only its truth matters
}

type evaluator struct {
	scope  scope
	text   string
	at     int
	depth  int
	failed bool
}

const maxNesting = 40

func (e *evaluator) space() {
	for e.at < len(e.text) && strings.ContainsRune(" \t\r\n", rune(e.text[e.at])) {
		e.at++
	}
}

// take moves behind a sign, if it is next.
func (e *evaluator) take(sign string) bool {
	e.space()
	if !strings.HasPrefix(e.text[e.at:], sign) {
		return false
	}
	e.at += len(sign)
	return true
}

func (e *evaluator) or() result {
	if e.depth++; e.depth > maxNesting {
		e.failed = true
		return result{}
	}
	defer func() { e.depth-- }()
	r := e.and()
	for !e.failed && e.take("||") {
		next := e.and()
		var sure []string
		falsy := r.maybe || len(r.values) == 0
		for _, v := range r.values {
			if v == "" || v == "false" {
				falsy = true
			} else {
				sure = append(sure, v)
				falsy = falsy || !known(v)
			}
		}
		if !falsy {
			continue
		}
		r = result{values: union(sure, next.values), maybe: next.maybe, bool: r.bool && next.bool}
	}
	return r
}

func (e *evaluator) and() result {
	r := e.comparison()
	for !e.failed && e.take("&&") {
		next := e.comparison()
		always, never := len(r.values) > 0 && !r.maybe, len(r.values) > 0
		for _, v := range r.values {
			always = always && known(v) && v != "" && v != "false"
			never = never && (v == "" || v == "false")
		}
		nextNever := len(next.values) > 0 && !next.maybe
		for _, v := range next.values {
			nextNever = nextNever && (v == "" || v == "false")
		}
		switch {
		case never && !r.maybe:
			r = truth(false)
		case nextNever: // whatever stands before it
			r = next
		case always:
			r = next
		default:
			r = result{values: next.values, maybe: true, bool: next.bool}
		}
	}
	return r
}

func (e *evaluator) comparison() result {
	r := e.unary()
	for _, sign := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if e.failed || !e.take(sign) {
			continue
		}
		next := e.unary()
		if len(r.values) == 1 && len(next.values) == 1 && known(r.values[0]+next.values[0]) && (sign == "==" || sign == "!=") {
			return truth(strings.EqualFold(r.values[0], next.values[0]) == (sign == "=="))
		}
		return result{maybe: true, bool: true}
	}
	return r
}

func (e *evaluator) unary() result {
	if e.take("!") {
		if e.depth++; e.depth > maxNesting {
			e.failed = true
			return result{}
		}
		defer func() { e.depth-- }()
		r := e.unary()
		if len(r.values) == 1 && !r.maybe && known(r.values[0]) {
			return truth(r.values[0] == "" || r.values[0] == "false")
		}
		return result{maybe: true, bool: true}
	}
	return e.primary()
}

func (e *evaluator) primary() result {
	switch {
	case e.take("("):
		r := e.or()
		e.failed = e.failed || !e.take(")")
		return r
	case e.take("'"):
		return result{values: []string{e.literal()}}
	}
	name := e.name()
	if name == "" {
		e.failed = true
		return result{}
	}
	if e.take("(") {
		return e.call(name)
	}
	switch name {
	case "true", "false":
		return result{values: []string{name}, bool: true}
	case "null":
		return result{values: []string{""}}
	}
	if name[0] >= '0' && name[0] <= '9' {
		return result{values: []string{name}}
	}
	parts := []string{name}
	for !e.failed {
		switch {
		case e.take("."):
			if e.take("*") {
				parts = append(parts, "*")
				continue
			}
			part := e.name()
			e.failed = e.failed || part == ""
			parts = append(parts, part)
			continue
		case e.take("["):
			index := e.or()
			e.failed = e.failed || !e.take("]")
			if len(index.values) != 1 {
				index.values = []string{"*"}
			}
			parts = append(parts, index.values[0])
			continue
		}
		break
	}
	if v, ok := e.scope(parts); ok {
		return result{values: v}
	}
	return result{values: []string{unknown(parts[len(parts)-1])}}
}

// literal reads a string behind its opening quote; a quote in it is doubled.
func (e *evaluator) literal() string {
	var b strings.Builder
	for e.at < len(e.text) {
		c := e.text[e.at]
		e.at++
		if c == '\'' {
			if e.at == len(e.text) || e.text[e.at] != '\'' {
				return b.String()
			}
			e.at++
		}
		b.WriteByte(c)
	}
	e.failed = true
	return ""
}

func (e *evaluator) name() string {
	e.space()
	start := e.at
	for e.at < len(e.text) {
		c := e.text[e.at]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			e.at++
			continue
		}
		if c == '.' && e.at > start && e.text[start] >= '0' && e.text[start] <= '9' {
			e.at++ // a number
			continue
		}
		break
	}
	return e.text[start:e.at]
}

// call evaluates the functions whose results are texts.
func (e *evaluator) call(name string) result {
	var args []result
	for !e.failed && !e.take(")") {
		args = append(args, e.or())
		if !e.take(",") {
			e.space()
			if e.at >= len(e.text) || e.text[e.at] != ')' {
				e.failed = true
			}
		}
	}
	switch strings.ToLower(name) {
	case "format":
		return result{values: formatted(args)}
	case "fromjson":
		if len(args) == 1 {
			return result{values: fromJSON(args[0].values)}
		}
	case "tojson", "join":
		if len(args) > 0 {
			return args[0]
		}
	case "hashfiles":
		return result{values: []string{unknown("hash")}}
	case "contains", "startswith", "endswith":
		if len(args) == 2 && len(args[0].values) == 1 && len(args[1].values) == 1 && known(args[0].values[0]+args[1].values[0]) {
			return truth(tests[strings.ToLower(name)](strings.ToLower(args[0].values[0]), strings.ToLower(args[1].values[0])))
		}
		return result{maybe: true, bool: true}
	case "success", "failure", "always", "cancelled":
		return result{maybe: true, bool: true}
	}
	return result{values: []string{unknown(name)}}
}

var tests = map[string]func(a, b string) bool{"contains": strings.Contains, "startswith": strings.HasPrefix, "endswith": strings.HasSuffix}

func truth(yes bool) result {
	if yes {
		return result{values: []string{"true"}, bool: true}
	}
	return result{values: []string{"false"}, bool: true}
}

// formatted puts arguments at {0}, {1} … of a text.
func formatted(args []result) []string {
	if len(args) == 0 {
		return []string{""}
	}
	out := union(args[0].values)
	for i, a := range args[1:] {
		if i > 9 || len(a.values) == 0 {
			continue
		}
		var next []string
		for _, text := range out {
			for _, v := range a.values {
				if len(next) < maxValues {
					next = append(next, strings.ReplaceAll(text, "{"+string(rune('0'+i))+"}", v))
				}
			}
		}
		out = next
	}
	return out
}

// fromJSON takes a list of texts apart; other values stay.
func fromJSON(values []string) []string {
	var out []string
	for _, v := range values {
		var list []any
		if json.Unmarshal([]byte(v), &list) == nil {
			for _, item := range list {
				if s, ok := item.(string); ok {
					out = append(out, s)
				}
			}
			continue
		}
		out = append(out, v)
	}
	return out
}
