package extract

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
)

// A shellReader turns a shell script into a File.
type shellReader struct {
	*collector
	functions map[string]bool
	stack     []syntax.Node // from the statement being read down to the node
	owners    []int         // functions around the node, innermost last
	doc       string        // of the statement being read
}

func parseShell(c *collector) error {
	r := &shellReader{collector: c, functions: make(map[string]bool)}
	stmts, end := r.statements()
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if f, ok := n.(*syntax.FuncDecl); ok {
				for _, name := range functionNames(f) {
					r.functions[name.Value] = true
				}
			}
			return true
		})
	}
	c.file.Doc = shellHead(c.src)
	for _, s := range stmts {
		syntax.Walk(s, r.visit)
	}
	if c.file.Broken {
		r.scan(end)
	}
	r.markEntry()
	return nil
}

// statements parses the script as far as it can be parsed; end is the offset
// behind the last statement.
func (r *shellReader) statements() (stmts []*syntax.Stmt, end int) {
	variants := []syntax.LangVariant{syntax.LangBash, syntax.LangZsh, syntax.LangPOSIX}
	switch {
	case r.variant == "shell bats":
		variants = []syntax.LangVariant{syntax.LangBats}
	case r.variant == "shell zsh" || interpreter(r.src) == "zsh":
		variants = []syntax.LangVariant{syntax.LangZsh, syntax.LangBash}
	case interpreter(r.src) == "ksh":
		variants = []syntax.LangVariant{syntax.LangMirBSDKorn, syntax.LangBash}
	}
	for _, v := range variants {
		var got []*syntax.Stmt
		var failed error
		for s, err := range syntax.NewParser(syntax.Variant(v), syntax.KeepComments(true)).StmtsSeq(bytes.NewReader(r.src)) {
			switch {
			case err != nil:
				failed = err // the last one; the iterator must not be left early here
			case failed == nil:
				got = append(got, s)
			}
		}
		if failed == nil {
			r.file.Broken = false
			return got, len(r.src)
		}
		r.file.Broken = true
		reached := 0
		if len(got) > 0 {
			reached = int(got[len(got)-1].End().Offset())
		}
		if len(got) > len(stmts) || reached > end {
			stmts, end = got, reached
		}
	}
	return stmts, end
}

func functionNames(f *syntax.FuncDecl) []*syntax.Lit {
	if f.Name != nil {
		return []*syntax.Lit{f.Name}
	}
	return f.Names
}

func (r *shellReader) owner() int {
	if len(r.owners) == 0 {
		return -1
	}
	return r.owners[len(r.owners)-1]
}

// visit is called by [syntax.Walk] with each node, and with nil behind it.
func (r *shellReader) visit(n syntax.Node) bool {
	if n == nil {
		last := len(r.stack) - 1
		switch r.stack[last].(type) {
		case *syntax.FuncDecl, *syntax.TestDecl:
			r.owners = r.owners[:len(r.owners)-1]
		}
		r.stack = r.stack[:last]
		return true
	}
	r.stack = append(r.stack, n)
	switch n := n.(type) {
	case *syntax.Stmt:
		r.doc = shellDoc(n)
	case *syntax.FuncDecl:
		r.function(n)
	case *syntax.TestDecl:
		r.test(n)
	case *syntax.CallExpr:
		r.call(n)
	case *syntax.DeclClause:
		if n.Variant != nil && n.Variant.Value != "local" {
			r.assignments(n.Args, n, n.Variant.Value)
		}
	case *syntax.ParamExp:
		if n.Param != nil && shouting(n.Param.Value) && len(n.Param.Value) > 1 && !shellVariables[n.Param.Value] {
			r.refer(Reference{From: r.owner(), Relation: References, Name: n.Param.Value, Line: int(n.Pos().Line())})
		}
	}
	return true
}

// shellDoc is the first sentence of the comments that end right above a
// statement.
func shellDoc(s *syntax.Stmt) string {
	line := s.Pos().Line()
	var lines []string
	for _, c := range slices.Backward(s.Comments) {
		if c.Pos().Line() >= s.Pos().Line() {
			continue
		}
		if c.Pos().Line() != line-1 || strings.HasPrefix(c.Text, "!") {
			break
		}
		line = c.Pos().Line()
		lines = append(lines, strings.TrimLeft(c.Text, "#"))
	}
	slices.Reverse(lines)
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	text := strings.Join(lines, "\n")
	if legal(text) {
		return ""
	}
	return firstSentence(strings.Trim(text, "-=#*\n "))
}

