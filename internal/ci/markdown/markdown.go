// Package markdown cuts a Markdown document into sections and blocks, and a
// block's text into words, code spans and links. It knows as much of the
// form as a reader of documentation needs who looks for names and sentences;
// it renders nothing. Every step is linear in the document's size.
package markdown

import (
	"path"
	"strings"
)

// Is reports whether a file of this name is a Markdown document.
func Is(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".mkd":
		return true
	}
	return false
}

// A Document is what [Parse] found, in the order of lines.
type Document struct {
	Sections []Section // at least one: what stands before the first heading
	Blocks   []Block
}

// A Section is what stands under one heading.
type Section struct {
	Heading []string // the headings above it and its own, outermost first; nil before the first
	Line    int      // of the heading, from 1
}

// A Kind says what a block is.
type Kind int

// The kinds of blocks.
const (
	Paragraph Kind = iota // also a row of a table, and a quoted paragraph
	Item                  // of a list, without the items below it
	Code                  // a fenced block, without its fences
)

// A Block is a run of lines that belong together.
type Block struct {
	Kind    Kind
	Section int    // index in Sections
	Line    int    // of the first line of Text, from 1
	Text    string // lines as written, joined by line breaks; an item without its mark
	Lang    string // of a code block: the first word after the fence, in lower case, or ""
}

// Bounds of what is read: the rest of a larger block is passed over.
const (
	maxBlock    = 64 << 10
	maxHeading  = 200
	maxSections = 20_000
)

// Parse reads a document. Front matter, HTML comments and what stands in
// indented code are passed over.
func Parse(data []byte) *Document {
	p := parser{doc: &Document{Sections: []Section{{Line: 1}}}}
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	first := frontMatter(lines)
	for i := first; i < len(lines); i++ {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		p.line(i+1, strings.TrimSuffix(lines[i], "\r"), next)
	}
	p.flush()
	return p.doc
}

// frontMatter is the number of lines that settings at the top take.
func frontMatter(lines []string) int {
	mark := strings.TrimSpace(lines[0])
	if mark != "---" && mark != "+++" {
		return 0
	}
	for i, l := range lines[1:min(len(lines), 200)] {
		if strings.TrimSpace(l) == mark {
			return i + 2
		}
	}
	return 0
}

type parser struct {
	doc     *Document
	levels  []heading // the headings that are open
	open    *Block    // the block that grows, or nil
	fence   string    // what ends the code block that is open, or ""
	comment bool      // inside an HTML comment
	skip    bool      // the line is the underline of a heading
	blank   bool      // the line before was blank
}

type heading struct {
	level int
	text  string
}

func (p *parser) flush() {
	if p.open != nil && strings.TrimSpace(p.open.Text) != "" {
		p.doc.Blocks = append(p.doc.Blocks, *p.open)
	}
	p.open = nil
}

func (p *parser) start(kind Kind, line int, text, lang string) {
	p.flush()
	text = clip(text, maxBlock)
	p.open = &Block{Kind: kind, Section: len(p.doc.Sections) - 1, Line: line, Text: text, Lang: lang}
}

func (p *parser) grow(text string) {
	if len(p.open.Text)+len(text) < maxBlock {
		p.open.Text += "\n" + text
	}
}

// line takes the next line; next is the one after it.
func (p *parser) line(n int, text, next string) {
	trimmed := strings.TrimSpace(text)
	blank := p.blank
	p.blank = trimmed == ""
	switch {
	case p.skip:
		p.skip = false
	case p.fence != "":
		p.fenced(n, text, trimmed)
	case p.comment:
		p.comment = !strings.Contains(trimmed, "-->")
	case strings.HasPrefix(trimmed, "<!--"):
		p.flush()
		p.comment = !strings.Contains(trimmed, "-->")
	case trimmed == "":
		p.flush()
	case fenceOf(trimmed) != "":
		p.fence = fenceOf(trimmed)
		info := strings.Trim(strings.TrimLeft(trimmed, "`~"), " {.")
		lang, _, _ := strings.Cut(strings.ToLower(info), " ")
		lang, _, _ = strings.Cut(lang, ",")
		p.start(Code, n+1, "", strings.TrimRight(lang, "}"))
		p.open.Text = ""
	case p.atx(n, trimmed), p.setext(n, trimmed, next):
	case blank && p.open == nil && indented(text) && !isItem(trimmed):
		// indented code: what it is of is not told
	default:
		p.words(n, trimmed)
	}
}

