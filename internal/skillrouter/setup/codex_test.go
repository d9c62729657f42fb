package setup

import (
	"strings"
	"testing"
)

// TestCodexHash holds the hash to what Codex 0.171 itself said of these hooks.
func TestCodexHash(t *testing.T) {
	text := `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"echo first"}]},{"_mega_tron_managed":"1","hooks":[{"type":"command","command":"[ ! -x '/x y/mega-tron' ] || '/x y/mega-tron' hook","timeout":10}]}],"Stop":[{"_mega_tron_managed":"1","hooks":[{"type":"command","command":"mega-tron stop-hook"}]}]}}`
	all, err := handlers([]byte(text), "/h/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	want := []handler{
		{"/h/hooks.json:user_prompt_submit:0:0", "sha256:6ad86350cf9d9519fca55ae2ef8f59f7f5cad9873cf3dbb444bf15a7fa3b1478", false},
		{"/h/hooks.json:user_prompt_submit:1:0", "sha256:998092a255fec930733e6060abd0e99f1a0bb605c2acbf4ba1a7f3e0fb8a43ee", true},
		{"/h/hooks.json:stop:0:0", "sha256:1279d10c9f1c8e2f877edfcc7571b3fa4b4977f169cab2275d661519493d73fd", true},
	}
	if len(all) != len(want) {
		t.Fatalf("%v", all)
	}
	for i := range want {
		if all[i] != want[i] {
			t.Errorf("got %+v\nwant %+v", all[i], want[i])
		}
	}
	if got := rustString("a\"\\\n\x01<é\u2028"); got != `"a\"\\\n\u0001<é`+"\u2028"+`"` {
		t.Error(got)
	}
}

func TestCodexConfig(t *testing.T) {
	stamps := []stamp{{`C:\u\hooks.json:stop:0:0`, "sha256:aa"}}
	blockOf := func(rows string) string { return hashFence.open + "\n" + rows + hashFence.close + "\n" }
	row := "[hooks.state.\"C:\\\\u\\\\hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:aa\"\n"
	off := "[skills]\ninclude_instructions = false\n"
	for _, c := range []struct {
		name, before, want string
		off                bool
	}{
		{"nothing there", "", blockOf(off + "\n" + row), true},
		{"behind", "model = \"m\"", "model = \"m\"\n\n" + blockOf(off+"\n"+row), true},
		{"catalogue kept", "a = 1\n", "a = 1\n\n" + blockOf(row), false},
		{"their table", "[skills] # s\nx = 1\n", "[skills] # s\ninclude_instructions = false\nx = 1\n\n" + blockOf(row), true},
		{"their value", "[skills]\ninclude_instructions = true # yes\n", "[skills]\ninclude_instructions = false # yes\n\n" + blockOf(row), true},
		{"off already", "skills.include_instructions = false\n", "skills.include_instructions = false\n\n" + blockOf(row), true},
		{"rows of skills alone", "[[skills.config]]\npath = \"p\"\n", "[[skills.config]]\npath = \"p\"\n\n" + blockOf(off+"\n"+row), true},
		{"state there", "[hooks.state.'C:\\u\\hooks.json:stop:0:0']\ntrusted_hash = \"sha256:old\"\nenabled = true\n", "[hooks.state.'C:\\u\\hooks.json:stop:0:0']\ntrusted_hash = \"sha256:aa\"\nenabled = true\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := withCodexConfig([]byte(c.before), []byte(c.before), stamps, c.off)
			if err != nil || string(got) != c.want {
				t.Fatalf("got %s, %v\nwant %s", got, err, c.want)
			}
			again, err := withCodexConfig(got, []byte(c.before), stamps, c.off)
			if err != nil || string(again) != c.want {
				t.Errorf("again %s, %v", again, err)
			}
		})
	}
	for _, before := range []string{"[skills\n", "skills = {}\n", "skills = 1\n", "hooks = {}\n", "hooks.state = {}\n"} {
		if got, err := withCodexConfig([]byte(before), []byte(before), stamps, true); err == nil {
			t.Errorf("%q became %q", before, got)
		}
	}
}

// TestRekey: hooks behind ours move up when ours go, and their trust with them.
func TestRekey(t *testing.T) {
	now := []byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]},{"hooks":[{"type":"command","command":"mega-tron stop-hook"}]},{"hooks":[{"type":"command","command":"b"},{"type":"command","command":"c"}]}]}}`)
	fresh, err := withoutHooks(now)
	if err != nil {
		t.Fatal(err)
	}
	text := "[hooks.state.\"/h:stop:0:0\"]\ntrusted_hash = \"A\"\n[hooks.state.\"/h:stop:2:0\"]\ntrusted_hash = \"B\"\n[hooks.state.\"/h:stop:2:1\"]\nenabled = false\n"
	want := strings.NewReplacer("stop:2:", "stop:1:").Replace(text)
	if got := rekey([]byte(text), now, fresh, "/h"); string(got) != want {
		t.Errorf("got %s", got)
	}
	taken := text + "[hooks.state.\"/h:stop:1:0\"]\ntrusted_hash = \"X\"\n"
	if got := rekey([]byte(taken), now, fresh, "/h"); string(got) != taken {
		t.Errorf("a place was taken twice: %s", got)
	}
}

// TestHooksStay: an entry of ours is left where it is, one among others is
// taken out of them, and legacy marks count.
func TestHooksStay(t *testing.T) {
	h := []hook{{"Stop", "/p/mega-tron stop-hook", 30, ""}}
	ours := string(h[0].entry(codexMark))
	for _, c := range []struct{ name, text, want string }{
		{"in place", `{"hooks":{"Stop":[` + ours + `,{"hooks":[]}]}}`, `{"hooks":{"Stop":[` + ours + `,{"hooks":[]}]}}`},
		{"older, in place", `{"hooks":{"Stop":[{"_megaOptimusManaged":"1","hooks":[{"command":"/old/mega-tron stop-hook"}]},{"hooks":[]}]}}`, `{"hooks":{"Stop":[` + ours + `,{"hooks":[]}]}}`},
		{"twice", `{"hooks":{"Stop":[` + ours + `, ` + ours + `]}}`, `{"hooks":{"Stop":[` + ours + `]}}`},
		{"among others", `{"hooks":{"Stop":[{"hooks":[{"command":"x"},{"command":"mega-tron stop-hook"}]}]}}`, `{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}, ` + ours + `]}}`},
		{"not ours", `{"hooks":{"Stop":[{"hooks":[{"command":"echo mega-tron is my hook"}]}]}}`, `{"hooks":{"Stop":[{"hooks":[{"command":"echo mega-tron is my hook"}]}, ` + ours + `]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := withHooks([]byte(c.text), codexMark, h)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
	for _, text := range []string{`{"hooks":[]}`, `{"hooks":{"Stop":{}}}`, `[]`} {
		if got, err := withHooks([]byte(text), codexMark, h); err == nil {
			t.Errorf("%s became %s", text, got)
		}
	}
}
