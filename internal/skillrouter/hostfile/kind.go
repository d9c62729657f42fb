package hostfile

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/tomlplace"
)

// A Kind is the grammar of a file.
type Kind string

// The kinds. JSON may have comments.
const (
	Text Kind = ""
	JSON Kind = "json"
	TOML Kind = "toml"
	YAML Kind = "yaml"
)

// revert takes what leads from before to after out of a text that somebody
// edited since.
func (k Kind) revert(text, after, before []byte) ([]byte, error) {
	none := func(string, string) bool { return false }
	lines := func(holds func(line, next string) bool) []byte {
		return []byte(revertLines(string(text), string(after), string(before), holds))
	}
	switch k {
	case JSON:
		if before == nil {
			before = []byte("{}")
		}
		return jsonplace.Revert(text, after, before)
	case TOML:
		out := lines(func(line, next string) bool { return header(line) && !header(next) })
		return out, merged(tomlplace.Check(text), tomlplace.Check(out))
	case YAML:
		out := lines(func(line, next string) bool { return indent(next) > indent(line) })
		return out, merged(checkYAML(text), checkYAML(out))
	}
	return lines(none), nil
}

func header(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "[") }

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func checkYAML(text []byte) error {
	var any yaml.Node
	return yaml.Unmarshal(text, &any)
}

// merged is the error of a merge: that of the text, or that of what came out.
func merged(now, out error) error {
	if now == nil && out != nil {
		return fmt.Errorf("it was edited where setup wrote, and cannot be merged (%w); take mega-tron's lines out by hand", out)
	}
	return now
}
