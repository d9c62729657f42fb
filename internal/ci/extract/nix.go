package extract

import (
	"path"
	"regexp"
	"strings"
)

// A nixReader finds the attributes of a Nix expression: those of its outermost
// set and let, those of a flake's outputs, and one level inside them. It reads
// brackets and the words before an equals sign, not expressions.
type nixReader struct {
	*lexReader
	nested int // parentheses around what is read
}

// maxAttributes is how deep sets are looked into: outputs, packages, and one
// package.
const maxAttributes = 3

// maxParentheses bounds how deep expressions stand in each other.
const maxParentheses = 100

func parseNix(c *collector) error {
	r := &nixReader{lexReader: newLexReader(c, lexis{comments: "#", blocks: true, texts: `"`, escapes: true, holes: true, indented: true, inWord: "-'"})}
	c.file.Doc = r.head()
	r.expression(0, len(r.tokens), -1, 0)
	r.paths()
	return nil
}

// nixPath is a path as Nix writes it, without quotes.
var nixPath = regexp.MustCompile(`(?:^|[\s(\[={;])(\.{1,2}/[\w./+-]*\w|\./\.)`)

// paths tells the files that the expression names.
func (r *nixReader) paths() {
	plain := make([]byte, len(r.source))
	copy(plain, r.source)
	for _, t := range r.tokens {
		if t.kind == textToken {
			blank(plain[t.start:t.end])
		}
	}
	for _, n := range r.notes {
		blank(plain[n.start:n.end])
	}
	line, at := 1, 0
	seen := make(map[string]bool)
	for _, m := range nixPath.FindAllSubmatchIndex(plain, -1) {
		line += strings.Count(string(plain[at:m[2]]), "\n")
		at = m[2]
		p := string(plain[m[2]:m[3]])
		if ext := path.Ext(p); (ext == "" || ext == ".nix") && !seen[p] {
			seen[p] = true
			r.bring(Import{Path: p, Line: line})
		}
	}
}

// expression reads what an expression defines, as part of a definition:
// through the arguments of functions, `let … in`, `with x;` and calls, down to
// the set that the expression is.
func (r *nixReader) expression(i, end, parent, depth int) {
	start := i
	for i < end {
		switch {
		case r.is(i, "{") && r.isPattern(i, end):
			i = r.pair(i, end) + 1
			for i < end && !r.is(i, ":") {
				i++
			}
			i++
		case r.is(i, "{"):
			closed := r.pair(i, end)
			// An argument of a call describes the thing, it is not a part.
			if depth == 0 || i == start || r.is(i-1, "rec", "in", "then", "else", ":", ";", "(", "/", "+") {
				r.bindings(i+1, closed, parent, depth)
			}
			i = closed + 1
		case r.is(i, "let"):
			in := r.in(i+1, end)
			if depth == 0 {
				r.bindings(i+1, in, parent, maxAttributes)
			}
			i = in + 1
		case r.is(i, "("):
			closed := r.pair(i, end)
			if r.nested < maxParentheses {
				r.nested++
				r.expression(i+1, closed, parent, depth)
				r.nested--
			}
			i = closed + 1
		case r.is(i, "["):
			i = r.pair(i, end) + 1
		default:
			i++
		}
	}
}

// isPattern reports a set that names the arguments of a function.
func (r *nixReader) isPattern(i, end int) bool {
	c := r.pair(i, end)
	return r.is(c+1, ":") || r.is(c+1, "@") && r.is(c+3, ":")
}

// in is the token that ends a let.
func (r *nixReader) in(i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch {
		case r.is(i, "{", "(", "["):
			i = r.pair(i, end)
		case r.is(i, "let"):
			depth++
		case r.is(i, "in"):
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return end
}

// bindings reads `a.b = value;` and `inherit a b;`.
func (r *nixReader) bindings(i, end, parent, depth int) {
	for i < end {
		first := i
		if r.is(i, "inherit") {
			i = r.semicolon(i, end) + 1
			continue
		}
		var parts []string
		for i < end && (r.kind(i) == wordToken || r.kind(i) == textToken || r.is(i, "$") && r.is(i+1, "{")) {
			if r.is(i, "$") {
				parts = append(parts, r.span(i, r.pair(i+1, end)))
				i = r.pair(i+1, end) + 1
			} else {
				parts = append(parts, r.bare(i))
				i++
			}
			if !r.is(i, ".") {
				break
			}
			i++
		}
		if len(parts) == 0 || !r.is(i, "=") || r.is(i+1, "=") {
			i = r.semicolon(max(i, first), end) + 1
			continue
		}
		stop := r.semicolon(i+1, end)
		r.binding(parts, first, i, stop, parent, depth)
		i = stop + 1
	}
}

func (r *nixReader) binding(parts []string, first, equals, stop, parent, depth int) {
	kind := Key
	if r.kind(equals+1) == wordToken && r.is(equals+2, ":") || r.is(equals+1, "{") && r.isPattern(equals+1, stop) {
		kind = Function
	}
	name := strings.Join(parts, ".")
	head := equals
	for head+1 < min(stop, equals+12) && (!r.is(head+1, "{") || kind == Function && head == equals) {
		if head++; r.is(head, "{") {
			head = r.pair(head, stop)
		}
	}
	d := r.declare(parent, kind, name, first, first, min(stop, len(r.tokens)-1), r.span(first, head))
	if parent < 0 && name == "inputs" {
		depth = maxAttributes - 2 // what an input is made of is no part
	}
	if depth+1 < maxAttributes {
		r.within(d, func() { r.expression(equals+1, stop, d, depth+1) })
	}
}

// semicolon is where a binding ends: lets and brackets inside it may hold
// semicolons of their own, as may `with x;` and `assert x;`.
func (r *nixReader) semicolon(i, end int) int {
	for ; i < end; i++ {
		switch {
		case r.is(i, "{", "(", "["):
			i = r.pair(i, end)
		case r.is(i, "let"):
			i = r.in(i+1, end)
		case r.is(i, "with", "assert"):
			for i < end && !r.is(i, ";") {
				if r.is(i, "{", "(", "[") {
					i = r.pair(i, end)
				}
				i++
			}
		case r.is(i, ";"):
			return i
		}
	}
	return end
}
