package bench

import (
	"strings"
	"testing"
)

func TestWriteResults(t *testing.T) {
	f, a := fiveRanks()
	f.Questions[4].Expect.Repo = "app"
	f.Questions[4].Args = []string{"it's two words"}
	a["query it's two words"] = nil
	b, err := Run(t.Context(), f, workspace, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := WriteResults(&out, f, b); err != nil {
		t.Fatal(err)
	}
	golden(t, "results.txt", out.String())
}
