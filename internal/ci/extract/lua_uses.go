package extract

import "strings"

// luaPredeclared holds the names that Lua gives every file.
var luaPredeclared = names(`_G _ENV _VERSION arg assert bit32 collectgarbage coroutine debug dofile error getmetatable io
	ipairs load loadfile loadstring math module next os package pairs pcall print rawequal rawget rawlen
	rawset require select setfenv getfenv setmetatable string table tonumber tostring type unpack utf8 warn xpcall`)

// A luaTarget is what an assignment sets: a name, or a field of a table.
type luaTarget struct {
	name      string // "" when it is no plain name
	container string
	line      int
	local     bool
}

// A luaValue is what the file tells of an expression.
type luaValue struct {
	path   string // "a.b" of names only
	typ    string // the table that setmetatable gives it
	call   string // the path of the call that it is
	module string // what it requires
	plain  bool   // a literal, a table or a function
}

func (r *luaReader) expressions() []luaValue {
	list := []luaValue{r.expression()}
	for r.take(",") {
		list = append(list, r.expression())
	}
	return list
}

// assignmentOrCall reads a statement that begins with an expression.
func (r *luaReader) assignmentOrCall() {
	start := r.at
	doc := r.tok().doc
	var targets []luaTarget
	for {
		line := r.tok().line
		if r.tok().kind != 'n' && !r.is("(") {
			r.broken()
			return
		}
		v := r.suffixed(true)
		t := luaTarget{line: line}
		if v.path != "" {
			t.container, t.name = cutLast(v.path)
		}
		targets = append(targets, t)
		if !r.take(",") {
			break
		}
	}
	if r.take("=") {
		r.assign(targets, start, doc)
	}
}

// assign reads the values of an assignment. What it sets outside of
// functions is a definition, and so is every function with a name.
func (r *luaReader) assign(targets []luaTarget, start int, doc string) {
	for k := 0; ; k++ {
		t := luaTarget{}
		if k < len(targets) {
			t = targets[k]
		}
		r.assignOne(t, start, doc, len(targets) == 1)
		if !r.take(",") {
			break
		}
	}
}

func (r *luaReader) assignOne(t luaTarget, start int, doc string, single bool) {
	t.local = t.local || t.container == "" && r.locals[t.name]
	o := luaOwner{name: t.name, container: t.container, local: t.local, doc: doc, line: t.line}
	known := t.name != "" && (t.container == "" || r.top() || !r.local(firstName(t.container)))
	switch {
	case r.is("function") && known:
		r.step()
		r.function(o, start, false)
		return
	case r.is("{") && known && r.top():
		i := r.variable(t, start, doc)
		r.table(luaOwner{container: dottedName(t.container, t.name)})
		r.file.Definitions[i].EndLine = r.lastLine()
		if !r.goesOn() {
			return
		}
	}
	v := r.expression()
	switch {
	case v.call == "pcall":
	case v.module != "" && t.name != "" && t.container == "":
		if imports := r.file.Imports; len(imports) > 0 && single {
			imports[len(imports)-1].Alias = t.name
		}
	case !r.top() && t.local:
		r.bind(t.name, value{typ: v.typ, via: v.call})
	case r.top() && t.name != "" && (v.path == "" || t.container != "") && t.name != "__index":
		r.variable(t, start, doc)
	}
}

// goesOn reports whether an expression has more behind a table.
func (r *luaReader) goesOn() bool {
	return r.is(".") || r.is(":") || r.is("..") || r.is("or") || r.is("and")
}

// variable defines a name of the file, or a field of a table.
func (r *luaReader) variable(t luaTarget, start int, doc string) int {
	o := luaOwner{name: t.name, container: t.container}
	parent := -1
	if t.container != "" {
		root, _, _ := strings.Cut(t.container, ".")
		if p, ok := r.find(-1, root); ok {
			parent = p
		}
	}
	if i, ok := r.find(parent, t.name); ok && r.file.Definitions[i].Container == t.container {
		return i
	}
	d := Definition{
		Name:      t.name,
		Kind:      Variable,
		Line:      t.line,
		EndLine:   r.lastLine(),
		Signature: signature(r.source(start, r.at)),
		Doc:       r.doc(doc),
		Exported:  !t.local,
	}
	d.Signature = strings.TrimRight(d.Signature, " ={")
	switch {
	case shouting(t.name) && len(t.name) > 1:
		d.Kind = Constant
	case t.container != "":
		d.Kind = Field
	}
	return r.add(o, d)
}

