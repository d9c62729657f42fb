package skillsvendor

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// TestTemplate: what install writes is the workflow that the documents show.
func TestTemplate(t *testing.T) {
	page, err := os.ReadFile("../../../docs/examples/skills.yml")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != workflowTemplate {
		t.Error("docs/examples/skills.yml and skills.yml differ")
	}
	if bytes.Contains(workflow("x"), []byte("FULL_COMMIT_HASH")) {
		t.Error("the commit is not put in")
	}
}

// TestDocumentedHook: the entry that install writes is the one that people
// can copy from the documents.
func TestDocumentedHook(t *testing.T) {
	page, err := os.ReadFile("../../../docs/vendored-skill.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := bytes.Cut(page, []byte("```json\n"))
	block, _, _ = bytes.Cut(block, []byte("```"))
	var shown, made any
	if err := json.Unmarshal(block, &shown); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(newSettings(), &made); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(shown)
	b, _ := json.Marshal(made)
	if !bytes.Equal(a, b) {
		t.Errorf("documented is %s, made is %s", a, b)
	}
}

func TestLineComesAndGoes(t *testing.T) {
	for _, text := range []string{"", "x", "x\n", "x\n\n", "a\r\nb\r\n", "# A\n\n- b"} {
		with := withLine([]byte(text))
		if !bytes.Equal(withLine(with), with) {
			t.Errorf("%q: the line is put there twice", text)
		}
		if before, ok := withoutLine(with); !ok || string(before) != text {
			t.Errorf("%q came back as %q", text, before)
		}
	}
	if _, ok := withoutLine([]byte("<!-- routing: put here by skills-vendor install -->\nmine\n<!-- /routing -->\n")); ok {
		t.Error("a changed block is taken out")
	}
}
