package extract

import "strings"

// groovyPredeclared holds names that Groovy gives every script.
var groovyPredeclared = names(`Boolean Byte Character Class Closure Collection Double Error Exception File Float Integer
	Iterable Iterator List Long Map Math Number Object Override Pattern RuntimeException Set Short String
	StringBuilder System Test Thread Throwable Void assert print printf println`)

// name reads a name in an expression: a call when a bracket follows, else
// maybe a type.
func (r *groovyReader) name(t scanToken) {
	last := r.mark(-1)
	member := last == "." || last == "&" && r.mark(-2) == "."
	next := r.mark(1)
	switch {
	case next == "(" || next == "{" && r.tok(1).line == t.line && (member || r.from >= 0) && !capital(t.text):
		r.call(t, member)
	case member || next == ":" || !capital(t.text) || len(t.text) == 1 || groovyPredeclared[t.text] || r.local(t.text):
	default:
		r.refer(Reference{From: r.from, Relation: References, Name: t.text, Line: t.line})
	}
}

func (r *groovyReader) call(t scanToken, member bool) {
	ref := Reference{From: r.from, Relation: Calls, Name: t.text, Line: t.line}
	if !member {
		if groovyPredeclared[t.text] || r.local(t.text) {
			return
		}
		r.refer(ref)
		return
	}
	var known bool
	if ref.Qualifier, known = r.qualifier(); known {
		v := r.typeOf(ref.Qualifier)
		ref.Type, ref.Local = v.typ, v.typ == "" && r.local(firstName(ref.Qualifier))
	}
	r.refer(ref)
}

// qualifier is what stands before the dot of this name, and whether it is
// names only.
func (r *groovyReader) qualifier() (string, bool) {
	var parts []string
	for k := -1; len(parts) < 6; k-- {
		if r.mark(k) != "." {
			break
		}
		if k--; r.mark(k) == "?" || r.mark(k) == "*" {
			k--
		}
		t := r.tok(k)
		if t.kind != 'n' && t.text != "this" && t.text != "super" || r.at+k < 0 {
			return strings.Join(append([]string{"()"}, parts...), "."), false
		}
		parts = append([]string{t.text}, parts...)
	}
	return strings.Join(parts, "."), true
}

// typeOf is the type of a name, as far as the file tells.
func (r *groovyReader) typeOf(name string) value {
	class := r.top().class
	if name == "this" {
		return value{typ: class}
	}
	name = strings.TrimPrefix(name, "this.")
	if v, ok := r.lookup(name); ok {
		return v
	}
	return r.fields[class][name]
}

// created reads `new a.T`.
func (r *groovyReader) created() {
	line := r.tok(0).line
	path, at := r.dotted(r.at)
	before, last := cutLast(path)
	if !groovyPredeclared[last] {
		r.refer(Reference{From: r.from, Relation: Calls, Name: last, Qualifier: before, Line: line})
	}
	r.at = at
}

// command reads what the first word of a statement says: a call without
// brackets, a task of a build, a stage of a pipeline. It reports whether
// nothing is left to be read of that word.
func (r *groovyReader) command() bool {
	t := r.tok(0)
	if t.kind != 'n' {
		return false
	}
	arg := 1
	if r.mark(1) == "(" {
		arg = 2
	}
	first := r.tok(arg)
	switch {
	case t.text == "stage" && first.kind == 's':
		r.step(t, first, arg)
		return true
	case r.variant == "groovy gradle" && (t.text == "task" && (first.kind == 's' || first.kind == 'n')):
		r.step(t, first, arg)
		return true
	case r.variant == "groovy gradle" && t.text == "tasks" && r.mark(1) == "." && (r.mark(2) == "register" || r.mark(2) == "create") && r.mark(3) == "(" && r.tok(4).kind == 's':
		r.step(t, r.tok(4), 4)
		return true
	case t.text == "apply" && r.mark(1) == "from" && r.mark(2) == ":" && r.tok(3).kind == 's':
		r.bring(Import{Path: oneLine(r.tok(3).text), Line: t.line})
	case r.mark(1) != "(" && first.line == t.line && (first.kind == 's' || first.kind == '0' || first.kind == 'n' && !groovyKeywords[first.text]) && !capital(t.text):
		r.call(t, false)
	}
	return false
}

// step defines a task or a stage, whose closure is its body.
func (r *groovyReader) step(word, name scanToken, arg int) {
	f := r.top()
	end := r.at + arg + 1
	for end < len(r.tokens)-1 && end < r.at+maxGroovyHead && r.tokens[end].line == word.line && !(r.tokens[end].kind == 'o' && r.tokens[end].text == "{") {
		end++
	}
	parent := f.parent
	if f.kind == "" && f.def >= 0 && r.file.Definitions[f.def].Kind == Function {
		parent = f.def
	}
	i := r.define(parent, Definition{
		Name: clip(oneLine(name.text), maxName), Kind: Function, Line: name.line,
		Signature: signature(r.source(r.at, end)), Doc: r.doc(word.doc), Exported: true,
	})
	r.from = i
	r.at += arg + 1
	if r.tokens[end].text == "{" && r.tokens[end].kind == 'o' {
		r.opens = &groovyFrame{def: i, parent: i, from: i, class: f.class, inside: true}
	}
}
