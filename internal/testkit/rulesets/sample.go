package rulesets

// Sample is a rule of that type with all parameters that the description
// has, or nil for a type that it does not know.
func (s *Schema) Sample(name string) Object {
	schema := s.Rule(name)
	if schema == nil {
		return nil
	}
	rule, _ := s.doc.Sample(schema, true).(Object)
	return rule
}
