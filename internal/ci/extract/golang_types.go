package extract

import (
	"go/ast"
	"slices"
	"strings"
)

// A goType is a type as far as syntax tells: a name, and what is around it.
type goType struct {
	name string // "T" or "pkg.T", without pointer and type arguments
	kind byte   // 0: the type itself; 'e': a slice, array, map or channel of it
}

// last is the name without its package.
func (t goType) last() string {
	_, name := cutLast(t.name)
	return name
}

// A goValue is what is known of a local name.
type goValue struct {
	typ       goType
	via       string // the call whose result it is
	text      string // the expression that it was set to, see [goReader.spell]
	parameter bool   // of the function at the top of the file, not of one in it
}

// goTypeOf reads a type expression; the zero goType means that it has no
// name.
func goTypeOf(e ast.Expr) goType {
	switch t := e.(type) {
	case *ast.Ident:
		return goType{name: t.Name}
	case *ast.SelectorExpr:
		if x, ok := t.X.(*ast.Ident); ok && t.Sel != nil {
			return goType{name: x.Name + "." + t.Sel.Name}
		}
	case *ast.StarExpr:
		return goTypeOf(t.X)
	case *ast.ParenExpr:
		return goTypeOf(t.X)
	case *ast.IndexExpr:
		return goTypeOf(t.X)
	case *ast.IndexListExpr:
		return goTypeOf(t.X)
	case *ast.Ellipsis:
		return goElements(t.Elt)
	case *ast.ArrayType:
		return goElements(t.Elt)
	case *ast.MapType:
		return goElements(t.Value)
	case *ast.ChanType:
		return goElements(t.Value)
	}
	return goType{}
}

func goElements(e ast.Expr) goType {
	t := goTypeOf(e)
	if t.name == "" || t.kind != 0 {
		return goType{}
	}
	t.kind = 'e'
	return t
}

func goTypeArgs(e ast.Expr) []ast.Expr {
	switch t := e.(type) {
	case *ast.StarExpr:
		return goTypeArgs(t.X)
	case *ast.IndexExpr:
		return []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		return t.Indices
	}
	return nil
}

// goReceiver is the receiver's type name: "T" of (t *T[K, V]).
func goReceiver(recv *ast.FieldList) string {
	if recv == nil || len(recv.List) == 0 {
		return ""
	}
	return goTypeOf(recv.List[0].Type).name
}

// goResult is the type of a function's first result; "" for a type parameter
// of the function or its receiver.
func goResult(recv *ast.FieldList, ft *ast.FuncType) string {
	if ft.Results == nil || len(ft.Results.List) == 0 {
		return ""
	}
	t := goTypeOf(ft.Results.List[0].Type)
	if t.kind != 0 || predeclared[t.name] || slices.Contains(goTypeParams(recv, ft), t.name) {
		return ""
	}
	return t.name
}

// goTypeParams lists the type parameters of a function and its receiver.
func goTypeParams(recv *ast.FieldList, ft *ast.FuncType) (list []string) {
	if recv != nil && len(recv.List) > 0 {
		for _, arg := range goTypeArgs(recv.List[0].Type) {
			if id, ok := arg.(*ast.Ident); ok {
				list = append(list, id.Name)
			}
		}
	}
	if ft.TypeParams != nil {
		for _, f := range ft.TypeParams.List {
			for _, n := range f.Names {
				list = append(list, n.Name)
			}
		}
	}
	return list
}

// cutLast cuts "a.b.C" into "a.b" and "C".
func cutLast(s string) (before, last string) {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		return s[:i], s[i+1:]
	}
	return "", s
}

// predeclared holds the names that Go gives every file.
var predeclared = names(`any bool byte comparable complex64 complex128 error float32 float64
	int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr
	true false iota nil
	append cap clear close complex copy delete imag len make max min new panic print println real recover`)

func names(s string) map[string]bool {
	m := make(map[string]bool)
	for _, n := range strings.Fields(s) {
		m[n] = true
	}
	return m
}
