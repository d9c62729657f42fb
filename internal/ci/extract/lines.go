package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
)

// A lineReader is what the readers of line-based files share: logical lines,
// continuations joined, with the comment above each.
type lineReader struct {
	*collector
	from    int
	comment []string // above the line that is read next
}

func newLineReader(c *collector) *lineReader { return &lineReader{collector: c, from: -1} }

// A logicalLine is one or more lines of a file that count as one.
type logicalLine struct {
	text       string // continuations joined by a space
	first, end int    // lines, from 1
	doc        string // first sentence of the comment right above
}

// logical yields the lines of the file that are neither blank nor a comment
// that begins with '#'. A line that ends in the mark goes on in the next one.
func (r *lineReader) logical(mark byte) func(yield func(logicalLine) bool) {
	return func(yield func(logicalLine) bool) {
		var parts []string
		line, first := 0, 1
		for text := range strings.Lines(string(r.src)) {
			line++
			text = strings.TrimRight(text, "\r\n")
			trimmed := strings.TrimSpace(text)
			if len(parts) == 0 {
				first = line
				if trimmed == "" {
					r.comment = nil
					continue
				}
				if strings.HasPrefix(trimmed, "#") {
					if !strings.HasPrefix(trimmed, "#!") {
						r.comment = append(r.comment, strings.TrimSpace(strings.TrimLeft(trimmed, "#")))
					}
					continue
				}
			} else if strings.HasPrefix(trimmed, "#") && mark != 0 {
				continue // a comment between the lines of one
			}
			if mark != 0 && strings.HasSuffix(text, string(mark)) {
				parts = append(parts, text[:len(text)-1])
				continue
			}
			parts = append(parts, text)
			l := logicalLine{text: strings.Join(parts, " "), first: first, end: line, doc: r.note()}
			parts = nil
			if !yield(l) {
				return
			}
		}
		if len(parts) > 0 {
			yield(logicalLine{text: strings.Join(parts, " "), first: first, end: line, doc: r.note()})
		}
	}
}

// note takes the comment above a line.
func (r *lineReader) note() string {
	text := validText(strings.Join(r.comment, "\n"))
	r.comment = nil
	if text == "" || legal(text) {
		return ""
	}
	return firstSentence(strings.Trim(text, "-=#* \n"))
}

// declare defines what a line is about.
func (r *lineReader) declare(parent int, kind Kind, name string, l logicalLine, sig string) int {
	return r.define(parent, Definition{
		Name: oneLine(validText(name)), Kind: kind, Line: l.first, EndLine: l.end,
		Signature: signature(secret.MaskLine(validText(clip(sig, 4*maxSignature)))), Doc: l.doc, Exported: !strings.HasPrefix(name, "_"),
	})
}

// extend makes definition i reach to a line.
func (r *lineReader) extend(i, line int) {
	if i >= 0 {
		r.file.Definitions[i].EndLine = max(r.file.Definitions[i].EndLine, line)
	}
}

func (r *lineReader) mention(rel, name, qualifier string, line int) {
	r.refer(Reference{From: r.from, Relation: rel, Name: oneLine(validText(name)), Qualifier: oneLine(validText(qualifier)), Line: line})
}
