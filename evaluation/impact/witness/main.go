// Witness lists the exported functions and methods of a Go module and who uses
// each, as go/types sees it: one JSON object a line. Paths start at the root,
// and a user is the declaration at the top of a file that the use stands in.
//
//	go run . ROOT
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

type function struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Users []user `json:"users"`
}

type user struct {
	File string `json:"file"`
	Line int    `json:"line"` // first of the declaration, without its comment
	End  int    `json:"end"`
	Func bool   `json:"func"` // it is a function, not a variable or a type
	Call bool   `json:"call"` // it calls, and does not only name, the function
}

type place struct {
	file string
	line int
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: witness ROOT")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "witness: %v\n", err)
		os.Exit(1)
	}
}

func run(root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps | packages.NeedFiles,
		Dir:   root,
		Tests: true,
	}, "./...")
	if err != nil {
		return err
	}
	w := &witness{root: root + string(filepath.Separator), functions: map[place]*function{}, users: map[place]map[user]bool{}}
	broken := 0
	for _, p := range pkgs {
		broken += len(p.Errors)
		w.fset = p.Fset
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				w.declaration(p.TypesInfo, d)
			}
		}
	}
	fmt.Fprintf(os.Stderr, "witness: %d packages, %d errors\n", len(pkgs), broken)
	return w.write()
}

type witness struct {
	root      string
	fset      *token.FileSet
	functions map[place]*function
	users     map[place]map[user]bool
}

// declaration reads one declaration; each of those in one pair of brackets is
// a user of its own.
func (w *witness) declaration(info *types.Info, d ast.Decl) {
	if g, ok := d.(*ast.GenDecl); ok {
		for _, s := range g.Specs {
			w.uses(info, s, false)
		}
		return
	}
	f := d.(*ast.FuncDecl)
	if at, ok := w.place(f.Name.Pos()); ok && f.Name.IsExported() {
		w.functions[at] = &function{File: at.file, Line: at.line, Name: f.Name.Name}
	}
	w.uses(info, f, true)
}

func (w *witness) uses(info *types.Info, n ast.Node, isFunc bool) {
	from, ok := w.place(n.Pos())
	if !ok {
		return
	}
	end := w.fset.PositionFor(n.End(), false).Line
	called := map[*ast.Ident]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			fun := ast.Unparen(n.Fun)
			switch f := fun.(type) {
			case *ast.IndexExpr:
				fun = f.X
			case *ast.IndexListExpr:
				fun = f.X
			}
			switch f := fun.(type) {
			case *ast.Ident:
				called[f] = true
			case *ast.SelectorExpr:
				called[f.Sel] = true
			}
		case *ast.Ident:
			f, ok := info.Uses[n].(*types.Func)
			if !ok {
				return true
			}
			to, ok := w.place(f.Origin().Pos())
			if !ok {
				return true
			}
			if w.users[to] == nil {
				w.users[to] = map[user]bool{}
			}
			w.users[to][user{from.file, from.line, end, isFunc, called[n]}] = true
		}
		return true
	})
}

func (w *witness) place(p token.Pos) (place, bool) {
	if !p.IsValid() {
		return place{}, false
	}
	at := w.fset.PositionFor(p, false)
	rel, ok := strings.CutPrefix(at.Filename, w.root)
	return place{filepath.ToSlash(rel), at.Line}, ok
}

func (w *witness) write() error {
	list := make([]*function, 0, len(w.functions))
	for at, f := range w.functions {
		f.Users = []user{}
		for u := range w.users[at] {
			f.Users = append(f.Users, u)
		}
		slices.SortFunc(f.Users, func(a, b user) int {
			return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
		})
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *function) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
	out := bufio.NewWriter(os.Stdout)
	e := json.NewEncoder(out)
	for _, f := range list {
		if err := e.Encode(f); err != nil {
			return err
		}
	}
	return out.Flush()
}
