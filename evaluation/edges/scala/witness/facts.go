package main

import (
	"strings"

	"github.com/marola-dev/marola-routing/evaluation/edges/fact"
)

// A place is a line of a file, from 1.
type place struct {
	file string
	line int
}

// Symbols are the definitions of all documents.
type symbols struct {
	defined map[string]place
	known   map[string]symbol
}

func newSymbols(documents []document) *symbols {
	s := &symbols{defined: make(map[string]place), known: make(map[string]symbol)}
	for _, d := range documents {
		for _, sym := range d.symbols {
			if !local(sym.name) {
				s.known[sym.name] = sym
			}
		}
		for _, o := range d.occurrences {
			if _, twice := s.defined[o.symbol]; o.isDefinition && !local(o.symbol) && !twice {
				s.defined[o.symbol] = place{d.uri, o.line + 1}
			}
		}
	}
	return s
}

func local(symbol string) bool { return strings.HasPrefix(symbol, "local") }

// facts tells every method that a file names. A method without a parameter
// list, implicit ones aside, is read like a field, so that no call must be
// resolved there; neither must one of a method that the compiler makes.
func (s *symbols) facts(d document, lines []string) []fact.Call {
	var out []fact.Call
	own := d.functions(lines)
	for _, o := range d.occurrences {
		if at, nested := own[o.symbol]; nested && !o.isDefinition && o.line < len(lines) {
			name, _, _ := cut(lines[o.line], o.start, o.end)
			out = append(out, fact.Call{File: d.uri, Line: o.line + 1, Name: name, TargetFile: at.file, TargetLine: at.line})
		}
		if o.isDefinition || local(o.symbol) || o.line != o.endLine || o.start >= o.end || o.line >= len(lines) {
			continue
		}
		name, before, after := cut(lines[o.line], o.start, o.end)
		f := fact.Call{File: d.uri, Line: o.line + 1, Name: strings.Trim(name, "`")}
		switch called := strings.HasPrefix(strings.TrimLeft(after, " "), "("); {
		case strings.HasSuffix(o.symbol, ")."):
			sym := s.known[o.symbol]
			if own := methodName(o.symbol); name != own && strings.Trim(name, "`") != own && own != "<init>" && own != "apply" {
				continue // a call that is not written, such as the flatMap of a for
			}
			_, written := s.defined[o.symbol]
			f.Dynamic = !s.hasLists(sym) || sym.properties&propertyValue != 0 || !written
		case called && !strings.HasSuffix(before, "case ") && (strings.HasSuffix(o.symbol, ".") || strings.HasSuffix(o.symbol, "#")):
			f.Dynamic = true // an object or class before brackets: its apply or constructor, or a pattern
		case strings.HasSuffix(before, "new ") && strings.HasSuffix(o.symbol, "#"):
			f.Dynamic = true // a class or trait that is extended at once
		default:
			continue
		}
		if at, ok := s.place(o.symbol); ok {
			f.TargetFile, f.TargetLine = at.file, at.line
		}
		out = append(out, f)
	}
	return out
}

// functions are the methods that stand in others, of which the compiler
// tells no more than their place.
func (d document) functions(lines []string) map[string]place {
	out := make(map[string]place)
	for _, o := range d.occurrences {
		if !o.isDefinition || !local(o.symbol) || o.line >= len(lines) {
			continue
		}
		if _, before, _ := cut(lines[o.line], o.start, o.end); strings.HasSuffix(strings.TrimRight(before, " "), "def") {
			out[o.symbol] = place{d.uri, o.line + 1}
		}
	}
	return out
}

// hasLists reports whether a method has a parameter list that is written.
func (s *symbols) hasLists(method symbol) bool {
	for _, p := range method.first {
		if s.known[p].properties&propertyImplicit == 0 {
			return true
		}
	}
	return false
}

// place is where a symbol is defined: of what the compiler makes by itself,
// the class that it is made for.
func (s *symbols) place(symbol string) (place, bool) {
	for {
		if at, ok := s.defined[symbol]; ok {
			return at, true
		}
		if class, ok := strings.CutSuffix(symbol, "."); ok && !strings.HasSuffix(class, ")") {
			if at, ok := s.defined[class+"#"]; ok {
				return at, true
			}
		}
		owner, method := ownerOf(symbol)
		if at, ok := s.defined[owner+method+"#"]; ok { // of an implicit class
			return at, true
		}
		if method != "apply" && method != "<init>" && method != "copy" {
			return place{}, false
		}
		symbol = owner
	}
}

// methodName is "map" of "a/B#map(+1).".
func methodName(symbol string) string {
	_, name := ownerOf(symbol)
	return name
}

// ownerOf parts a method's symbol.
func ownerOf(symbol string) (owner, name string) {
	i := strings.LastIndexByte(symbol, '(')
	if i < 0 || !strings.HasSuffix(symbol, ").") {
		return "", ""
	}
	symbol = symbol[:i]
	if rest, ok := strings.CutSuffix(symbol, "`"); ok {
		i := strings.LastIndexByte(rest, '`')
		if i < 0 {
			return "", ""
		}
		return rest[:i], rest[i+1:]
	}
	i = strings.LastIndexAny(symbol, "/.#)") + 1
	return symbol[:i], symbol[i:]
}

// cut parts a line at columns that count UTF-16 units.
func cut(line string, start, end int) (name, before, after string) {
	at, from, to := 0, len(line), len(line)
	for i, r := range line {
		if at == start {
			from = i
		}
		if at == end {
			to = i
			break
		}
		at++
		if r > 0xffff {
			at++
		}
	}
	from = min(from, to)
	return line[from:to], line[:from], line[to:]
}
