package extract

import "strings"

// A groovyHead is how a statement begins that may declare something.
type groovyHead struct {
	start, at   int             // first token behind the annotations; the token to be looked at
	doc         string          // of the first token
	annotations map[string]bool // "Test"
	words       map[string]bool // modifiers
}

var groovyTypes = map[string]Kind{"class": Class, "record": Class, "interface": Interface, "trait": Trait, "enum": Enum}

// declaration reads the head of a declaration, up to its body or value, and
// reports whether there was one.
func (r *groovyReader) declaration() bool {
	switch r.mark(0) {
	case "package":
		r.at++
		r.file.Module, r.at = r.dotted(r.at)
		return true
	case "import":
		r.importStatement()
		return true
	}
	h := groovyHead{at: r.at, doc: r.tok(0).doc}
	h.annotations = r.annotations(&h.at)
	h.start = h.at
	for t := r.tokens[h.at]; t.kind == 'k' && groovyModifiers[t.text]; t = r.tokens[h.at] {
		if h.words == nil {
			h.words = make(map[string]bool)
		}
		h.words[t.text] = true
		h.at++
		r.annotations(&h.at)
	}
	t, next := r.tokens[h.at], r.tokens[min(h.at+1, len(r.tokens)-1)]
	if kind, ok := groovyTypes[t.text]; ok && (t.kind == 'k' || t.text == "record") && next.kind == 'n' {
		r.typeDeclaration(h, kind)
		return true
	}
	if r.tokens[h.at].text == "@" && next.text == "interface" {
		h.at++
		r.typeDeclaration(h, Interface)
		return true
	}
	if r.member(h) {
		return true
	}
	consumed := h.start > r.at // annotations of what is no declaration
	r.at = h.start
	return consumed
}

// annotations skips `@A(…) @B` and tells their names.
func (r *groovyReader) annotations(at *int) map[string]bool {
	var found map[string]bool
	for r.tokens[*at].kind == 'o' && r.tokens[*at].text == "@" && r.tokens[min(*at+1, len(r.tokens)-1)].kind == 'n' {
		path, next := r.dotted(*at + 1)
		before, last := cutLast(path)
		if found == nil {
			found = make(map[string]bool)
		}
		found[last] = true
		r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: before, Line: r.tokens[*at].line})
		if r.tokens[next].kind == 'o' && r.tokens[next].text == "(" {
			if end := r.balanced(next, "(", ")"); end > 0 {
				next = end
			}
		}
		*at = min(next, len(r.tokens)-1)
	}
	return found
}

// dotted reads a.b.c from a place on, and says where it ends.
func (r *groovyReader) dotted(at int) (string, int) {
	var b strings.Builder
	for at < len(r.tokens)-1 && (r.tokens[at].kind == 'n' || r.tokens[at].kind == 'k') && b.Len() < maxPath {
		b.WriteString(r.tokens[at].text)
		at++
		next := r.tokens[min(at+1, len(r.tokens)-1)]
		if r.tokens[at].text != "." || next.kind != 'n' && next.kind != 'k' {
			break
		}
		b.WriteByte('.')
		at++
	}
	return b.String(), at
}

func (r *groovyReader) importStatement() {
	line := r.tok(0).line
	r.at++
	static := r.mark(0) == "static"
	if static {
		r.at++
	}
	path, at := r.dotted(r.at)
	imp := Import{Line: line}
	imp.Path, imp.Name = cutLast(path)
	if r.tokens[at].text == "." && r.tokens[min(at+1, len(r.tokens)-1)].text == "*" {
		imp.Path, imp.Name = path, "*"
		at += 2
	}
	if imp.Path == "" {
		imp.Path, imp.Name = imp.Name, ""
	}
	if r.tokens[at].text == "as" && r.tokens[at].line == line {
		imp.Alias = r.tokens[min(at+1, len(r.tokens)-1)].text
		at += 2
	}
	r.bring(imp)
	r.at = max(r.at, min(at, len(r.tokens)-1))
}

// typeName reads T, a.T<X> or T[] from a place on; its end is -1 where there
// is no type.
func (r *groovyReader) typeName(at int) (string, int) {
	t := r.tokens[at]
	if t.kind == 'k' && !groovyPrimitives[t.text] || t.kind != 'n' && t.kind != 'k' {
		return "", -1
	}
	name, at := r.dotted(at)
	if _, last := cutLast(name); !capital(last) && !groovyPrimitives[last] {
		return "", -1
	}
	if r.tokens[at].kind == 'o' && r.tokens[at].text == "<" {
		if at = r.balanced(at, "<", ">"); at < 0 {
			return "", -1
		}
	}
	for at+1 < len(r.tokens) && r.tokens[at].text == "[" && r.tokens[at+1].text == "]" {
		name, at = "", at+2
	}
	return name, at
}

