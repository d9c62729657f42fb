package extract

import (
	"go/ast"
	"go/token"
)

// maxChain is how many links of a.b().c() are followed to find a type. What
// is longer is written by machines, and would take quadratic time.
const maxChain = 16

// typeOf says what this file alone tells about the type of a value.
func (r *goReader) typeOf(e ast.Expr) goValue {
	if r.chain >= maxChain {
		return goValue{}
	}
	r.chain++
	defer func() { r.chain-- }()
	switch x := e.(type) {
	case *ast.Ident:
		if v, ok := r.lookup(x.Name); ok {
			return v
		}
		return r.globals[x.Name]
	case *ast.ParenExpr:
		return r.typeOf(x.X)
	case *ast.StarExpr:
		return r.typeOf(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return r.typeOf(x.X)
		}
		if v := r.typeOf(x.X); x.Op == token.ARROW && v.typ.kind == 'e' {
			return goValue{typ: goType{name: v.typ.name}}
		}
	case *ast.CompositeLit:
		return goValue{typ: r.written(x.Type)}
	case *ast.TypeAssertExpr:
		return goValue{typ: r.written(x.Type)}
	case *ast.IndexExpr:
		if v := r.typeOf(x.X); v.typ.kind == 'e' {
			return goValue{typ: goType{name: v.typ.name}}
		}
	case *ast.SelectorExpr:
		if v := r.typeOf(x.X); v.typ.kind == 0 && v.typ.name != "" && x.Sel != nil {
			return goValue{typ: r.fields[v.typ.name][x.Sel.Name]}
		}
	case *ast.CallExpr:
		return r.resultOf(x)
	}
	return goValue{}
}

func (r *goReader) resultOf(call *ast.CallExpr) goValue {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name == "new" && len(call.Args) == 1 && !r.local("new") {
			return goValue{typ: r.written(call.Args[0])}
		}
		if f.Name == "make" && len(call.Args) > 0 && !r.local("make") {
			return goValue{typ: r.written(call.Args[0])}
		}
		if r.local(f.Name) || predeclared[f.Name] {
			return goValue{}
		}
		if r.types[f.Name] {
			return goValue{typ: goType{name: f.Name}}
		}
		if res, ok := r.results[f.Name]; ok {
			return goValue{typ: goType{name: res}}
		}
		return goValue{via: f.Name}
	case *ast.SelectorExpr:
		if f.X == nil || f.Sel == nil {
			return goValue{}
		}
		if v := r.typeOf(f.X); v.typ.kind == 0 && v.typ.name != "" {
			if res, ok := r.methods[v.typ.name][f.Sel.Name]; ok {
				return goValue{typ: goType{name: res}}
			}
		}
		return goValue{via: r.short(f.Pos(), f.End())}
	case *ast.ParenExpr:
		if pointer, ok := f.X.(*ast.StarExpr); ok { // (*T)(nil)
			return goValue{typ: r.written(pointer.X)}
		}
	case *ast.IndexExpr: // New[T](…)
		return r.resultOf(&ast.CallExpr{Fun: f.X, Args: call.Args})
	case *ast.IndexListExpr:
		return r.resultOf(&ast.CallExpr{Fun: f.X, Args: call.Args})
	}
	return goValue{}
}
