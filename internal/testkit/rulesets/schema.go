package rulesets

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// description is the part about rulesets of the service's own description of
// its API, without its prose.
//
//go:embed testdata/openapi.json
var description []byte

// A Schema checks what is sent against the service's description of it.
type Schema struct {
	paths   map[string]map[string]operation
	schemas map[string]map[string]any
}

type operation struct {
	Request  map[string]any
	Response map[string]map[string]any
}

// Describe reads the description.
func Describe() (*Schema, error) {
	var d struct {
		Paths      map[string]map[string]operation
		Components struct{ Schemas map[string]map[string]any }
	}
	if err := json.Unmarshal(description, &d); err != nil {
		return nil, err
	}
	return &Schema{d.Paths, d.Components.Schemas}, nil
}

// Rules are the types of rules that the description knows, sorted.
func (s *Schema) Rules() []string {
	var names []string
	for _, one := range s.schemas["repository-rule"]["oneOf"].([]any) {
		names = append(names, ruleType(s.resolve(one.(map[string]any))))
	}
	slices.Sort(names)
	return names
}

// Rule is the schema of a type of rule, or nil.
func (s *Schema) Rule(name string) map[string]any {
	for _, one := range s.schemas["repository-rule"]["oneOf"].([]any) {
		if schema := s.resolve(one.(map[string]any)); ruleType(schema) == name {
			return schema
		}
	}
	return nil
}

func ruleType(schema map[string]any) string {
	return schema["properties"].(map[string]any)["type"].(map[string]any)["enum"].([]any)[0].(string)
}

// CheckRequest reports why a body is not what the operation takes. A rule of
// a type that the description does not know is excepted.
func (s *Schema) CheckRequest(organization, create bool, body any) error {
	p, method := "/repos/{owner}/{repo}/rulesets", "post"
	if organization {
		p = "/orgs/{org}/rulesets"
	}
	if !create {
		p, method = p+"/{ruleset_id}", "put"
	}
	return s.check("", s.paths[p][method].Request, body)
}

// CheckResponse reports why a ruleset is not what the service shows of one.
func (s *Schema) CheckResponse(body any) error {
	return s.check("", s.schemas["repository-ruleset"], body)
}

func (s *Schema) resolve(schema map[string]any) map[string]any {
	if ref, ok := schema["$ref"].(string); ok {
		return s.schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
	}
	return schema
}

func (s *Schema) check(at string, schema map[string]any, v any) error {
	if ref, _ := schema["$ref"].(string); strings.HasSuffix(ref, "/repository-rule") || strings.HasSuffix(ref, "/org-rules") {
		return s.checkRule(at, v)
	}
	schema = s.resolve(schema)
	if v == nil {
		if schema["nullable"] == true {
			return nil
		}
		return fmt.Errorf("%s: data cannot be null", at)
	}
	if err := s.checkType(at, schema, v); err != nil {
		return err
	}
	if words, ok := schema["enum"].([]any); ok && !slices.ContainsFunc(words, func(w any) bool { return fmt.Sprint(w) == fmt.Sprint(v) }) {
		return fmt.Errorf("%s: %v is not one of %v", at, v, words)
	}
	for _, of := range []string{"oneOf", "anyOf"} {
		if choices, ok := schema[of].([]any); ok && !slices.ContainsFunc(choices, func(c any) bool { return s.check(at, c.(map[string]any), v) == nil }) {
			return fmt.Errorf("%s: data matches no possible input", at)
		}
	}
	all, _ := schema["allOf"].([]any)
	for _, one := range all {
		if err := s.check(at, one.(map[string]any), v); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return s.checkObject(at, schema, v)
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i, item := range v {
			if err := s.check(fmt.Sprintf("%s/%d", at, i), items, item); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Schema) checkRule(at string, v any) error {
	rule, _ := v.(map[string]any)
	name, _ := rule["type"].(string)
	if name == "" {
		return fmt.Errorf("%s: data matches no possible input", at)
	}
	schema := s.Rule(name)
	if schema == nil {
		return nil
	}
	if err := s.check(at, schema, v); err != nil {
		return fmt.Errorf("%s: data matches no possible input (%w)", at, err)
	}
	return nil
}

func (s *Schema) checkObject(at string, schema map[string]any, v map[string]any) error {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Errorf("%s: %s wasn't supplied", at, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, of := range properties {
		if item, ok := v[name]; ok {
			if err := s.check(at+"/"+name, of.(map[string]any), item); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Schema) checkType(at string, schema map[string]any, v any) error {
	ok := true
	switch schema["type"] {
	case "object":
		_, ok = v.(map[string]any)
	case "array":
		_, ok = v.([]any)
	case "string":
		_, ok = v.(string)
	case "boolean":
		_, ok = v.(bool)
	case "integer":
		n, number := v.(json.Number)
		f, err := n.Float64()
		ok = number && err == nil
		if low, has := schema["minimum"].(float64); ok && has && f < low {
			ok = false
		}
		if high, has := schema["maximum"].(float64); ok && has && f > high {
			ok = false
		}
	}
	if !ok {
		return fmt.Errorf("%s: %v is no %v of the description", at, v, schema["type"])
	}
	return nil
}

var errNoObject = errors.New("the body is no object")
