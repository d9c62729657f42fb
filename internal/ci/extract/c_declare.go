package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A cDeclared is what a declarator declares.
type cDeclared struct {
	name     grammar.Node // an identifier, an operator, a name with scopes
	function grammar.Node // the innermost function declarator, where the name is a function's
	pointer  bool
}

// cDeclare unwinds a declarator: what stands right around the name says what
// the name is.
func cDeclare(n grammar.Node) cDeclared {
	var d cDeclared
	for n.Ok() {
		switch n.Kind() {
		case "function_declarator":
			d.function = n
		case "pointer_declarator", "reference_declarator", "array_declarator":
			d.function = grammar.Node{}
			d.pointer = true
		case "init_declarator", "parenthesized_declarator", "attributed_declarator":
		case "identifier", "field_identifier", "type_identifier", "destructor_name", "operator_name", "qualified_identifier", "template_function", "primitive_type":
			d.name = n
			if n.Is("qualified_identifier") && cLast(n).Is("operator_cast") {
				d.function = cLast(n)
			}
			return d
		case "operator_cast":
			d.name, d.function = n, n
			return d
		default:
			return cDeclared{}
		}
		next := n.Get("declarator")
		if !next.Ok() {
			for c := range n.Children() {
				if c.Is("function_declarator", "pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator",
					"attributed_declarator", "identifier", "field_identifier", "type_identifier", "qualified_identifier", "operator_name", "destructor_name") {
					next = c
					break
				}
			}
		}
		n = next
	}
	return cDeclared{}
}

