package wire

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A command is one simple command of a shell text, as far as its words can
// be told.
type command struct {
	args  []string // at least one; parts that are not told stand between marks
	line  int      // in the shell text, from 1
	dir   string   // working directory from the workspace's root; "" is the root, ".." is elsewhere
	input string   // what it is given on standard input, where that is told
	sure  int      // certainty, 1 to 100: below it where several words are possible
}

// A shell follows a shell text: variables, functions, loops and branches. It
// runs nothing. Each command it comes by goes to do.
type shell struct {
	vars   map[string][]string // possible values
	arrays map[string][]string // elements
	params []string            // $1, $2 …
	funcs  map[string]*syntax.Stmt
	dir    string
	values [][]string // what stands for the expressions in the text, by number

	do   func(s *shell, c command)
	look func(s *shell, name string) ([]string, bool) // variables of the environment
	file func(s *shell, name string) (string, bool)   // contents of a small file
	set  func(target, key, value string)              // a line written to $GITHUB_ENV or $GITHUB_OUTPUT

	assigned func(value string, line int) // told of each text a variable is given; nil means nobody is

	steps int // what is left of the work it may do
	depth int // of calls
}

const (
	maxShell  = 1 << 20 // bytes of one text
	maxSteps  = 20_000  // commands followed in one text, calls and rounds counted
	maxDepth  = 8       // calls and texts within texts
	maxRounds = 64      // rounds of a loop over known words
	maxWords  = 2_000   // words of a command
)

// exprMark begins the number of an expression in a shell text.
const exprMark, exprEnd = "\x03", "\x04"

// parseShell reads a shell text. What can be read of a broken text is
// returned with ok false.
func parseShell(text string) (stmts []*syntax.Stmt, ok bool) {
	ok = true
	for stmt, err := range syntax.NewParser(syntax.Variant(syntax.LangBash)).StmtsSeq(strings.NewReader(text)) {
		switch {
		case err != nil:
			ok = false
		case ok:
			stmts = append(stmts, stmt)
		}
	}
	return stmts, ok
}

// run follows a text from its start. It reports whether the text is shell.
func (s *shell) run(text string) bool {
	if len(text) > maxShell {
		return false
	}
	stmts, ok := parseShell(strings.ReplaceAll(text, "\r\n", "\n"))
	s.stmts(stmts)
	return ok
}

func (s *shell) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		s.stmt(st, "")
	}
}

func (s *shell) stmt(st *syntax.Stmt, input string) {
	if st == nil || s.steps <= 0 {
		return
	}
	s.steps--
	for _, r := range st.Redirs {
		switch {
		case r.Hdoc != nil:
			input = s.text(r.Hdoc)
		case r.Op == syntax.WordHdoc:
			input = s.text(r.Word)
		case r.Op == syntax.RdrIn:
			if data, ok := s.file(s, s.text(r.Word)); ok {
				input = data
			}
		}
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		s.call(st, c, input)
	case *syntax.DeclClause:
		s.declare(c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			saved := s.clone()
			saved.stmt(c.X, input)
			s.keep(saved)
			s.stmt(c.Y, s.output(c.X))
			break
		}
		s.stmt(c.X, input)
		s.stmt(c.Y, input)
	case *syntax.Block:
		s.grouped(st, c.Stmts, input)
	case *syntax.Subshell:
		sub := s.clone()
		sub.grouped(st, c.Stmts, input)
		s.keep(sub)
	case *syntax.IfClause:
		s.branch(c, input)
	case *syntax.CaseClause:
		s.cases(c, input)
	case *syntax.ForClause:
		s.loop(c, input)
	case *syntax.WhileClause:
		s.stmts(c.Cond)
		for _, d := range c.Do {
			s.stmt(d, input)
		}
	case *syntax.FuncDecl:
		if c.Name != nil {
			s.funcs[c.Name.Value] = c.Body
		}
	case *syntax.TimeClause:
		s.stmt(c.Stmt, input)
	case *syntax.CoprocClause:
		s.stmt(c.Stmt, input)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		s.nested(c)
	}
}

// grouped follows { … } > file: what is written in it goes to one place.
func (s *shell) grouped(st *syntax.Stmt, list []*syntax.Stmt, input string) {
	for _, inner := range list {
		s.stmt(inner, input)
		for _, r := range st.Redirs {
			if t, ok := s.written(r); ok {
				s.writes(t, s.output(inner))
			}
		}
	}
}