func (r *groovyReader) exported(h groovyHead) bool {
	f := r.top()
	return !f.inside && !h.words["private"] && (f.parent < 0 || r.file.Definitions[f.parent].Exported)
}

func (r *groovyReader) typeDeclaration(h groovyHead, kind Kind) {
	name := r.tokens[h.at+1]
	f := r.top()
	i := r.define(f.parent, Definition{
		Name: name.text, Kind: kind, Line: name.line, Doc: r.doc(h.doc), Exported: r.exported(h),
	})
	frame := groovyFrame{def: i, parent: i, from: i, class: r.file.Definitions[i].Qualified(), kind: kind, cases: kind == Enum}
	rel, angles := "", 0
	at := h.at + 2
	for ; at < len(r.tokens)-1 && at < h.at+maxGroovyHead; at++ {
		t := r.tokens[at]
		if t.kind == 'o' && (t.text == "{" || t.text == "}" || t.text == ";") {
			break
		}
		switch {
		case t.kind == 'o' && t.text == "<":
			angles++
		case t.kind == 'o' && t.text == ">":
			angles--
		case t.text == "extends" && angles == 0:
			rel = Inherits
		case t.text == "implements" && angles == 0:
			rel = Implements
		case t.kind == 'n' && capital(t.text) && r.tokens[at-1].text != ".", t.kind == 'n' && rel != "" && r.tokens[at+1].text == ".":
			path, end := r.dotted(at)
			before, last := cutLast(path)
			at = max(at, end-1)
			if len(last) == 1 { // a parameter's name
				continue
			}
			use := rel
			if rel == "" || angles > 0 {
				use = References
			}
			if use == Inherits {
				frame.base = last
			}
			r.refer(Reference{From: i, Relation: use, Name: last, Qualifier: before, Line: t.line})
		}
	}
	r.file.Definitions[i].Signature = signature(r.source(h.start, at))
	if r.tokens[at].text == "{" {
		r.opens = &frame
	}
	r.at = at
}

// member reads a method or a field, and what is alike: functions and
// variables of a script, local variables.
func (r *groovyReader) member(h groovyHead) bool {
	f := r.top()
	at := h.at
	typ := ""
	if r.tokens[at].text == "<" && len(h.words) > 0 {
		if at = r.balanced(at, "<", ">"); at < 0 {
			return false
		}
	}
	typed := false
	constructor := f.kind != "" && r.tokens[at].text == lastName(f.class) && r.tokens[at+1].text == "("
	if name, end := r.typeName(at); end > 0 && !constructor && (r.tokens[end].kind == 'n' || r.tokens[end].kind == 's' && (len(h.words) > 0 || name == "void")) && r.tokens[end].line == r.tokens[end-1].line {
		typ, at, typed = name, end, true
	}
	name := r.tokens[at]
	next := r.tokens[min(at+1, len(r.tokens)-1)]
	switch {
	case !typed && len(h.words) == 0 && !constructor:
		return false
	case name.kind != 'n' && name.kind != 's':
		return false
	case next.kind == 'o' && next.text == "(":
		return r.method(h, at, typ)
	case name.kind == 's':
		return false
	}
	if end := next.text; next.line == name.line && next.kind != 0 && end != "=" && end != ";" && end != "," && end != "}" && end != "in" {
		return false
	}
	r.field(h, at, typ)
	return true
}

func lastName(path string) string {
	_, last := cutLast(path)
	return last
}

