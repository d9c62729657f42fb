package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/command"
)

// TestJSONBudget holds nodes and links of query --json to every budget, and
// what it says that it left out to what there is.
func TestJSONBudget(t *testing.T) {
	var nodes, links []string
	for i := range 14 {
		for _, name := range []string{"herd", "walk"} {
			id := fmt.Sprintf("%s%c", name, 'A'+i)
			nodes = append(nodes, fmt.Sprintf(`{"id":%q,"label":"quagga_%s()","file_type":"code","source_file":"dir/f%c.go","source_location":"L%d"}`, id, id, 'a'+i, 5+i))
		}
		links = append(links, fmt.Sprintf(`{"source":"herd%c","target":"walk%c","relation":"calls"}`, 'A'+i, 'A'+(i+1)%14))
	}
	dir := checkout(t, map[string]string{"graph.json": `{"nodes":[` + strings.Join(nodes, ",") + `],"links":[` + strings.Join(links, ",") + `]}`})
	type report struct {
		Files        []any
		Nodes, Links []json.RawMessage
		LeftOut      int `json:"left_out"`
	}
	ask := func(budget int) report {
		var out, errs strings.Builder
		code := Main(command.Process{Args: []string{"query", "--json", "--bundle", dir, "--budget", fmt.Sprint(budget), "quagga", "herd"}, Stdout: &out, Stderr: &errs, Dir: dir})
		var r report
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil || code != 0 {
			t.Fatalf("budget %d: exit code %d, %v: %s%s", budget, code, err, out.String(), errs.String())
		}
		return r
	}
	whole := ask(1 << 20)
	total := len(whole.Nodes) + len(whole.Links) + whole.LeftOut
	if len(whole.Nodes) < 10 || len(whole.Links) < 3 {
		t.Fatalf("%d nodes and %d links are too few to tell", len(whole.Nodes), len(whole.Links))
	}
	for budget := 0; budget <= 700; budget += 7 {
		r := ask(budget)
		size := 0
		for _, item := range append(r.Nodes, r.Links...) {
			size += len(item) + 1
		}
		if size > 3*budget {
			t.Errorf("budget %d: nodes and links have %d bytes", budget, size)
		}
		if got := len(r.Nodes) + len(r.Links) + r.LeftOut; got != total {
			t.Errorf("budget %d: %d nodes, %d links, %d left out, of %d", budget, len(r.Nodes), len(r.Links), r.LeftOut, total)
		}
		if len(r.Files) != len(whole.Files) {
			t.Errorf("budget %d: %d files of %d", budget, len(r.Files), len(whole.Files))
		}
	}
}
