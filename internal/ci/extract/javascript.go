package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A scriptReader turns a JavaScript or TypeScript syntax tree into a File.
type scriptReader struct {
	*treeReader
	memo
	exports  map[string]bool // names of this file that it exports somewhere
	bodiless map[int]bool    // definitions that are an overload's signature so far
	bases    map[string]string
	whole    int // the component that the script is of, or -1
}

func parseJavaScript(c *collector) error { return readScript(c, grammar.JavaScript, -1) }

func parseTypeScript(c *collector) error {
	if c.variant == "typescript jsx" {
		return readScript(c, grammar.TSX, -1)
	}
	return readScript(c, grammar.TypeScript, -1)
}

// readScript reads a script, or the scripts of a component.
func readScript(c *collector, lang grammar.Language, whole int) error {
	t, err := newTreeReader(c, lang)
	if err != nil {
		return err
	}
	if c.file.Broken && lang == grammar.JavaScript {
		// Type annotations in .js files are not JavaScript, but are
		// understood by the grammar that knows types and JSX.
		if typed, err := newTreeReader(c, grammar.TSX); err == nil && !c.file.Broken {
			t = typed
		} else {
			c.file.Broken = true
		}
	}
	r := newScriptReader(t, whole)
	r.file.Doc = scriptHead(r.root)
	r.learn(r.root)
	r.memo = newMemo() // more is known now
	r.push()
	r.block(r.root, -1, false)
	r.pop()
	r.markEntries()
	r.rescue(rescueScript)
	return nil
}

func newScriptReader(t *treeReader, whole int) *scriptReader {
	t.from = whole
	return &scriptReader{treeReader: t, memo: newMemo(), exports: make(map[string]bool), bodiless: make(map[int]bool), bases: make(map[string]string), whole: whole}
}

// scriptHead is the first sentence of the file's own comment.
func scriptHead(root grammar.Node) string {
	for n := range root.Children() {
		if n.Is("hash_bang_line") || n.Is("expression_statement") && n.First().Is("string") {
			continue
		}
		if !n.Is("comment") {
			return ""
		}
		text := n.Text()
		if legal(text) {
			continue
		}
		if strings.HasPrefix(text, "/*") && !strings.Contains(text, "@file") {
			if next := n.Next(); next.Line() == n.EndLine()+1 && !next.Is("import_statement", "comment", "expression_statement") {
				return ""
			}
		}
		if strings.HasPrefix(text, "//") {
			return headComment(root)
		}
		return jsdoc(text)
	}
	return ""
}

// jsdoc is the first sentence of a documentation comment, or of the tag that
// holds it.
func jsdoc(raw string) string {
	text := uncomment(raw)
	if tag, rest, ok := strings.Cut(text, " "); ok {
		switch tag {
		case "@file", "@fileoverview", "@overview", "@description", "@desc", "@summary", "@deprecated", "@module":
			text = rest
		}
	}
	if strings.HasPrefix(text, "@") {
		for _, tag := range [...]string{"@description ", "@desc ", "@summary "} {
			if _, rest, ok := strings.Cut(text, tag); ok {
				return firstSentence(cutTags(rest))
			}
		}
		return ""
	}
	return firstSentence(cutTags(text))
}

func cutTags(text string) string {
	before, _, _ := strings.Cut(text, "\n@")
	return before
}

// scriptDoc is the sentence above a statement.
func scriptDoc(n grammar.Node, comments []grammar.Node) string {
	if len(comments) == 0 {
		return ""
	}
	last := comments[len(comments)-1]
	if strings.HasPrefix(last.Text(), "/*") {
		if last.EndLine() < n.Line()-1 || last.EndLine() > n.Line() || legal(last.Text()) && !strings.HasPrefix(last.Text(), "/**") {
			return ""
		}
		return jsdoc(last.Text())
	}
	text := commentsAbove(n, comments)
	if legal(text) {
		return ""
	}
	return firstSentence(text)
}

// block reads statements; what they define belongs to parent.
func (r *scriptReader) block(n grammar.Node, parent int, exported bool) {
	var comments []grammar.Node
	for s := range n.Children() {
		if s.Is("comment") {
			comments = append(comments, s)
			continue
		}
		r.statement(s, s, parent, comments, exported)
		if !s.Is("decorator") {
			comments = nil
		}
	}
}

// statement reads one statement. Outer is the node that its comments stand
// above: an export statement around a declaration.
func (r *scriptReader) statement(n, outer grammar.Node, parent int, comments []grammar.Node, exported bool) {
	doc := func() string { return scriptDoc(outer, comments) }
	switch n.Kind() {
	case "import_statement":
		r.importStatement(n)
	case "export_statement":
		r.exportStatement(n, parent, comments)
	case "function_declaration", "generator_function_declaration", "function_signature":
		r.function(n, parent, doc(), exported, "")
	case "class_declaration", "abstract_class_declaration":
		r.classDeclaration(n, parent, doc(), exported, "")
	case "interface_declaration":
		r.interfaceDeclaration(n, parent, doc(), exported)
	case "type_alias_declaration":
		r.typeAlias(n, parent, doc(), exported)
	case "enum_declaration":
		r.enumDeclaration(n, parent, doc(), exported)
	case "lexical_declaration", "variable_declaration":
		for d := range n.Children() {
			if d.Is("variable_declarator") {
				r.declarator(d, n, parent, doc(), exported)
			}
		}
	case "ambient_declaration":
		for s := range n.Children() {
			if s.Is("statement_block") { // declare global { … }
				r.block(s, parent, true)
				continue
			}
			r.statement(s, outer, parent, comments, exported || r.variant == "typescript declarations")
		}
	case "internal_module", "module":
		r.namespace(n, parent, doc(), exported)
	case "expression_statement":
		r.expressionStatement(n, parent, comments, exported)
	case "statement_block", "if_statement", "else_clause", "try_statement", "catch_clause", "finally_clause", "for_statement",
		"for_in_statement", "while_statement", "do_statement", "switch_statement", "switch_body", "switch_case", "switch_default", "labeled_statement":
		for _, t := range append(scriptTargets(n.Get("left")), scriptTargets(n.Get("parameter"))...) {
			r.bind(t.Text(), value{})
		}
		for s := range n.Children() {
			r.statement(s, s, parent, nil, false)
		}
	default:
		r.expression(n)
	}
}

