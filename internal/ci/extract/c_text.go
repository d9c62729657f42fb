package extract

import (
	"bytes"
	"regexp"
)

// headerLooks finds what only C++ has, at the start of a line.
var headerLooks = regexp.MustCompile(`(?m)^[ \t]*(?:(?:inline )?namespace\b[^;=]*\{?[ \t]*$|template[ \t]*<|class[ \t]+\w[^;*()]*[{:]|class[ \t]+\w+[ \t]*;|using[ \t]+\w|(?:public|private|protected)[ \t]*:|#[ \t]*include[ \t]*<[a-z_]+>|enum[ \t]+class\b|constexpr\b|virtual\b|extern[ \t]+"C\+\+")|\b\w+::~?\w+|\bstatic_cast<|\bnoexcept\b`)

// cHeader reports whether a header with the ending .h is C++. Most headers
// that C++ can read are C, also those that open extern "C" for it; so it is
// C++ when outside of comments and of what is there for C++ alone something
// stands that C has not.
func cHeader(text []byte) bool {
	return headerLooks.Match(plainC(text))
}

// plainC is a text without comments, strings, and what stands between
// #ifdef __cplusplus and its #endif or #else; the lines stay.
func plainC(text []byte) []byte {
	out := make([]byte, 0, len(text))
	depth, hidden := 0, 0
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		switch m := cConditional.FindSubmatch(line); {
		case m == nil:
		case string(m[1]) == "endif":
			if depth == hidden {
				hidden = 0
			}
			depth = max(depth-1, 0)
		case string(m[1]) == "else" || string(m[1]) == "elif":
			if depth == hidden {
				hidden = 0
			}
		default:
			depth++
			if hidden == 0 && string(m[1]) != "ifndef" && cPlusPlusOnly.Match(m[2]) {
				hidden = depth
			}
		}
		if hidden > 0 {
			continue
		}
		for i := 0; i < len(line); i++ {
			switch {
			case line[i] == '"' && !bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")):
				if end := bytes.IndexByte(line[i+1:], '"'); end >= 0 {
					i += end + 1
				}
			case line[i] == '/' && i+1 < len(line) && line[i+1] == '/':
				i = len(line) - 1
			case line[i] == '/' && i+1 < len(line) && line[i+1] == '*':
				if end := bytes.Index(line[i+2:], []byte("*/")); end >= 0 {
					i += end + 3
					continue
				}
				if end := bytes.Index(text, []byte("*/")); end >= 0 {
					text = text[end+2:]
				} else {
					text = nil
				}
				i = len(line)
			default:
				out = append(out, line[i])
			}
		}
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
	}
	return out
}

var (
	cConditional  = regexp.MustCompile(`^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b(.*)`)
	cPlusPlusOnly = regexp.MustCompile(`^[^!]*\b__cplusplus\b`)
)

// cWord is a name in capitals, and what stands behind it.
var cWord = regexp.MustCompile(`\b[A-Z_][A-Z0-9_]{2,}\b`)

// easierC blanks macros that a grammar cannot know to be none of the
// language's words: a name in capitals before at least two more words,
// between "class" and the class's name, or called as a template's last
// parameter.
func easierC(src []byte) []byte {
	out := bytes.Clone(src)
	for _, m := range cConstraint.FindAllSubmatchIndex(src, -1) {
		blank(out[m[2]:m[3]])
	}
	for _, m := range cCondition.FindAllSubmatchIndex(src, -1) {
		blank(out[m[2]:m[3]])
	}
	classes := make(map[string]bool)
	for _, m := range cClass.FindAllSubmatch(src, -1) {
		classes[string(m[1])] = true
	}
	for _, m := range cWord.FindAllIndex(src, -1) {
		if cDirective(src, m[0]) {
			continue
		}
		rest := src[m[1]:min(m[1]+400, len(src))]
		before := bytes.TrimRight(src[max(0, m[0]-60):m[0]], " \t\r\n")
		typed := cTypeWord.Match(before)
		if args := cArguments.Find(rest); args != nil && !typed && len(args) < 200 {
			// NAME("why") void f(), or NAME(this and that) alone on its line.
			if cLineStart(src, m[0]) && (cTwoWords.Match(rest[len(args):]) || cStatement.Match(rest[len(args):])) {
				blank(out[m[0] : m[1]+len(args)])
			}
			continue
		}
		if cBracket.Match(src[m[0]:m[1]]) && cLineStart(src, m[0]) && cAlone.Match(rest) {
			blank(out[m[0]:m[1]]) // BEGIN_NAMESPACE
			continue
		}
		if name := cOnly.FindSubmatch(rest); !typed && name != nil && classes[string(name[1])] {
			blank(out[m[0]:m[1]]) // MACRO Class(…)
			continue
		}
		if typed && cClassName.Match(rest) || !typed && cTwoWords.Match(rest) {
			blank(out[m[0]:m[1]])
		}
	}
	return out
}

var (
	cBracket    = regexp.MustCompile(`BEGIN|END|OPEN|CLOSE|DECLS`)
	cAlone      = regexp.MustCompile(`^[ \t]*\r?(?:\n|$)`)
	cConstraint = regexp.MustCompile(`(,\s*[A-Z][A-Z0-9_]{2,}\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\))\s*>`)
	cCondition  = regexp.MustCompile(`\bif[ \t]+([A-Z_][A-Z0-9_]{2,})[ \t]*\(`)
	cClass      = regexp.MustCompile(`\b(?:class|struct)[ \t]+(?:[A-Z_][A-Z0-9_]+[ \t]+)?([A-Za-z_]\w*)`)
	cStatement  = regexp.MustCompile(`^[ \t]*\r?\n\s*[A-Za-z_/#}]`)
	cOnly       = regexp.MustCompile(`^\s+~?([A-Za-z_]\w*)\(`)
	cTypeWord   = regexp.MustCompile(`\b(?:class|struct|union|enum)$`)
	cClassName  = regexp.MustCompile(`^\s+\w+(?:\s+final)?\s*(?:[{:<]|$)`)
	cTwoWords   = regexp.MustCompile(`^\s+(?:[A-Za-z_][\w:]*(?:<[^;{}()]*>)?\s*[*&]*[ \t]+[*&]*[A-Za-z_~]|[A-Za-z_][\w:]*[*&]+\s*[A-Za-z_]|[A-Za-z_]\w*\s*::|(?:struct|class|enum|union|static|inline|const|void|int|char|extern|typedef|template|namespace|unsigned|auto)\b)`)
	cArguments  = regexp.MustCompile(`^[ \t]*\((?:[^()\n;{}]|\([^()\n]*\))*\)`)
)

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// cDirective reports whether an offset is on a line of the preprocessor.
func cDirective(src []byte, at int) bool {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	return bytes.HasPrefix(bytes.TrimLeft(src[start:at], " \t"), []byte("#"))
}

func cLineStart(src []byte, at int) bool {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	return len(bytes.TrimSpace(src[start:at])) == 0
}
