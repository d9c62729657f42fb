package extract

import (
	"strings"
)

// An hclReader turns a file of the HashiCorp Configuration Language into a
// File. A block is named as expressions name it: "aws_vpc.main", "var.region",
// "module.network", what stands before the last dot being its container.
type hclReader struct{ *lexReader }

var hclLexis = lexis{comments: "# //", blocks: true, texts: `"`, escapes: true, single: true, holes: true, heredocs: true, inWord: "-"}

func parseHCL(c *collector) error {
	r := &hclReader{newLexReader(c, hclLexis)}
	c.file.Doc = r.head()
	for i := 0; i < len(r.tokens); {
		i = r.block(i)
	}
	return nil
}

// hclBlocks maps the word of a block to what it defines and how expressions
// name it; a name of "" is told by the block's first label.
var hclBlocks = map[string]struct {
	kind   Kind
	prefix string
}{
	"resource": {Resource, ""}, "data": {Data, "data"}, "module": {Module, "module"}, "variable": {Variable, "var"},
	"output": {Output, "output"}, "provider": {Provider, "provider"}, "ephemeral": {Resource, "ephemeral"}, "check": {Block, "check"},
}

// maxLabels bounds the labels of a block.
const maxLabels = 8

// block reads a block or attribute of the file's top level and returns where
// the next one begins.
func (r *hclReader) block(i int) int {
	if r.kind(i) != wordToken {
		return i + 1
	}
	var labels []string
	open := i + 1
	for r.kind(open) == textToken || r.kind(open) == wordToken && open < len(r.tokens) {
		if r.line(open) != r.line(i) || len(labels) == maxLabels {
			break
		}
		labels = append(labels, r.bare(open))
		open++
	}
	if r.is(open, "=") && len(labels) == 0 { // of a file of values
		end := r.expression(open+1, len(r.tokens))
		d := r.declare(-1, Key, r.text(i), i, i, end-1, r.text(i)+" = …")
		r.within(d, func() { r.uses(open+1, end) })
		return end
	}
	if !r.is(open, "{") {
		return i + 1
	}
	closed := r.pair(open, len(r.tokens))
	word := r.text(i)
	switch {
	case word == "locals":
		r.locals(open+1, closed)
	case len(labels) > 0:
		r.named(i, open, closed, word, labels)
	default:
		r.uses(open+1, closed)
	}
	return closed + 1
}

func (r *hclReader) named(i, open, closed int, word string, labels []string) {
	known, ok := hclBlocks[word]
	if !ok {
		known.kind, known.prefix = Block, word
	}
	last := len(labels) - 1
	path := labels[:last]
	if known.prefix != "" {
		path = append([]string{known.prefix}, path...)
	}
	d := r.declare(-1, known.kind, labels[last], open-1, i, closed, r.span(i, open-1))
	r.file.Definitions[d].Container = clip(strings.Join(path, "."), maxName)
	if doc := r.attribute(open+1, closed, "description"); doc >= 0 && r.file.Definitions[d].Doc == "" {
		r.file.Definitions[d].Doc = clip(firstSentence(r.bare(doc)), maxDoc)
	}
	if word == "module" || word == "terraform" || word == "include" || word == "unit" || word == "stack" {
		if source := r.attribute(open+1, closed, "source"); source >= 0 {
			if path, _, _ := strings.Cut(r.bare(source), "?"); strings.HasPrefix(path, ".") {
				r.bring(Import{Path: path, Alias: labels[last], Line: r.line(source)})
			}
		}
	}
	r.within(d, func() { r.uses(open+1, closed) })
}

// attribute is the text that a block gives a name, or -1.
func (r *hclReader) attribute(i, end int, name string) int {
	for ; i < end; i++ {
		if r.is(i, "{", "(", "[") {
			i = r.pair(i, end)
			continue
		}
		if r.is(i, name) && r.is(i+1, "=") && r.kind(i+2) == textToken && strings.HasPrefix(r.text(i+2), `"`) {
			return i + 2
		}
	}
	return -1
}

