package extract

import (
	"cmp"
	"go/ast"
	"go/token"
)

// Visit reads the uses in a function's body or an expression; it makes
// goReader an [ast.Visitor].
func (r *goReader) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case nil, *ast.Comment, *ast.CommentGroup, *ast.BasicLit, *ast.BranchStmt:
		return nil
	case *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.CaseClause, *ast.CommClause:
		r.push()
		return goBlock{r}
	case *ast.FuncLit:
		r.push()
		r.within++
		r.funcType(n.Type)
		r.visit(n.Body)
		r.within--
		r.pop()
	case *ast.FuncType:
		r.push()
		r.funcType(n)
		r.pop()
	case *ast.RangeStmt:
		r.rangeOver(n)
	case *ast.TypeSwitchStmt:
		r.typeSwitch(n)
	case *ast.AssignStmt:
		r.assign(n)
	case *ast.DeclStmt:
		r.localDecl(n)
	case *ast.LabeledStmt:
		ast.Walk(r, n.Stmt)
	case *ast.CallExpr:
		r.call(n)
	case *ast.CompositeLit:
		r.composite(n)
	case *ast.SelectorExpr:
		r.selector(n, References)
	case *ast.Ident:
		r.name(n, References)
	case *ast.StructType:
		r.visitTypes(n.Fields)
	case *ast.InterfaceType:
		r.visitTypes(n.Methods)
	default:
		return r
	}
	return nil
}

// A goBlock is a reader inside a block: it leaves the scope at the block's
// end.
type goBlock struct{ r *goReader }

func (b goBlock) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		b.r.pop()
		return nil
	}
	return b.r.Visit(n)
}

// visit walks n unless it is missing, as after a syntax error.
func (r *goReader) visit(n *ast.BlockStmt) {
	if n != nil {
		ast.Walk(r, n)
	}
}

func (r *goReader) visitTypes(l *ast.FieldList) {
	if l == nil {
		return
	}
	for _, f := range l.List {
		if f.Type != nil {
			ast.Walk(r, f.Type)
		}
	}
}

func (r *goReader) push() { r.scopes = append(r.scopes, nil) }
func (r *goReader) pop()  { r.scopes = r.scopes[:len(r.scopes)-1] }

func (r *goReader) bind(name string, v goValue) {
	if name == "_" || len(r.scopes) == 0 {
		return
	}
	top := &r.scopes[len(r.scopes)-1]
	if *top == nil {
		*top = make(map[string]goValue)
	}
	(*top)[name] = v
}

func (r *goReader) lookup(name string) (goValue, bool) {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if v, ok := r.scopes[i][name]; ok {
			return v, true
		}
	}
	return goValue{}, false
}

func (r *goReader) local(name string) bool {
	_, ok := r.lookup(name)
	return ok
}

// receiverScope binds a method's receiver and the type parameters that its
// type repeats.
func (r *goReader) receiverScope(recv *ast.FieldList) {
	for _, f := range recv.List {
		for _, n := range f.Names {
			r.bind(n.Name, goValue{typ: goTypeOf(f.Type)})
		}
		for _, arg := range goTypeArgs(f.Type) {
			if id, ok := arg.(*ast.Ident); ok {
				r.bind(id.Name, goValue{})
			}
		}
	}
}

func (r *goReader) funcType(ft *ast.FuncType) {
	if ft == nil {
		return
	}
	r.typeParams(ft.TypeParams)
	// A parameter may have its type's name, so all types come first.
	r.visitTypes(ft.Params)
	r.visitTypes(ft.Results)
	r.bindFields(ft.Params)
	r.bindFields(ft.Results)
}

// typeParams binds type parameters and reads their constraints, which may
// name one another.
func (r *goReader) typeParams(l *ast.FieldList) {
	r.bindFields(l)
	r.visitTypes(l)
}

func (r *goReader) bindFields(l *ast.FieldList) {
	if l == nil {
		return
	}
	for _, f := range l.List {
		for _, n := range f.Names {
			r.bind(n.Name, goValue{typ: r.written(f.Type), parameter: r.within == 0})
		}
	}
}

// written reads a type expression where it stands: a type parameter is what
// its constraint says, a type of the function is not known.
func (r *goReader) written(e ast.Expr) goType {
	t := goTypeOf(e)
	if v, local := r.lookup(t.name); local {
		if v.typ.kind != 0 {
			return goType{}
		}
		t.name = v.typ.name
		if t.name == "" {
			return goType{}
		}
	}
	return t
}

func (r *goReader) rangeOver(n *ast.RangeStmt) {
	if n.X != nil {
		ast.Walk(r, n.X)
	}
	r.push()
	defer r.pop()
	named := [...]ast.Expr{n.Key, n.Value}
	var values [len(named)]goValue
	for i, e := range named {
		if e == nil {
			continue
		}
		if _, ok := e.(*ast.Ident); !ok || n.Tok != token.DEFINE {
			ast.Walk(r, e)
			continue
		}
		switch t := r.typeOf(n.X).typ; {
		case e == n.Value && t.kind == 'e':
			values[i].typ = goType{name: t.name}
		case e == n.Value:
			values[i].text = behind("", r.spell(n.X), "[0]")
		case t.kind == 0:
			values[i].text = behind("<-", r.spell(n.X), "")
		}
	}
	for i, e := range named {
		if id, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE {
			r.bind(id.Name, values[i])
		}
	}
	r.visit(n.Body)
}