// cPath gives the parts of a name: "a", "B" and "c" of a::B<T>::c.
func cPath(n grammar.Node) []string {
	switch n.Kind() {
	case "":
		return nil
	case "qualified_identifier", "nested_namespace_specifier":
		var path []string
		for c := range n.Children() {
			path = append(path, cPath(c)...)
		}
		return path
	case "template_type", "template_function", "template_method":
		return cPath(n.Get("name"))
	case "dependent_name", "dependent_type":
		for c := range n.Children() {
			return cPath(c)
		}
		return nil
	case "operator_name":
		name := strings.Join(strings.Fields(n.Text()), " ")
		if rest := strings.TrimPrefix(name, "operator "); rest != "" && !isLetter(rest[0]) {
			name = "operator" + rest
		}
		return []string{name}
	case "operator_cast":
		return []string{oneLine(strings.TrimSpace(n.Tree().Slice(n.Start(), n.Get("declarator").Start())))}
	case "namespace_identifier", "identifier", "type_identifier", "field_identifier", "destructor_name", "primitive_type":
		return []string{strings.Join(strings.Fields(n.Text()), "")}
	}
	return nil
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// cLast is the last part of a name.
func cLast(n grammar.Node) grammar.Node {
	for n.Is("qualified_identifier") {
		n = n.Get("name")
	}
	return n
}

// cTypeName is the class that a type means, as written without its
// arguments: "a::B" of a::B<T>; "" of what is none.
func cTypeName(n grammar.Node) string {
	switch n.Kind() {
	case "type_identifier", "qualified_identifier", "template_type":
		return strings.Join(cPath(n), "::")
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		return strings.Join(cPath(n.Get("name")), "::")
	case "type_descriptor":
		return cTypeName(n.Get("type"))
	}
	return ""
}

// cutScope cuts "a::b::c" into "a::b" and "c".
func cutScope(name string) (scope, last string) {
	if i := strings.LastIndex(name, "::"); i >= 0 {
		return name[:i], name[i+2:]
	}
	return "", name
}

// owner is the definition of the file that a name's scopes lead to from a
// place or from what is around it; where there is none, the container that
// they make.
func (r *cReader) owner(parent int, scopes []string) (int, string) {
	if len(scopes) == 0 {
		return parent, ""
	}
	for around := parent; ; around = r.file.Definitions[around].Parent {
		at, found := around, true
		for _, s := range scopes {
			i, ok := r.scope[place{at, s}]
			if !ok {
				found = false
				break
			}
			at = i
		}
		if found {
			return at, ""
		}
		if around < 0 {
			break
		}
	}
	in := strings.Join(scopes, ".")
	if parent >= 0 {
		in = r.file.Definitions[parent].Qualified() + "." + in
	}
	return -1, in
}

// function reads a definition with a body.
func (r *cReader) function(n, whole grammar.Node, parent int, doc string) {
	if r.viaMacro(n, parent, doc) {
		return
	}
	d := cDeclare(n.Get("declarator"))
	if !d.name.Ok() {
		return
	}
	if !d.function.Ok() { // `int n = 0;` of a class can look like one
		if body := n.Get("body"); body.Ok() {
			r.items(body, parent)
			return
		}
		r.data(n, n, whole, d, parent, doc)
		return
	}
	body := n.Get("body")
	end := d.function.End()
	if t := d.function.Child("trailing_return_type"); t.Ok() {
		end = t.End()
	} else if body.Ok() && !n.Has("field_initializer_list") {
		end = body.Start()
	}
	if k := n.Child("declaration"); k.Ok() { // of parameters, as they were once written
		end = k.Start()
	}
	if !body.Ok() {
		end = n.End()
	}
	i := r.callable(n, whole, d, parent, doc, end)
	r.later(i, whole, func() {
		for k := range n.Children() {
			if k.Is("declaration") {
				r.locals(k)
			}
		}
		r.signatureUses(n, d)
		for f := range n.Child("field_initializer_list").Children() {
			r.use(f)
		}
		r.use(body)
	})
}

// callable defines a function or method.
func (r *cReader) callable(n, whole grammar.Node, d cDeclared, parent int, doc string, end int) int {
	head := headText(whole, end)
	if n.Is("function_definition") { // `= default;` is a definition
		head = strings.TrimSuffix(head, ";")
	}
	path := cPath(d.name)
	if len(path) == 0 {
		path = []string{d.name.Text()}
	}
	owner, in := r.owner(parent, path[:len(path)-1])
	def := Definition{Name: path[len(path)-1], Kind: Function, Container: in, Line: d.name.Line(), EndLine: n.EndLine(),
		Signature: signature(head), Doc: doc, Exported: r.visible(n, parent), Result: cTypeName(n.Get("type"))}
	if in != "" || owner >= 0 && r.file.Definitions[owner].Kind != Namespace {
		def.Kind = Method
	}
	def.Entry = def.Name == "main" && def.Kind == Function && owner < 0
	return r.define(owner, def)
}

// declaration reads what has no body: variables, fields, and declarations of
// functions, each with the types that stand in it.
func (r *cReader) declaration(n, whole grammar.Node, parent int, doc string) {
	typ := n.Get("type")
	var declared []grammar.Node
	for c := range n.Children() {
		if c.Field() == "declarator" {
			declared = append(declared, c)
		}
	}
	in := parent
	if typ.Get("body").Ok() {
		if !typ.Get("name").Ok() && len(declared) > 0 {
			// `struct { … } x;`: its members are those of x.
			if d := cDeclare(declared[0]); d.name.Ok() {
				in = r.data(n, declared[0], whole, d, parent, doc)
				declared = declared[1:]
			}
		}
		if in != parent || !typ.Get("name").Ok() && !typ.Is("enum_specifier") {
			r.in(in, func() { r.items(typ.Get("body"), in) })
		} else {
			r.typeLike(typ, whole, parent, "", doc)
		}
	}
	for _, c := range declared {
		d := cDeclare(c)
		if !d.name.Ok() {
			continue
		}
		if !d.function.Ok() {
			r.data(n, c, whole, d, parent, doc)
			continue
		}
		if cHas(n, "storage_class_specifier", "friend") || r.cpp && parent < 0 && len(cPath(d.name)) > 1 {
			continue
		}
		i := r.callable(n, whole, d, parent, doc, n.End())
		r.forward = append(r.forward, i)
		r.later(i, whole, func() {
			r.signatureUses(n, d)
		})
	}
}

// data defines a variable, a constant or a field.
func (r *cReader) data(n, declarator, whole grammar.Node, d cDeclared, parent int, doc string) int {
	path := cPath(d.name)
	if len(path) == 0 {
		return parent
	}
	owner, in := r.owner(parent, path[:len(path)-1])
	typ := n.Get("type")
	def := Definition{Name: path[len(path)-1], Kind: Variable, Container: in, Line: d.name.Line(), EndLine: declarator.EndLine(),
		Doc: doc, Exported: r.visible(n, parent), Result: cTypeName(typ)}
	head := headText(whole, typ.End())
	if body := typ.Get("body"); body.Ok() {
		head = headText(whole, body.Start())
	}
	end := declarator.End()
	if v := declarator.Get("value"); v.Is("initializer_list", "lambda_expression") || v.End()-v.Start() > maxSignature {
		end = declarator.Get("declarator").End()
	}
	def.Signature = signature(head + " " + declarator.Tree().Slice(declarator.Start(), min(end, declarator.Start()+2*maxSignature)))
	if n.Is("function_definition") {
		def.Signature = signature(strings.TrimSuffix(n.Text(), ";"))
	}
	field := owner >= 0 && r.file.Definitions[owner].Kind != Namespace || in != ""
	switch {
	case cHas(n, "type_qualifier", "constexpr") || cHas(n, "type_qualifier", "const") && !d.pointer && !(field && !cHas(n, "storage_class_specifier", "static")):
		def.Kind = Constant
	case field:
		def.Kind = Field
	}
	r.setField(r.class, def.Name, value{typ: def.Result})
	i := r.define(owner, def)
	if cHas(n, "storage_class_specifier", "extern") && !declarator.Is("init_declarator") || cHas(n, "storage_class_specifier", "static") && field {
		r.forward = append(r.forward, i)
	}
	r.later(i, whole, func() {
		r.types(typ)
		r.use(declarator.Get("value"))
	})
	return i
}

// settle leaves out the declarations of what the file itself defines.
func (r *cReader) settle() {
	type key struct {
		name string
		args int
	}
	defs := r.file.Definitions
	forward := make(map[int]bool)
	for _, i := range r.forward {
		forward[i] = true
	}
	name := func(i int) key {
		k := key{defs[i].Qualified(), -1}
		if defs[i].Kind == Function || defs[i].Kind == Method {
			k.args = countParameters(defs[i].Signature, defs[i].Name)
		}
		return k
	}
	whole := make(map[key]int)
	for i := range defs {
		if !forward[i] && defs[i].Name != "" {
			whole[name(i)] = i
		}
	}
	for _, i := range r.forward {
		k := name(i)
		w, known := whole[k]
		if !known {
			whole[k] = i
			if defs[i].Kind == Function || defs[i].Kind == Method {
				if !strings.HasSuffix(defs[i].Signature, ";") {
					defs[i].Signature = clip(defs[i].Signature, maxSignature-1) + ";"
				}
			}
			continue
		}
		if defs[w].Doc == "" {
			defs[w].Doc = defs[i].Doc
		}
		if defs[i].Container != "" {
			defs[w].Exported = defs[i].Exported
		}
		defs[i].Name = ""
	}
}

// countParameters counts those of a function in its signature.
func countParameters(sig, name string) int {
	_, list, ok := strings.Cut(sig, name+"(")
	if !ok {
		_, list, ok = strings.Cut(sig, "(")
	}
	list = strings.TrimSpace(list)
	if !ok || strings.HasPrefix(list, ")") || strings.HasPrefix(list, "void)") {
		return 0
	}
	depth, n := 0, 1
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			if depth == 0 {
				return n
			}
			depth--
		case ',':
			if depth == 0 {
				n++
			}
		}
	}
	return n
}
