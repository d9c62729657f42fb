package extract

import (
	"regexp"
	"strings"
)

var (
	makeVariable = regexp.MustCompile(`^\s*(?:(?:export|override|private|unexport)\s+)*([A-Za-z_.][\w.-]*)\s*(?:::?:?|\?|\+|!)?=(.*)$`)
	makeTarget   = regexp.MustCompile(`^([^\s:=#][^:=#]*?)\s*(::?|&:)(?:\s*([^=].*)|\s*)$`)
	makeDefine   = regexp.MustCompile(`^\s*(?:override\s+)?define\s+([\w.-]+)`)
	makeInclude  = regexp.MustCompile(`^\s*[-s]?include\s+(.+)$`)
	makeCall     = regexp.MustCompile(`\$[({](?:call\s+)?([A-Za-z_][\w.-]*)[)},]`)
	makeAgain    = regexp.MustCompile(`(?:\$[({]MAKE[)}]|\bmake)((?:\s+[\w./=-]+)+)`)
	makeHelp     = regexp.MustCompile(`\s##\s*(.+)$`)
)

// A makeReader turns a makefile into a File: targets, variables and macros.
type makeReader struct {
	*lineReader
	defining int  // macro whose text is being read, or -1
	ruled    bool // a rule was read, so that a line with a tab is of its recipe
}

func parseMake(c *collector) error {
	r := &makeReader{lineReader: newLineReader(c), defining: -1}
	for l := range r.logical('\\') {
		r.line(l)
	}
	return nil
}

func (r *makeReader) line(l logicalLine) {
	switch {
	case r.defining >= 0:
		r.uses(l)
		if strings.HasPrefix(strings.TrimSpace(l.text), "endef") {
			r.extend(r.defining, l.end)
			r.defining, r.from = -1, -1
		}
		return
	case strings.HasPrefix(l.text, "\t") && r.ruled: // of a recipe
		r.extend(r.from, l.end)
		r.uses(l)
		return
	}
	if m := makeDefine.FindStringSubmatch(l.text); m != nil {
		r.from = r.once(Function, m[1], l, "define "+m[1])
		r.defining = r.from
		return
	}
	if m := makeInclude.FindStringSubmatch(l.text); m != nil {
		for _, p := range strings.Fields(m[1]) {
			if strings.ContainsAny(p, "$()*") {
				continue
			}
			r.bring(Import{Path: oneLine(validText(p)), Line: l.first})
		}
		return
	}
	if m := makeVariable.FindStringSubmatch(l.text); m != nil {
		r.from, r.ruled = -1, false
		r.within(r.once(Variable, m[1], l, strings.TrimSpace(l.text)), func() { r.uses(l) })
		return
	}
	if m := makeTarget.FindStringSubmatch(l.text); m != nil && !strings.HasPrefix(l.text, " ") {
		r.ruled = true
		r.targets(l, m[1], m[3])
		return
	}
	r.uses(l)
}

func (r *makeReader) within(i int, read func()) {
	outer := r.from
	r.from = i
	read()
	r.from = outer
}

// once defines a name the first time, and is that definition later.
func (r *makeReader) once(kind Kind, name string, l logicalLine, sig string) int {
	if i, ok := r.find(-1, name); ok {
		return i
	}
	return r.declare(-1, kind, name, l, sig)
}

// targets defines the targets of a rule. Patterns and special ones are no
// names that somebody runs.
func (r *makeReader) targets(l logicalLine, left, right string) {
	if m := makeHelp.FindStringSubmatch(right); m != nil {
		l.doc = firstSentence(validText(m[1]))
	}
	right, _, _ = strings.Cut(right, "#")
	deps, inline, _ := strings.Cut(right, ";")
	r.from = -1
	own := makeVariable.MatchString(deps) // a variable of the target's own
	for _, name := range strings.Fields(left) {
		if strings.ContainsAny(name, "%$(){}*?\\") || strings.HasPrefix(name, ".") && !strings.Contains(name, "/") {
			continue
		}
		if i := r.once(Target, name, l, left+":"+deps); !own {
			r.from = i
		}
	}
	if own {
		return
	}
	if !strings.HasPrefix(left, ".") {
		for _, d := range strings.Fields(deps) {
			if !strings.ContainsAny(d, "%$(){}*?|") {
				r.mention(References, d, "", l.first)
			}
		}
	}
	r.uses(logicalLine{text: deps + " " + inline, first: l.first})
}

// uses tells the variables and macros of a line, and the targets that a
// recipe makes.
func (r *makeReader) uses(l logicalLine) {
	for _, m := range makeCall.FindAllStringSubmatch(l.text, -1) {
		rel := References
		if strings.Contains(m[0], "call") {
			rel = Calls
		}
		r.mention(rel, m[1], "", l.first)
	}
	for _, m := range makeAgain.FindAllStringSubmatch(l.text, -1) {
		words := strings.Fields(m[1])
		for i, w := range words {
			if strings.HasPrefix(w, "-") && w != "-s" && w != "-k" { // -C dir: the targets of another file
				break
			}
			if !strings.ContainsAny(w, "=-") || i == 0 && !strings.Contains(w, "=") {
				r.mention(Calls, w, "", l.first)
			}
		}
	}
}
