package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A goReader turns a Go syntax tree into a File.
type goReader struct {
	*collector
	tok     *token.File
	scopes  []map[string]goValue
	from    int                          // definition whose uses are being read
	chain   int                          // links of a chain that typeOf is following
	within  int                          // function literals around the place that is read
	types   map[string]bool              // types of this file
	fields  map[string]map[string]goType // type → field → type
	results map[string]string            // function of this file → type of its first result
	methods map[string]map[string]string // type → method → type of its first result
	globals map[string]goValue           // package variables of this file
}

func parseGo(c *collector) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", c.src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
	if err != nil {
		c.file.Broken = true
	}
	if f == nil || !f.FileStart.IsValid() {
		return nil
	}
	r := &goReader{
		collector: c,
		tok:       fset.File(f.FileStart),
		from:      -1,
		types:     make(map[string]bool),
		fields:    make(map[string]map[string]goType),
		results:   make(map[string]string),
		methods:   make(map[string]map[string]string),
		globals:   make(map[string]goValue),
	}
	if r.tok == nil {
		return nil
	}
	if f.Name != nil && f.Name.Name != "_" {
		c.file.Module = f.Name.Name
	}
	c.file.Doc = goDoc(f.Doc)
	for _, spec := range f.Imports {
		r.bringImport(spec)
	}
	for _, decl := range f.Decls {
		r.learn(decl)
	}
	for _, decl := range f.Decls {
		r.learnGlobals(decl)
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			r.function(d)
		case *ast.GenDecl:
			r.general(d)
		}
	}
	return nil
}

func (r *goReader) bringImport(spec *ast.ImportSpec) {
	if spec.Path == nil {
		return
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	imp := Import{Path: path, Line: r.line(spec.Pos())}
	if spec.Name != nil {
		imp.Alias = spec.Name.Name
	}
	if imp.Alias == "." {
		imp.Alias, imp.Name = "", "*"
	}
	r.bring(imp)
}

// learn notes the types of the file's own fields and results, so that uses
// above a declaration know them too.
func (r *goReader) learn(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name == nil || d.Type == nil {
			return
		}
		res := goResult(d.Recv, d.Type)
		if d.Recv == nil {
			r.results[d.Name.Name] = res
			return
		}
		owner := goReceiver(d.Recv)
		if r.methods[owner] == nil {
			r.methods[owner] = make(map[string]string)
		}
		r.methods[owner][d.Name.Name] = res
	case *ast.GenDecl:
		for _, s := range d.Specs {
			t, ok := s.(*ast.TypeSpec)
			if !ok || t.Name == nil {
				continue
			}
			r.types[t.Name.Name] = true
			st, ok := t.Type.(*ast.StructType)
			if !ok || st.Fields == nil {
				continue
			}
			fields := make(map[string]goType)
			for _, f := range st.Fields.List {
				typ := goTypeOf(f.Type)
				if slices.Contains(goTypeParams(nil, &ast.FuncType{TypeParams: t.TypeParams}), typ.name) {
					typ = goType{}
				}
				for _, n := range f.Names {
					fields[n.Name] = typ
				}
				if len(f.Names) == 0 {
					fields[typ.last()] = typ
				}
			}
			r.fields[t.Name.Name] = fields
		}
	}
}

// learnGlobals notes the types of package variables; it needs to know the
// file's functions already.
func (r *goReader) learnGlobals(decl ast.Decl) {
	d, ok := decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		s, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, n := range s.Names {
			switch {
			case s.Type != nil:
				r.globals[n.Name] = goValue{typ: goTypeOf(s.Type)}
			case i < len(s.Values):
				r.globals[n.Name] = r.typeOf(s.Values[i])
			}
		}
	}
}

func (r *goReader) function(d *ast.FuncDecl) {
	if d.Name == nil || d.Type == nil {
		return
	}
	name := d.Name.Name
	def := Definition{
		Name:      name,
		Kind:      Function,
		Line:      r.line(d.Name.Pos()),
		EndLine:   r.line(d.End() - 1),
		Signature: signature(r.text(d.Pos(), d.Type.End())),
		Doc:       goDoc(d.Doc),
		Exported:  d.Name.IsExported(),
		Result:    goResult(d.Recv, d.Type),
	}
	owner := ""
	if d.Recv != nil {
		def.Kind = Method
		owner = goReceiver(d.Recv)
	} else {
		def.Entry = name == "main" && r.file.Module == "main"
		def.Test = r.variant == "go test" && goTest(name)
	}
	r.from = -1
	if name != "_" {
		r.from = r.define(-1, def)
		if owner != "" {
			r.adopt(r.from, owner)
		}
	}
	r.push()
	if d.Recv != nil {
		r.receiverScope(d.Recv)
	}
	r.funcType(d.Type)
	if d.Body != nil {
		ast.Walk(r, d.Body)
	}
	r.pop()
	r.from = -1
}

// goTest reports whether the testing tool runs a function of that name.
func goTest(name string) bool {
	for _, p := range [...]string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			first, _ := utf8.DecodeRuneInString(rest)
			return name != "TestMain" && (rest == "" || !unicode.IsLower(first))
		}
	}
	return false
}

