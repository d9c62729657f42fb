package ruleset

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
)

// TestCatalogIsTheDescription: what is known here of rules is what the
// service's description of its API says.
func TestCatalogIsTheDescription(t *testing.T) {
	schema, err := rulesets.Describe()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range schema.Rules() {
		known, ok := catalog[name]
		if !ok {
			t.Errorf("the rule %s is not in the catalog", name)
			continue
		}
		data, err := json.Marshal(schema.Sample(name))
		if err != nil {
			t.Fatal(err)
		}
		sample := parse(t, string(data))
		var described []string
		for _, m := range sample.Member("parameters").Members() {
			described = append(described, m.Name)
		}
		slices.Sort(described)
		if have := slices.Sorted(maps.Keys(known.fields)); !slices.Equal(have, described) {
			t.Errorf("the rule %s has the parameters %v here, and %v in the description", name, have, described)
		}
		of := inOrder(t, `"rules":[`+string(data)+`]`).With("target", StringValue(map[string]string{"push": "push"}[known.target]))
		if known.target == "" {
			of = of.Without("target")
		} else {
			of = of.Without("conditions")
		}
		for _, f := range Lint("x", of, RepositoryScope) {
			t.Errorf("the rule %s of the description: %s", name, f.Text)
		}
	}
}
