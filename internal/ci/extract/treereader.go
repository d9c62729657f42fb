package extract

import (
	"cmp"
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// Limits on how long a grammar may take for one file. A sound file takes
// milliseconds; some grammars never end on a few words of an unfinished one,
// which should not cost as much as a large file may.
const (
	// leastLimit is for the smallest file, on a machine that is busy.
	leastLimit = 5 * time.Second
	// limitPerByte lets a file of 200 kB have all the time there is.
	limitPerByte = 100 * time.Microsecond
	// grammarLimit is for any file; it is less than a [Pool]'s, so that a slow
	// parse ends without the end of its process.
	grammarLimit = DefaultLimit - 5*time.Second
)

func limitOf(src []byte) time.Duration {
	return min(grammarLimit, leastLimit+limitPerByte*time.Duration(len(src)))
}

// A treeReader is what the readers of tree-sitter languages share.
type treeReader struct {
	*collector
	scopes
	root    grammar.Node
	from    int                         // definition whose uses are being read
	class   string                      // enclosing class, as qualified in the file
	types   map[string]bool             // classes of this file
	results map[string]string           // "f" or "A.m" → type of its result
	fields  map[string]map[string]value // class → field → what it holds
}

func newTreeReader(c *collector, lang grammar.Language) (*treeReader, error) {
	tree, err := grammar.Parse(lang, c.src, limitOf(c.src))
	if err != nil {
		return nil, err
	}
	c.file.Broken = tree.Broken()
	return &treeReader{
		collector: c,
		root:      tree.Root(),
		from:      -1,
		types:     make(map[string]bool),
		results:   make(map[string]string),
		fields:    make(map[string]map[string]value),
	}, nil
}

// commented yields the children of a node that are no comments, each with the
// comments right before it; one at the end of a line belongs to that line.
func commented(n grammar.Node, kinds ...string) iter.Seq2[grammar.Node, []grammar.Node] {
	return func(yield func(grammar.Node, []grammar.Node) bool) {
		var comments []grammar.Node
		last := 0 // line on which what stands before the comment ends
		for c := range n.Children() {
			if c.Is(kinds...) {
				if c.Line() != last {
					comments = append(comments, c)
				}
				continue
			}
			if !yield(c, comments) {
				return
			}
			comments = nil
			last = c.EndLine()
		}
	}
}

// headEnd is where a definition's head ends and its body, if it has one,
// begins.
func headEnd(n, body grammar.Node) int {
	if body.Ok() {
		return body.Start()
	}
	return n.End()
}

// within reads something as part of definition i.
func (r *treeReader) within(i int, read func()) {
	outer := r.from
	r.from = i
	read()
	r.from = outer
}

// use tells a use of the name at n.
func (r *treeReader) use(rel string, n grammar.Node, qualifier string, v value) {
	r.refer(Reference{
		From: r.from, Relation: rel, Name: n.Text(), Line: n.Line(),
		Qualifier: qualifier, Type: v.typ, Via: v.via, Local: v.typ == "" && r.local(firstName(cmp.Or(v.via, qualifier))),
	})
}

// firstName is the name that an expression begins with: "a" of a.b(c).
func firstName(expr string) string {
	for _, word := range [...]string{"await ", "new ", "("} {
		expr = strings.TrimPrefix(expr, word)
	}
	end := strings.IndexFunc(expr, func(c rune) bool {
		return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if end < 0 {
		return expr
	}
	return expr[:end]
}

// span is the source from the start of one node to the end of another.
func span(from, to grammar.Node) string {
	return from.Tree().Slice(from.Start(), to.End())
}

// short is a node's text as a qualifier.
func short(n grammar.Node) string {
	if n.End()-n.Start() > 4*maxQualifier {
		return clip(oneLine(n.Tree().Slice(n.Start(), n.Start()+2*maxQualifier)), maxQualifier)
	}
	return clip(oneLine(n.Text()), maxQualifier)
}

// setField notes what a field of a class holds; two different things make it
// unknown.
func (r *treeReader) setField(class, name string, v value) {
	m := r.fields[class]
	if m == nil {
		m = make(map[string]value)
		r.fields[class] = m
	}
	if old, ok := m[name]; ok && old != v {
		if v == (value{}) { // `x = None` or the like tells nothing
			return
		}
		if old != (value{}) {
			v = value{}
		}
	}
	m[name] = v
}

// capital reports whether a name starts with an upper-case letter, leading
// underscores aside.
func capital(name string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(name, "_"))
	return unicode.IsUpper(r)
}

// shouting reports whether a name is written as a constant: LIMIT_2.
func shouting(name string) bool {
	letters := false
	for _, r := range name {
		switch {
		case unicode.IsLower(r):
			return false
		case unicode.IsUpper(r):
			letters = true
		}
	}
	return letters
}

// commentsAbove joins the line comments, or takes the block comment, that
// end right above the node.
func commentsAbove(n grammar.Node, prev []grammar.Node) string {
	line := n.Line()
	first := len(prev)
	for first > 0 {
		c := prev[first-1]
		if c.EndLine() != line-1 {
			break
		}
		line = c.Line()
		first--
		if strings.HasPrefix(c.Text(), "/*") {
			break
		}
	}
	if first == len(prev) {
		return ""
	}
	return uncomment(prev[first].Tree().Slice(prev[first].Start(), prev[len(prev)-1].End()))
}

// legal reports whether a file's first comment is about rights only, or an
// instruction to a tool.
func legal(text string) bool {
	low := strings.ToLower(clip(text, 400))
	for _, w := range [...]string{"copyright", "licen", "spdx-", "(c) ", "-*-", "eslint", "@ts-", "vim:", "shellcheck", "prettier", "@flow", "@format", "jshint", "pylint", "flake8", "mypy:", "type: ignore", "coding:", "coding=", "frozen_string_literal", "rubocop:"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}
