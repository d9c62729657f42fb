package extract

import (
	"bytes"
	"path"
	"strings"
)

// A language is one that Parse reads.
type language struct {
	name     string
	endings  string // of file names, with spaces between
	files    string // whole names of files that have no ending of these, with spaces between
	programs string // of "#!" lines, without a version, with spaces between
	parse    func(*collector) error
}

// languages holds every language, in the order of their names.
var languages = []language{
	{"c", ".c .h", "", "", parseC},
	{"cpp", ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .inl .ipp .tpp .cppm .ixx", "", "", parseCPP},
	{"csharp", ".cs .csx", "", "", parseCSharp},
	{"css", ".css", "", "", parseCSS},
	{"dockerfile", ".dockerfile", "Dockerfile dockerfile Containerfile", "", parseDocker},
	{"elixir", ".ex .exs", "", "elixir", parseElixir},
	{"go", ".go", "", "", parseGo},
	{"groovy", ".groovy .gradle .gvy .gsh .jenkinsfile", "Jenkinsfile", "groovy", parseGroovy},
	{"hcl", ".tf .tofu .tfvars .hcl .nomad", "", "", parseHCL},
	{"html", ".html .htm", "", "", parseHTML},
	{"java", ".java", "", "", parseJava},
	{"javascript", ".js .jsx .mjs .cjs", "", "node nodejs", parseJavaScript},
	{"json", ".json .jsonc", ".babelrc .eslintrc", "", parseJSON},
	{"just", ".just", "justfile Justfile .justfile", "just", parseJust},
	{"kotlin", ".kt .kts", "", "kotlin", parseKotlin},
	{"less", ".less", "", "", parseCSS},
	{"lua", ".lua .rockspec", "", "lua luajit texlua", parseLua},
	{"make", ".mk .mak", "Makefile makefile GNUmakefile BSDmakefile", "make", parseMake},
	{"nix", ".nix", "", "", parseNix},
	{"ocaml", ".ml .mli", "", "ocaml", parseOCaml},
	{"php", ".php .phtml", "", "php", parsePHP},
	{"protobuf", ".proto", "", "", parseProto},
	{"python", ".py .pyi .pyw", "", "python", parsePython},
	{"ruby", ".rb .rake .gemspec .ru .podspec", "Rakefile Gemfile Guardfile Capfile Brewfile Podfile Fastfile Vagrantfile", "ruby rake", parseRuby},
	{"rust", ".rs", "", "", parseRust},
	{"scala", ".scala .sc .sbt", "", "scala", parseScala},
	{"scss", ".scss", "", "", parseCSS},
	{"shell", ".sh .bash .zsh .ksh .bats", "", "sh bash dash ksh zsh bats", parseShell},
	{"sql", ".sql .ddl .psql", "", "", parseSQL},
	{"svelte", ".svelte", "", "", parseComponent},
	{"swift", ".swift", "", "swift", parseSwift},
	{"toml", ".toml", "Pipfile", "", parseTOML},
	{"typescript", ".ts .tsx .mts .cts", "", "", parseTypeScript},
	{"vue", ".vue", "", "", parseComponent},
	{"yaml", ".yaml .yml", ".prettierrc .clang-format .yamllint", "", parseYAML},
}

var (
	endings      = byWord(func(l language) string { return l.endings })
	wholeNames   = byWord(func(l language) string { return l.files })
	interpreters = byWord(func(l language) string { return l.programs })
	parsers      = byWord(func(l language) string { return l.name })
)

// byWord finds a language by one of its words.
func byWord(words func(language) string) map[string]language {
	found := make(map[string]language)
	for _, l := range languages {
		for _, w := range strings.Fields(words(l)) {
			found[w] = l
		}
	}
	return found
}

// Language names the language of a file, or "" when Parse does not read it.
// The name's ending decides; a file without one is judged by the "#!" line
// at the start of head, of which 256 bytes are enough; a header that can be C
// or C++ is C unless head, here the whole file, has what C has not.
func Language(name string, head []byte) string {
	base := path.Base(name)
	if lang, ok := wholeNames[base]; ok {
		return lang.name
	}
	ext := strings.ToLower(path.Ext(base))
	if lang, ok := endings[ext]; ok && base != ext {
		if ext == ".h" && cHeader(head) {
			return "cpp"
		}
		return lang.name
	}
	if stem, _, _ := strings.Cut(base, "."); stem == "Dockerfile" || stem == "Containerfile" || stem == "Makefile" {
		return wholeNames[stem].name // Dockerfile.alpine, Makefile.am
	}
	if ext != "" {
		return ""
	}
	return interpreters[interpreter(head)].name
}

// interpreter returns the bare name of the program in a "#!" line: "python"
// for "#!/usr/bin/env -S python3.12 -u".
func interpreter(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if len(line) > 256 {
		line = line[:256]
	}
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return ""
	}
	prog := path.Base(words[0])
	if prog == "env" {
		prog = ""
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
				continue
			}
			prog = path.Base(w)
			break
		}
	}
	return strings.TrimRight(prog, "0123456789.")
}

// Variant names everything of a path that Parse's result depends on beside
// the bytes, so that a cache can be keyed by blob id and variant: two paths
// of one variant with the same bytes give the same File. Without head it is
// the same for all of a path's contents.
func Variant(name string, head []byte) string {
	lang := Language(name, head)
	base := strings.ToLower(path.Base(name))
	switch lang {
	case "c", "cpp":
		if ext := path.Ext(base); strings.HasPrefix(ext, ".h") || strings.HasPrefix(ext, ".i") || ext == ".tpp" {
			return lang + " header"
		}
	case "go":
		if strings.HasSuffix(base, "_test.go") {
			return "go test"
		}
	case "typescript":
		switch {
		case declarationFile(base):
			return "typescript declarations"
		case strings.HasSuffix(base, ".tsx"):
			return "typescript jsx"
		}
	case "scala":
		if !strings.HasSuffix(base, ".scala") {
			return "scala script"
		}
	case "shell":
		switch path.Ext(base) {
		case ".bats":
			return "shell bats"
		case ".zsh":
			return "shell zsh"
		}
	case "groovy":
		if strings.HasSuffix(base, ".gradle") {
			return "groovy gradle"
		}
	case "ocaml":
		if strings.HasSuffix(base, ".mli") {
			return "ocaml interface"
		}
	case "ruby":
		if base == "rakefile" || strings.HasSuffix(base, ".rake") {
			return "ruby rake"
		}
	case "vue", "svelte":
		return lang + " " + componentName(name)
	case "json":
		return jsonVariant(name)
	case "python":
		if base == "__main__.py" {
			return "python main"
		}
	}
	return lang
}

func declarationFile(base string) bool {
	return strings.HasSuffix(base, ".d.ts") || strings.HasSuffix(base, ".d.mts") || strings.HasSuffix(base, ".d.cts")
}
