package resolve

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A goType is a type as one file writes it; its names mean what they mean
// there. The zero value is a type that is not known.
type goType struct {
	unit int
	expr ast.Expr
}

func (t goType) known() bool { return t.expr != nil }

// maxSteps bounds how long a chain of fields, calls and embedded types may
// be; real ones stay below ten.
const maxSteps = 24

// A goDecl is a definition's signature, read.
type goDecl struct {
	fn    *ast.FuncType
	recv  *ast.Field // nil but for a method
	typ   ast.Expr   // the type of a field, variable or constant; what a type stands for
	value ast.Expr   // of a variable, when it has no type
}

// parse reads an expression; nil when it is not one.
func (g *goFamily) parse(text string) ast.Expr {
	if e, seen := g.parsed[text]; seen {
		return e
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		e = nil
	}
	g.parsed[text] = e
	return e
}

// decl reads a definition's signature as far as it goes: it may be cut.
func (g *goFamily) decl(r Ref) *goDecl {
	if d, seen := g.declared[r]; seen {
		return d
	}
	d := g.w.def(r)
	out := &goDecl{}
	g.declared[r] = out
	for _, text := range goDeclTexts(d) {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
		if f == nil || (err != nil && !isCallable(d.Kind)) {
			continue
		}
		if out.read(f, d.Name) {
			break
		}
	}
	if d.Kind == extract.Field && out.typ != nil {
		params := typeBinder(g.typeParams(r))
		params.put(&out.typ)
		ast.Walk(params, out.typ)
	}
	if isCallable(d.Kind) && d.Result != "" && (out.fn == nil || out.fn.Results == nil) {
		if out.fn == nil {
			out.fn = &ast.FuncType{Params: &ast.FieldList{}}
		}
		if e := g.parse(d.Result); e != nil { // the signature was cut before it
			out.fn.Results = &ast.FieldList{List: []*ast.Field{{Type: e}}}
		}
	}
	return out
}

// goDeclTexts gives the source texts that a signature may be the inside of.
func goDeclTexts(d *extract.Definition) []string {
	s := d.Signature
	switch d.Kind {
	case extract.Function, extract.Method:
		return []string{s, "func " + s, s + "\n}"}
	case extract.Field:
		return []string{"type _ struct {\n" + s + "\n}", "type _ struct {\n" + d.Name + " " + s + "\n}"}
	case extract.Variable, extract.Constant:
		return []string{s, "var " + s}
	case extract.Type:
		return []string{s, "type " + s}
	}
	return nil
}

// read takes the declaration of name from a file; it reports whether it is
// there.
func (out *goDecl) read(f *ast.File, name string) bool {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			out.fn = decl.Type
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				out.recv = decl.Recv.List[0]
			}
			out.bindTypeParams()
			return true
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if i := nameIndex(spec.Names, name); i >= 0 {
						out.typ = spec.Type
						if i < len(spec.Values) {
							out.value = spec.Values[i]
						}
						return true
					}
				case *ast.TypeSpec:
					if spec.Name.Name == name {
						out.typ = spec.Type
						return true
					}
					if st, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range st.Fields.List {
							if nameIndex(field.Names, name) >= 0 || len(field.Names) == 0 {
								out.typ = field.Type
								return true
							}
						}
					}
				}
			}
		}
	}
	return false
}

func nameIndex(names []*ast.Ident, name string) int {
	for i, n := range names {
		if n.Name == name {
			return i
		}
	}
	return -1
}

// local finds a receiver or parameter of that name around a definition; ok
// says that there is one, even when its type is not known.
func (g *goFamily) local(from Ref, name string) (t goType, ok bool) {
	for r := range g.w.enclosing(from) {
		if !isCallable(g.w.def(r).Kind) {
			continue
		}
		d := g.decl(r)
		if d.recv != nil && nameIndex(d.recv.Names, name) >= 0 {
			return goType{r.Unit, d.recv.Type}, true
		}
		if d.fn == nil {
			continue
		}
		for _, list := range []*ast.FieldList{d.fn.Params, d.fn.Results} {
			if list == nil {
				continue
			}
			for _, field := range list.List {
				if nameIndex(field.Names, name) >= 0 {
					return goType{r.Unit, field.Type}, true
				}
			}
		}
	}
	return goType{}, false
}

// bare takes pointers, parentheses and type arguments off a type.
func bare(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return e
		}
	}
}

// named gives the package and name of a type, when it is one of the
// workspace's.
func (g *goFamily) named(t goType) (p *goPackage, name string, ok bool) {
	switch e := bare(t.expr).(type) {
	case *ast.Ident:
		for _, p := range append([]*goPackage{g.of[t.unit]}, g.dots[t.unit]...) {
			if p != nil && g.isTypeName(p, e.Name) {
				return p, e.Name, true
			}
		}
	case *ast.SelectorExpr:
		if x, is := e.X.(*ast.Ident); is {
			if p := g.scopes[t.unit][x.Name].pkg; p != nil && g.isTypeName(p, e.Sel.Name) {
				return p, e.Sel.Name, true
			}
		}
	}
	return nil, "", false
}

func (g *goFamily) isTypeName(p *goPackage, name string) bool {
	for _, r := range p.top[name] {
		if isType(g.w.def(r).Kind) {
			return true
		}
	}
	return false
}

// under gives what a named type stands for: `type A = B`, `type F func()`.
func (g *goFamily) under(t goType) goType {
	for range maxSteps {
		p, name, ok := g.named(t)
		if !ok {
			return t
		}
		var next goType
		for _, r := range p.top[name] {
			if d := g.decl(r); isType(g.w.def(r).Kind) && d.typ != nil {
				next = goType{r.Unit, d.typ}
			}
		}
		if !next.known() {
			return t
		}
		t = next
	}
	return goType{}
}

// member finds a method or field of a type, its own or one that an embedded
// type promotes, the shallowest first. depth 0 is the type's own.
func (g *goFamily) member(t goType, name string) (refs []Ref, depth int) {
	level := []goType{t}
	seen := make(map[goMember]bool)
	for depth = range 6 {
		var next []goType
		for _, t := range level {
			p, typ, ok := g.named(t)
			if !ok || seen[goMember{p.dir + " " + p.name, typ}] {
				continue
			}
			seen[goMember{p.dir + " " + p.name, typ}] = true
			if own := p.members[goMember{typ, name}]; len(own) > 0 {
				refs = append(refs, own...)
				continue
			}
			next = append(next, p.embeds[typ]...)
			// An alias, or a type defined as an interface of elsewhere, has
			// the members of what it stands for.
			for _, r := range p.top[typ] {
				switch e := g.decl(r).typ.(type) {
				case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr:
					next = append(next, goType{r.Unit, e})
				}
			}
		}
		if len(refs) > 0 || len(next) == 0 {
			return refs, depth
		}
		level = next
	}
	return nil, depth
}