func (r *shellReader) function(f *syntax.FuncDecl) {
	first := -1
	head := string(r.src[offset(r.src, f.Pos()):offset(r.src, f.Body.Pos())])
	for _, name := range functionNames(f) {
		i := r.define(r.owner(), Definition{
			Name:      name.Value,
			Kind:      Function,
			Line:      int(name.Pos().Line()),
			EndLine:   int(f.End().Line()),
			Signature: signature(head),
			Doc:       r.doc,
			Exported:  !strings.HasPrefix(name.Value, "_"),
		})
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		first = r.owner()
	}
	r.owners = append(r.owners, first)
}

func offset(src []byte, p syntax.Pos) int { return min(int(p.Offset()), len(src)) }

// test reads a case of a Bats file.
func (r *shellReader) test(t *syntax.TestDecl) {
	i := r.owner()
	if name, ok := plainWord(t.Description); ok && name != "" {
		i = r.define(i, Definition{
			Name:      oneLine(name),
			Kind:      Function,
			Line:      int(t.Pos().Line()),
			EndLine:   int(t.End().Line()),
			Signature: signature(`@test "` + name + `"`),
			Doc:       r.doc,
			Test:      true,
		})
	}
	r.owners = append(r.owners, i)
}

// assignments defines the upper-case variables that the script itself sets,
// outside its functions.
func (r *shellReader) assignments(list []*syntax.Assign, whole syntax.Node, declared string) {
	if len(r.owners) > 0 || r.inSubshell() {
		return
	}
	for _, a := range list {
		if a.Name == nil || a.Naked || a.Append || !shouting(a.Name.Value) || shellVariables[a.Name.Value] {
			continue
		}
		if _, ok := r.find(-1, a.Name.Value); ok {
			continue
		}
		kind := Variable
		if declared == "readonly" {
			kind = Constant
		}
		sig := string(r.src[offset(r.src, a.Pos()):offset(r.src, a.End())])
		if declared != "" {
			sig = declared + " " + sig
		}
		r.define(-1, Definition{
			Name:      a.Name.Value,
			Kind:      kind,
			Line:      int(a.Pos().Line()),
			EndLine:   int(whole.End().Line()),
			Signature: signature(secret.MaskLine(sig)),
			Doc:       r.doc,
			Exported:  true,
		})
	}
}

func (r *shellReader) inSubshell() bool {
	return slices.ContainsFunc(r.stack, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return true
		}
		return false
	})
}

// shellFunction finds functions where the parser gave up.
var shellFunction = regexp.MustCompile(`(?m)^[ \t]*(?:function[ \t]+([A-Za-z_][\w:.-]*)[ \t]*(?:\([ \t]*\))?|([A-Za-z_][\w:.-]*)[ \t]*\([ \t]*\))[ \t]*(?:\{|$)`)

func (r *shellReader) scan(from int) {
	rest := r.src[min(from, len(r.src)):]
	for _, m := range shellFunction.FindAllSubmatchIndex(rest, -1) {
		at := m[2]
		end := m[3]
		if at < 0 {
			at, end = m[4], m[5]
		}
		name := string(rest[at:end])
		if _, ok := r.find(-1, name); ok {
			continue
		}
		line := bytes.Count(r.src[:len(r.src)-len(rest)+at], []byte{'\n'}) + 1
		r.define(-1, Definition{
			Name: name, Kind: Function, Line: line, EndLine: line,
			Signature: name + "()", Exported: !strings.HasPrefix(name, "_"),
		})
	}
}

// markEntry marks the function main that the script itself calls.
func (r *shellReader) markEntry() {
	for _, ref := range r.file.References {
		if ref.From < 0 && ref.Relation == Calls && ref.Name == "main" && ref.Qualifier == "" {
			if i, ok := r.find(-1, "main"); ok {
				r.file.Definitions[i].Entry = true
			}
		}
	}
}

// shellHead is the first sentence of the comment that a script begins with.
func shellHead(src []byte) string {
	var lines []string
	for line := range strings.SplitSeq(string(src[:min(len(src), 8<<10)]), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#!"), line == "" && len(lines) == 0, strings.Trim(line, "#-=* ") == "" && line != "" && len(lines) == 0:
			continue
		case strings.HasPrefix(line, "#"):
			if legal(line) && len(lines) == 0 {
				continue
			}
			lines = append(lines, strings.TrimSpace(strings.TrimLeft(line, "#")))
			continue
		}
		if shellFunction.MatchString(line) { // the comment is the function's
			return ""
		}
		break
	}
	text := strings.Join(lines, "\n")
	return firstSentence(strings.Trim(text, "\n "))
}
