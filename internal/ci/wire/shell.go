package wire

import (
	"fmt"
	"maps"
	"math"
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

	document func(text string, line int)        // told of each container file that stands in the text, and its first line; nil means nobody is
	assigned func(name, value string, line int) // told of each text a variable is given; nil means nobody is
	cut      func(why string, line int)         // told of what is not followed for its size; nil means nobody is

	ended bool // by exit, return or exec: what stands below is not reached

	steps int // what is left of the work it may do
	depth int // of calls
}

const (
	maxShell  = 1 << 20 // bytes of one text
	maxSteps  = 20_000  // commands followed in one text, calls and rounds counted
	maxDepth  = 8       // calls and texts within texts
	maxRounds = 256     // rounds of a loop over known words
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

// spend takes one from the work a text may cause, and reports whether there
// was one.
func (s *shell) spend(line int) bool {
	if s.steps <= 0 {
		if s.steps > spent {
			s.tooMuch(fmt.Sprintf("its shell text does more than is followed, %d commands", maxSteps), line)
		}
		s.steps = spent
		return false
	}
	s.steps--
	return true
}

// spent is what is left of the work once it was said that nothing is.
const spent = math.MinInt

func (s *shell) tooMuch(why string, line int) {
	if s.cut != nil {
		s.cut(why, line)
	}
}

func (s *shell) stmt(st *syntax.Stmt, input string) {
	if st == nil || s.ended || !s.spend(int(st.Pos().Line())) {
		return
	}
	if st.Background {
		defer func(before bool) { s.ended = before }(s.ended)
	}
	for _, r := range st.Redirs {
		switch {
		case r.Hdoc != nil:
			input = s.text(r.Hdoc)
			if s.document != nil && s.containerFile(st) {
				s.document(input, int(r.Hdoc.Pos().Line()))
			}
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
			last := s.output(c.X)
			s.maybe(func() { s.stmt(c.Y, last) })
			break
		}
		s.stmt(c.X, input)
		if holds, told := outcome([]*syntax.Stmt{c.X}); told && holds == (c.Op == syntax.OrStmt) {
			break
		}
		s.maybe(func() { s.stmt(c.Y, input) })
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
		if holds, told := outcome(c.Cond); told && holds == c.Until {
			break
		}
		s.maybe(func() {
			for _, d := range c.Do {
				s.stmt(d, input)
			}
		})
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

// maybe follows what may not run at all, or not to its end: what stands after
// it is reached all the same.
func (s *shell) maybe(do func()) {
	before := s.ended
	do()
	s.ended = before
}

// outcome tells whether a condition holds that is one word: true, false or :.
func outcome(cond []*syntax.Stmt) (holds, told bool) {
	if len(cond) != 1 || cond[0].Background {
		return false, false
	}
	call, ok := cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return false, false
	}
	switch call.Args[0].Lit() {
	case "true", ":":
		return !cond[0].Negated, true
	case "false":
		return cond[0].Negated, true
	}
	return false, false
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
	all := branches
	branches = slices.DeleteFunc(slices.Clone(all), func(b *shell) bool { return b.ended })
	if s.ended = len(branches) == 0; s.ended {
		branches = all // for what a trap does, and a function that was called
	}
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
	for ; c != nil && !whole; c = c.Else {
		s.stmts(c.Cond)
		holds, told := outcome(c.Cond)
		if told && !holds {
			continue
		}
		b := s.clone()
		for _, st := range c.Then {
			b.stmt(st, input)
		}
		s.keep(b)
		branches = append(branches, b)
		whole = len(c.Cond) == 0 || told && holds
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
		s.maybe(func() {
			for _, d := range c.Do {
				s.stmt(d, input)
			}
		})
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
	if len(items) > maxRounds {
		s.tooMuch(fmt.Sprintf("a loop has %d rounds, of which %d are followed", len(items), maxRounds), int(c.Pos().Line()))
		items = items[:maxRounds]
	}
	if len(items) == 0 {
		items = []string{unknown(w.Name.Value)}
	}
	for _, item := range items {
		if item == openMark+closeMark {
			item = unknown(w.Name.Value)
		}
		if !s.spend(int(c.Pos().Line())) {
			return
		}
		s.vars[w.Name.Value] = []string{item}
		s.maybe(func() {
			for _, d := range c.Do {
				s.stmt(d, input)
			}
		})
	}
}