// nested follows the commands in $( … ) of words that are not part of a
// command.
func (s *shell) nested(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if sub, ok := n.(*syntax.CmdSubst); ok {
			inner := s.clone()
			inner.stmts(sub.Stmts)
			s.keep(inner)
			return false
		}
		return true
	})
}

// clone is a shell with variables of its own.
func (s *shell) clone() *shell {
	c := *s
	c.vars, c.arrays, c.funcs = maps.Clone(s.vars), maps.Clone(s.arrays), maps.Clone(s.funcs)
	return &c
}

// keep takes over how much work a clone has done.
func (s *shell) keep(c *shell) { s.steps = c.steps }

// merge takes the variables of what was followed in branches: any of them
// may have been taken.
func (s *shell) merge(branches []*shell) {
	names := map[string]bool{}
	for _, b := range branches {
		for name := range b.vars {
			names[name] = true
		}
		for name, f := range b.funcs {
			s.funcs[name] = f
		}
		for name, a := range b.arrays {
			if len(a) >= len(s.arrays[name]) {
				s.arrays[name] = a
			}
		}
	}
	for name := range names {
		var lists [][]string
		for _, b := range branches {
			if v, ok := b.vars[name]; ok {
				lists = append(lists, v)
			} else if v, ok := s.look(s, name); ok {
				lists = append(lists, v)
			}
		}
		s.vars[name] = union(lists...)
	}
}

func (s *shell) branch(c *syntax.IfClause, input string) {
	var branches []*shell
	whole := false
	for ; c != nil; c = c.Else {
		s.stmts(c.Cond)
		b := s.clone()
		for _, st := range c.Then {
			b.stmt(st, input)
		}
		s.keep(b)
		branches = append(branches, b)
		whole = whole || len(c.Cond) == 0
	}
	if !whole {
		branches = append(branches, s.clone())
	}
	s.merge(branches)
}

func (s *shell) cases(c *syntax.CaseClause, input string) {
	word := s.strings(c.Word)
	branches := []*shell{}
	for _, item := range c.Items {
		if len(word) == 1 && known(word[0]) && !s.mayMatch(item, word[0]) {
			continue
		}
		b := s.clone()
		for _, st := range item.Stmts {
			b.stmt(st, input)
		}
		s.keep(b)
		branches = append(branches, b)
	}
	if len(branches) == 0 {
		return
	}
	s.merge(append(branches, s.clone()))
}

func (s *shell) mayMatch(item *syntax.CaseItem, word string) bool {
	for _, p := range item.Patterns {
		text := s.text(p)
		if ok, err := path.Match(strings.ReplaceAll(text, "/", "\x05"), strings.ReplaceAll(word, "/", "\x05")); err != nil || ok || !known(text) {
			return true
		}
	}
	return false
}

func (s *shell) loop(c *syntax.ForClause, input string) {
	w, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		for _, d := range c.Do {
			s.stmt(d, input)
		}
		return
	}
	var items []string
	if w.InPos.IsValid() {
		for _, word := range w.Items {
			items = append(items, s.first(word)...)
		}
	} else {
		items = s.params
	}
	s.steps -= len(items)
	if len(items) > maxRounds {
		items = items[:maxRounds]
	}
	if len(items) == 0 {
		items = []string{unknown(w.Name.Value)}
	}
	for _, item := range items {
		if item == openMark+closeMark {
			item = unknown(w.Name.Value)
		}
		s.vars[w.Name.Value] = []string{item}
		for _, d := range c.Do {
			s.stmt(d, input)
		}
	}
}

func (s *shell) declare(c *syntax.DeclClause) {
	for _, a := range c.Args {
		if a.Name != nil && !a.Naked {
			s.assign(a)
		}
	}
}

func (s *shell) assign(a *syntax.Assign) {
	name := a.Name.Value
	switch {
	case a.Array != nil:
		var list []string
		if a.Append {
			list = slices.Clone(s.arrays[name])
		}
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				list = append(list, s.first(e.Value)...)
			}
		}
		if len(list) > maxWords {
			list = list[:maxWords]
		}
		s.arrays[name] = list
		return
	case a.Value == nil:
		s.vars[name] = []string{""}
		return
	}
	values := s.strings(a.Value)
	for i, v := range values {
		if v == openMark+closeMark { // what a command printed is called as the variable is
			values[i] = unknown(name)
		}
	}
	if a.Index != nil {
		s.arrays[name] = append(slices.Clone(s.arrays[name]), values...)
		return
	}
	if a.Append {
		if list, ok := s.arrays[name]; ok {
			s.arrays[name] = append(slices.Clone(list), values...)
			return
		}
		values = concat(s.variable(name), values)
	}
	if len(values) == 1 && s.assigned != nil {
		s.assigned(values[0], int(a.Pos().Line()))
	}
	delete(s.arrays, name)
	s.vars[name] = values
}