func (r *scriptReader) expressionStatement(n grammar.Node, parent int, comments []grammar.Node, exported bool) {
	e := n.First()
	switch {
	case e.Is("internal_module", "module"):
		r.statement(e, n, parent, comments, exported)
	case e.Is("assignment_expression") && parent < 0:
		r.assignment(e, scriptDoc(n, comments))
	case e.Is("function_expression", "class") && e.Get("name").Ok():
		r.expression(e)
	default:
		r.expression(n)
	}
}

// exported says whether a definition can be reached from outside the file.
func (r *scriptReader) exported(name string, parent int, here bool) bool {
	if parent < 0 {
		return here || r.exports[name] || r.variant == "typescript declarations" && !r.file.Broken
	}
	return here && r.file.Definitions[parent].Exported
}

// function reads a declaration or, with a name from elsewhere, a function's
// value.
func (r *scriptReader) function(n grammar.Node, parent int, doc string, exported bool, name string) int {
	at := n.Get("name")
	line := n.Line()
	if name == "" {
		name, line = at.Text(), at.Line()
	}
	if name == "" {
		r.functionInside(n)
		return -1
	}
	d := Definition{
		Name:      name,
		Kind:      Function,
		Line:      line,
		EndLine:   n.EndLine(),
		Signature: signature(r.head(n, n)),
		Doc:       doc,
		Exported:  r.exported(name, parent, exported),
		Result:    scriptType(n.Get("return_type")),
	}
	i := r.again(parent, d, n.Is("function_signature"))
	r.within(i, func() { r.functionInside(n) })
	return i
}

// again defines d, or joins it with the signatures of the function that it
// completes.
func (r *scriptReader) again(parent int, d Definition, bodiless bool) int {
	if old, ok := r.find(parent, d.Name); ok && r.bodiless[old] && r.file.Definitions[old].Kind == d.Kind {
		if !bodiless {
			delete(r.bodiless, old)
			r.replace(old, d)
		}
		return old
	}
	i := r.define(parent, d)
	if bodiless {
		r.bodiless[i] = true
	}
	return i
}

// head is the source of a function from a node's start to its result or
// parameters.
func (r *scriptReader) head(from, fn grammar.Node) string {
	for _, f := range [...]string{"return_type", "parameters", "parameter"} {
		if end := fn.Get(f); end.Ok() {
			return span(from, end)
		}
	}
	return clip(from.Text(), maxSignature)
}

func (r *scriptReader) functionInside(n grammar.Node) {
	r.push()
	defer r.pop()
	r.typeParameters(n.Get("type_parameters"))
	r.parameters(n.Get("parameters"))
	if p := n.Get("parameter"); p.Ok() { // x => x
		r.bind(p.Text(), value{})
	}
	r.typeUses(n.Get("return_type"))
	body := n.Get("body")
	known := r.memo
	r.memo = newMemo() // of the values so far
	r.bindDeclared(body)
	r.memo = known
	if body.Is("statement_block") {
		r.block(body, r.from, false)
		return
	}
	r.expression(body)
}

func (r *scriptReader) namespace(n grammar.Node, parent int, doc string, exported bool) {
	name := n.Get("name")
	text := name.Text()
	if name.Is("string") {
		text = name.Child("string_fragment").Text()
		exported = true
	}
	i := r.define(parent, Definition{
		Name:      text,
		Kind:      Namespace,
		Line:      name.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(span(n, name)),
		Doc:       doc,
		Exported:  r.exported(text, parent, exported),
	})
	r.within(i, func() { r.block(n.Get("body"), i, false) })
}

// inFunction reports whether a definition is a function, where variables
// are local.
func (r *scriptReader) inFunction(i int) bool {
	return i >= 0 && (r.file.Definitions[i].Kind == Function || r.file.Definitions[i].Kind == Method)
}

// markEntries marks the functions that a script which runs by itself calls
// at its top level.
func (r *scriptReader) markEntries() {
	first := r.root.First()
	program := first.Is("hash_bang_line")
	for _, ref := range r.file.References {
		if ref.Relation != Calls || ref.Qualifier != "" || ref.From >= 0 {
			continue
		}
		if i, ok := r.find(-1, ref.Name); ok && r.file.Definitions[i].Kind == Function && (program || r.guarded(ref.Line)) {
			r.file.Definitions[i].Entry = true
		}
	}
}

// guarded reports whether a line stands in `if (require.main === module)`.
func (r *scriptReader) guarded(line int) bool {
	for n := range r.root.Children() {
		if n.Is("if_statement") && n.Line() <= line && line <= n.EndLine() {
			cond := n.Get("condition").Text()
			return strings.Contains(cond, "require.main") || strings.Contains(cond, "import.meta.main")
		}
	}
	return false
}
