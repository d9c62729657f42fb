// Witness lists the calls of Go modules as go/types sees them, one JSON
// object a line: file, line, name, target_file, target_line, dynamic. Paths
// start at the root; a target outside it has target_file "".
//
//	go run . ROOT [MODULE...]
//
// MODULE is a folder below ROOT that holds a go.mod; without one it is ROOT.
package main

import (
	"bufio"
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

type fact struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Name       string `json:"name"`
	TargetFile string `json:"target_file"`
	TargetLine int    `json:"target_line"`
	Dynamic    bool   `json:"dynamic,omitempty"`
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: witness ROOT [MODULE...]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "witness: %v\n", err)
		os.Exit(1)
	}
}

func run(root string, modules []string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if len(modules) == 0 {
		modules = []string{"."}
	}
	w := &witness{root: root + string(filepath.Separator), facts: make(map[fact]bool)}
	for _, m := range modules {
		cfg := &packages.Config{
			Mode:  packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps | packages.NeedFiles,
			Dir:   filepath.Join(root, m),
			Tests: true,
		}
		pkgs, err := packages.Load(cfg, "./...")
		if err != nil {
			return err
		}
		broken := 0
		for _, p := range pkgs {
			broken += len(p.Errors)
			w.read(p)
		}
		fmt.Fprintf(os.Stderr, "witness: %s: %d packages, %d errors\n", m, len(pkgs), broken)
	}
	return w.write()
}

type witness struct {
	root  string
	fset  *token.FileSet
	info  *types.Info
	facts map[fact]bool
}

func (w *witness) read(p *packages.Package) {
	w.fset, w.info = p.Fset, p.TypesInfo
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				w.call(call)
			}
			return true
		})
	}
}

func (w *witness) call(call *ast.CallExpr) {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return
	}
	obj := w.info.Uses[id]
	if obj == nil {
		return
	}
	file, line, ok := w.place(id.Pos())
	if !ok {
		return
	}
	out := fact{File: file, Line: line, Name: id.Name}
	switch o := obj.(type) {
	case *types.Builtin, *types.Nil:
		return
	case *types.Func:
		obj = o.Origin()
	case *types.Var:
		obj, out.Dynamic = o.Origin(), true
	default: // a conversion
		out.Dynamic = true
	}
	out.TargetFile, out.TargetLine, _ = w.place(obj.Pos())
	w.facts[out] = true
}

func (w *witness) place(p token.Pos) (file string, line int, ok bool) {
	if !p.IsValid() {
		return "", 0, false
	}
	at := w.fset.PositionFor(p, false)
	rel, ok := strings.CutPrefix(at.Filename, w.root)
	if !ok {
		return "", 0, false
	}
	return filepath.ToSlash(rel), at.Line, true
}

func (w *witness) write() error {
	lines := make([]string, 0, len(w.facts))
	for f := range w.facts {
		text, err := json.Marshal(f)
		if err != nil {
			return err
		}
		lines = append(lines, string(text))
	}
	slices.Sort(lines)
	out := bufio.NewWriter(os.Stdout)
	for _, l := range lines {
		fmt.Fprintln(out, l)
	}
	return out.Flush()
}