// expression is where the value of an attribute ends: with its line, brackets
// aside.
func (r *hclReader) expression(i, limit int) int {
	for ; i < limit; i++ {
		if r.is(i, "{", "(", "[") {
			i = r.pair(i, limit)
		}
		if i+1 >= limit || r.line(i+1) > r.endLine(i) && !r.is(i+1, "?", ":", "&", "|", ".", "+", "*", "/") && !r.is(i, "?", ":", "=", "+", "&", "|", ",") {
			return min(i+1, limit)
		}
	}
	return limit
}

func (r *hclReader) locals(i, end int) {
	for i < end {
		if r.kind(i) != wordToken || !r.is(i+1, "=") {
			i++
			continue
		}
		next := r.expression(i+2, end)
		d := r.declare(-1, Constant, r.text(i), i, i, next-1, r.span(i, next-1))
		r.file.Definitions[d].Container = "local"
		r.within(d, func() { r.uses(i+2, next) })
		i = next
	}
}

// uses tells what an expression names: var.x, local.x, module.x.y,
// data.type.x, type.x.
func (r *hclReader) uses(i, end int) {
	for ; i < end; i++ {
		switch {
		case r.kind(i) == textToken:
			r.holes(i, 0)
		case r.kind(i) == wordToken && r.is(i+1, ".") && !r.is(i-1, "."):
			i = r.traversal(r.lexed, i, r.line(i))
		}
	}
}

// traversal reads a.b.c and returns its last token.
func (r *hclReader) traversal(l *lexed, i, line int) int {
	parts := []string{l.text(i)}
	for l.is(i+1, ".") && l.kind(i+2) == wordToken && len(parts) < 4 {
		parts = append(parts, l.text(i+2))
		i += 2
	}
	tell := func(name string, qualifier ...string) {
		r.refer(Reference{From: r.from, Relation: References, Name: name, Qualifier: strings.Join(qualifier, "."), Line: line})
	}
	switch head := parts[0]; {
	case len(parts) < 2 || hclNames[head]:
	case head == "var" || head == "local":
		tell(parts[1], head)
	case head == "module":
		tell(parts[1], head)
		if len(parts) > 2 {
			tell(parts[2], head, parts[1])
		}
	case head == "data" || head == "ephemeral":
		if len(parts) > 2 {
			tell(parts[2], head, parts[1])
		}
	case strings.Contains(head, "_"):
		tell(parts[1], head)
	}
	return i
}

// hclNames are what expressions have without a block that defines it.
var hclNames = names(`each count self path terraform`)

// holes reads the ${ … } of a text. Texts may stand in them again.
func (r *hclReader) holes(i, depth int) {
	r.insideText(r.source[r.tokens[i].start:r.tokens[i].end], int(r.tokens[i].line), depth)
}

// maxHoles bounds how deep texts stand in each other's expressions.
const maxHoles = 8

func (r *hclReader) insideText(text []byte, line, depth int) {
	for at := 0; at+1 < len(text); at++ {
		switch {
		case text[at] == '\n':
			line++
		case (text[at] == '$' || text[at] == '%') && text[at+1] == '{':
			x := lexer{lexed: &lexed{source: text}, lexis: hclLexis}
			end := x.hole(at + 2)
			inner := lex(text[at+2:max(at+2, end-1)], hclLexis)
			for j := 0; j < len(inner.tokens); j++ {
				t := inner.tokens[j]
				if t.kind == textToken && depth < maxHoles {
					r.insideText(inner.source[t.start:t.end], line+int(t.line)-1, depth+1)
				}
				if t.kind == wordToken && inner.is(j+1, ".") {
					j = r.traversal(inner, j, line+int(t.line)-1)
				}
			}
			for ; at < end-1; at++ {
				if text[at] == '\n' {
					line++
				}
			}
		}
	}
}
