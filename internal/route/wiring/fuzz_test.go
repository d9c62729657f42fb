package wiring

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// FuzzTables: wiring that Check accepts, from whatever bytes, becomes rows
// and tables in plain text.
func FuzzTables(f *testing.F) {
	seed, err := json.Marshal(marola())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	for _, s := range []string{"{}", "null", `{"artifacts":[{"name":"a|b\n","kind":"image","read":[{"repo":"x","file":"a","line":1}]}]}`, `{"calls":[{"target":"@"}],"bumps":[{"file":"a"}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var w Wiring
		if len(data) > 1<<16 || json.Unmarshal(data, &w) != nil || w.Check() != nil {
			return
		}
		for _, row := range w.Rows() {
			Named([]Row{row}, row.Name)
		}
		for _, table := range w.Tables(roots) {
			text := table.Markdown()
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if strings.ContainsFunc(line, unicode.IsControl) || !strings.HasPrefix(line, "|") {
					t.Errorf("not a row of plain text: %q", line)
				}
			}
		}
	})
}