func (r *goReader) typeSwitch(n *ast.TypeSwitchStmt) {
	r.push()
	defer r.pop()
	if n.Init != nil {
		ast.Walk(r, n.Init)
	}
	bound := ""
	switch a := n.Assign.(type) {
	case *ast.AssignStmt:
		for _, e := range a.Rhs {
			ast.Walk(r, e)
		}
		if len(a.Lhs) == 1 {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				bound = id.Name
			}
		}
	case *ast.ExprStmt:
		ast.Walk(r, a)
	}
	if n.Body == nil {
		return
	}
	for _, s := range n.Body.List {
		clause, ok := s.(*ast.CaseClause)
		if !ok {
			continue
		}
		r.push()
		for _, e := range clause.List {
			ast.Walk(r, e)
		}
		if bound != "" {
			v := goValue{}
			if len(clause.List) == 1 {
				v.typ = r.written(clause.List[0])
			}
			r.bind(bound, v)
		}
		for _, s := range clause.Body {
			ast.Walk(r, s)
		}
		r.pop()
	}
}

func (r *goReader) assign(n *ast.AssignStmt) {
	for _, e := range n.Rhs {
		ast.Walk(r, e)
	}
	values := make([]goValue, len(n.Lhs)) // all before the first name has its new meaning
	for i, e := range n.Lhs {
		if _, ok := e.(*ast.Ident); !ok || n.Tok != token.DEFINE {
			ast.Walk(r, e)
			continue
		}
		switch {
		case len(n.Rhs) == len(n.Lhs):
			values[i] = r.setTo(n.Rhs[i], 0)
		case len(n.Rhs) == 1: // v, err := f()
			values[i] = r.setTo(n.Rhs[0], i)
		}
	}
	for i, e := range n.Lhs {
		if id, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE {
			r.bind(id.Name, values[i])
		}
	}
}

// setTo is what a name is that is set to result n of an expression.
func (r *goReader) setTo(e ast.Expr, n int) (v goValue) {
	if n == 0 {
		v = r.typeOf(e)
	}
	v.parameter = false
	v.text = r.spellResult(e, n)
	return v
}

func (r *goReader) localDecl(n *ast.DeclStmt) {
	g, ok := n.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range g.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name != nil {
				r.bind(s.Name.Name, goValue{})
			}
			if s.Type != nil {
				ast.Walk(r, s.Type)
			}
		case *ast.ValueSpec:
			if s.Type != nil {
				ast.Walk(r, s.Type)
			}
			for _, v := range s.Values {
				ast.Walk(r, v)
			}
			for i, name := range s.Names {
				v := goValue{typ: r.written(s.Type)}
				switch {
				case s.Type != nil:
				case len(s.Values) == len(s.Names):
					v = r.setTo(s.Values[i], 0)
				case len(s.Values) == 1:
					v = r.setTo(s.Values[0], i)
				}
				r.bind(name.Name, v)
			}
		}
	}
}

func (r *goReader) call(n *ast.CallExpr) {
	fun := n.Fun
	for {
		if p, ok := fun.(*ast.ParenExpr); ok {
			fun = p.X
			continue
		}
		break
	}
	switch f := fun.(type) {
	case *ast.IndexExpr: // f[T](x), or a function out of a slice
		ast.Walk(r, f.Index)
		fun = f.X
	case *ast.IndexListExpr:
		for _, e := range f.Indices {
			ast.Walk(r, e)
		}
		fun = f.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		r.name(f, Calls)
	case *ast.SelectorExpr:
		r.selector(f, Calls)
	case nil:
	default:
		ast.Walk(r, fun)
	}
	for _, a := range n.Args {
		ast.Walk(r, a)
	}
}

func (r *goReader) composite(n *ast.CompositeLit) {
	keys := false
	if n.Type != nil {
		switch n.Type.(type) {
		case *ast.MapType, *ast.ArrayType:
			keys = true
		}
		ast.Walk(r, n.Type)
	}
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			ast.Walk(r, e)
			continue
		}
		if _, field := kv.Key.(*ast.Ident); kv.Key != nil && (keys || !field) {
			ast.Walk(r, kv.Key)
		}
		if kv.Value != nil {
			ast.Walk(r, kv.Value)
		}
	}
}

func (r *goReader) name(id *ast.Ident, rel string) {
	if id.Name == "_" || r.local(id.Name) {
		return
	}
	if predeclared[id.Name] && !r.types[id.Name] {
		if _, own := r.results[id.Name]; !own {
			return
		}
	}
	r.refer(Reference{From: r.from, Relation: rel, Name: id.Name, Line: r.line(id.Pos())})
}

func (r *goReader) selector(s *ast.SelectorExpr, rel string) {
	if s.X == nil || s.Sel == nil || s.Sel.Name == "_" {
		return
	}
	v := r.typeOf(s.X)
	if v.typ.kind != 0 {
		v.typ = goType{}
	}
	ref := Reference{From: r.from, Relation: rel, Name: s.Sel.Name, Type: v.typ.name, Via: v.via, Line: r.line(s.Sel.Pos())}
	ref.Qualifier = r.short(s.X.Pos(), s.X.End())
	ref.Local = ref.Type == "" && r.local(firstName(cmp.Or(v.via, ref.Qualifier)))
	if ref.Local && rel == Calls {
		if text := r.spell(s.X); text != "" {
			ref.Qualifier, ref.Via, ref.Local = text, "", false
		}
	}
	id, plainName := s.X.(*ast.Ident)
	outside := plainName && !r.local(id.Name)
	// The mention of a field or method value says something only where the
	// value's type is known, or where the qualifier is a package.
	if rel == Calls || outside || ref.Type != "" {
		r.refer(ref)
	}
	if !plainName {
		ast.Walk(r, s.X)
	}
}
