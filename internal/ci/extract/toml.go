package extract

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
)

// A tomlReader finds the tables of a TOML file, the keys before the first of
// them, and the keys of tables that name things to run.
type tomlReader struct {
	*lineReader
	table  int    // the table that is being read, or -1
	listed bool   // its keys are definitions
	text   string // the quotes of the text of several lines that is being read
	depth  int    // brackets of a value that are open
}

func parseTOML(c *collector) error {
	r := &tomlReader{lineReader: newLineReader(c), table: -1, listed: true}
	for l := range r.logical(0) {
		r.line(l)
	}
	if r.text != "" || r.depth > 0 {
		c.file.Broken = true
	}
	return nil
}

// tomlTables are tables whose keys people ask for: they name things to run.
var tomlTables = names(`scripts gui_scripts scripts-tasks tasks task features aliases alias plugins env`)

func (r *tomlReader) line(l logicalLine) {
	if r.text != "" || r.depth > 0 {
		r.value(l.text)
		return
	}
	text := strings.TrimSpace(l.text)
	if strings.HasPrefix(text, "[") {
		name := strings.Trim(text, "[")
		if i := strings.LastIndexByte(name, ']'); i >= 0 {
			name = name[:i]
		} else {
			r.file.Broken = true
		}
		name = strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(strings.Trim(name, "]")), `"`, ""), `'`, "")
		r.table = r.add(-1, name, l, text)
		_, last := cutLast(name)
		r.listed = tomlTables[last]
		return
	}
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		r.file.Broken = true
		return
	}
	if key = strings.Trim(strings.TrimSpace(key), `"'`); r.listed && key != "" {
		r.add(r.table, key, l, secret.MaskLine(key+" = "+strings.TrimSpace(value)))
	}
	r.value(value)
}

// add defines a table or key; an entry of an array of tables, the first time
// only.
func (r *tomlReader) add(parent int, name string, l logicalLine, sig string) int {
	if old, ok := r.find(parent, name); ok {
		return old
	}
	if name == "" {
		return parent
	}
	if len(r.file.Definitions) >= maxSettings {
		r.file.Cut++
		return parent
	}
	return r.declare(parent, Key, name, l, sig)
}

// value passes a value, which may go on in the next lines.
func (r *tomlReader) value(s string) {
	for len(s) > 0 {
		if r.text != "" {
			i := strings.Index(s, r.text)
			if i < 0 {
				return
			}
			s = s[i+3:]
			r.text = ""
			continue
		}
		switch c := s[0]; c {
		case '#':
			return
		case '"', '\'':
			if strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, `'''`) {
				r.text, s = s[:3], s[3:]
				continue
			}
			end := 1
			for end < len(s) && s[end] != c {
				if c == '"' && s[end] == '\\' {
					end++
				}
				end++
			}
			s = s[min(end, len(s)):]
			if s == "" {
				r.file.Broken = true
				return
			}
		case '[', '{':
			r.depth++
		case ']', '}':
			r.depth = max(0, r.depth-1)
		}
		s = s[1:]
	}
}
