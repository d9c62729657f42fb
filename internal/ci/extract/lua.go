package extract

import (
	"strings"
)

// A luaReader reads Lua by a parser of its own, which knows statements and
// calls and takes operators for what stands between them: the grammar of
// tree-sitter gives its tokens the space before them, and is slow.
type luaReader struct {
	*collector
	scopes
	tokens []scanToken
	at     int
	depth  int
	from   int
	inside int             // how many functions are around
	class  string          // table whose method is being read
	locals map[string]bool // names of the file that begin without a value
}

// A luaOwner is the name that the next function or table goes by.
type luaOwner struct {
	name      string // "" when it has none
	container string // "M.deep" of M.deep.name
	local     bool
	doc       string
	line      int
}

// maxLuaDepth bounds how deep a source may be nested.
const maxLuaDepth = 200

func parseLua(c *collector) error {
	tokens, head := luaTokens(string(c.src))
	r := &luaReader{collector: c, tokens: tokens, from: -1, locals: make(map[string]bool)}
	if (r.tokens[0].doc == "" || !r.is("function")) && !legal(head) {
		r.file.Doc = firstSentence(head)
	}
	r.push()
	for !r.is("") {
		r.block()
		if !r.is("") { // an `end` too many
			r.broken()
		}
	}
	r.pop()
	return nil
}

func (r *luaReader) tok() scanToken { return r.tokens[r.at] }

// top reports whether no function is around.
func (r *luaReader) top() bool { return r.inside == 0 }

// is reports whether the next token is this keyword or mark, "" at the end.
func (r *luaReader) is(text string) bool {
	t := r.tokens[r.at]
	if text == "" {
		return t.kind == 0
	}
	return (t.kind == 'k' || t.kind == 'o') && t.text == text
}

func (r *luaReader) step() scanToken {
	t := r.tokens[r.at]
	if t.kind != 0 {
		r.at++
	}
	return t
}

func (r *luaReader) take(text string) bool {
	if r.is(text) {
		r.at++
		return true
	}
	return false
}

// want takes what must come next.
func (r *luaReader) want(text string) {
	if !r.take(text) {
		r.file.Broken = true
	}
}

// broken gives up on one token.
func (r *luaReader) broken() {
	r.file.Broken = true
	r.step()
}

// deeper reads something nested, unless it is too deep.
func (r *luaReader) deeper(read func()) {
	if r.depth >= maxLuaDepth {
		r.broken()
		return
	}
	r.depth++
	read()
	r.depth--
}

// lastLine is the line of the token before this place.
func (r *luaReader) lastLine() int {
	if r.at == 0 {
		return 1
	}
	return r.tokens[r.at-1].line
}

// source is what the tokens from one to another are written as.
func (r *luaReader) source(from, to int) string {
	if from >= to {
		return ""
	}
	start := r.tokens[from].start
	return string(r.src[start:min(r.tokens[to-1].end, start+4*maxSignature)])
}

// block reads statements up to a keyword that ends it.
func (r *luaReader) block() {
	for !r.is("") && !r.is("end") && !r.is("else") && !r.is("elseif") && !r.is("until") {
		r.deeper(r.statement)
	}
}

// scoped reads a block with local names of its own.
func (r *luaReader) scoped() {
	r.push()
	r.block()
	r.pop()
}

func (r *luaReader) statement() {
	switch {
	case r.is("local"):
		r.localStatement()
	case r.is("function"):
		r.functionStatement()
	case r.take("if"), r.take("while"):
		r.expression()
		if !r.take("then") {
			r.want("do")
		}
		r.scoped()
		for r.is("elseif") || r.is("else") {
			if r.step().text == "elseif" {
				r.expression()
				r.want("then")
			}
			r.scoped()
		}
		r.want("end")
	case r.take("for"):
		r.forStatement()
	case r.take("repeat"):
		r.push()
		r.block()
		r.want("until")
		r.expression()
		r.pop()
	case r.take("do"):
		r.scoped()
		r.want("end")
	case r.take("return"):
		if !r.is("end") && !r.is("") && !r.is("else") && !r.is("elseif") && !r.is("until") && !r.is(";") {
			if r.is("{") && r.top() {
				if r.table(luaOwner{}); !r.goesOn() && !r.take(",") {
					break
				}
			}
			r.expressions()
		}
	case r.take("goto"):
		r.step()
	case r.take("::"):
		r.step()
		r.want("::")
	case r.take("break"), r.take(";"):
	default:
		r.assignmentOrCall()
	}
}

