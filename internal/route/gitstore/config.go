package gitstore

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
)

// A Setting is one line of a git configuration.
type Setting struct {
	Key   string // "section.sub.name"; section and name in lower case
	Value string
}

// A Config is a git configuration in the order in which git reads it: of
// several lines for one key the last one counts.
type Config []Setting

// Get returns the last value of key, or "".
func (c Config) Get(key string) string {
	value := ""
	for _, s := range c {
		if s.Key == key {
			value = s.Value
		}
	}
	return value
}

// A Remote is a configured remote repository.
type Remote struct{ Name, URL string }

// Remotes returns the remotes that have a URL, in the order in which they
// stand; of several URLs the first, as git fetches from it.
func (c Config) Remotes() []Remote {
	var remotes []Remote
	seen := map[string]bool{}
	for _, s := range c {
		name, ok := strings.CutPrefix(s.Key, "remote.")
		if name, ok = cutSuffix(name, ".url", ok); !ok || seen[name] || s.Value == "" {
			continue
		}
		seen[name] = true
		remotes = append(remotes, Remote{name, s.Value})
	}
	return remotes
}

func cutSuffix(s, suffix string, ok bool) (string, bool) {
	rest, found := strings.CutSuffix(s, suffix)
	return rest, ok && found
}

// Config asks git for the settings that concern us, mostly finding the umbrella:
// everything it reads, includes and the environment among it.
func (g Git) Config(ctx context.Context) (Config, error) {
	out, err := g.Output(ctx, "config", "--null", "--get-regexp", `^(remote\..*\.url|branch\..*\.remote|marola\..*|core\.sshcommand|filter\..*)$`)
	if exit, ok := err.(*ExitError); ok && exit.Code == 1 {
		return nil, nil // no such setting
	}
	if err != nil {
		return nil, err
	}
	var c Config
	for item := range bytes.SplitSeq(out, []byte{0}) {
		if len(item) > 0 {
			key, value, _ := strings.Cut(string(item), "\n")
			c = append(c, Setting{key, value})
		}
	}
	return c, nil
}

// FileConfig reads the repository's own configuration file without git. It
// is a hint, not the truth: includes, the person's settings and conditions
// are not seen.
func (p Place) FileConfig() Config { return configFile(filepath.Join(p.CommonDir, "config")) }

// Modules reads .gitmodules at the checkout's root: the path of each
// submodule, in the order of the file.
func (p Place) Modules() []string {
	if p.Top == "" {
		return nil
	}
	var paths []string
	for _, s := range configFile(filepath.Join(p.Top, ".gitmodules")) {
		if strings.HasPrefix(s.Key, "submodule.") && strings.HasSuffix(s.Key, ".path") && filepath.IsLocal(filepath.FromSlash(s.Value)) {
			paths = append(paths, s.Value)
		}
	}
	return paths
}

func configFile(path string) Config {
	data, err := readSmall(path, 1<<20)
	if err != nil {
		return nil
	}
	return ParseConfig(data)
}

// ParseConfig reads the text of a git configuration file as far as it can be
// read; a line that makes no sense is passed over.
func ParseConfig(data []byte) Config {
	var c Config
	section := ""
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\\\n", "") // a backslash at the end joins lines
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok {
			if section, line, ok = parseSection(rest); !ok {
				continue
			}
			line = strings.TrimSpace(line)
		}
		if line == "" || line[0] == '#' || line[0] == ';' || section == "" {
			continue
		}
		name, value, hasValue := strings.Cut(line, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if !hasValue {
			value = "true"
		}
		c = append(c, Setting{section + "." + name, parseValue(strings.TrimSpace(value))})
	}
	return c
}

// parseSection reads `remote "origin"] rest` and gives "remote.origin".
func parseSection(s string) (section, rest string, ok bool) {
	name := s
	if i := strings.IndexAny(s, `]"`); i < 0 {
		return "", "", false
	} else if name = s[:i]; s[i] == ']' {
		return strings.ToLower(strings.TrimSpace(name)), s[i+1:], true
	} else {
		s = s[i+1:]
	}
	sub, rest, ok := unquote(s)
	if !ok || !strings.HasPrefix(rest, "]") {
		return "", "", false
	}
	return strings.ToLower(strings.TrimSpace(name)) + "." + sub, rest[1:], true
}

// unquote reads up to the closing quotation mark.
func unquote(s string) (text, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}

// parseValue takes away quotation marks, escapes and a comment.
func parseValue(s string) string {
	var b strings.Builder
	quoted, end := false, 0
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"':
			quoted = !quoted
			end = b.Len()
			continue
		case ch == '\\' && i+1 < len(s):
			i++
			b.WriteByte(escapes(s[i]))
			end = b.Len()
			continue
		case !quoted && (ch == '#' || ch == ';'):
			return b.String()[:end]
		default:
			b.WriteByte(ch)
			if quoted || ch != ' ' && ch != '\t' {
				end = b.Len()
			}
		}
	}
	return b.String()[:end]
}

func escapes(ch byte) byte {
	switch ch {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	}
	return ch
}