// variable is what a variable may hold.
func (s *shell) variable(name string) []string {
	if v, ok := s.vars[name]; ok {
		return v
	}
	if v, ok := s.look(s, name); ok {
		return v
	}
	return []string{unknown(name)}
}

// call follows a simple command: an assignment, a call of a function, or
// something to hand on.
func (s *shell) call(st *syntax.Stmt, c *syntax.CallExpr, input string) {
	for _, w := range c.Args {
		s.nested(w)
	}
	for _, a := range c.Assigns {
		if a.Value != nil {
			s.nested(a.Value)
		}
	}
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			s.assign(a)
		}
		return
	}
	inner := s
	if len(c.Assigns) > 0 {
		inner = s.clone()
		for _, a := range c.Assigns {
			inner.assign(a)
		}
	}
	ways := s.words(c.Args)
	for _, args := range ways {
		if len(args) == 0 {
			continue
		}
		sure := 100
		if len(ways) > 1 {
			sure = 80
		}
		inner.command(command{args: args, line: int(c.Args[0].Pos().Line()), input: input, sure: sure})
		for _, r := range st.Redirs {
			if t, ok := s.written(r); ok {
				s.writes(t, printed(args, input))
			}
		}
	}
	if inner != s {
		s.dir = inner.dir
		s.keep(inner)
	}
}

// command handles what changes the shell itself, and hands on the rest.
func (s *shell) command(c command) {
	c.dir = s.dir
	switch c.args[0] {
	case "cd", "pushd":
		if len(c.args) > 1 {
			s.dir = s.join(c.args[len(c.args)-1])
		}
		return
	case "set":
		for i, a := range c.args {
			if a == "--" {
				s.params = slices.Clone(c.args[i+1:])
			}
		}
		return
	case "shift":
		if len(s.params) > 0 {
			s.params = s.params[1:]
		}
		return
	case "read":
		for _, a := range c.args[1:] {
			if !strings.HasPrefix(a, "-") {
				s.vars[a] = []string{unknown(a)}
			}
		}
		return
	case "echo", "printf", "cat":
		s.do(s, c)
		return
	}
	if body, ok := s.funcs[c.args[0]]; ok {
		if s.depth < maxDepth {
			params, depth := s.params, s.depth
			s.params, s.depth = c.args[1:], depth+1
			s.stmt(body, c.input)
			s.params, s.depth = params, depth
		}
		return
	}
	s.do(s, c)
}

// join is a path from the workspace's root; "$GITHUB_WORKSPACE/x" is x, and
// what leaves the workspace, or is not told, is "..".
func (s *shell) join(dir string) string {
	switch root := openMark + "github-workspace" + closeMark; {
	case dir == "-" || dir == "":
		return ""
	case dir == root:
		return ""
	case strings.HasPrefix(dir, root+"/"):
		dir = path.Clean(dir[len(root)+1:])
	case strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~"):
		return ".."
	default:
		dir = path.Join(s.dir, dir)
	}
	if dir == "." {
		return ""
	}
	if !known(dir) && strings.HasPrefix(dir, openMark) {
		if strings.HasSuffix(dir, closeMark) {
			return dir // a directory that is told by its variable alone
		}
		return ".."
	}
	return dir
}

// written is where a redirection writes.
func (s *shell) written(r *syntax.Redirect) (target string, ok bool) {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
		return s.text(r.Word), true
	}
	return "", false
}

// writes takes what is written to the files by which a step hands on values;
// other files are the business of set too.
func (s *shell) writes(target, text string) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		key, value, ok := strings.Cut(line, "=")
		if k, end, multi := strings.Cut(line, "<<"); multi && (!ok || len(k) < len(key)) {
			var body []string
			for i++; i < len(lines) && lines[i] != end; i++ {
				body = append(body, lines[i])
			}
			s.set(target, k, strings.Join(body, "\n"))
			continue
		}
		if !ok {
			key, value = "", line
		}
		s.set(target, key, value)
	}
}