func (p *parser) fenced(n int, text, trimmed string) {
	if strings.HasPrefix(trimmed, p.fence) && strings.Trim(trimmed, p.fence[:1]) == "" {
		p.fence = ""
		p.flush()
		return
	}
	if p.open.Line == n {
		p.open.Text = clip(text, maxBlock)
		return
	}
	p.grow(text)
}

// fenceOf is the fence that a line opens, or "".
func fenceOf(trimmed string) string {
	for _, mark := range [...]string{"`", "~"} {
		n := len(trimmed) - len(strings.TrimLeft(trimmed, mark))
		if n >= 3 && !strings.Contains(trimmed[n:], "`") {
			return trimmed[:n]
		}
	}
	return ""
}

func indented(text string) bool {
	return strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "    ")
}

// atx takes a heading that begins with number signs.
func (p *parser) atx(n int, trimmed string) bool {
	level := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
	if level == 0 || level > 6 || level < len(trimmed) && trimmed[level] != ' ' && trimmed[level] != '\t' {
		return false
	}
	text := strings.TrimSpace(trimmed[level:])
	if closed := strings.TrimRight(text, "#"); closed == "" || strings.HasSuffix(closed, " ") {
		text = strings.TrimSpace(closed)
	}
	p.head(n, level, text)
	return true
}

// setext takes a heading that the next line underlines.
func (p *parser) setext(n int, trimmed, next string) bool {
	next = strings.TrimSpace(next)
	if p.open != nil || len(next) < 3 || isItem(trimmed) || strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, ">") {
		return false
	}
	level := 0
	switch {
	case strings.Trim(next, "=") == "":
		level = 1
	case strings.Trim(next, "-") == "":
		level = 2
	default:
		return false
	}
	p.head(n, level, trimmed)
	p.skip = true
	return true
}

func (p *parser) head(n, level int, text string) {
	p.flush()
	if len(p.doc.Sections) >= maxSections {
		return
	}
	for len(p.levels) > 0 && p.levels[len(p.levels)-1].level >= level {
		p.levels = p.levels[:len(p.levels)-1]
	}
	p.levels = append(p.levels, heading{level, headingText(text)})
	s := Section{Line: n}
	for _, h := range p.levels {
		s.Heading = append(s.Heading, h.text)
	}
	p.doc.Sections = append(p.doc.Sections, s)
}

// headingText is a heading as a person reads it.
func headingText(text string) string {
	if i := strings.LastIndex(text, "{#"); i > 0 && strings.HasSuffix(text, "}") {
		text = strings.TrimSpace(text[:i]) // an anchor of its own
	}
	return clip(strings.Join(strings.Fields(Plain(text)), " "), maxHeading)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// words takes a line of text: the start of a block, or more of the open one.
func (p *parser) words(n int, trimmed string) {
	quoted := strings.TrimSpace(strings.TrimLeft(trimmed, "> "))
	switch {
	case isItem(trimmed):
		p.start(Item, n, itemText(trimmed), "")
	case strings.HasPrefix(trimmed, "|"):
		p.start(Paragraph, n, trimmed, "")
		p.flush()
	case strings.HasPrefix(trimmed, ">") && p.open == nil:
		p.start(Paragraph, n, quoted, "")
	case strings.HasPrefix(trimmed, ">"):
		p.grow(quoted)
	case p.open == nil:
		p.start(Paragraph, n, trimmed, "")
	default:
		p.grow(trimmed)
	}
}

// isItem reports a line that begins an item of a list.
func isItem(trimmed string) bool { return itemMark(trimmed) > 0 }

func itemMark(trimmed string) int {
	if len(trimmed) > 1 && strings.IndexByte("-*+", trimmed[0]) >= 0 && (trimmed[1] == ' ' || trimmed[1] == '\t') {
		return 2
	}
	digits := len(trimmed) - len(strings.TrimLeft(trimmed, "0123456789"))
	if digits > 0 && digits < 10 && len(trimmed) > digits+1 && (trimmed[digits] == '.' || trimmed[digits] == ')') && trimmed[digits+1] == ' ' {
		return digits + 2
	}
	return 0
}

func itemText(trimmed string) string {
	text := strings.TrimSpace(trimmed[itemMark(trimmed):])
	for _, box := range [...]string{"[ ] ", "[x] ", "[X] "} {
		text = strings.TrimPrefix(text, box)
	}
	return text
}
