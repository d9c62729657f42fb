package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A pythonReader turns a Python syntax tree into a File.
type pythonReader struct {
	*treeReader
	public   map[string]bool // what __all__ lists; nil without one
	stubs    map[int]bool    // definitions that are an @overload so far
	guard    int             // definition of the __main__ guard, or -1
	kind     Kind            // of the class being read
	bases    map[string]string
	inMethod string // name of the first parameter of the method being read

	globalsOf grammar.Node    // the function whose globals are at hand
	globals   map[string]bool // what it says is global or nonlocal
}

func parsePython(c *collector) error {
	t, err := newTreeReader(c, grammar.Python)
	if err != nil {
		return err
	}
	r := &pythonReader{treeReader: t, stubs: make(map[int]bool), guard: -1, bases: make(map[string]string)}
	r.learn(r.root, "")
	r.file.Doc = firstSentence(pythonDocstring(r.root))
	if r.file.Doc == "" {
		r.file.Doc = headComment(r.root)
	}
	r.push() // names of loops and the like at module level
	r.bindTargets(r.root, true)
	r.block(r.root, -1)
	r.pop()
	r.markEntries()
	r.rescue(rescuePython)
	return nil
}

// headComment is the first sentence of the comment a file begins with.
func headComment(root grammar.Node) string {
	var lines []string
	last := 0
	for n := range root.Children() {
		if !n.Is("comment", "block_comment") || last != 0 && n.Line() > last+1 {
			break
		}
		text := n.Text()
		if strings.HasPrefix(text, "#!") || legal(text) {
			if len(lines) > 0 {
				break
			}
			continue
		}
		lines = append(lines, text)
		last = n.EndLine()
	}
	return firstSentence(uncomment(strings.Join(lines, "\n")))
}

// learn notes classes, results and fields of the whole file before it is
// read.
func (r *pythonReader) learn(block grammar.Node, class string) {
	for n := range block.Children() {
		if n.Is("decorated_definition") {
			n = n.Get("definition")
		}
		switch n.Kind() {
		case "class_definition":
			name := n.Get("name").Text()
			r.types[name] = true
			if class != "" {
				name = class + "." + name
			}
			for b := range n.Get("superclasses").Children() {
				if b.Is("identifier", "attribute") && r.bases[name] == "" {
					r.bases[name] = b.Text()
				}
			}
			r.learn(n.Get("body"), name)
		case "function_definition":
			name := n.Get("name").Text()
			if class != "" {
				name = class + "." + name
			}
			result := pythonType(n.Get("return_type"))
			if result == "Self" {
				result = class
			}
			r.results[name] = result
			if class != "" {
				r.learnSelf(n, class)
			}
		case "expression_statement":
			r.learnAssignment(n, class)
		case "if_statement", "try_statement", "with_statement", "else_clause", "elif_clause", "except_clause", "finally_clause", "block":
			r.learn(n, class)
		}
	}
}

func (r *pythonReader) learnAssignment(n grammar.Node, class string) {
	a := n.Child("assignment")
	left := a.Get("left")
	if !left.Is("identifier") {
		return
	}
	if class != "" {
		r.setField(class, left.Text(), value{typ: pythonType(a.Get("type"))})
		return
	}
	if left.Text() == "__all__" {
		if r.public == nil {
			r.public = make(map[string]bool)
		}
		for s := range a.Get("right").Children() {
			if s.Is("string") {
				r.public[s.Child("string_content").Text()] = true
			}
		}
	}
}

// learnSelf notes what a method stores in its object.
func (r *pythonReader) learnSelf(fn grammar.Node, class string) {
	r.push()
	self := r.parameters(fn.Get("parameters"), true, false)
	if self != "" {
		r.eachAssignment(fn.Get("body"), func(a grammar.Node) {
			left := a.Get("left")
			if !left.Is("attribute") || left.Get("object").Text() != self {
				return
			}
			v := value{typ: pythonType(a.Get("type"))}
			if v.typ == "" {
				v = r.typeOf(a.Get("right"))
			}
			r.setField(class, left.Get("attribute").Text(), v)
		})
	}
	r.pop()
}

// eachAssignment visits the assignments of a body, not those of functions
// and classes inside it.
func (r *pythonReader) eachAssignment(n grammar.Node, visit func(grammar.Node)) {
	for c := range n.Children() {
		switch c.Kind() {
		case "function_definition", "class_definition", "lambda":
			continue
		case "assignment":
			visit(c)
		}
		r.eachAssignment(c, visit)
	}
}

// block reads the statements of a module, class or function body.
func (r *pythonReader) block(block grammar.Node, parent int) {
	var comments []grammar.Node
	for n := range block.Children() {
		if n.Is("comment") {
			comments = append(comments, n)
			continue
		}
		r.statement(n, parent, comments)
		comments = nil
	}
}

