package rulesets

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/marola-dev/marola-routing/internal/testkit/openapi"
)

// description is the part about rulesets of the service's own description of
// its API, without its prose.
//
//go:embed testdata/openapi.json
var description []byte

// A Schema checks what is sent against the service's description of it.
type Schema struct{ doc *openapi.Document }

// Describe reads the description.
func Describe() (*Schema, error) {
	doc, err := openapi.Read(description)
	if err != nil {
		return nil, err
	}
	s := &Schema{doc}
	doc.Instead["repository-rule"], doc.Instead["org-rules"] = s.checkRule, s.checkRule
	return s, nil
}

// Rules are the types of rules that the description knows, sorted.
func (s *Schema) Rules() []string {
	var names []string
	for _, one := range s.doc.Schemas["repository-rule"]["oneOf"].([]any) {
		names = append(names, ruleType(s.doc.Resolve(one.(map[string]any))))
	}
	slices.Sort(names)
	return names
}

// Rule is the schema of a type of rule, or nil.
func (s *Schema) Rule(name string) map[string]any {
	for _, one := range s.doc.Schemas["repository-rule"]["oneOf"].([]any) {
		if schema := s.doc.Resolve(one.(map[string]any)); ruleType(schema) == name {
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
	return s.doc.Check("", s.doc.Paths[p][method].Request, body)
}

// CheckResponse reports why a ruleset is not what the service shows of one.
func (s *Schema) CheckResponse(body any) error {
	return s.doc.Check("", s.doc.Schemas["repository-ruleset"], body)
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
	if err := s.doc.Check(at, schema, v); err != nil {
		return fmt.Errorf("%s: data matches no possible input (%w)", at, err)
	}
	return nil
}

var errNoObject = errors.New("the body is no object")
