package resolve

import (
	"cmp"
	"go/ast"
	"go/token"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// typeOf reckons the type of an expression written inside a definition. For
// a call with several results it is the first one's.
func (g *goFamily) typeOf(u int, from Ref, e ast.Expr, steps int) goType {
	if steps <= 0 || e == nil {
		return goType{}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return g.typeOf(u, from, e.X, steps-1)
	case *ast.StarExpr:
		return g.typeOf(u, from, e.X, steps-1)
	case *ast.UnaryExpr:
		if t := g.typeOf(u, from, e.X, steps-1); e.Op == token.ARROW {
			return g.rangeOver(t, 0)
		} else {
			return t
		}
	case *ast.CompositeLit:
		return goType{u, e.Type}
	case *ast.TypeAssertExpr:
		return goType{u, e.Type}
	case *ast.Ident:
		if t, is := g.local(from, e.Name); is {
			return t
		}
		return g.valueOf(u, g.of[u].top[e.Name], steps)
	case *ast.SelectorExpr:
		if x, is := e.X.(*ast.Ident); is {
			if im, imported := g.scopes[u][x.Name]; imported && !g.isLocal(from, x.Name) {
				if im.pkg == nil {
					return goType{}
				}
				return g.valueOf(u, im.pkg.top[e.Sel.Name], steps)
			}
		}
		refs, _ := g.member(g.typeOf(u, from, e.X, steps-1), e.Sel.Name)
		return g.valueOf(u, refs, steps)
	case *ast.IndexExpr:
		return g.element(g.typeOf(u, from, e.X, steps-1))
	case *ast.CallExpr:
		return g.result(u, from, e, steps)
	}
	return goType{}
}

func (g *goFamily) isLocal(from Ref, name string) bool {
	_, is := g.local(from, name)
	return is
}

// valueOf is the type of what a name leads to: a variable's, a field's, or a
// function's own.
func (g *goFamily) valueOf(u int, candidates []Ref, steps int) goType {
	for _, r := range g.visible(u, candidates) {
		d := g.decl(r)
		switch {
		case isCallable(g.w.def(r).Kind):
			if d.fn != nil {
				return goType{r.Unit, d.fn}
			}
		case isType(g.w.def(r).Kind):
		case d.typ != nil:
			return goType{r.Unit, d.typ}
		case d.value != nil:
			return g.typeOf(r.Unit, Ref{r.Unit, -1}, d.value, steps-1)
		}
	}
	return goType{}
}

// element is what indexing a slice, array or map gives, or ranging over
// something, as its second or only value.
func (g *goFamily) element(t goType) goType { return g.rangeOver(t, 1) }

// rangeOver is the type of what ranging gives: the first value (0), or the
// second or only one (1).
func (g *goFamily) rangeOver(t goType, n int) goType {
	if !t.known() {
		return t
	}
	t = g.under(t)
	of := func(list ...ast.Expr) goType {
		if n = min(n, len(list)-1); n < 0 {
			return goType{}
		}
		return goType{t.unit, list[n]}
	}
	switch e := t.expr.(type) {
	case *ast.ArrayType:
		return of(nil, e.Elt)
	case *ast.Ellipsis:
		return of(nil, e.Elt)
	case *ast.MapType:
		return of(e.Key, e.Value)
	case *ast.ChanType:
		return of(e.Value)
	case *ast.IndexExpr: // iter.Seq[V]
		if g.isIter(t.unit, e.X) {
			return of(e.Index)
		}
	case *ast.IndexListExpr: // iter.Seq2[K, V]
		if g.isIter(t.unit, e.X) {
			return of(e.Indices...)
		}
	case *ast.FuncType: // func(yield func(K, V) bool)
		if e.Params != nil && len(e.Params.List) == 1 {
			if yield, is := e.Params.List[0].Type.(*ast.FuncType); is {
				return of(fieldTypes(yield.Params)...)
			}
		}
	}
	return goType{}
}

// isIter reports whether a type is one of the standard library's iterators.
func (g *goFamily) isIter(u int, e ast.Expr) bool {
	s, is := e.(*ast.SelectorExpr)
	if !is || s.Sel.Name != "Seq" && s.Sel.Name != "Seq2" {
		return false
	}
	x, is := s.X.(*ast.Ident)
	return is && x.Name == "iter" && g.scopes[u][x.Name].pkg == nil
}

// fieldTypes gives the type of each parameter or result.
func fieldTypes(list *ast.FieldList) (types []ast.Expr) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			types = append(types, f.Type)
		}
	}
	return types
}

// result is the type of a call's first result.
func (g *goFamily) result(u int, from Ref, call *ast.CallExpr, steps int) goType {
	return g.resultAt(u, from, call, 0, steps)
}

