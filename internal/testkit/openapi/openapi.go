// Package openapi reads a cut of an API's own OpenAPI description, and holds
// requests and answers to it, for tests.
package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Schema is a schema of the description, as it stands there.
type Schema = map[string]any

// A Document is a description: operations by path and method, in lower case,
// and the schemas that they refer to.
type Document struct {
	Paths   map[string]map[string]Operation
	Schemas map[string]Schema

	// Instead checks values in place of the named schema.
	Instead map[string]func(at string, v any) error
}

// An Operation is what may be asked, and what is answered.
type Operation struct {
	ID         string
	Docs       string // address of its page
	Parameters []Parameter
	Request    Schema            // nil without a body
	Response   map[string]Schema // by status; nil without a body
}

// A Parameter is one of a path or a query.
type Parameter struct{ Name, In string }

// Read reads a description.
func Read(data []byte) (*Document, error) {
	var d struct {
		Paths      map[string]map[string]Operation
		Components struct{ Schemas map[string]Schema }
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, err
	}
	return &Document{Paths: d.Paths, Schemas: d.Components.Schemas, Instead: map[string]func(string, any) error{}}, nil
}

// Find is the operation for a request, with the values of its path. A value
// holds slashes only where it is the last one.
func (d *Document) Find(method, path string) (op Operation, values map[string]string, ok bool) {
	best := -1
	for template, methods := range d.Paths {
		found, has := methods[strings.ToLower(method)]
		if !has {
			continue
		}
		if v, fixed, fits := match(template, path); fits && fixed > best {
			op, values, ok, best = found, v, true, fixed
		}
	}
	return op, values, ok
}

// match fits a path to a template, and counts the parts that are no values.
func match(template, path string) (values map[string]string, fixed int, ok bool) {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	values = map[string]string{}
	for i, w := range want {
		switch {
		case i >= len(have):
			return nil, 0, false
		case !strings.HasPrefix(w, "{"):
			if w != have[i] {
				return nil, 0, false
			}
			fixed++
		case i == len(want)-1:
			values[strings.Trim(w, "{}")] = strings.Join(have[i:], "/")
			return values, fixed, have[i] != ""
		case have[i] == "":
			return nil, 0, false
		default:
			values[strings.Trim(w, "{}")] = have[i]
		}
	}
	return values, fixed, len(want) == len(have)
}

// Resolve follows a reference.
func (d *Document) Resolve(schema Schema) Schema {
	if name := reference(schema); name != "" {
		return d.Schemas[name]
	}
	return schema
}

func reference(schema Schema) string {
	ref, _ := schema["$ref"].(string)
	return strings.TrimPrefix(ref, "#/components/schemas/")
}

// Check reports why a value is not what the schema says. Numbers are
// json.Number. at is where the value stands.
func (d *Document) Check(at string, schema Schema, v any) error {
	if instead := d.Instead[reference(schema)]; instead != nil {
		return instead(at, v)
	}
	schema = d.Resolve(schema)
	if v == nil {
		if schema["nullable"] == true {
			return nil
		}
		return fmt.Errorf("%s: data cannot be null", at)
	}
	if err := checkType(at, schema, v); err != nil {
		return err
	}
	if words, ok := schema["enum"].([]any); ok && !slices.ContainsFunc(words, func(w any) bool { return fmt.Sprint(w) == fmt.Sprint(v) }) {
		return fmt.Errorf("%s: %v is not one of %v", at, v, words)
	}
	for _, of := range []string{"oneOf", "anyOf"} {
		if choices, ok := schema[of].([]any); ok && !slices.ContainsFunc(choices, func(c any) bool { return d.Check(at, c.(Schema), v) == nil }) {
			return fmt.Errorf("%s: data matches no possible input", at)
		}
	}
	all, _ := schema["allOf"].([]any)
	for _, one := range all {
		if err := d.Check(at, one.(Schema), v); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return d.checkObject(at, schema, v)
	case []any:
		items, _ := schema["items"].(Schema)
		for i, item := range v {
			if err := d.Check(fmt.Sprintf("%s/%d", at, i), items, item); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Document) checkObject(at string, schema Schema, v map[string]any) error {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Errorf("%s: %s wasn't supplied", at, name)
		}
	}
	properties, _ := schema["properties"].(Schema)
	for name, of := range properties {
		if item, ok := v[name]; ok {
			if err := d.Check(at+"/"+name, of.(Schema), item); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkType(at string, schema Schema, v any) error {
	ok := true
	switch schema["type"] {
	case "object":
		_, ok = v.(map[string]any)
	case "array":
		_, ok = v.([]any)
	case "string":
		text, is := v.(string)
		ok = is && within(schema, "minLength", "maxLength", float64(len(text)))
	case "boolean":
		_, ok = v.(bool)
	case "integer":
		n, number := v.(json.Number)
		f, err := n.Float64()
		ok = number && err == nil && within(schema, "minimum", "maximum", f)
	}
	if !ok {
		return fmt.Errorf("%s: %v is no %v of the description", at, v, schema["type"])
	}
	return nil
}

func within(schema Schema, least, most string, n float64) bool {
	low, hasLow := schema[least].(float64)
	high, hasHigh := schema[most].(float64)
	return !(hasLow && n < low || hasHigh && n > high)
}

// Strangers are the members of a value, and of what is in it, that the schema
// does not name. A service passes over them, so they are the client's error.
func (d *Document) Strangers(at string, schema Schema, v any) (names []string) {
	schema = d.Resolve(schema)
	switch v := v.(type) {
	case map[string]any:
		properties, ok := schema["properties"].(Schema)
		for name, item := range v {
			switch of, named := properties[name].(Schema); {
			case named:
				names = append(names, d.Strangers(at+"/"+name, of, item)...)
			case ok:
				names = append(names, at+"/"+name)
			}
		}
	case []any:
		items, _ := schema["items"].(Schema)
		for i, item := range v {
			names = append(names, d.Strangers(fmt.Sprintf("%s/%d", at, i), items, item)...)
		}
	}
	slices.Sort(names)
	return names
}

// Sample is a value that fits a schema, with all members that it names, or
// only with those that it requires.
func (d *Document) Sample(schema Schema, all bool) any {
	schema = d.Resolve(schema)
	if words, ok := schema["enum"].([]any); ok {
		return words[0]
	}
	for _, of := range []string{"oneOf", "anyOf"} {
		if choices, ok := schema[of].([]any); ok && schema["type"] == nil {
			return d.Sample(choices[0].(Schema), all)
		}
	}
	switch schema["type"] {
	case "object":
		return d.sampleObject(schema, all)
	case "array":
		items, _ := schema["items"].(Schema)
		if !all {
			return []any{}
		}
		return []any{d.Sample(items, all)}
	case "integer", "number":
		if low, ok := schema["minimum"].(float64); ok {
			return low
		}
		return 7
	case "boolean":
		return true
	}
	switch schema["format"] {
	case "date-time":
		return "2026-01-01T00:00:00Z"
	case "uri":
		return "https://example.org/"
	}
	return "text"
}

func (d *Document) sampleObject(schema Schema, all bool) map[string]any {
	made := map[string]any{}
	properties, _ := schema["properties"].(Schema)
	required, _ := schema["required"].([]any)
	for name, of := range properties {
		if all || slices.Contains(required, any(name)) {
			made[name] = d.Sample(of.(Schema), all)
		}
	}
	parts, _ := schema["allOf"].([]any)
	for _, one := range parts {
		if more, ok := d.Sample(one.(Schema), all).(map[string]any); ok {
			for name, v := range more {
				made[name] = v
			}
		}
	}
	return made
}
