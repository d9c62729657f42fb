package wire

import (
	"encoding/json"
	"path"
	"strings"
)

// bake states what docker buildx bake pushes, by the targets of its files.
func (j *job) bake(s *shell, args []string, c call) {
	f := parseFlags(args, buildFlags)
	pushed := f.has["--push"] || strings.Contains(strings.Join(f.all("--set"), " "), "type=registry")
	j.bakes(s.dir, f.all("-f", "--file"), pushed, s.variable, c.at, c.sure)
	for _, set := range f.all("--set") {
		if _, tags, ok := strings.Cut(set, ".tags="); ok {
			j.builds(tags, pushed, c.at, c.sure)
		}
	}
}

// bakeFiles are those that bake looks for.
var bakeFiles = []string{"docker-bake.hcl", "docker-bake.json", "docker-bake.override.hcl"}

func isBake(name string) bool { return strings.HasPrefix(path.Base(name), "docker-bake") }

func (j *job) bakes(dir string, names []string, pushed bool, variable func(string) []string, line, sure int) {
	if len(names) == 0 {
		names = bakeFiles
	}
	found := false
	for _, name := range names {
		file := j.fileAt(path.Join(dir, name))
		if file == nil {
			continue
		}
		found = true
		for _, t := range bakeTags(file.data, variable) {
			j.builds(t, pushed, line, min(sure, 95))
		}
	}
	if !found && pushed {
		j.emit(fact{role: unresolved, kind: "file", name: shown(strings.Join(names, " ")), more: "it says which images are baked, and is not in the workspace"}, line, 100)
	}
}

// bakeTags are the tags in a bake file, HCL or JSON, with its variables put
// in: those of the environment before their defaults.
func bakeTags(data []byte, variable func(string) []string) (tags []string) {
	var doc struct {
		Target map[string]struct {
			Tags []string `json:"tags"`
		} `json:"target"`
	}
	if json.Unmarshal(data, &doc) == nil {
		for _, t := range doc.Target {
			tags = append(tags, t.Tags...)
		}
		return union(tags)
	}
	defaults := map[string]string{}
	toks := hclTokens(string(data))
	name := ""
	for i := 0; i < len(toks); i++ {
		switch t := toks[i]; {
		case t == "variable" && i+1 < len(toks):
			name = strings.Trim(toks[i+1], `"`)
		case t == "default" && i+2 < len(toks) && toks[i+1] == "=" && strings.HasPrefix(toks[i+2], `"`):
			defaults[name] = strings.Trim(toks[i+2], `"`)
		case t == "tags" && i+2 < len(toks) && toks[i+1] == "=":
			depth := 0
			for i += 2; i < len(toks); i++ {
				switch tok := toks[i]; {
				case tok == "[" || tok == "(":
					depth++
				case tok == "]" || tok == ")":
					depth--
				case strings.HasPrefix(tok, `"`):
					if text := strings.Trim(tok, `"`); strings.ContainsAny(text, "/:") {
						tags = append(tags, interpolated(text, defaults, variable))
					}
				}
				if depth == 0 {
					break
				}
			}
		}
	}
	return union(tags)
}

// interpolated puts variables at ${…} of a text.
func interpolated(text string, defaults map[string]string, variable func(string) []string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		expr, after, _ := strings.Cut(rest, "}")
		name := strings.TrimSpace(expr)
		values := variable(name)
		d, has := defaults[name]
		switch {
		case len(values) > 0 && known(values[0]):
			b.WriteString(values[0])
		case has && d != "":
			b.WriteString(d)
		default:
			b.WriteString(unknown(lastName(name)))
		}
		text = after
	}
}

// hclTokens cuts HCL into names, texts in quotes and signs. Comments go.
func hclTokens(text string) (toks []string) {
	const most = 100_000
	for i := 0; i < len(text) && len(toks) < most; {
		switch c := text[i]; {
		case c == '#' || strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return toks
			}
			i += end
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return toks
			}
			i += end + 4
		case c == '"':
			end, depth := i+1, 0
			for ; end < len(text) && text[end] != '\n' && (text[end] != '"' || depth > 0); end++ {
				switch {
				case text[end] == '\\':
					end++
				case strings.HasPrefix(text[end:], "${"):
					depth++
				case text[end] == '}' && depth > 0:
					depth--
				}
			}
			end = min(end+1, len(text))
			toks = append(toks, strings.TrimRight(text[i:end], "\n"))
			i = end
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			end := i
			for end < len(text) && (text[end] == '_' || text[end] == '-' || text[end] >= '0' && text[end] <= '9' || text[end] >= 'a' && text[end] <= 'z' || text[end] >= 'A' && text[end] <= 'Z') {
				end++
			}
			toks = append(toks, text[i:end])
			i = end
		default:
			if c > ' ' {
				toks = append(toks, string(c))
			}
			i++
		}
	}
	return toks
}