// resultAt is the type of result n of a call, from 0.
func (g *goFamily) resultAt(u int, from Ref, call *ast.CallExpr, n, steps int) goType {
	if steps <= 0 {
		return goType{}
	}
	if id, is := call.Fun.(*ast.Ident); is && len(id.Name) == 2 && id.Name[0] == '_' && len(call.Args) == 1 { // _2(f())
		if inner, is := call.Args[0].(*ast.CallExpr); is && n == 0 && id.Name[1] >= '2' && id.Name[1] <= '9' {
			return g.resultAt(u, from, inner, int(id.Name[1]-'1'), steps-1)
		}
		return goType{}
	}
	if id, is := call.Fun.(*ast.Ident); is && len(call.Args) > 0 && len(g.of[u].top[id.Name]) == 0 {
		switch id.Name {
		case "new":
			return goType{u, call.Args[0]}
		case "append":
			return g.typeOf(u, from, call.Args[0], steps-1)
		}
	}
	if p, name, is := g.named(goType{u, call.Fun}); is && !g.isLocal(from, rootName(call.Fun)) && g.isTypeName(p, name) {
		return goType{u, call.Fun} // a conversion
	}
	t := g.typeOf(u, from, call.Fun, steps-1)
	if !t.known() {
		return t
	}
	t = g.under(t)
	fn, ok := t.expr.(*ast.FuncType)
	if !ok {
		return goType{}
	}
	if results := fieldTypes(fn.Results); n < len(results) {
		return goType{t.unit, results[n]}
	}
	return goType{}
}

// rootName is the identifier that a chain starts with, or "".
func rootName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.SelectorExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Fun
		case *ast.IndexExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return ""
		}
	}
}

// resolve finds what a Go name means.
//
// Types lead nearly everywhere in Go, so a name that they do not lead to is
// not guessed at.
func (g *goFamily) resolve(u int, r *extract.Reference) found {
	f := g.find(u, r)
	f.settled = true
	return f
}

func (g *goFamily) find(u int, r *extract.Reference) found {
	from := Ref{u, r.From}
	switch {
	case r.Type != "":
		return g.memberOf(u, goType{u, g.parse(r.Type)}, r, certain("receiver-type"))
	case r.Local && !g.isLocal(from, rootName(g.parse(cmp.Or(r.Via, r.Qualifier)))):
		return found{} // of a variable of the function
	case r.Via != "":
		call := &ast.CallExpr{Fun: g.parse(r.Via)}
		return g.memberOf(u, g.result(u, from, call, maxSteps), r, likely("result-type", 0.9))
	case r.Qualifier == "":
		return g.plain(u, r)
	}
	q := g.parse(r.Qualifier)
	if id, is := q.(*ast.Ident); is && !g.isLocal(from, id.Name) {
		if im, imported := g.scopes[u][id.Name]; imported {
			if im.pkg == nil {
				return found{}
			}
			return among(u, g.visibleOutside(im.pkg.top[r.Name]), certain("go-import"))
		}
	}
	return g.throughChain(u, from, q, r)
}

// plain finds a name without a qualifier: of the package, or imported with a
// dot. Names that are local to a function are not told as references.
func (g *goFamily) plain(u int, r *extract.Reference) found {
	if refs := g.visible(u, g.of[u].top[r.Name]); len(refs) > 0 {
		p := certain("go-package")
		f := among(u, refs, p)
		if len(f.refs) == 1 && f.refs[0].Unit == u {
			f.resolver = "same-file"
		}
		return f
	}
	for _, p := range g.dots[u] {
		if refs := g.visibleOutside(p.top[r.Name]); len(refs) > 0 {
			return among(u, refs, certain("go-import"))
		}
	}
	return found{}
}

// throughChain finds a member of an expression such as s.client or
// pkg.New(), and the member of a type that is named itself: T.Method.
func (g *goFamily) throughChain(u int, from Ref, q ast.Expr, r *extract.Reference) found {
	if q == nil {
		return found{}
	}
	if _, _, is := g.named(goType{u, q}); is && !g.isLocal(from, rootName(bare(q))) {
		return g.memberOf(u, goType{u, q}, r, certain("receiver-type"))
	}
	p := certain("receiver-type")
	switch q.(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		p.resolver = "field-type"
	default:
		p = likely("result-type", 0.9)
	}
	return g.memberOf(u, g.typeOf(u, from, q, maxSteps), r, p)
}

func (g *goFamily) memberOf(u int, t goType, r *extract.Reference, p proof) found {
	if !t.known() {
		return found{}
	}
	refs, depth := g.member(t, r.Name)
	if depth > 0 {
		p.resolver = "promoted-" + p.resolver
	}
	return among(u, g.visible(u, refs), p)
}

// visibleOutside drops what stands in test files: no other package sees it.
func (g *goFamily) visibleOutside(candidates []Ref) []Ref {
	var out []Ref
	for _, c := range candidates {
		if !g.isTest(c.Unit) {
			out = append(out, c)
		}
	}
	return out
}
