package runner

import (
	"fmt"
	"strings"
)

// A scope resolves the names of an expression, as steps.build.outputs.path.
// It fails on a name that no run could have, which GitHub takes for empty: a
// slip of the pen must not pass for an unset value.
type scope interface {
	lookup(name string) (any, error)
	call(name string) (any, error) // of a function without arguments
}

// fill replaces each ${{ … }} in a text by its value.
func fill(text string, s scope) (string, error) {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${{")
		out.WriteString(before)
		if !ok {
			return out.String(), nil
		}
		inside, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return "", fmt.Errorf("an expression has no end: %q", text)
		}
		v, err := evaluate(inside, s)
		if err != nil {
			return "", err
		}
		out.WriteString(asText(v))
		text = after
	}
}

// evaluate reads an expression: names, texts, functions without arguments,
// "!", "==", "!=", "&&", "||" and parentheses.
func evaluate(text string, s scope) (any, error) {
	p := &parser{rest: strings.TrimSpace(text), scope: s}
	v, err := p.or()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q cannot be read from %q on", text, p.rest)
	}
	return v, err
}

type parser struct {
	rest  string
	scope scope
}

func (p *parser) take(token string) bool {
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = strings.TrimSpace(rest)
	}
	return ok
}

// or is a || b: the first that counts as true, else the last. All of it is
// read and resolved, so that a wrong name is found wherever it stands.
func (p *parser) or() (any, error) {
	v, err := p.and()
	for err == nil && p.take("||") {
		var next any
		if next, err = p.and(); !truth(v) {
			v = next
		}
	}
	return v, err
}

func (p *parser) and() (any, error) {
	v, err := p.compare()
	for err == nil && p.take("&&") {
		var next any
		if next, err = p.compare(); truth(v) {
			v = next
		}
	}
	return v, err
}

func (p *parser) compare() (any, error) {
	v, err := p.primary()
	for _, operator := range []string{"==", "!="} {
		if err == nil && p.take(operator) {
			var next any
			next, err = p.primary()
			v = strings.EqualFold(asText(v), asText(next)) == (operator == "==")
		}
	}
	return v, err
}

func (p *parser) primary() (any, error) {
	switch {
	case p.take("!"):
		v, err := p.primary()
		return !truth(v), err
	case p.take("("):
		v, err := p.or()
		if err == nil && !p.take(")") {
			err = fmt.Errorf("a parenthesis is open at %q", p.rest)
		}
		return v, err
	case strings.HasPrefix(p.rest, "'"):
		text, after, ok := strings.Cut(p.rest[1:], "'")
		if !ok {
			return nil, fmt.Errorf("a text has no end at %q", p.rest)
		}
		p.rest = strings.TrimSpace(after)
		return text, nil
	}
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
	})
	if end < 0 {
		end = len(p.rest)
	}
	name := p.rest[:end]
	p.rest = strings.TrimSpace(p.rest[end:])
	switch {
	case name == "":
		return nil, fmt.Errorf("there is no value at %q", p.rest)
	case name == "true", name == "false":
		return name == "true", nil
	case p.take("("):
		if !p.take(")") {
			return nil, fmt.Errorf("%s has arguments, which this runner does not read", name)
		}
		return p.scope.call(name)
	}
	return p.scope.lookup(name)
}

func truth(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return v != ""
	}
	return false
}

func asText(v any) string {
	switch v := v.(type) {
	case bool:
		return fmt.Sprint(v)
	case string:
		return v
	}
	return ""
}
