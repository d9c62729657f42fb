package rulesets

import "maps"

// Sample is a rule of that type with all parameters that the description
// has, or nil for a type that it does not know.
func (s *Schema) Sample(name string) Object {
	schema := s.Rule(name)
	if schema == nil {
		return nil
	}
	rule, _ := s.sample(schema).(Object)
	return rule
}

func (s *Schema) sample(schema map[string]any) any {
	schema = s.resolve(schema)
	if words, ok := schema["enum"].([]any); ok {
		return words[0]
	}
	switch schema["type"] {
	case "object":
		made := Object{}
		properties, _ := schema["properties"].(map[string]any)
		for name, of := range properties {
			made[name] = s.sample(of.(map[string]any))
		}
		all, _ := schema["allOf"].([]any)
		for _, one := range all {
			if more, ok := s.sample(one.(map[string]any)).(Object); ok {
				maps.Copy(made, more)
			}
		}
		return made
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{s.sample(items)}
	case "integer":
		if low, ok := schema["minimum"].(float64); ok {
			return low
		}
		return 7
	case "boolean":
		return true
	}
	return "text"
}
