package extract

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// apiMethods are the calls that a path of an API may have.
var apiMethods = names(`get put post delete options head patch trace query`)

// api defines the paths, calls and schemas of an OpenAPI description.
func (r *settingsReader) api(root *yaml.Node) {
	r.file.Doc = firstSentence(validText(valueAt(root, "info", "title").Value))
	for path, item := range pairs(valueAt(root, "paths")) {
		i := r.key(-1, Endpoint, path.Value, path, item, "")
		for method, call := range pairs(item) {
			if !apiMethods[method.Value] {
				continue
			}
			sig := strings.ToUpper(method.Value) + " " + path.Value
			name := valueAt(call, "operationId").Value
			if name == "" {
				name = strings.ToUpper(method.Value)
			}
			o := r.key(i, Method, name, method, call, sig)
			if o < 0 || o == i {
				continue
			}
			if doc := valueAt(call, "summary").Value; doc != "" {
				r.file.Definitions[o].Doc = clip(firstSentence(validText(doc)), maxDoc)
			}
			r.within(o, func() { r.pointers(call, 0) })
		}
	}
	for _, at := range [][]string{{"components", "schemas"}, {"definitions"}, {"components", "parameters"}, {"components", "responses"},
		{"components", "requestBodies"}, {"components", "securitySchemes"}, {"parameters"}, {"responses"}} {
		kind := Key
		if at[len(at)-1] == "schemas" || at[0] == "definitions" {
			kind = Type
		}
		for name, schema := range pairs(valueAt(root, at...)) {
			i := r.key(-1, kind, name.Value, name, schema, "")
			r.within(i, func() { r.pointers(schema, 0) })
		}
	}
}

// schemas defines the named parts of a JSON Schema.
func (r *settingsReader) schemas(root *yaml.Node) {
	for _, at := range []string{"definitions", "$defs", "properties"} {
		kind := Type
		if at == "properties" {
			kind = Key
		}
		for name, schema := range pairs(valueAt(root, at)) {
			i := r.key(-1, kind, name.Value, name, schema, "")
			r.within(i, func() { r.pointers(schema, 0) })
		}
	}
}

// maxPointers bounds how deep pointers are looked for.
const maxPointers = 40

// pointers tells what the $ref below a node name.
func (r *settingsReader) pointers(n *yaml.Node, depth int) {
	if depth > maxPointers {
		return
	}
	for k, v := range pairs(n) {
		if k.Value != "$ref" || v.Kind != yaml.ScalarNode {
			continue
		}
		file, part, _ := strings.Cut(v.Value, "#")
		if file != "" && !strings.Contains(file, "://") {
			r.local("./"+strings.TrimPrefix(file, "./"), v)
		}
		if i := strings.LastIndexByte(part, '/'); i >= 0 && part[i+1:] != "" {
			r.mention(References, part[i+1:], "", v)
		}
	}
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode && c.Kind != yaml.AliasNode {
			r.pointers(c, depth+1)
		}
	}
}
