package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
)

// A tag is a definition that ctags finds.
type tag struct {
	Repo      string `json:"repo"`
	Lang      string `json:"lang"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Scope     string `json:"scope,omitempty"`
	ScopeKind string `json:"scopeKind,omitempty"`
	Pattern   string `json:"pattern,omitempty"` // the line, as /^…$/
	Type      string `json:"_type,omitempty"`
}

// kinds says for each language what ctags calls it and which of its kinds are
// definitions here. What is local to a function, a parameter, an import, the
// clause that names a file's package and a block without a name of its own
// (Rust's impl) are none.
var kinds = map[string]struct{ language, kinds string }{
	"c":          {"C", "macro enumerator function enum member struct typedef union variable"},
	"cpp":        {"C++", "class macro enumerator function enum member namespace struct typedef union variable"},
	"csharp":     {"C#", "event class enumerator field enum interface method property struct typedef"},
	"css":        {"CSS", "class id"},
	"elixir":     {"Elixir", "macro callback delegate function guard module protocol type"},
	"go":         {"Go", "talias const func interface member methodSpec struct type var"},
	"html":       {"HTML", "id"},
	"java":       {"Java", "annotation class enumConstant field enum interface method"},
	"javascript": {"JavaScript", "getter setter class function generator method"},
	"kotlin":     {"Kotlin", "typealias class interface method object"},
	"lua":        {"Lua", "function"},
	"make":       {"Make", "target"},
	"ocaml":      {"OCaml", "Constructor module class Exception method RecordField type"},
	"php":        {"PHP", "class define function interface trait"},
	"protobuf":   {"Protobuf", "enumerator field enum message rpc service"},
	"python":     {"Python", "class function member variable"},
	"ruby":       {"Ruby", "accessor constant singletonMethod alias class method module"},
	"rust":       {"Rust", "macro method enumerator function enum interface field module struct typedef variable"},
	"scss":       {"SCSS", "placeholder class function id mixin variable"},
	"shell":      {"Sh", "alias function"},
	"sql":        {"SQL", "trigger view function index procedure table"},
	"typescript": {"TypeScript", "generator alias class enumerator function enum interface method namespace property"},
}

// functions are the kinds whose inside is local.
const functions = " function method func singletonMethod getter setter generator subroutine "

// readTags asks ctags for the definitions in the files of one language.
func readTags(ctx context.Context, dir, lang string, units []resolve.Unit) ([]tag, error) {
	known, ok := kinds[lang]
	if !ok {
		return nil, nil
	}
	var paths strings.Builder
	for _, u := range units {
		if !strings.ContainsAny(u.Path, "\n\r") {
			paths.WriteString(u.Path + "\n")
		}
	}
	cmd := exec.CommandContext(ctx, "ctags", "--options=NONE", "--quiet", "--output-format=json", "--fields=+nKsZ", "--extras=-{anonymous}",
		"--language-force="+known.language, "-f", "-", "-L", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(paths.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags of %s: %w: %.300s", lang, err, stderr.String())
	}
	var tags []tag
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var t tag
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			continue // ctags writes bytes that are no UTF-8 as they are
		}
		if t.Type == "tag" && strings.Contains(" "+known.kinds+" ", " "+t.Kind+" ") && defines(lang, t) {
			tags = append(tags, t)
		}
	}
	return tags, lines.Err()
}

// defines reports whether a tag is a definition in our sense. The exceptions
// are about what ctags tells beside definitions; where it takes something for
// a definition that is none in any sense, such as an example in a comment, it
// stays in the count and costs a share.
func defines(lang string, t tag) bool {
	line := strings.TrimSuffix(strings.TrimPrefix(t.Pattern, "/^"), "$/")
	if t.Name == "" || strings.HasPrefix(strings.ToLower(t.Name), "anonymousfunction") || strings.HasPrefix(t.Name, "__anon") {
		return false
	}
	// A variable or member of a function is local.
	if strings.Contains(functions, " "+t.ScopeKind+" ") && !strings.Contains(functions+"class", t.Kind) {
		return false
	}
	switch lang {
	case "c", "cpp":
		guard := strings.TrimRight(t.Name, "_")
		return t.Kind != "macro" || !strings.HasSuffix(guard, "_H") && !strings.HasSuffix(guard, "_HPP") // what guards a header
	case "css", "html":
		return !strings.ContainsAny(strings.TrimLeft(t.Name, "#."), " :.#>[,") // a whole selector, whose parts are told too
	case "javascript":
		return t.Kind != "class" || strings.Contains(line, "class") // a literal
	case "kotlin":
		return !strings.HasPrefix(t.Name, "<") && (t.Kind != "method" || strings.Contains(line, "fun ")) // a lambda, or what one is given
	case "lua":
		return strings.TrimLeft(line, " \t") == line || !strings.Contains(line, "local ") // local to a function
	case "make":
		return !strings.Contains(t.Name, "$(") // a name that is computed
	case "rust":
		return t.Kind != "module" || !strings.HasSuffix(strings.TrimSpace(line), ";") // the definition is another file
	case "shell":
		return !strings.HasSuffix(t.Name, "=") // an array
	}
	return true
}

// A finder knows what the builder found: path → name → definitions.
type finder map[string]map[string][]extract.Definition

func newFinder(units []resolve.Unit) finder {
	f := make(finder)
	for _, u := range units {
		names := make(map[string][]extract.Definition)
		for _, d := range u.File.Definitions {
			names[plainName(d.Name)] = append(names[plainName(d.Name)], d)
		}
		f[u.Path] = names
	}
	return f
}

// has reports whether the builder has a definition of t's name within three
// lines of t's (some tell the line of the keyword, some that of the name), or
// in what holds t: clauses, overloads and branches of one definition are told
// once.
func (f finder) has(t tag) bool {
	for _, d := range f[t.Path][plainName(t.Name)] {
		if d.Line-t.Line <= 3 && t.Line-d.Line <= 3 || t.Scope == "" && d.Container == "" || t.Scope != "" && plainName(t.Scope) == plainName(d.Container) {
			return true
		}
		if t.Lang == "elixir" || t.Kind == "typedef" {
			return true // ctags takes a module in an example for the scope; a typedef of a struct has its name
		}
	}
	return false
}

// plainName takes away what only one of the two writes: the mark of a
// selector or private member, quotes, the path before a name, spaces.
func plainName(name string) string {
	name = strings.Join(strings.Fields(name), "")
	name = strings.Trim(name, "`'\"")
	name = strings.TrimLeft(name, "#.%@$")
	if i := strings.LastIndexAny(name, ".:"); i >= 0 && i+1 < len(name) {
		name = name[i+1:]
	}
	return strings.TrimRight(name, "=")
}
