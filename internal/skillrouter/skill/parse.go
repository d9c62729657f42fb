package skill

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// Bounds on what a frontmatter may say of a skill, in bytes.
const (
	maxFrontmatter = 64 << 10
	maxName        = 200
	maxContext     = 2000
)

// A Front is a SKILL.md cut in two: what its frontmatter says, and the body.
type Front struct {
	Name        string // "" when the frontmatter has none
	Description string
	Meta        Meta
	More        map[string]any
	Body        string
}

// Parse reads a SKILL.md. A byte order mark, CRLF and single invalid bytes are
// accepted, for editors write them; the error says what is missing in words
// that stand behind a file name.
func Parse(data []byte) (Front, error) {
	text := normalise(data)
	block, body, err := split(text)
	if err != nil {
		return Front{}, err
	}
	if len(block) > maxFrontmatter {
		return Front{}, fmt.Errorf("its frontmatter has %d bytes; at most %d are read", len(block), maxFrontmatter)
	}
	fields, err := decode(block)
	if err != nil {
		return Front{}, err
	}
	f := Front{Body: body, More: map[string]any{}}
	for key, value := range fields {
		switch key {
		case "name":
			f.Name = collapse(textOf(value))
		case "description":
			f.Description = collapse(textOf(value))
		case "mega_meta":
			f.Meta = readMeta(value)
		default:
			f.More[key] = value
		}
	}
	if f.Meta.Status == "" {
		f.Meta.Status = Active
	}
	switch {
	case f.Description == "":
		return Front{}, errors.New("its frontmatter has no description")
	case len(f.Name) > maxName:
		return Front{}, fmt.Errorf("its name has %d bytes; at most %d are read", len(f.Name), maxName)
	}
	return f, nil
}

func normalise(data []byte) string {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	text := strings.ToValidUTF8(string(data), "\uFFFD")
	if strings.Contains(text, "\r") {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	return text
}

// split cuts a text at the lines of three dashes.
func split(text string) (block, body string, err error) {
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return "", "", errors.New("it does not begin with a line ---, so it has no frontmatter")
	}
	for at := 0; at <= len(rest); {
		line, _, more := strings.Cut(rest[at:], "\n")
		if end := strings.TrimRight(line, " \t"); end == "---" || end == "..." {
			return rest[:at], rest[min(len(rest), at+len(line)+1):], nil
		}
		if !more {
			break
		}
		at += len(line) + 1
	}
	return "", "", errors.New("its frontmatter has no closing line ---")
}

// decode reads the frontmatter. Many are written by hand as "key: text", with
// a colon in the text that YAML takes for a key: those are read line by line.
func decode(block string) (map[string]any, error) {
	var node yaml.Node
	err := yaml.Unmarshal([]byte(block), &node)
	if err == nil {
		err = bounded(&node)
		if err != nil {
			return nil, err
		}
		if len(node.Content) == 0 {
			return nil, errors.New("its frontmatter is empty")
		}
		if node.Content[0].Kind != yaml.MappingNode {
			return nil, errors.New("its frontmatter is no mapping of keys to values")
		}
		fields := map[string]any{}
		if err = node.Decode(&fields); err == nil {
			return fields, nil
		}
	}
	if fields := plainLines(block); fields["description"] != nil {
		return fields, nil
	}
	return nil, fmt.Errorf("its frontmatter is not YAML: %s", strings.TrimPrefix(firstLine(err.Error()), "yaml: "))
}

func firstLine(s string) string { s, _, _ = strings.Cut(s, "\n"); return s }

// bounded refuses aliases: none is needed to name and describe a skill, and a
// few of them, nested, make a small file a large value.
func bounded(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		return errors.New("its frontmatter uses a YAML alias, which is not followed")
	}
	for _, c := range n.Content {
		if err := bounded(c); err != nil {
			return err
		}
	}
	return nil
}

// plainLines reads lines "key: text" with their continuations, and nothing
// that is nested.
func plainLines(block string) map[string]any {
	fields := map[string]any{}
	last := ""
	for line := range strings.SplitSeq(block, "\n") {
		if last != "" && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) {
			fields[last] = fields[last].(string) + " " + strings.TrimSpace(line)
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if last = ""; !ok || key == "" || strings.TrimFunc(key, isKey) != "" || fields[key] != nil {
			continue
		}
		last = key
		value = strings.TrimSpace(value)
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		fields[key] = strings.TrimLeft(value, "|>")
	}
	return fields
}

func isKey(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// textOf is a scalar as text, or a list of scalars joined.
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		var parts []string
		for _, x := range v {
			if s := textOf(x); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, " ")
	case map[string]any, map[any]any:
		return ""
	}
	return fmt.Sprint(v)
}

// collapse brings a text to one line, with single spaces and without what
// hides or reorders it.
func collapse(s string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(clean), " ")
}

func readMeta(v any) (m Meta) {
	fields, ok := v.(map[string]any)
	if !ok {
		return m
	}
	m.Helpful, m.Harmful = count(fields["helpful_count"]), count(fields["harmful_count"])
	m.ConsecutiveHarmful = count(fields["consecutive_harmful"])
	m.HelpfulContexts, m.HarmfulContexts = contexts(fields["helpful_contexts"]), contexts(fields["harmful_contexts"])
	switch s := Status(strings.ToLower(textOf(fields["status"]))); s {
	case Active, Suspect, Archived:
		m.Status = s
	}
	return m
}

// maxCount bounds a count that somebody wrote into a file.
const maxCount = 1 << 30

func count(v any) int {
	n, ok := v.(int)
	if !ok || n < 0 {
		return 0
	}
	return min(n, maxCount)
}

func contexts(v any) (list []string) {
	items, _ := v.([]any)
	for _, x := range items {
		s := collapse(textOf(x))
		if len(s) > maxContext {
			s = strings.ToValidUTF8(s[:maxContext], "")
		}
		if s != "" {
			list = append(list, s)
		}
	}
	return list[max(0, len(list)-MaxContexts):]
}
