//go:build unix

package endtoend

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/runner"
)

// withToken has the publishing step use a token of the App, rather than its
// key.
func withToken(t *testing.T, h *hosting, w *runner.Workflow) *runner.Workflow {
	t.Helper()
	const token = "ghs_of_the_app"
	h.host.tokens[token] = "app/4242"
	h.runner.Secrets, h.runner.Vars = map[string]string{"BUNDLE_BOT_KEY": token}, map[string]string{"BUNDLE_BOT_APP_ID": "4242"}
	changed := 0
	for i, step := range w.Jobs["bundle-publish"].Steps {
		if key, ok := step.With["private-key"]; ok {
			step.With = map[string]string{"command": "publish", "bundle": step.With["bundle"], "branch": step.With["branch"], "token": key}
			changed++
		}
		if run := strings.Replace(step.Run, `--app-id "$BUNDLE_BOT_APP_ID" --private-key-env`, "--token-env", 1); run != step.Run {
			step.Run = run
			changed++
		}
		w.Jobs["bundle-publish"].Steps[i] = step
	}
	if changed != 1 {
		t.Fatalf("%d steps publish as the App; one does", changed)
	}
	return w
}
