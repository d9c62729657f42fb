package extract

import "strings"

// call reads a call's arguments and tells who is called.
func (r *luaReader) call(path string, name scanToken) luaValue {
	before, last := cutLast(path)
	first := r.tokens[min(r.at+1, len(r.tokens)-1)]
	if r.tok().kind == 's' {
		first = r.tok()
	}
	from := r.from
	switch {
	case (path == "require" || path == "dofile") && first.kind == 's':
		r.bring(Import{Path: oneLine(first.text), Line: name.line})
	case path == "pcall" && first.text == "require" && r.tokens[min(r.at+3, len(r.tokens)-1)].kind == 's':
		r.bring(Import{Path: oneLine(r.tokens[r.at+3].text), Line: name.line})
	case luaTests[path] && first.kind == 's':
		r.from = r.define(-1, Definition{
			Name: clip(oneLine(first.text), maxName), Kind: Function, Line: first.line, Test: true,
			Signature: signature(path + " " + string(r.src[first.start:first.end])),
		})
	case last != "" && !strings.ContainsAny(last, "[]()") && !luaPredeclared[firstName(path)]:
		if before != "" || !r.local(last) {
			v, _ := r.lookup(firstName(before))
			if strings.Contains(before, ".") || strings.ContainsAny(before, "()[]") {
				v = value{}
			}
			r.refer(Reference{
				From: r.from, Relation: Calls, Name: last, Qualifier: before, Line: name.line,
				Type: v.typ, Via: v.via, Local: v.typ == "" && r.local(firstName(before)),
			})
		}
	}
	v := luaValue{call: path, typ: r.arguments(path)}
	if r.from != from {
		r.file.Definitions[r.from].EndLine = r.lastLine()
		r.from = from
	}
	if luaPredeclared[path] {
		v.call = ""
	}
	if path == "pcall" {
		v.call = path
	}
	if path == "require" && first.kind == 's' {
		v.module = first.text
	}
	return v
}

// luaTests holds the words that begin a test of busted.
var luaTests = names("it test spec pending")

// arguments reads what a call is given; of setmetatable it returns the table
// that is the other's class.
func (r *luaReader) arguments(callee string) (typ string) {
	switch {
	case r.tok().kind == 's':
		r.step()
	case r.is("{"):
		r.deeper(func() { r.table(luaOwner{}) })
	default:
		r.want("(")
		class := ""
		for k := 0; !r.is(")") && !r.is(""); k++ {
			if callee == "setmetatable" && k == 1 && class != "" && r.is("{") {
				r.metatable(class)
			}
			v := r.expression()
			switch {
			case k == 0:
				class = v.path
			case k == 1 && callee == "setmetatable":
				typ = v.path
			}
			if !r.take(",") && !r.is(")") {
				r.file.Broken = true
				return typ
			}
		}
		r.take(")")
	}
	return typ
}

// metatable looks ahead for `{ __index = Base }`, which makes a table
// inherit from another.
func (r *luaReader) metatable(class string) {
	t := r.tokens[r.at:]
	if len(t) < 5 || t[1].text != "__index" || t[2].text != "=" || t[3].kind != 'n' {
		return
	}
	path := t[3].text
	for k := 4; k+1 < len(t) && t[k].text == "." && t[k+1].kind == 'n'; k += 2 {
		path += "." + t[k+1].text
	}
	i, ok := r.find(-1, class)
	if !ok || path == class || len(path) > maxQualifier {
		return
	}
	r.file.Definitions[i].Kind = Class
	before, last := cutLast(path)
	r.refer(Reference{From: i, Relation: Inherits, Name: last, Qualifier: before, Line: t[3].line})
}