// table reads a constructor; functions in it are members of the container.
func (r *luaReader) table(o luaOwner) {
	r.want("{")
	for !r.is("}") && !r.is("") {
		at := r.at
		t := r.tok()
		key := ""
		switch {
		case t.kind == 'n' && r.tokens[r.at+1].text == "=" && r.tokens[r.at+1].kind == 'o':
			key = t.text
			r.at += 2
		case r.is("["):
			r.step()
			if s := r.tok(); s.kind == 's' {
				key = s.text
			}
			r.deeper(func() { r.expression() })
			r.want("]")
			r.want("=")
		}
		r.deeper(func() { r.field(o, key, t, at) })
		if !r.take(",") && !r.take(";") && !r.is("}") {
			if r.tok().kind == 'k' { // it was never closed
				r.file.Broken = true
				return
			}
			r.broken()
		}
	}
	r.take("}")
}

func (r *luaReader) field(o luaOwner, key string, t scanToken, at int) {
	switch {
	case key != "" && r.is("function"):
		r.step()
		r.function(luaOwner{name: oneLine(key), container: o.container, doc: t.doc, line: t.line}, at, false)
	case key != "" && r.top() && r.is("{"):
		r.table(luaOwner{container: dottedName(o.container, oneLine(key))})
		if r.goesOn() {
			r.expression()
		}
	default:
		r.expression()
	}
}

// luaOperators join the parts of an expression.
var luaOperators = names(`+ - * / // % ^ # & | ~ << >> .. == ~= < > <= >= and or not`)

// expression reads operands and what joins them.
func (r *luaReader) expression() (v luaValue) {
	r.deeper(func() { v = r.operands() })
	return v
}

func (r *luaReader) operands() luaValue {
	var v luaValue
	for n := 0; ; n++ {
		for luaOperators[r.tok().text] && (r.tok().kind == 'o' || r.tok().kind == 'k') {
			r.step()
			n++
		}
		w := r.operand()
		if n == 0 {
			v = w
		} else {
			v = luaValue{}
		}
		if t := r.tok(); !luaOperators[t.text] || t.kind != 'o' && t.kind != 'k' {
			return v
		}
	}
}

func (r *luaReader) operand() luaValue {
	t := r.tok()
	switch {
	case r.take("function"):
		r.function(luaOwner{}, r.at, false)
		return luaValue{plain: true}
	case r.is("{"):
		r.table(luaOwner{})
		return luaValue{plain: true}
	case t.kind == 's':
		r.step()
		if r.is(":") {
			r.suffixes(luaValue{}, "", t)
		}
		return luaValue{plain: true}
	case t.kind == '0', r.is("nil"), r.is("true"), r.is("false"), r.is("..."):
		r.step()
		return luaValue{plain: true}
	case t.kind == 'n' || r.is("("):
		return r.suffixed(false)
	}
	if !r.is("end") && !r.is("then") && !r.is("do") && !r.is(")") && !r.is("}") && !r.is("") {
		r.broken()
	}
	r.file.Broken = true
	return luaValue{}
}

// suffixed reads a name or a bracket with all that follows it: fields, calls
// and indexes.
func (r *luaReader) suffixed(target bool) luaValue {
	first := r.step()
	if first.kind == 'o' { // (
		r.expression()
		r.want(")")
		return r.suffixes(luaValue{}, "", first)
	}
	v := r.suffixes(luaValue{path: first.text}, first.text, first)
	if v.path != "" && !target {
		r.mention(v.path, first.line)
	}
	return v
}

// mention tells that a value is named, not called.
func (r *luaReader) mention(path string, line int) {
	before, last := cutLast(path)
	if root := firstName(path); !luaPredeclared[root] && !r.local(root) {
		r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: before, Line: line})
	}
}

// suffixes reads what stands behind the first part of an expression.
func (r *luaReader) suffixes(v luaValue, path string, last scanToken) luaValue {
	whole := path != ""
	for {
		switch t := r.tok(); {
		case r.is(".") || r.is(":"):
			r.step()
			last = r.step()
			if last.kind != 'n' && last.kind != 'k' {
				r.file.Broken = true
				r.at--
				return luaValue{}
			}
			path = clip(path, maxQualifier) + "." + last.text
			v = luaValue{}
			if whole && t.text == "." {
				v.path = path
			}
		case r.is("["):
			r.step()
			key := r.tok()
			r.expression()
			r.want("]")
			v = luaValue{}
			if key.kind == 's' && whole {
				path += "." + oneLine(key.text)
				v.path = path
			} else {
				whole = false
				path += "[]"
			}
		case r.is("(") || r.is("{") || t.kind == 's':
			if r.is("(") && t.line != last.line && r.tokens[r.at-1].line != t.line && !whole {
				return v
			}
			v = r.call(path, last)
			whole = false
			path += "()"
			last = r.tokens[r.at-1]
		default:
			return v
		}
	}
}
