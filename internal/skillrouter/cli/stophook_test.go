package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestAHundredStopHooksAtOnce ends a hundred turns of one skill at the same
// time, in processes of their own.
func TestAHundredStopHooksAtOnce(t *testing.T) {
	p := newPerson(t)
	p.env = append(p.env, "MEGA_DAEMON=0")
	if out, err := p.run("search", "--session-id", "s", "--no-dynamic-k", "sign", "webhooks"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const hooks = 100
	var all sync.WaitGroup
	faults := make(chan string, hooks)
	for i := range hooks {
		all.Go(func() {
			cmd := exec.Command("mega-tron", "stop-hook")
			cmd.Env, cmd.Dir = p.env, p.home
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","turn_id":"%d","hook_event_name":"Stop","last_assistant_message":"<skill-used name='webhook-signer' verdict='HELPFUL' reason='used the compare helper for the signature check, test %d'/>"}`, i, i))
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil || out.Len() > 0 {
				faults <- fmt.Sprintf("%d: %v, %s", i, err, &out)
			}
		})
	}
	all.Wait()
	close(faults)
	for f := range faults {
		t.Error(f)
	}
	if out, err := p.run("stats"); err != nil || !strings.Contains(out, "webhook-signer  active  100 helpful, 0 harmful, 0 neutral\n") {
		t.Errorf("stats: %v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(p.home, ".claude", "skills", "webhook-signer", "SKILL.md"))
	if err != nil || !strings.Contains(string(data), "  helpful_count: 100\n") || !strings.HasSuffix(string(data), "---\nBody.\n") {
		t.Errorf("SKILL.md: %v\n%s", err, data)
	}
}
