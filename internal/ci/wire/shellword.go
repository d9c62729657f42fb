package wire

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// words are the ways in which the words of a command may be read, at most
// maxValues, each a list of arguments.
func (s *shell) words(list []*syntax.Word) [][]string {
	ways := [][]string{nil}
	for _, w := range list {
		split := syntax.Word{Parts: slices.Clone(w.Parts)} // the word itself stays as it was read
		syntax.SplitBraces(&split)
		for part, err := range expand.BracesSeq(nil, &split) {
			if err != nil || len(ways[0]) > maxWords {
				return ways
			}
			options := s.fields(part)
			if len(options) == 1 {
				for i := range ways {
					ways[i] = append(ways[i], options[0]...)
				}
			} else {
				var next [][]string
				for _, way := range ways {
					for _, o := range options {
						if len(next) < maxValues {
							next = append(next, append(way[:len(way):len(way)], o...))
						}
					}
				}
				ways = next
			}
		}
	}
	return ways
}

// fields are the ways in which one word may be read: each is no, one or
// several arguments.
func (s *shell) fields(w *syntax.Word) [][]string {
	if args, ok := s.array(w); ok {
		return [][]string{args}
	}
	if quoted(w) {
		values := s.strings(w)
		out := make([][]string, len(values))
		for i, v := range values {
			out[i] = []string{v}
		}
		return out
	}
	var out [][]string
	for _, v := range s.strings(w) {
		out = append(out, strings.Fields(v))
	}
	return out
}

// first is the first way to read a word.
func (s *shell) first(w *syntax.Word) []string {
	ways := s.words([]*syntax.Word{w})
	if len(ways) == 0 {
		return nil
	}
	if len(ways) > 1 { // one variable with several values
		var all []string
		for _, way := range ways {
			all = append(all, way...)
		}
		return all
	}
	return ways[0]
}

// array is the elements of "${a[@]}" or "$@", where the word is just that.
func (s *shell) array(w *syntax.Word) ([]string, bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Length || p.Excl {
		return nil, false
	}
	if p.Param.Value == "@" || p.Param.Value == "*" {
		return s.params, true
	}
	if lit, isWord := p.Index.(*syntax.Word); isWord && (lit.Lit() == "@" || lit.Lit() == "*") {
		if list, ok := s.arrays[p.Param.Value]; ok {
			return list, true
		}
		if _, ok := s.vars[p.Param.Value]; !ok {
			return nil, true // empty, or not told
		}
	}
	return nil, false
}

// quoted reports a word that is one argument whatever it holds: one without
// a variable or expression outside of quotes.
func quoted(w *syntax.Word) bool {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.Contains(p.Value, exprMark) {
				return false
			}
		case *syntax.ParamExp, *syntax.CmdSubst:
			return false
		}
	}
	return true
}

// text is the first value of a word.
func (s *shell) text(w *syntax.Word) string { return s.strings(w)[0] }

// strings are the values that a word may have, at least one.
func (s *shell) strings(w *syntax.Word) []string {
	out := []string{""}
	if w == nil {
		return out
	}
	for _, part := range w.Parts {
		out = concat(out, s.part(part))
	}
	if len(out) == 0 {
		return []string{unknown("")}
	}
	return out
}

func (s *shell) part(part syntax.WordPart) []string {
	switch p := part.(type) {
	case *syntax.Lit:
		return s.expressions(unescape(p.Value))
	case *syntax.SglQuoted:
		return s.expressions(p.Value)
	case *syntax.DblQuoted:
		out := []string{""}
		for _, inner := range p.Parts {
			if lit, ok := inner.(*syntax.Lit); ok {
				out = concat(out, s.expressions(unescapeQuoted(lit.Value)))
				continue
			}
			out = concat(out, s.part(inner))
		}
		return out
	case *syntax.ParamExp:
		return s.parameter(p)
	case *syntax.CmdSubst:
		return []string{s.substituted(p)}
	case *syntax.ArithmExp:
		return []string{unknown("number")}
	case *syntax.ExtGlob:
		return []string{p.Pattern.Value}
	}
	return []string{unknown("")}
}

// expressions puts the values of expressions back into a literal.
func (s *shell) expressions(text string) []string {
	out := []string{""}
	for {
		before, rest, ok := strings.Cut(text, exprMark)
		if !ok {
			return concat(out, []string{text})
		}
		number, after, _ := strings.Cut(rest, exprEnd)
		values := []string{unknown("")}
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(s.values) {
			values = s.values[n]
		}
		out = concat(concat(out, []string{before}), values)
		text = after
	}
}

