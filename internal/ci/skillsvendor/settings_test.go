package skillsvendor

import (
	"bytes"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// TestHookComesAndGoes: the entry is put into settings of any form, once,
// where the client finds it; and taken out it leaves every byte as it was.
func TestHookComesAndGoes(t *testing.T) {
	for name, text := range map[string]string{
		"empty":              `{}`,
		"empty, two lines":   "{\n}\n",
		"other keys":         "{\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n",
		"four spaces":        "{\n    \"env\": {}\n}\n",
		"tabs, other ends":   "{\r\n\t\"env\": {}\r\n}\r\n",
		"a byte order mark":  "\ufeff{\n  \"env\": {}\n}\n",
		"no hooks in hooks":  "{\n  \"hooks\": {},\n  \"env\": {}\n}\n",
		"other hooks":        "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
		"an empty list":      "{\n  \"hooks\": {\n    \"SessionStart\": []\n  }\n}\n",
		"another entry":      "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}\n    ]\n  },\n  \"env\": {}\n}\n",
		"comments":           "// ours\n{\n  // first\n  \"env\": {\"A\": \"//\"}, // about env\n  /* last */ \"model\": \"m\" // about model, too\n}\n",
		"a comma at the end": "{\n  \"env\": {},\n  \"model\": \"m\", // yes\n}\n",
		"one line":           `{"env": {"A": "1"}, "hooks": {"Stop": [1]}}`,
	} {
		with, err := withHook([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var settings struct {
			Hooks struct {
				SessionStart []struct {
					Hooks []struct {
						Type, Command string
						Timeout       int
					}
				}
			}
		}
		if err := strictjson.Decode(jsonplace.Blank(with), &settings); err != nil {
			t.Errorf("%s: %v in\n%s", name, err, with)
			continue
		}
		starts := settings.Hooks.SessionStart
		if len(starts) == 0 || len(starts[len(starts)-1].Hooks) != 1 || starts[len(starts)-1].Hooks[0].Command != HookCommand || starts[len(starts)-1].Hooks[0].Timeout != 5 {
			t.Errorf("%s: the hook is not there:\n%s", name, with)
		}
		if again, err := withHook(with); err != nil || !bytes.Equal(again, with) {
			t.Errorf("%s: put there again it is\n%s", name, again)
		}
		if before, ok := withoutHook(with); !ok || string(before) != text {
			t.Errorf("%s: taken out of\n%s\nit is\n%s", name, with, before)
		}
		if name == "comments" && !strings.Contains(string(with), `"model": "m", // about model, too`+"\n") {
			t.Errorf("a comment is on another line in\n%s", with)
		}
	}
	if _, ok := withoutHook([]byte("{}")); !ok {
		t.Error("settings without the hook are not left alone")
	}
	if _, ok := withoutHook([]byte(`{"hooks":{"SessionStart":[{"hooks":[{"command":"bash .claude/skills/routing/scripts/session-check.sh"}]}]}}`)); ok {
		t.Error("an entry of another form is taken out")
	}
	for _, bad := range []string{"", "[]", `{"hooks": []}`, `{"hooks": {"SessionStart": {}}}`, `{"a": 1, "a": 2}`, `{"a": `} {
		if got, err := withHook([]byte(bad)); err == nil {
			t.Errorf("%q becomes %s", bad, got)
		}
	}
}

// FuzzHook: no settings lose a byte.
func FuzzHook(f *testing.F) {
	f.Add([]byte("{\n  // x\n  \"hooks\": {\"SessionStart\": [1, ], }, // y\n}\n"))
	f.Add([]byte("{\"a\": \"}\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		with, err := withHook(data)
		if err != nil || bytes.Equal(with, data) {
			return
		}
		if again, err := withHook(with); err != nil || !bytes.Equal(again, with) {
			t.Fatalf("%q: put there again it is %q, %v", with, again, err)
		}
		if before, ok := withoutHook(with); ok && !bytes.Equal(before, data) {
			// Two forms may become one; then the one taken for it becomes it, too.
			if again, err := withHook(before); err != nil || !bytes.Equal(again, with) {
				t.Fatalf("%q became %q", data, before)
			}
		}
	})
}
