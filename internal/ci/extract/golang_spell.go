package extract

import (
	"go/ast"
	"go/token"
	"strconv"
)

// spell writes an expression in words that mean the same outside of its
// function: parameters, what stands at the top of the file, and in the place
// of a local name what it was set to. It is "" where that cannot be said.
//
// Besides what Go has, `<-x` is the first of what ranging over x gives, x[0]
// the second or only one, and _2(f()) the second result of a call.
func (r *goReader) spell(e ast.Expr) string {
	if r.chain >= maxChain {
		return ""
	}
	r.chain++
	text := r.spelled(e)
	r.chain--
	if len(text) > maxQualifier {
		return ""
	}
	return text
}

func (r *goReader) spelled(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return r.spellName(x.Name)
	case *ast.ParenExpr:
		return r.spell(x.X)
	case *ast.StarExpr:
		return r.spell(x.X)
	case *ast.SliceExpr:
		return r.spell(x.X)
	case *ast.UnaryExpr:
		switch x.Op {
		case token.AND:
			return r.spell(x.X)
		case token.ARROW:
			return behind("<-", r.spell(x.X), "")
		}
	case *ast.CompositeLit:
		return r.spellType(x.Type)
	case *ast.TypeAssertExpr:
		return r.spellType(x.Type)
	case *ast.IndexExpr:
		return behind("", r.spell(x.X), "[0]")
	case *ast.SelectorExpr:
		if x.Sel != nil {
			return behind("", r.spell(x.X), "."+x.Sel.Name)
		}
	case *ast.CallExpr:
		return r.spellCall(x)
	}
	return ""
}

// behind puts a text between others, or nothing where it is empty.
func behind(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

func (r *goReader) spellName(name string) string {
	v, local := r.lookup(name)
	switch {
	case !local && predeclared[name]:
		return ""
	case !local, v.parameter:
		return name
	case v.typ.name != "" && v.typ.kind == 'e':
		return "[]" + v.typ.name + "{}"
	case v.typ.name != "":
		return v.typ.name + "{}"
	}
	return v.text
}

// spellType is a value of a type, without its pointer.
func (r *goReader) spellType(e ast.Expr) string {
	switch t := r.written(e); {
	case t.name == "" || predeclared[t.name]:
		return ""
	case t.kind == 'e':
		return "[]" + t.name + "{}"
	default:
		return t.name + "{}"
	}
}

func (r *goReader) spellCall(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if r.local(f.Name) || !predeclared[f.Name] {
			break
		}
		switch {
		case len(call.Args) == 0:
			return ""
		case f.Name == "new", f.Name == "make":
			return r.spellType(call.Args[0])
		case f.Name == "append", f.Name == "min", f.Name == "max":
			return r.spell(call.Args[0])
		}
		return ""
	case *ast.ParenExpr:
		if pointer, ok := f.X.(*ast.StarExpr); ok { // (*T)(nil)
			return r.spellType(pointer.X)
		}
	case *ast.IndexExpr: // f[T](…)
		return behind("", r.spell(f.X), "()")
	case *ast.IndexListExpr:
		return behind("", r.spell(f.X), "()")
	}
	return behind("", r.spell(call.Fun), "()")
}

// spellResult is result n of a call, from 0.
func (r *goReader) spellResult(e ast.Expr, n int) string {
	if _, ok := ast.Unparen(e).(*ast.CallExpr); ok && n > 0 {
		return behind("_"+strconv.Itoa(n+1)+"(", r.spell(e), ")")
	}
	if n > 0 { // v, ok := m[k]
		return ""
	}
	return r.spell(e)
}
