package answer

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// symbolsShown are how many names of a file a line shows where there are
// several files, as the budget allows.
var symbolsShown = []int{40, 20, 10, 5}

// maxIndent is how deep a symbol is moved to the right.
const maxIndent = 6

// Render writes an outline within a budget in tokens.
func (x *Outline) Render(first string, budget int) string {
	if x.Kind == "file" || x.Kind == "definition" {
		return x.renderFile(first, budget)
	}
	l := listing{first: fmt.Sprintf("%s\n%s %s", first, strings.ToUpper(x.Kind), x.Of), noun: "file", more: x.More, none: "no source file is here",
		rest: "ask for a folder in it"}
	if x.Others > 0 {
		l.first += fmt.Sprintf("  and %s of tests, documents and data", count(x.Others, "file"))
	}
	for _, most := range symbolsShown {
		l.items = l.items[:0]
		size := len(l.first)
		for _, f := range x.Files {
			item := f.line(most)
			size += len(item)
			l.items = append(l.items, item)
		}
		if size < Room(budget) {
			break
		}
	}
	return l.render(budget)
}

// line names at most so many symbols of a file.
func (f OutlineFile) line(most int) string {
	var b strings.Builder
	b.WriteString(plaintext.Line(f.Path, maxPath))
	for i, s := range f.Symbols {
		if i == most {
			fmt.Fprintf(&b, ", … %d more", len(f.Symbols)-i)
			break
		}
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(s.Label)
	}
	return b.String() + "\n"
}

func (x *Outline) renderFile(first string, budget int) string {
	f := x.Files[0]
	l := listing{first: fmt.Sprintf("%s\nFILE %s", first, plaintext.Line(f.Path, maxPath)), noun: "definition", none: "the index knows no definition in it"}
	if f.Lang != "" {
		l.first += "  " + f.Lang
	}
	if f.Doc != "" {
		l.first += "\n  doc: " + f.Doc
	}
	for _, s := range f.Symbols {
		text := s.Signature
		if text == "" {
			text = s.Kind + " " + s.Label
		}
		item := fmt.Sprintf("%s:%d  %s", strings.Repeat("  ", 1+min(s.depth, maxIndent)), s.Line, text)
		if s.Used > 0 {
			item += fmt.Sprintf("  used %d×", s.Used)
		}
		l.items = append(l.items, item+"\n")
	}
	return l.render(budget)
}
