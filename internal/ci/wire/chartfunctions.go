package wire

import (
	"fmt"
	"strings"
	"text/template"
)

// functions are those of Helm in which names of images are put together, and
// in place of Go's own those whose results are bounded.
func (c *chart) functions() template.FuncMap {
	return template.FuncMap{
		"include": func(name string, data any) (string, error) {
			body, ok := c.defines[name]
			if !ok {
				return "", errTemplate
			}
			return c.told(body, data)
		},
		"tpl":        func(text string, data any) (string, error) { return c.told(text, data) },
		"default":    func(otherwise any, v ...any) any { return coalesce(append(v, otherwise)...) },
		"coalesce":   coalesce,
		"empty":      isEmpty,
		"ternary":    func(a, b any, yes bool) any { return coalesce(map[bool]any{true: a, false: b}[yes]) },
		"required":   func(_ string, v any) (any, error) { return v, needs(v) },
		"fail":       func(string) (string, error) { return "", errTemplate },
		"quote":      textOf,
		"squote":     textOf,
		"toString":   textOf,
		"trim":       func(v any) string { return strings.TrimSpace(textOf(v)) },
		"upper":      func(v any) string { return strings.ToUpper(textOf(v)) },
		"title":      func(v any) string { return first(strings.ToUpper, textOf(v)) },
		"untitle":    func(v any) string { return first(strings.ToLower, textOf(v)) },
		"camelcase":  camelCase,
		"lower":      func(v any) string { return strings.ToLower(textOf(v)) },
		"trimSuffix": func(end string, v any) string { return strings.TrimSuffix(textOf(v), end) },
		"trimPrefix": func(start string, v any) string { return strings.TrimPrefix(textOf(v), start) },
		"hasPrefix":  func(start string, v any) bool { return strings.HasPrefix(textOf(v), start) },
		"hasSuffix":  func(end string, v any) bool { return strings.HasSuffix(textOf(v), end) },
		"contains":   func(part string, v any) bool { return strings.Contains(textOf(v), part) },
		"replace": func(old, with string, v any) (string, error) {
			return bounded(strings.ReplaceAll(textOf(v), old, with[:min(len(with), 100)]))
		},
		"kindIs":   func(kind string, v any) bool { return kindOf(v) == kind },
		"hasKey":   func(m map[string]any, key string) bool { _, ok := m[key]; return ok },
		"get":      func(m map[string]any, key string) any { return m[key] },
		"dict":     dictOf,
		"merge":    merged,
		"tuple":    listOf,
		"list":     listOf,
		"printf":   formattedValues,
		"print":    func(v ...any) (string, error) { return formattedValues(strings.Repeat("%v", len(v)), v...) },
		"println":  func(...any) (string, error) { return "", errTemplate },
		"html":     func(...any) (string, error) { return "", errTemplate },
		"js":       func(...any) (string, error) { return "", errTemplate },
		"urlquery": func(...any) (string, error) { return "", errTemplate },
		"call":     func(...any) (string, error) { return "", errTemplate },
	}
}

func (c *chart) told(text string, data any) (string, error) {
	out, ok := c.run(text, data)
	if !ok {
		return "", errTemplate
	}
	return out, nil
}

func bounded(text string) (string, error) {
	if len(text) > maxValue {
		return "", errTemplate
	}
	return text, nil
}

// coalesce is the first value that is not empty.
func coalesce(values ...any) any {
	for _, v := range values {
		if !isEmpty(v) {
			return v
		}
	}
	return ""
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	text := textOf(v)
	return text == "" || text == "false" || text == "0"
}

func needs(v any) error {
	if isEmpty(v) {
		return errTemplate
	}
	return nil
}

// textOf is a plain value as templates print it; anything else is no part of
// a name.
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case map[string]any, []any:
		return unknown("value")
	}
	return fmt.Sprint(v)
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "invalid"
	case string:
		return "string"
	case map[string]any:
		return "map"
	case []any:
		return "slice"
	case bool:
		return "bool"
	case float64:
		return "float64"
	}
	return "int"
}

// formattedValues is printf with the plain verbs.
func formattedValues(format string, values ...any) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(format, "%")
		b.WriteString(before)
		if !ok {
			break
		}
		if rest == "" || len(values) == 0 || !strings.ContainsRune("svdq", rune(rest[0])) || b.Len() > maxValue {
			return "", errTemplate
		}
		b.WriteString(textOf(values[0]))
		values, format = values[1:], rest[1:]
	}
	return bounded(b.String())
}

// dictOf is a table of keys and values.
func dictOf(list ...any) (map[string]any, error) {
	out := map[string]any{}
	for i := 0; i+1 < len(list); i += 2 {
		out[textOf(list[i])] = list[i+1]
	}
	return countedTable(out)
}

// listOf is a list of values.
func listOf(list ...any) ([]any, error) {
	left := maxNodes
	if countNodes(list, &left); left < 0 {
		return nil, errTemplate
	}
	return list, nil
}

// merged is a table with what the first of several has for a key.
func merged(tables ...map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for _, t := range tables {
		for k, v := range t {
			if isEmpty(out[k]) {
				out[k] = v
			}
		}
	}
	return countedTable(out)
}

// countedTable refuses a table of too much: one may stand in another often.
func countedTable(t map[string]any) (map[string]any, error) {
	left := maxNodes
	if countNodes(t, &left); left < 0 {
		return nil, errTemplate
	}
	return t, nil
}

// first changes the first letter of a text.
func first(change func(string) string, text string) string {
	return change(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// camelCase joins the words of a text, each with a capital letter.
func camelCase(v any) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(textOf(v), func(r rune) bool { return r == '_' || r == '-' || r == ' ' }) {
		b.WriteString(first(strings.ToUpper, w))
	}
	return b.String()
}

func countNodes(v any, left *int) {
	if *left--; *left < 0 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, in := range v {
			countNodes(in, left)
		}
	case []any:
		for _, in := range v {
			countNodes(in, left)
		}
	}
}
