package cli

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/command"
)

func TestQueryNarrows(t *testing.T) {
	dir := herd(t, 3)
	ask := func(args ...string) (code int, out, errs string) {
		var o, e strings.Builder
		code = Main(command.Process{Args: append([]string{"query", "--bundle", dir}, args...), Stdout: &o, Stderr: &e, Dir: dir})
		return code, o.String(), e.String()
	}
	code, all, _ := ask("hub0")
	if code != 0 || !strings.Contains(all, "NODE ") {
		t.Fatalf("%d %q", code, all)
	}
	if code, out, errs := ask("--path", "no/such/folder", "hub0"); code != 0 || strings.Contains(out, "NODE ") || errs != "" {
		t.Errorf("a folder that is not there: %d %q %q", code, out, errs)
	}
	if code, out, _ := ask("--kind", "function", "--path", "**", "hub0"); code != 0 || !strings.Contains(out, "NODE ") {
		t.Errorf("functions anywhere: %d %q", code, out)
	}
	for flag, what := range map[string]string{"--kind": "kind", "--repo-name": "repository"} {
		code, out, errs := ask(flag, "nowhere", "hub0")
		if code != 2 || out != "" || !strings.HasPrefix(errs, "route: query: nothing here has the "+what+" nowhere\nhint: ") {
			t.Errorf("%s: %d %q %q", flag, code, out, errs)
		}
	}
}
