package extract

import (
	"regexp"
)

// A rescue finds definitions, one a line, in what a grammar could not parse:
// the first group is the keyword, the second the name.
type rescue struct {
	line  *regexp.Regexp
	kinds map[string]Kind
}

var (
	rescuePython = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(?:async[ \t]+)?(def|class)[ \t]+([A-Za-z_]\w*)`),
		map[string]Kind{"def": Function, "class": Class},
	}
	rescueScript = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:async[ \t]+)?(function|class|interface|enum)\b[ \t]*\*?[ \t]*([A-Za-z_$][\w$]*)`),
		map[string]Kind{"function": Function, "class": Class, "interface": Interface, "enum": Enum},
	}
	rescueJava = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(?:(?:public|protected|private|static|final|abstract|sealed|strictfp)[ \t]+)*(class|interface|enum|record)[ \t]+([A-Za-z_]\w*)`),
		map[string]Kind{"class": Class, "interface": Interface, "enum": Enum, "record": Class},
	}
	rescueRust = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:async|const|unsafe)[ \t]+)*(fn|struct|enum|trait)[ \t]+([A-Za-z_]\w*)`),
		map[string]Kind{"fn": Function, "struct": Class, "enum": Enum, "trait": Trait},
	}
	rescueElixir = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(def|defp|defmacro|defmodule|defprotocol)[ \t]+([A-Za-z_][\w.]*[?!]?)`),
		map[string]Kind{"def": Function, "defp": Function, "defmacro": Function, "defmodule": Namespace, "defprotocol": Interface},
	}
	rescueOCaml = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(let|and|val|external|type|module|exception|class)[ \t]+(?:rec[ \t]+|type[ \t]+)?([A-Za-z_][\w']*)`),
		map[string]Kind{"let": Function, "and": Function, "val": Function, "external": Function, "type": Type, "module": Namespace, "exception": Class, "class": Class},
	}
	rescueRuby = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(?:private[ \t]+)?(def|class|module)[ \t]+(?:self\.)?([A-Za-z_]\w*[?!]?)`),
		map[string]Kind{"def": Function, "class": Class, "module": Namespace},
	}
	rescueSwift = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(?:@\w+[ \t]+)*(?:(?:public|open|internal|private|fileprivate|static|class|final|override|mutating|indirect)[ \t]+)*(func|class|struct|enum|protocol|actor|typealias)[ \t]+([A-Za-z_]\w*)`),
		map[string]Kind{"func": Function, "class": Class, "struct": Class, "actor": Class, "enum": Enum, "protocol": Interface, "typealias": Type},
	}
	rescueScala = rescue{
		regexp.MustCompile(`(?m)^[ \t]*(?:(?:final|sealed|abstract|case|implicit|override|inline|private(?:\[\w+\])?|protected(?:\[\w+\])?)[ \t]+)*(def|class|object|trait|enum)[ \t]+([A-Za-z_]\w*)`),
		map[string]Kind{"def": Function, "class": Class, "object": Object, "trait": Trait, "enum": Enum},
	}
)

// rescue defines what stands in the parts of a broken file that have no
// tree. What it belongs to is not known: it is at top level.
func (r *treeReader) rescue(how rescue) {
	if !r.file.Broken {
		return
	}
	known := make(map[string]map[int]bool)
	for _, d := range r.file.Definitions {
		if known[d.Name] == nil {
			known[d.Name] = make(map[int]bool)
		}
		known[d.Name][d.Line] = true
	}
	for n := range r.root.Tree().Errors() {
		text := n.Text()
		line, at := n.Line(), 0
		for _, m := range how.line.FindAllStringSubmatchIndex(text, -1) {
			for ; at < m[4]; at++ {
				if text[at] == '\n' {
					line++
				}
			}
			name := text[m[4]:m[5]]
			if known[name][line] {
				continue
			}
			if known[name] == nil {
				known[name] = make(map[int]bool)
			}
			known[name][line] = true
			r.define(-1, Definition{
				Name:      name,
				Kind:      how.kinds[text[m[2]:m[3]]],
				Line:      line,
				EndLine:   line,
				Signature: signature(text[m[0]:m[1]]),
			})
		}
	}
}
