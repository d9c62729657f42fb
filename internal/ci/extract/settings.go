package extract

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// A settingsReader finds the structure of YAML and JSON files: what well-known
// files are made of, such as jobs and their steps, and the top-level keys of
// any other.
type settingsReader struct {
	*collector
	from int
}

// maxSettings is how many definitions one file of settings may have. Past it
// comes a table of data; its words are found all the same.
const maxSettings = 300

// key defines what a key and its value are.
func (r *settingsReader) key(parent int, kind Kind, name string, key, val *yaml.Node, sig string) int {
	name = oneLine(validText(name))
	if name == "" {
		return parent
	}
	if len(r.file.Definitions) >= maxSettings {
		r.file.Cut++
		return parent
	}
	if sig == "" {
		sig = name
	}
	return r.define(parent, Definition{
		Name: name, Kind: kind, Line: max(key.Line, 1), EndLine: lastLine(val), Signature: signature(validText(sig)),
		Doc: settingsDoc(key), Exported: true,
	})
}

// settingsDoc is the first sentence of the comment above a key.
func settingsDoc(key *yaml.Node) string {
	text := key.HeadComment
	if i := strings.LastIndex(text, "\n\n"); i >= 0 {
		text = text[i+2:]
	}
	if text = validText(uncomment(text)); legal(text) {
		return ""
	}
	return firstSentence(text)
}

// lastLine is where a value ends, as far as its nodes tell.
func lastLine(n *yaml.Node) int {
	for n.Kind != yaml.ScalarNode && len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	line := n.Line
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		line += strings.Count(strings.TrimRight(n.Value, "\n"), "\n") + 1
	}
	return line
}

// pairs yields the keys of a mapping with their values.
func pairs(n *yaml.Node) func(yield func(key, val *yaml.Node) bool) {
	return func(yield func(key, val *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Kind == yaml.ScalarNode && !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// value is what a mapping has under a name, or an empty node.
func valueAt(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		var found *yaml.Node
		for k, v := range pairs(n) {
			if k.Value == name {
				found = v
				break
			}
		}
		if n = found; n == nil {
			return &yaml.Node{}
		}
	}
	return n
}

func (r *settingsReader) mention(rel, name, qualifier string, at *yaml.Node) {
	r.refer(Reference{From: r.from, Relation: rel, Name: oneLine(validText(name)), Qualifier: oneLine(validText(qualifier)), Line: max(at.Line, 1)})
}

func (r *settingsReader) local(path string, at *yaml.Node) {
	if strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || strings.HasPrefix(path, "/") {
		r.bring(Import{Path: oneLine(validText(path)), Line: max(at.Line, 1)})
	}
}

func (r *settingsReader) within(i int, read func()) {
	outer := r.from
	r.from = i
	read()
	r.from = outer
}

// document reads one document by what it is.
func (r *settingsReader) document(root *yaml.Node) {
	switch {
	case isWorkflow(root):
		r.workflow(root)
	case valueAt(root, "runs", "using").Value != "":
		r.action(root)
	case valueAt(root, "apiVersion").Value != "" && valueAt(root, "kind").Value != "":
		r.manifest(root)
	case valueAt(root, "openapi").Value != "" || valueAt(root, "swagger").Value != "":
		r.api(root)
	case valueAt(root, "services").Kind == yaml.MappingNode && isCompose(root):
		r.compose(root)
	case isPipeline(root):
		r.pipeline(root)
	case root.Kind == yaml.SequenceNode:
		r.tasks(-1, root)
	default:
		for k, v := range pairs(root) {
			r.key(-1, Key, k.Value, k, v, "")
		}
	}
}

// keys defines the keys below a key.
func (r *settingsReader) keys(parent int, kind Kind, n *yaml.Node) {
	for k, v := range pairs(n) {
		r.key(parent, kind, k.Value, k, v, "")
	}
}
