package extract

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
)

// jsonSettings tells a file of settings by its name: one that a person writes
// for a tool. Other JSON is data, of which the words are enough.
var jsonSettings = regexp.MustCompile(`(?i)^(?:[tj]sconfig(?:\..+)?|.+\.config|.+\.schema|\..+rc|renovate|turbo|nx|project|workspace|lerna|deno|bunfig|vercel|firebase|angular|app|apps|manifest|devcontainer|launch|tasks|settings|extensions|babel|biome|composer|now|netlify|cypress|jest|tslint|jsdoc|typedoc|web-types|appsettings(?:\..+)?|cdk|rush|openapi|swagger)\.jsonc?$`)

// A jsonReader turns the tokens of a JSON file, comments and hanging commas
// allowed, into the tree that YAML files give.
type jsonReader struct{ *lexed }

func parseJSON(c *collector) error {
	base := strings.TrimPrefix(c.variant, "json ")
	if base == c.variant && !isAPI(c.src) {
		return nil // data
	}
	r := &jsonReader{lex(c.src, lexis{comments: "//", blocks: true, texts: `"`, escapes: true, single: true, inWord: "-+."})}
	c.file.Broken = r.broken
	root, _ := r.node(0, 0)
	s := &settingsReader{collector: c, from: -1}
	switch {
	case base == "package":
		s.packageScripts(root)
	case valueAt(root, "openapi").Value != "" || valueAt(root, "swagger").Value != "":
		s.api(root)
	case valueAt(root, "definitions").Kind == yaml.MappingNode || valueAt(root, "$defs").Kind == yaml.MappingNode || valueAt(root, "$schema").Value != "" && valueAt(root, "properties").Kind == yaml.MappingNode:
		s.schemas(root)
	default:
		for k, v := range pairs(root) {
			i := s.key(-1, Key, k.Value, k, v, "")
			switch k.Value {
			case "compilerOptions", "scripts", "tasks", "pipeline", "targets":
				s.keys(i, Key, v)
			}
		}
	}
	return nil
}

// jsonVariant tells apart the files whose name says what they are.
func jsonVariant(name string) string {
	base := path.Base(name)
	switch {
	case base == "package.json":
		return "json package"
	case jsonSettings.MatchString(base):
		return "json settings"
	}
	return "json"
}

// isAPI reports a file that begins as an API's description or a schema does.
func isAPI(src []byte) bool { return jsonAPI.Match(src[:min(len(src), 512)]) }

var jsonAPI = regexp.MustCompile(`^\s*\{\s*"(?:openapi|swagger|\$schema|\$id)"\s*:`)

// maxJSON bounds how deep values stand in each other.
const maxJSON = 200

// node reads the value at token i and returns where the next thing begins.
func (r *jsonReader) node(i, depth int) (*yaml.Node, int) {
	n := &yaml.Node{Line: r.line(i)}
	switch {
	case i >= len(r.tokens):
		return n, i
	case depth >= maxJSON:
		return n, r.pair(i, len(r.tokens)) + 1
	case r.is(i, "{"):
		n.Kind = yaml.MappingNode
	case r.is(i, "["):
		n.Kind = yaml.SequenceNode
	default:
		n.Kind, n.Value = yaml.ScalarNode, r.plainText(i)
		return n, i + 1
	}
	closed := r.pair(i, len(r.tokens))
	for i++; i < closed; {
		switch {
		case r.is(i, ",", ":"):
			i++
			continue
		case n.Kind == yaml.MappingNode:
			if !r.is(i+1, ":") {
				i++
				continue
			}
			key := &yaml.Node{Kind: yaml.ScalarNode, Value: r.plainText(i), Line: r.line(i)}
			var val *yaml.Node
			val, i = r.node(i+2, depth+1)
			n.Content = append(n.Content, key, val)
		default:
			var item *yaml.Node
			item, i = r.node(i, depth+1)
			n.Content = append(n.Content, item)
		}
	}
	return n, closed + 1
}

// plainText is a token without its quotes and escapes.
func (r *jsonReader) plainText(i int) string {
	var text string
	if r.kind(i) == textToken && json.Unmarshal([]byte(r.text(i)), &text) == nil {
		return oneLine(text)
	}
	return r.bare(i)
}

// packageScripts defines the scripts and programs of a package.json. Its other
// keys are the same in every one.
func (r *settingsReader) packageScripts(root *yaml.Node) {
	r.file.Doc = firstSentence(valueAt(root, "description").Value)
	for _, part := range []string{"scripts", "bin"} {
		for k, v := range pairs(valueAt(root, part)) {
			r.key(-1, Script, k.Value, k, v, k.Value+": "+secret.MaskLine(v.Value))
			if part == "bin" {
				r.local("./"+strings.TrimPrefix(v.Value, "./"), v)
			}
		}
	}
}
