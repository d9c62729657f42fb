package resolve

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// bindTypeParams puts, in the types of a function's parameters and results,
// its constraint in the place of a type parameter, and an unknown type in that
// of one of the receiver's: neither is the package's type of that name.
func (out *goDecl) bindTypeParams() {
	bound := make(map[string]ast.Expr)
	if out.recv != nil {
		for _, arg := range typeArgs(out.recv.Type) {
			if id, is := arg.(*ast.Ident); is {
				bound[id.Name] = &ast.BadExpr{}
			}
		}
	}
	if out.fn.TypeParams != nil {
		for _, f := range out.fn.TypeParams.List {
			for _, n := range f.Names {
				bound[n.Name] = &ast.BadExpr{}
				switch f.Type.(type) {
				case *ast.Ident, *ast.SelectorExpr: // another one may name the parameter again
					bound[n.Name] = f.Type
				}
			}
		}
	}
	if len(bound) == 0 {
		return
	}
	for _, list := range []*ast.FieldList{out.fn.Params, out.fn.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			ast.Walk(typeBinder(bound), f)
		}
	}
}

// A typeBinder puts what type parameters stand for in their place.
type typeBinder map[string]ast.Expr

func (b typeBinder) put(e *ast.Expr) {
	if id, is := (*e).(*ast.Ident); is && b[id.Name] != nil {
		*e = b[id.Name]
	}
}

func (b typeBinder) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.Field:
		if n.Type != nil {
			b.put(&n.Type)
		}
	case *ast.StarExpr:
		b.put(&n.X)
	case *ast.ArrayType:
		b.put(&n.Elt)
	case *ast.MapType:
		b.put(&n.Value)
	case *ast.ChanType:
		b.put(&n.Value)
	case *ast.Ellipsis:
		if n.Elt != nil {
			b.put(&n.Elt)
		}
	}
	return b
}

// typeArgs gives the type arguments of a type.
func typeArgs(e ast.Expr) []ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			return []ast.Expr{x.Index}
		case *ast.IndexListExpr:
			return x.Indices
		default:
			return nil
		}
	}
}

// typeParams gives the type parameters of the type that a field belongs to,
// each as an unknown type: the field does not say which constraint it has.
func (g *goFamily) typeParams(field Ref) map[string]ast.Expr {
	p := g.w.parent(field)
	for p >= 0 && g.w.def(Ref{field.Unit, p}).Kind == g.w.def(field).Kind { // of a nested struct
		p = g.w.parent(Ref{field.Unit, p})
	}
	if p < 0 {
		return nil
	}
	sig := g.w.def(Ref{field.Unit, p}).Signature
	if !strings.Contains(sig, "[") {
		return nil
	}
	f, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+sig+"{}", parser.SkipObjectResolution)
	if f == nil || len(f.Decls) == 0 {
		return nil
	}
	bound := make(map[string]ast.Expr)
	ast.Inspect(f.Decls[0], func(n ast.Node) bool {
		if t, is := n.(*ast.TypeSpec); is && t.TypeParams != nil {
			for _, list := range t.TypeParams.List {
				for _, name := range list.Names {
					bound[name.Name] = &ast.BadExpr{}
				}
			}
		}
		return true
	})
	return bound
}