func (r *pythonReader) statement(n grammar.Node, parent int, comments []grammar.Node) {
	inFunction := parent >= 0 && r.callable(parent)
	switch n.Kind() {
	case "decorated_definition":
		r.decorated(n, parent, comments)
	case "function_definition":
		r.function(n, parent, comments, nil)
	case "class_definition":
		r.classDefinition(n, parent, comments, nil)
	case "import_statement", "import_from_statement", "future_import_statement":
		r.importStatement(n)
	case "expression_statement":
		if a := n.First(); a.Is("assignment") && !inFunction {
			r.variable(a, parent, n, comments)
			return
		}
		r.expression(n)
	case "type_alias_statement":
		r.typeAlias(n, parent, inFunction)
	case "if_statement":
		if parent < 0 && pythonGuard(n.Get("condition")) {
			r.mainGuard(n)
			return
		}
		r.compound(n, parent)
	case "try_statement", "with_statement", "for_statement", "while_statement", "match_statement":
		r.compound(n, parent)
	default:
		r.expression(n)
	}
}

func (r *pythonReader) callable(i int) bool {
	k := r.file.Definitions[i].Kind
	return k == Function || k == Method
}

// compound reads a statement that holds blocks: what they define belongs to
// what is around the statement.
func (r *pythonReader) compound(n grammar.Node, parent int) {
	for c := range n.Children() {
		switch {
		case c.Is("block"):
			r.block(c, parent)
		case strings.HasSuffix(c.Kind(), "_clause") && !c.Is("with_clause"):
			r.compound(c, parent)
		default:
			r.expression(c)
		}
	}
}

func pythonGuard(cond grammar.Node) bool {
	if !cond.Is("comparison_operator") {
		return false
	}
	text := strings.NewReplacer(" ", "", "'", `"`).Replace(cond.Text())
	return text == `__name__=="__main__"` || text == `"__main__"==__name__`
}

func (r *pythonReader) mainGuard(n grammar.Node) {
	i := r.define(-1, Definition{
		Name:      "__main__",
		Kind:      Function,
		Line:      n.Line(),
		EndLine:   n.EndLine(),
		Signature: signature(span(n, n.Get("condition"))),
		Entry:     true,
	})
	r.guard = i
	r.within(i, func() {
		r.push()
		body := n.Get("consequence")
		r.bindTargets(body, false)
		r.block(body, i)
		r.pop()
	})
	for c := range n.Children() {
		if strings.HasSuffix(c.Kind(), "_clause") {
			r.compound(c, -1)
		}
	}
}

// markEntries marks the functions that the guard calls, or, in a package's
// __main__.py, the module.
func (r *pythonReader) markEntries() {
	for _, ref := range r.file.References {
		atStart := ref.From == r.guard && r.guard >= 0 || ref.From < 0 && r.variant == "python main"
		if ref.Relation != Calls || ref.Qualifier != "" || !atStart {
			continue
		}
		for i := range r.file.Definitions {
			if d := &r.file.Definitions[i]; d.Name == ref.Name && d.Parent < 0 && d.Kind == Function {
				d.Entry = true
			}
		}
	}
}

// exported reports whether a name can be meant for others.
func (r *pythonReader) exported(name string, parent int) bool {
	if parent < 0 {
		if r.public != nil {
			return r.public[name]
		}
		return !strings.HasPrefix(name, "_")
	}
	if r.callable(parent) {
		return false
	}
	dunder := len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	return r.file.Definitions[parent].Exported && (dunder || !strings.HasPrefix(name, "_"))
}

func (r *pythonReader) decorated(n grammar.Node, parent int, comments []grammar.Node) {
	var decorators []grammar.Node
	for d := range n.Children() {
		if d.Is("decorator") {
			decorators = append(decorators, d)
		}
	}
	def := n.Get("definition")
	if len(comments) > 0 && commentsAbove(n, comments) == "" {
		comments = nil
	}
	switch def.Kind() {
	case "function_definition":
		r.function(def, parent, comments, decorators)
	case "class_definition":
		r.classDefinition(def, parent, comments, decorators)
	}
}

// decoratorNames is the last part of each decorator's name: "setter" of
// "@size.setter".
func decoratorNames(decorators []grammar.Node) []string {
	var list []string
	for _, d := range decorators {
		for e := range d.Children() {
			if e.Is("call") {
				e = e.Get("function")
			}
			_, last := cutLast(e.Text())
			list = append(list, last)
			break
		}
	}
	return list
}

func (r *pythonReader) decoratorUses(decorators []grammar.Node) {
	for _, d := range decorators {
		for e := range d.Children() {
			r.expression(e)
		}
	}
}
