package pin

import (
	"strings"
)

// readGoMod reads go.mod and go.work: the module, the toolchain, what is
// required and what replaces it. go.sum says nothing that go.mod does not.
func readGoMod(f *file) {
	block := ""
	f.each(func(n int, text string) {
		code, comment, _ := strings.Cut(text, "//")
		words := strings.Fields(code)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		case block != "":
			f.goDirective(block, words, comment, n)
		default:
			f.goDirective(words[0], words[1:], comment, n)
		}
	})
}

func (f *file) goDirective(verb string, words []string, comment string, line int) {
	for i := range words {
		words[i] = strings.Trim(words[i], "\"`")
	}
	if len(words) == 0 {
		return
	}
	indirect := strings.HasPrefix(strings.TrimSpace(comment), "indirect")
	switch verb {
	case "module":
		f.add(Fact{Role: Declares, Kind: GoModule, Name: words[0], Line: line})
	case "go":
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: "go", Version: words[0], Line: line})
	case "toolchain":
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: "go", Version: strings.TrimPrefix(words[0], "go"), Line: line, Note: "toolchain"})
	case "require":
		if len(words) >= 2 {
			f.add(Fact{Role: Pins, Kind: GoModule, Name: words[0], Version: words[1], Line: line, Indirect: indirect})
		}
	case "replace":
		for i, w := range words {
			if w != "=>" || i+1 >= len(words) || i == 0 {
				continue
			}
			to := words[i+1]
			if strings.HasPrefix(to, ".") || strings.HasPrefix(to, "/") {
				f.add(Fact{Role: Reads, Kind: GoModule, Name: words[0], Line: line, Note: "replaced by the folder " + to})
			} else if i+2 < len(words) {
				f.add(Fact{Role: Pins, Kind: GoModule, Name: to, Version: words[i+2], Line: line, Note: "replaces " + words[0]})
			}
		}
	}
}
