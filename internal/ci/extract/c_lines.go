package extract

import (
	"bytes"
	"regexp"
	"strings"
)

var rescueC = rescue{
	regexp.MustCompile(`(?m)^[ \t]*(?:(?:typedef|static|inline)[ \t]+)*(class|struct|union|enum(?:[ \t]+class)?)[ \t]+([A-Za-z_]\w*)[^;()=]*\{`),
	map[string]Kind{"class": Class, "struct": Class, "union": Class, "enum": Enum, "enum class": Enum},
}

var (
	cDefine   = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^()\n]*\))?`)
	cFunction = regexp.MustCompile(`(?m)^(?:[A-Za-z_][\w \t\n:<>,*&]*[ \t\n*&])?((?:[A-Za-z_]\w*::)*~?[A-Za-z_]\w*)[ \t]*\([^;{}#]*\)[^;{}()#="]{0,200}\{`)
	cIfndef   = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:ifndef|if[ \t]+!defined[ \t(]+)[ \t]*([A-Za-z_]\w*)`)
)

// headerGuard is the macro by which a header sees that it was read before:
// what its first condition asks for and its first definition is.
func headerGuard(src []byte) string {
	m, d := cIfndef.FindSubmatchIndex(src), cDefine.FindSubmatchIndex(src)
	if m == nil || d == nil || m[0] > d[0] || string(src[m[2]:m[3]]) != string(src[d[2]:d[3]]) {
		return ""
	}
	return string(src[m[2]:m[3]])
}

// merge adds what other readings of a broken file have: each loses its way
// somewhere else. Where a reading took statements for declarations, its
// variables and declarations are none, so those are left.
func (r *cReader) merge() {
	type site struct {
		name string
		line int
	}
	known := make(map[site]bool)
	for _, d := range r.file.Definitions {
		known[site{d.Name, d.Line}] = true
	}
	for _, root := range r.others {
		c := newCollector(r.file.Lang, r.variant, r.src)
		t := &treeReader{collector: c, root: root, from: -1, types: make(map[string]bool),
			results: make(map[string]string), fields: make(map[string]map[string]value)}
		other := &cReader{plainReader: &plainReader{treeReader: t}, cpp: r.cpp, header: r.header, guard: r.guard, scope: make(map[place]int)}
		other.items(root, -1)
		other.settle()
		for _, d := range c.finish().Definitions {
			outside := d.Container == "" && (d.Kind == Variable || d.Kind == Constant && !strings.HasPrefix(d.Signature, "#") || strings.HasSuffix(d.Signature, ";"))
			if d.Kind == Namespace || outside || known[site{d.Name, d.Line}] {
				continue
			}
			known[site{d.Name, d.Line}] = true
			r.define(-1, d)
		}
	}
}

// lines finds what the tree has not, line by line: macros that stand in a
// function or where the grammar was lost, and in a broken file functions
// that begin at the start of a line.
func (r *cReader) lines() {
	masked := maskC(r.src)
	known := make(map[string]map[int]bool)
	for _, d := range r.file.Definitions {
		if known[d.Name] == nil {
			known[d.Name] = make(map[int]bool)
		}
		known[d.Name][d.Line] = true
	}
	line, at := 1, 0
	add := func(d Definition, m []int) {
		line += bytes.Count(masked[at:m[2]], []byte{'\n'})
		at = m[2]
		if known[d.Name][line] || known[d.Name] != nil && d.Container == "" && !strings.HasPrefix(d.Signature, "#") {
			return
		}
		d.Line, d.EndLine = line, line+bytes.Count(masked[m[2]:m[1]], []byte{'\n'})
		r.define(-1, d)
	}
	for _, m := range cDefine.FindAllSubmatchIndex(masked, -1) {
		name := string(masked[m[2]:m[3]])
		if name == r.guard {
			continue
		}
		d := Definition{Name: name, Kind: Constant, Signature: signature(strings.TrimSpace(string(masked[m[0]:m[1]]))), Exported: r.header}
		if m[4] >= 0 {
			d.Kind = Function
		}
		add(d, m)
	}
	if !r.file.Broken {
		return
	}
	line, at = 1, 0
	for _, m := range cFunction.FindAllSubmatchIndex(masked, -1) {
		scope, name := cutScope(string(masked[m[2]:m[3]]))
		if cKeywords[name] || shouting(name) {
			continue
		}
		d := Definition{Name: name, Kind: Function, Container: strings.ReplaceAll(scope, "::", "."), Exported: true,
			Signature: signature(strings.TrimRight(string(r.src[m[0]:m[1]]), "{ \t\n"))}
		if scope != "" {
			d.Kind = Method
		}
		add(d, m)
	}
}

// maskC blanks comments and strings; what is left keeps its place.
func maskC(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(src); i++ {
		switch {
		case bytes.HasPrefix(src[i:], []byte("//")):
			end := bytes.IndexByte(src[i:], '\n')
			if end < 0 {
				end = len(src) - i
			}
			blank(out[i : i+end])
			i += end
		case bytes.HasPrefix(src[i:], []byte("/*")):
			end := bytes.Index(src[i+2:], []byte("*/"))
			if end < 0 {
				end = len(src) - i - 4
			}
			blank(out[i : i+end+4])
			i += end + 3
		case src[i] == '"' || src[i] == '\'':
			end := i + 1
			for end < len(src) && src[end] != src[i] && src[end] != '\n' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			if end = min(end, len(src)-1); src[end] == src[i] && end > i {
				blank(out[i+1 : end])
				i = end
			}
		}
	}
	return out
}

// firstBranches blanks the lines of conditions, and all that stands in
// another branch than the first that can be meant: what a grammar cannot
// read as a whole it may in part.
func firstBranches(src []byte) []byte {
	out := bytes.Clone(src)
	type branch struct{ hidden, done bool }
	var open []branch
	for at := 0; at < len(src); {
		end := bytes.IndexByte(src[at:], '\n') + 1
		if end == 0 {
			end = len(src) - at
		}
		line := out[at : at+end]
		at += end
		around := len(open) > 0 && open[len(open)-1].hidden
		for bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte("\\")) && anyConditional.Match(line) && at < len(src) {
			end := bytes.IndexByte(src[at:], '\n') + 1
			if end == 0 {
				end = len(src) - at
			}
			line = out[at-len(line) : at+end]
			at += end
		}
		m := anyConditional.FindSubmatch(line)
		if m == nil {
			if around {
				blank(line)
			}
			continue
		}
		last := len(open) - 1
		switch word := string(m[1]); {
		case word == "endif":
			open = open[:max(last, 0)]
		case word == "else" || strings.HasPrefix(word, "elif"):
			if last >= 0 {
				outer := last > 0 && open[last-1].hidden
				open[last] = branch{hidden: outer || open[last].done, done: true}
			}
		default:
			never := word == "if" && bytes.HasPrefix(bytes.TrimSpace(m[2]), []byte("0")) || word != "ifndef" && cPlusPlusOnly.Match(m[2])
			open = append(open, branch{hidden: around || never, done: !never})
		}
		blank(line)
	}
	return out
}

var anyConditional = regexp.MustCompile(`^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|elifdef|else|endif)\b(.*)`)