// unescape takes the backslashes off a literal.
func unescape(text string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// unescapeQuoted takes off the backslashes that mean something in double
// quotes.
func unescapeQuoted(text string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte("\"\\$`\n", text[i+1]) >= 0 {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// parameter is ${…} in its forms.
func (s *shell) parameter(p *syntax.ParamExp) []string {
	if p.Param == nil {
		return []string{unknown("")}
	}
	name := p.Param.Value
	if p.Length || p.Excl || p.Width {
		return []string{unknown(name)}
	}
	values := s.plain(p, name)
	if p.Exp != nil {
		return s.expansion(p.Exp, name, values)
	}
	if p.Repl != nil && p.Repl.Orig != nil {
		from, to := s.text(p.Repl.Orig), s.text(p.Repl.With)
		for i, v := range values {
			if n := map[bool]int{true: -1, false: 1}[p.Repl.All]; known(v) && !strings.ContainsAny(from, "*?[") {
				values[i] = strings.Replace(v, from, to, n)
			}
		}
	}
	if p.Slice != nil {
		for i, v := range values {
			if known(v) {
				values[i] = unknown(name)
			}
		}
	}
	return values
}

// plain is what the variable holds; the result is the caller's own.
func (s *shell) plain(p *syntax.ParamExp, name string) []string {
	switch {
	case name == "@" || name == "*":
		return []string{strings.Join(s.params, " ")}
	case name == "#" || name == "?" || name == "$" || name == "!" || name == "-":
		return []string{unknown("number")}
	case name == "0":
		return []string{unknown("script")}
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9':
		if n := int(name[0] - '1'); n < len(s.params) {
			return []string{s.params[n]}
		}
		if s.params != nil {
			return []string{""}
		}
		return []string{unknown("argument")}
	}
	if list, ok := s.arrays[name]; ok {
		if w, isWord := p.Index.(*syntax.Word); isWord {
			if n, err := strconv.Atoi(w.Lit()); err == nil && n >= 0 && n < len(list) {
				return []string{list[n]}
			} else if err == nil || w.Lit() == "@" || w.Lit() == "*" {
				return []string{strings.Join(list, " ")}
			}
			return union(list)
		}
		if len(list) == 0 {
			return []string{""}
		}
		return []string{list[0]}
	}
	return union(s.variable(name))
}

// expansion is what an operator of ${name…} makes of the values.
func (s *shell) expansion(e *syntax.Expansion, name string, values []string) []string {
	told := len(values) > 0
	for _, v := range values {
		told = told && known(v) && v != ""
	}
	switch e.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if told {
			return values
		}
		fallback := s.strings(e.Word)
		var sure []string
		for _, v := range values {
			if v != "" && v != unknown(name) {
				sure = append(sure, v)
			}
		}
		fallback = union(sure, fallback)
		if e.Op == syntax.AssignUnset || e.Op == syntax.AssignUnsetOrNull {
			s.vars[name] = fallback
		}
		return fallback
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if len(values) == 1 && values[0] == "" {
			return values
		}
		return s.strings(e.Word)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return values
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		pat := s.text(e.Word)
		for i, v := range values {
			values[i] = removed(v, pat, e.Op, name)
		}
	case syntax.LowerAll, syntax.LowerFirst:
		for i, v := range values {
			if known(v) {
				values[i] = strings.ToLower(v)
			}
		}
	case syntax.UpperAll:
		for i, v := range values {
			if known(v) {
				values[i] = strings.ToUpper(v)
			}
		}
	}
	return values
}

// removed takes a prefix or suffix that fits a pattern off a value. Of a
// value that is not told, nothing more is known after it.
func removed(v, pat string, op syntax.ParExpOperator, name string) string {
	if !known(v) {
		if strings.HasPrefix(v, openMark) && strings.HasSuffix(v, closeMark) && strings.Count(v, openMark) == 1 {
			return v
		}
		return unknown(name)
	}
	n := len(v)
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	large := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
	if n > 512 {
		return v
	}
	for i := range n + 1 {
		at := i
		if large == prefix {
			at = n - i
		}
		part, rest := v[:at], v[at:]
		if !prefix {
			part, rest = rest, part
		}
		// A slash is a letter like any other here.
		if ok, err := path.Match(strings.ReplaceAll(pat, "/", "\x05"), strings.ReplaceAll(part, "/", "\x05")); err != nil {
			return v
		} else if ok && (part != "" || pat == "") {
			return rest
		}
	}
	return v
}
