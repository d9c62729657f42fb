package extract

import (
	"go/ast"
	"go/token"
)

func (r *goReader) valueSpec(tok token.Token, s *ast.ValueSpec, doc string) {
	kind, word := Variable, "var "
	if tok == token.CONST {
		kind, word = Constant, "const "
	}
	first := -1
	for k, n := range s.Names {
		if n.Name == "_" {
			continue
		}
		sig := word + n.Name
		if s.Type != nil {
			sig += " " + r.text(s.Type.Pos(), s.Type.End())
		}
		if k < len(s.Values) {
			sig += " = " + r.text(s.Values[k].Pos(), goValueEnd(s.Values[k]))
		}
		i := r.define(-1, Definition{
			Name:      n.Name,
			Kind:      kind,
			Line:      r.line(n.Pos()),
			EndLine:   r.line(s.End() - 1),
			Signature: signature(sig),
			Doc:       doc,
			Exported:  n.IsExported(),
		})
		if first < 0 {
			first = i
		}
		if k < len(s.Values) {
			r.from = i
			ast.Walk(r, s.Values[k])
		}
	}
	r.from = first
	if s.Type != nil {
		ast.Walk(r, s.Type)
	}
	if first < 0 { // `var _ Interface = (*T)(nil)` still says something
		for _, v := range s.Values {
			ast.Walk(r, v)
		}
	}
	r.from = -1
}

// goValueEnd is where a value's text stops being worth a signature: at the
// body of a literal.
func goValueEnd(e ast.Expr) token.Pos {
	switch v := e.(type) {
	case *ast.FuncLit:
		return v.Type.End()
	case *ast.CompositeLit:
		return v.Lbrace
	case *ast.UnaryExpr:
		return goValueEnd(v.X)
	}
	return e.End()
}