func (r *groovyReader) method(h groovyHead, at int, typ string) bool {
	f := r.top()
	end := r.balanced(at+1, "(", ")")
	if end < 0 {
		return false
	}
	sig := end
	if r.tokens[end].text == "throws" {
		for end++; r.tokens[end].kind == 'n' || r.tokens[end].text == "." || r.tokens[end].text == ","; end++ {
		}
		sig = end
	}
	body := r.tokens[end].kind == 'o' && r.tokens[end].text == "{"
	if !body && (f.kind == "" || r.tokens[end].line == r.tokens[end-1].line && r.tokens[end].text != ";" && r.tokens[end].text != "}" && r.tokens[end].text != "default") {
		return false
	}
	name := r.tokens[at]
	d := Definition{
		Name:      clip(oneLine(name.text), maxName),
		Kind:      Function,
		Line:      name.line,
		Signature: signature(r.source(h.start, sig)),
		Doc:       r.doc(h.doc),
		Exported:  r.exported(h),
		Result:    clip(typ, maxQualifier),
	}
	if groovyPrimitives[typ] {
		d.Result = ""
	}
	if f.kind != "" {
		d.Kind = Method
	}
	d.Test = name.kind == 's' || h.annotations["Test"] || strings.HasSuffix(f.base, "TestCase") && strings.HasPrefix(d.Name, "test")
	d.Entry = d.Name == "main" && h.words["static"]
	i := r.define(f.parent, d)
	r.from = i
	r.push()
	r.parameters(at+2, end)
	bound := (*r).scopes[len(r.scopes)-1]
	r.pop()
	if body {
		r.opens = &groovyFrame{def: i, parent: i, from: i, class: f.class, inside: true}
		r.at = end
		r.open()
		for n, v := range bound {
			r.bind(n, v)
		}
		r.at++
		return true
	}
	r.from = f.from
	r.at = end
	return true
}

// parameters binds `T a, b = 1`, and tells the types.
func (r *groovyReader) parameters(at, end int) {
	for at < end {
		r.annotations(&at)
		if r.tokens[at].text == "final" || r.tokens[at].text == "def" {
			at++
		}
		typ := ""
		if name, next := r.typeName(at); next > 0 && next < end && r.tokens[next].kind == 'n' {
			r.typeUse(name, r.tokens[at].line)
			typ, at = name, next
		}
		if r.tokens[at].kind == 'n' {
			r.bind(r.tokens[at].text, value{typ: clip(typ, maxQualifier)})
		}
		for depth := 0; at < end; at++ { // to behind the next comma
			switch r.tokens[at].text {
			case "(", "[", "{", "<":
				depth++
			case ")", "]", "}", ">":
				depth--
			}
			if depth == 0 && r.tokens[at].text == "," {
				break
			}
		}
		at++
	}
}

func (r *groovyReader) typeUse(name string, line int) {
	if before, last := cutLast(name); len(last) > 1 && capital(last) && !groovyPredeclared[last] {
		r.refer(Reference{From: r.from, Relation: References, Name: last, Qualifier: before, Line: line})
	}
}

// field defines a name that holds a value; inside of methods it binds it.
func (r *groovyReader) field(h groovyHead, at int, typ string) {
	f := r.top()
	r.typeUse(typ, r.tokens[h.at].line)
	name, next := r.tokens[at], r.tokens[at+1]
	v := value{typ: clip(typ, maxQualifier)}
	if groovyPrimitives[typ] {
		v.typ = ""
	}
	if next.text == "=" && v.typ == "" && r.tokens[min(at+2, len(r.tokens)-1)].text == "new" {
		v.typ, _ = r.dotted(at + 3)
	}
	r.at = at + 1
	if f.inside || f.kind == "" && len(r.frames) > 1 {
		r.bind(name.text, v)
		return
	}
	if f.kind != "" {
		if r.fields[f.class] == nil {
			r.fields[f.class] = make(map[string]value)
		}
		r.fields[f.class][name.text] = v
	}
	closure := next.text == "=" && r.tokens[min(at+2, len(r.tokens)-1)].text == "{" && r.tokens[at+2].kind == 'o'
	end := at + 1
	if value := r.tokens[min(at+2, len(r.tokens)-1)]; next.text == "=" && !closure && value.line == name.line && value.kind != 0 {
		for end = at + 2; end < len(r.tokens)-1 && r.tokens[end].line == name.line && r.tokens[end].text != ";" && r.tokens[end].text != "{" && end < at+40; end++ {
		}
	}
	d := Definition{
		Name: name.text, Kind: r.fieldKind(h, closure), Line: name.line,
		Signature: signature(r.source(h.start, end)), Doc: r.doc(h.doc), Exported: r.exported(h), Result: v.typ,
	}
	i := r.define(f.parent, d)
	r.from = i
	if closure {
		r.opens = &groovyFrame{def: i, parent: i, from: i, class: f.class, inside: true}
		r.at = at + 2
	}
}

func (r *groovyReader) fieldKind(h groovyHead, closure bool) Kind {
	inType := r.top().kind != ""
	switch {
	case closure && inType:
		return Method
	case closure:
		return Function
	case h.words["static"] && h.words["final"]:
		return Constant
	case inType:
		return Field
	}
	return Variable
}