func (r *goReader) general(d *ast.GenDecl) {
	alone := len(d.Specs) == 1
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			r.typeSpec(s, goSpecDoc(s.Doc, d.Doc, s.Comment, alone))
		case *ast.ValueSpec:
			r.valueSpec(d.Tok, s, goSpecDoc(s.Doc, d.Doc, s.Comment, alone))
		}
	}
}

func goSpecDoc(own, group, trailing *ast.CommentGroup, alone bool) string {
	if doc := goDoc(own); doc != "" {
		return doc
	}
	if alone {
		if doc := goDoc(group); doc != "" {
			return doc
		}
	}
	return goDoc(trailing)
}

func (r *goReader) typeSpec(s *ast.TypeSpec, doc string) {
	if s.Name == nil || s.Name.Name == "_" || s.Type == nil {
		return
	}
	def := Definition{
		Name:     s.Name.Name,
		Kind:     Type,
		Line:     r.line(s.Name.Pos()),
		EndLine:  r.line(s.End() - 1),
		Doc:      doc,
		Exported: s.Name.IsExported(),
	}
	end := s.End()
	switch t := s.Type.(type) {
	case *ast.StructType:
		def.Kind, end = Class, t.Struct+token.Pos(len("struct"))
	case *ast.InterfaceType:
		def.Kind, end = Interface, t.Interface+token.Pos(len("interface"))
	}
	def.Signature = signature("type " + r.text(s.Pos(), end))
	i := r.define(-1, def)
	r.from = i
	r.push()
	r.typeParams(s.TypeParams)
	switch t := s.Type.(type) {
	case *ast.StructType:
		r.structFields(i, t)
	case *ast.InterfaceType:
		r.interfaceMethods(i, t)
	default:
		ast.Walk(r, s.Type)
	}
	r.pop()
	r.from = -1
}

func (r *goReader) structFields(owner int, st *ast.StructType) {
	if st.Fields == nil {
		return
	}
	for _, f := range st.Fields.List {
		if f.Type == nil {
			continue
		}
		if len(f.Names) == 0 {
			r.embed(owner, f.Type)
			continue
		}
		doc := goSpecDoc(f.Doc, nil, f.Comment, false)
		nested, _ := f.Type.(*ast.StructType)
		end := f.Type.End()
		if nested != nil {
			end = nested.Struct + token.Pos(len("struct"))
		}
		typ := r.text(f.Type.Pos(), end)
		for _, n := range f.Names {
			if n.Name == "_" {
				continue
			}
			i := r.define(owner, Definition{
				Name:      n.Name,
				Kind:      Field,
				Line:      r.line(n.Pos()),
				EndLine:   r.line(f.Type.End() - 1),
				Signature: signature(n.Name + " " + typ),
				Doc:       doc,
				Exported:  n.IsExported(),
			})
			if nested != nil {
				r.structFields(i, nested)
			}
		}
		if nested == nil {
			r.from = owner
			ast.Walk(r, f.Type)
		}
	}
}

func (r *goReader) embed(owner int, e ast.Expr) {
	typ := goTypeOf(e)
	if typ.name == "" || typ.kind != 0 {
		ast.Walk(r, e)
		return
	}
	qual, name := cutLast(typ.name)
	if qual == "" && (r.local(name) || predeclared[name]) {
		return
	}
	r.refer(Reference{From: owner, Relation: Embeds, Name: name, Qualifier: qual, Line: r.line(e.Pos())})
	for _, arg := range goTypeArgs(e) {
		ast.Walk(r, arg)
	}
}

func (r *goReader) interfaceMethods(owner int, it *ast.InterfaceType) {
	if it.Methods == nil {
		return
	}
	for _, m := range it.Methods.List {
		ft, isMethod := m.Type.(*ast.FuncType)
		if !isMethod || len(m.Names) == 0 {
			r.from = owner
			switch m.Type.(type) {
			case nil:
			case *ast.BinaryExpr, *ast.UnaryExpr: // a union of types is no embedding
				ast.Walk(r, m.Type)
			default:
				r.embed(owner, m.Type)
			}
			continue
		}
		for _, n := range m.Names {
			i := r.define(owner, Definition{
				Name:      n.Name,
				Kind:      Method,
				Line:      r.line(n.Pos()),
				EndLine:   r.line(m.End() - 1),
				Signature: signature(r.text(n.Pos(), ft.End())),
				Doc:       goSpecDoc(m.Doc, nil, m.Comment, false),
				Exported:  n.IsExported(),
				Result:    goResult(nil, ft),
			})
			r.from = i
			r.push()
			r.funcType(ft)
			r.pop()
		}
	}
}

func goDoc(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	return firstSentence(g.Text())
}

func (r *goReader) line(p token.Pos) int {
	if !p.IsValid() || int(p) < r.tok.Base() || int(p) > r.tok.Base()+r.tok.Size() {
		return 1
	}
	return r.tok.PositionFor(p, false).Line // false: a //line comment is foreign text
}

func (r *goReader) text(from, to token.Pos) string {
	a, b := int(from)-r.tok.Base(), int(to)-r.tok.Base()
	if a < 0 || b > len(r.src) || a >= b {
		return ""
	}
	return string(r.src[a:b])
}

// short is a source text as a qualifier.
func (r *goReader) short(from, to token.Pos) string {
	return clip(oneLine(r.text(from, min(to, from+2*maxQualifier))), maxQualifier)
}
