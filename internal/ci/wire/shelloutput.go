package wire

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// substituted is what $( … ) gives where that can be told.
func (s *shell) substituted(p *syntax.CmdSubst) string {
	if s.depth >= maxDepth || len(p.Stmts) != 1 {
		return unknown("")
	}
	sub := s.clone()
	sub.depth++
	return strings.TrimRight(sub.output(p.Stmts[0]), "\n")
}

// output is what a statement prints where that can be told, else an unknown
// part.
func (s *shell) output(st *syntax.Stmt) string {
	if st == nil {
		return unknown("")
	}
	input := ""
	for _, r := range st.Redirs {
		switch {
		case r.Hdoc != nil:
			input = s.text(r.Hdoc)
		case r.Op == syntax.WordHdoc:
			input = s.text(r.Word)
		}
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			if len(c.Assigns) == 0 && len(st.Redirs) == 1 && st.Redirs[0].Op == syntax.RdrIn {
				return s.contents(s.text(st.Redirs[0].Word)) // $(<file)
			}
			return unknown("")
		}
		args := s.words(c.Args)[0]
		if len(args) == 0 {
			return unknown("")
		}
		if args[0] == "cat" && len(args) == 2 && input == "" {
			return s.contents(args[1])
		}
		return printed(args, input)
	case *syntax.Block:
		var all []string
		for _, inner := range c.Stmts {
			all = append(all, s.output(inner))
		}
		return strings.Join(all, "\n")
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe {
			if call, ok := c.Y.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				args := s.words(call.Args)[0]
				if len(args) > 0 {
					return filtered(args, s.output(c.X))
				}
			}
		}
	}
	return unknown("")
}

func (s *shell) contents(name string) string {
	if data, ok := s.file(s, name); ok {
		return data
	}
	return unknown("")
}

// printed is what a command prints, where its arguments tell.
func printed(args []string, input string) string {
	rest := args[1:]
	switch args[0] {
	case "echo":
		for len(rest) > 0 && (rest[0] == "-n" || rest[0] == "-e" || rest[0] == "-ne" || rest[0] == "-en") {
			rest = rest[1:]
		}
		return strings.ReplaceAll(strings.Join(rest, " "), "\\n", "\n")
	case "printf":
		if len(rest) == 0 {
			return ""
		}
		return formatPrint(rest[0], rest[1:])
	case "cat", "jq", "envsubst", "tee":
		if input != "" && args[0] != "jq" {
			return input
		}
		if args[0] == "jq" {
			return jqText(rest)
		}
	case "basename":
		if len(rest) > 0 {
			suffix := ""
			if len(rest) > 1 {
				suffix = rest[1]
			}
			return strings.TrimSuffix(baseOf(rest[0]), suffix)
		}
	case "dirname":
		if len(rest) > 0 && known(rest[0]) {
			return path.Dir(rest[0])
		}
	case "pwd":
		return unknown("github_workspace")
	case "date":
		return unknown("date")
	case "git":
		if len(rest) > 0 && rest[0] == "describe" {
			return unknown("tag")
		}
		if len(rest) > 1 && rest[0] == "rev-parse" {
			if rest[1] == "--show-toplevel" {
				return unknown("github_workspace")
			}
			return unknown("sha")
		}
	}
	return unknown("")
}

// filtered is what the last command of a pipe makes of what comes in.
func filtered(args []string, in string) string {
	switch args[0] {
	case "tr":
		if len(args) == 3 && known(in) && (args[1] == "[:upper:]" && args[2] == "[:lower:]" || args[1] == "A-Z" && args[2] == "a-z" || args[1] == "[A-Z]" && args[2] == "[a-z]") {
			return strings.ToLower(in)
		}
		if len(args) == 3 && args[1] == "-d" {
			return in
		}
	case "cat", "tee", "head", "tail", "xargs", "sort", "envsubst":
		return in
	}
	return unknown("")
}

// formatPrint puts arguments at the %s and %d of a printf format, as often
// as there are arguments.
func formatPrint(format string, args []string) string {
	format = strings.NewReplacer(`\n`, "\n", `\t`, "\t", "%%", "\x06").Replace(format)
	pieces := strings.FieldsFunc(strings.NewReplacer("%s", "\x07\x05", "%d", "\x07\x05", "%q", "\x07\x05").Replace(format), func(r rune) bool { return r == '\x07' })
	var b strings.Builder
	for round := 0; round < maxRounds; round++ {
		taken := false
		for _, p := range pieces {
			if rest, ok := strings.CutPrefix(p, "\x05"); ok {
				if len(args) > 0 {
					b.WriteString(args[0])
					args, taken = args[1:], true
				}
				p = rest
			}
			b.WriteString(p)
		}
		if len(args) == 0 || !taken {
			break
		}
	}
	return strings.ReplaceAll(b.String(), "\x06", "%")
}

// jqText is the program of a jq -n with its --arg values put in, for JSON
// that is made of variables.
func jqText(args []string) string {
	var program string
	null := false
	values := map[string]string{}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case (a == "--arg" || a == "--argjson") && i+2 < len(args):
			values[args[i+1]] = args[i+2]
			i += 2
		case strings.HasPrefix(a, "-"):
			null = null || a == "--null-input" || !strings.HasPrefix(a, "--") && strings.Contains(a, "n")
		case program == "":
			program = a
		}
	}
	if !null {
		return unknown("")
	}
	for name, v := range values {
		program = strings.ReplaceAll(program, "$"+name, `"`+v+`"`)
	}
	return program
}
