package rules

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestActionReference: the tables of docs/action.md are action.yml's own.
func TestActionReference(t *testing.T) {
	var action struct{ Inputs, Outputs yaml.Node }
	if err := yaml.Unmarshal([]byte(read(t, "action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| input | what it says | default |\n|---|---|---|\n")
	each(t, action.Inputs, func(name string, in entry) {
		standard := "—"
		switch {
		case in.Required:
			standard = "required"
		case in.Default != "":
			standard = "`" + in.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, in.Description, standard)
	})
	b.WriteString("\n| output | what it says |\n|---|---|\n")
	each(t, action.Outputs, func(name string, out entry) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, out.Description)
	})
	replaceReference(t, "docs/action.md", b.String()+"\n")
}

type entry struct {
	Description string
	Required    bool
	Default     string
}

// each visits the members of a mapping in their order.
func each(t *testing.T, mapping yaml.Node, visit func(name string, e entry)) {
	t.Helper()
	if len(mapping.Content) == 0 {
		t.Fatal("a mapping is empty: the test does not see it")
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		var e entry
		if err := mapping.Content[i+1].Decode(&e); err != nil {
			t.Fatal(err)
		}
		visit(mapping.Content[i].Value, e)
	}
}
