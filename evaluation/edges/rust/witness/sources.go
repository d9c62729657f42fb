package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Sources are the Rust files of a checkout.
type sources struct {
	lines map[string][]string // path → lines
	impls []implementation
}

// An implementation is `impl Trait for Type`.
type implementation struct {
	file        string
	first, last int // lines
	trait, self string
}

func readSources(root string) (*sources, error) {
	s := &sources{lines: make(map[string][]string)}
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == ".git" || e.Name() == "target") {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, ".rs") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		s.lines[rel] = strings.Split(string(text), "\n")
		s.readImpls(rel)
		return nil
	})
	return s, err
}

var implHead = regexp.MustCompile(`^(\s*)(?:unsafe )?impl\b(.*)$`)

// readImpls reads the heads of the impls of a formatted file, whose ends
// stand under their beginnings.
func (s *sources) readImpls(file string) {
	lines := s.lines[file]
	for i, line := range lines {
		m := implHead.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		head, end := m[2], i
		for j := i + 1; !strings.Contains(head, "{") && j < len(lines) && j < i+20; j++ {
			head += " " + lines[j]
		}
		for end < len(lines) && lines[end] != m[1]+"}" {
			if end == i && strings.HasSuffix(line, "}") {
				break
			}
			end++
		}
		head = strings.TrimSpace(skipArguments(head))
		trait, self, ok := strings.Cut(head, " for ")
		if !ok {
			continue
		}
		self, _, _ = strings.Cut(self, "{")
		s.impls = append(s.impls, implementation{file, i + 1, end + 1, bare(trait), bare(self)})
	}
}

// skipArguments leaves out the type parameters that text begins with.
func skipArguments(text string) string {
	if !strings.HasPrefix(text, "<") {
		return text
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '<':
			depth++
		case '>':
			if text[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return text[i+1:]
			}
		}
	}
	return ""
}

// bare is the own name of a type: "Foo" of &'a mut a::Foo<T>.
func bare(typ string) string {
	typ = strings.TrimSpace(typ)
	for strings.HasPrefix(typ, "&") || strings.HasPrefix(typ, "'") || strings.HasPrefix(typ, "mut ") {
		if typ[0] == '&' {
			typ = typ[1:]
		} else if _, rest, ok := strings.Cut(typ, " "); ok {
			typ = rest
		} else {
			return ""
		}
		typ = strings.TrimSpace(typ)
	}
	typ, _, _ = strings.Cut(typ, "<")
	typ, _, _ = strings.Cut(typ, " where")
	typ = strings.TrimSpace(typ)
	return typ[strings.LastIndexByte(typ, ':')+1:]
}

// implemented finds a method in the impls of a trait for a type.
func (s *sources) implemented(trait, self, method string) []position {
	var out []position
	for _, i := range s.impls {
		if i.trait != trait || i.self != self {
			continue
		}
		if at, ok := s.find(i.file, i.first, i.last, function(method)); ok {
			out = append(out, at)
		}
	}
	return out
}

func function(name string) *regexp.Regexp {
	return regexp.MustCompile(`\bfn\s+(?:r#)?` + regexp.QuoteMeta(name) + `\b`)
}

// find is the first line of a range that matches.
func (s *sources) find(file string, first, last int, what *regexp.Regexp) (position, bool) {
	lines := s.lines[file]
	for i := max(first, 1); i <= last && i <= len(lines); i++ {
		if what.MatchString(lines[i-1]) && !strings.HasPrefix(strings.TrimSpace(lines[i-1]), "//") {
			return position{file: file, line: i}, true
		}
	}
	return position{}, false
}

// above is the nearest function of a name whose body begins at a place.
func (s *sources) above(at position, name string) (position, bool) {
	what := function(name)
	for i := at.line; i >= 1 && i > at.line-60; i-- {
		if p, ok := s.find(at.file, i, i, what); ok {
			return p, true
		}
	}
	return position{}, false
}

// item finds the only type or trait of a name in a crate's folder, the one
// whose file is named like its module where there are several.
func (s *sources) item(dir, name string, modules []string) (position, bool) {
	what := regexp.MustCompile(`\b(?:struct|enum|union|trait)\s+` + regexp.QuoteMeta(name) + `\b`)
	var found []position
	for file := range s.lines {
		if !strings.HasPrefix(file, dir) {
			continue
		}
		if p, ok := s.find(file, 1, len(s.lines[file]), what); ok {
			found = append(found, p)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	module := "/" + strings.Join(modules, "/")
	for _, p := range found {
		if strings.HasSuffix("/"+p.file, module+".rs") || strings.HasSuffix("/"+p.file, module+"/mod.rs") ||
			len(modules) == 0 && (strings.HasSuffix(p.file, "/lib.rs") || strings.HasSuffix(p.file, "/main.rs")) {
			return p, true
		}
	}
	return position{}, false
}
