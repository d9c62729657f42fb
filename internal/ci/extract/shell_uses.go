package extract

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainWord is a word's text where it can be known without running
// anything, quotes removed.
func plainWord(w *syntax.Word) (text string, ok bool) {
	if w == nil {
		return "", false
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(lit.Value)
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// written is a word as the script has it, without its quotes.
func (r *shellReader) written(w *syntax.Word) string {
	if text, ok := plainWord(w); ok {
		return oneLine(text)
	}
	var b strings.Builder
	var parts func([]syntax.WordPart)
	parts = func(list []syntax.WordPart) {
		for _, p := range list {
			switch p := p.(type) {
			case *syntax.Lit:
				b.WriteString(p.Value)
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				parts(p.Parts)
			default:
				b.Write(r.src[offset(r.src, p.Pos()):offset(r.src, p.End())])
			}
		}
	}
	parts(w.Parts)
	return oneLine(b.String())
}

// prefixes are commands that run the command after them.
var prefixes = names(`exec sudo command builtin nohup time env nice xargs doas`)

// shells are commands that run the script after them.
var shells = names(`sh bash dash ksh zsh`)

func (r *shellReader) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		r.assignments(c.Assigns, c, "")
		return
	}
	args := c.Args
	for len(args) > 0 {
		name, ok := plainWord(args[0])
		if !ok {
			r.scriptPath(args[0])
			return
		}
		line := int(args[0].Pos().Line())
		switch {
		case name == "source" || name == ".":
			if len(args) > 1 {
				r.bring(Import{Path: r.written(args[1]), Line: line})
			}
			return
		case name == "trap" && len(args) > 1:
			if handler, ok := plainWord(args[1]); ok && r.functions[strings.TrimSpace(handler)] {
				r.refer(Reference{From: r.owner(), Relation: References, Name: strings.TrimSpace(handler), Line: line})
			}
			return
		}
		r.command(name, line)
		if !prefixes[name] && !shells[name] || r.functions[name] {
			return
		}
		script := shells[name]
		args = args[1:]
		for len(args) > 0 {
			w, ok := plainWord(args[0])
			if !ok || !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
				break
			}
			if script && strings.HasPrefix(w, "-") && strings.Contains(w, "c") {
				return // sh -c "text"
			}
			args = args[1:]
		}
		if script {
			if len(args) > 0 {
				r.scriptPath(args[0])
			}
			return
		}
	}
}

// scriptPath tells of a script that is run by its path.
func (r *shellReader) scriptPath(w *syntax.Word) {
	text := r.written(w)
	base := path.Base(text)
	if base == "." || base == "/" || strings.ContainsAny(base, "$`*?(){}\"' ") {
		return
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(text, base), "/")
	r.refer(Reference{From: r.owner(), Relation: Calls, Name: base, Qualifier: dir, Line: int(w.Pos().Line())})
}

func (r *shellReader) command(name string, line int) {
	if shellBuiltins[name] && !r.functions[name] || name == "" || strings.ContainsAny(name, "$`*?(){}\"'\\ \t\n") {
		return
	}
	ref := Reference{From: r.owner(), Relation: Calls, Name: name, Line: line}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		ref.Name, ref.Qualifier = name[i+1:], name[:max(i, 1)]
	}
	r.refer(ref)
}

// shellBuiltins holds the commands that a shell has itself, and those that
// are in every script and say nothing.
var shellBuiltins = names(`. : [ [[ alias bg bind break builtin caller cat cd command compgen complete continue declare dirs
	disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd
	printf pushd pwd read readarray readonly return set shift shopt source sudo suspend test times trap true type typeset ulimit
	umask unalias unset wait env nohup time`)

// shellVariables holds variables of the shell and the system, which no
// script defines.
var shellVariables = names(`BASH BASHPID BASH_ARGV0 BASH_LINENO BASH_REMATCH BASH_SOURCE BASH_VERSION BASH_VERSINFO COLUMNS
	COMP_CWORD COMP_WORDS COMPREPLY EUID FUNCNAME HOME HOSTNAME IFS LANG LC_ALL LINENO LINES LOGNAME OLDPWD OPTARG OPTIND
	OSTYPE PATH PIPESTATUS PPID PS1 PS2 PS4 PWD RANDOM REPLY SECONDS SHELL SHELLOPTS SHLVL TERM TMPDIR UID USER`)