func (r *luaReader) forStatement() {
	r.push()
	var bound []string
	for !r.is("=") && !r.is("in") && !r.is("") && !r.is("do") {
		if t := r.step(); t.kind == 'n' {
			bound = append(bound, t.text)
		}
	}
	r.step()
	r.expressions()
	for _, name := range bound {
		r.bind(name, value{})
	}
	r.want("do")
	r.block()
	r.want("end")
	r.pop()
}

// localStatement reads `local function f` and `local a, b <const> = c, d`.
func (r *luaReader) localStatement() {
	start := r.at
	doc := r.step().doc
	if r.take("function") {
		name := r.step()
		r.function(luaOwner{name: name.text, local: true, doc: doc, line: name.line}, start, false)
		return
	}
	var targets []luaTarget
	for {
		t := r.step()
		if t.kind != 'n' {
			r.file.Broken = true
			return
		}
		if r.take("<") {
			r.step()
			r.want(">")
		}
		targets = append(targets, luaTarget{name: t.text, line: t.line, local: true})
		if !r.take(",") {
			break
		}
	}
	if r.take("=") {
		r.assign(targets, start, doc)
		return
	}
	for _, t := range targets {
		if !r.top() {
			r.bind(t.name, value{})
		} else {
			r.locals[t.name] = true
		}
	}
}

func (r *luaReader) functionStatement() {
	start := r.at
	doc := r.step().doc
	name := r.step()
	if name.kind != 'n' {
		r.file.Broken = true
		return
	}
	path := []string{name.text}
	method := false
	for r.is(".") || r.is(":") {
		method = r.step().text == ":"
		name = r.step()
		path = append(path, name.text)
	}
	r.function(luaOwner{
		name: name.text, container: strings.Join(path[:len(path)-1], "."), doc: doc, line: name.line,
	}, start, method)
}

// function reads parameters and body of a function that goes by a name; the
// tokens from start on are its head.
func (r *luaReader) function(o luaOwner, start int, method bool) {
	parameters := r.parameters()
	i := -1
	if o.name != "" {
		d := Definition{
			Name:      o.name,
			Kind:      Function,
			Line:      o.line,
			Signature: signature(r.source(start, r.at)),
			Doc:       r.doc(o.doc),
			Exported:  !o.local && r.top(),
		}
		if method {
			d.Kind = Method
		}
		_, last := cutLast(o.container)
		d.Test = strings.HasPrefix(strings.ToLower(d.Name), "test") && (o.container == "" && !o.local || strings.HasPrefix(last, "Test"))
		i = r.add(o, d)
	}
	class := r.class
	if o.container != "" {
		r.class = o.container
	}
	from := r.from
	if i >= 0 {
		r.from = i
	}
	r.push()
	for _, p := range parameters {
		r.bind(p, value{})
	}
	if method {
		r.bind("self", value{typ: r.class})
	}
	r.inside++
	r.block()
	r.inside--
	r.pop()
	r.want("end")
	if i >= 0 {
		r.file.Definitions[i].EndLine = max(o.line, r.lastLine())
	}
	r.from, r.class = from, class
}

func (r *luaReader) parameters() []string {
	var list []string
	r.want("(")
	for !r.is(")") && !r.is("") {
		t := r.step()
		if t.kind == 'n' {
			list = append(list, t.text)
		} else if t.kind == 'k' {
			r.file.Broken = true
			r.at--
			return list
		}
	}
	r.take(")")
	return list
}

func (r *luaReader) doc(text string) string {
	if legal(text) || strings.HasPrefix(text, "luacheck") {
		return ""
	}
	return firstSentence(text)
}

// add defines something in the table that its name is written with.
func (r *luaReader) add(o luaOwner, d Definition) int {
	if o.container == "" {
		return r.define(r.from, d)
	}
	root, _, _ := strings.Cut(o.container, ".")
	parent, ok := r.find(-1, root)
	if !ok {
		parent = -1
	} else if p := &r.file.Definitions[parent]; p.Kind == Variable {
		p.Kind = Object
	}
	d.Container = o.container
	i := r.define(parent, d)
	return i
}
