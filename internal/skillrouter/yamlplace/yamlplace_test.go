package yamlplace

import (
	"reflect"
	"testing"
)

var path = []string{"hooks", "pre"}

var row = Row{{"command", `"c: #1"`}, {"timeout", "10"}}

func TestAppend(t *testing.T) {
	const rows = "    - command: \"c: #1\"\n      timeout: 10\n"
	for _, c := range []struct{ name, text, want string }{
		{"nothing there", "", "hooks:\n  pre:\n" + rows},
		{"comments alone", "# mine\n", "# mine\nhooks:\n  pre:\n" + rows},
		{"behind", "a: 1", "a: 1\nhooks:\n  pre:\n" + rows},
		{"line ends", "a: 1\r\nhooks:\r\n  x: []\r\n", "a: 1\r\nhooks:\r\n  x: []\r\n  pre:\r\n    - command: \"c: #1\"\r\n      timeout: 10\r\n"},
		{"empty", "hooks: {} # none\nb: 2\n", "hooks: # none\n  pre:\n" + rows + "b: 2\n"},
		{"null", "hooks:\nb: 2\n", "hooks:\n  pre:\n" + rows + "b: 2\n"},
		{"tilde", "hooks: ~\n", "hooks:\n  pre:\n" + rows},
		{"other event", "hooks:\n    post:\n    - command: x\n\n# b\nb: 2\n", "hooks:\n    post:\n    - command: x\n    pre:\n      - command: \"c: #1\"\n        timeout: 10\n\n# b\nb: 2\n"},
		{"into the list", "hooks:\n  pre:\n  - command: x # mine\n    timeout: 1\n  post: []\n", "hooks:\n  pre:\n  - command: x # mine\n    timeout: 1\n  - command: \"c: #1\"\n    timeout: 10\n  post: []\n"},
		{"into a deeper list", "hooks:\n  pre:\n      - command: |\n          a\n\n          b\nz: 1", "hooks:\n  pre:\n      - command: |\n          a\n\n          b\n      - command: \"c: #1\"\n        timeout: 10\nz: 1"},
		{"empty list", "hooks:\n  pre: []\n", "hooks:\n  pre:\n" + rows},
		{"flow list", "hooks:\n  pre: [{command: 'x]'}]\n", "hooks:\n  pre: [{command: 'x]'}, {command: \"c: #1\", timeout: 10}]\n"},
		{"flow mapping", "hooks: {post: [{command: x}] }\n", "hooks: {post: [{command: x}], pre: [{command: \"c: #1\", timeout: 10}] }\n"},
		{"flow in flow", "hooks: {pre: [\n {command: x},\n ]}\n", "hooks: {pre: [\n {command: x}, {command: \"c: #1\", timeout: 10}\n ]}\n"},
		{"wide letters", "é: 1\nhooks: {\"pré\": [], pre: [{é: ü}]}\n", "é: 1\nhooks: {\"pré\": [], pre: [{é: ü}, {command: \"c: #1\", timeout: 10}]}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Append([]byte(c.text), path, row)
			if err != nil || string(got) != c.want {
				t.Errorf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	for _, text := range []string{"a: [", "- a\n", "{a: 1}\n", "a: 1\n---\nb: 2\n", "hooks: 1\n", "hooks:\n  pre: x\n", "hooks:\n  - x\n", "\thooks: 1\n", "x: &a {}\nhooks: *a\n", "a: 1\n...\n"} {
		if got, err := Append([]byte(text), path, row); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestDelete(t *testing.T) {
	for _, c := range []struct {
		name, text string
		i          int
		want       string
	}{
		{"one of two", "hooks:\n  pre:\n    - command: x\n      timeout: 1\n    # y\n    - command: y\n", 1, "hooks:\n  pre:\n    - command: x\n      timeout: 1\n    # y\n"},
		{"the first", "hooks:\n  pre:\n    - command: x\n      timeout: 1\n    - command: y\n", 0, "hooks:\n  pre:\n    - command: y\n"},
		{"the only one", "hooks:\n  pre:\n    - command: x\n  post: []\n", 0, "hooks:\n  post: []\n"},
		{"the only one of all", "a: 1\nhooks:\n  pre:\n    - command: x\nb: 1\n", 0, "a: 1\nb: 1\n"},
		{"of all that there is", "# a\nhooks:\n  pre:\n    - command: x\n", 0, "# a\n"},
		{"flow, last", "hooks:\n  pre: [{command: x}, {command: y}]\n", 1, "hooks:\n  pre: [{command: x}]\n"},
		{"flow, first", "hooks:\n  pre: [{command: x}, {command: y}]\n", 0, "hooks:\n  pre: [{command: y}]\n"},
		{"flow, all", "hooks: {pre: [{command: x}]}\nb: 1\n", 0, "b: 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Delete([]byte(c.text), path, c.i)
			if err != nil || string(got) != c.want {
				t.Errorf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestString(t *testing.T) {
	for _, s := range []string{"", "a", "a\"b\\c'd", "é \u2028 x", "tab\tnl\n", "\x01\a\x7f", "sh -c '[ ! -x \"$0\" ]'"} {
		v, ok := Get([]byte("k: "+String(s)), "k")
		if !ok || !reflect.DeepEqual(v, s) {
			t.Errorf("%q is written %s and read %q", s, String(s), v)
		}
	}
}

// FuzzAppend: the row is there, and goes again; the rest means what it did.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "hooks:\n  pre:\n  - a\n", "hooks: {}\n#x", "hooks: {pre: [a, {b: \"]\"}]}", "a: |\n  x\nhooks:\n  post:\n    - {}\n\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		with, err := Append([]byte(text), path, row)
		if err != nil {
			return
		}
		before, err := mapping([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v, _ := Get(with, path...)
		list, _ := v.([]any)
		back, err := Delete(with, path, len(list)-1)
		if err != nil {
			return
		}
		after, err := mapping(back)
		if err != nil {
			t.Fatalf("%q became %q and then %q: %v", text, with, back, err)
		}
		for _, m := range []map[string]any{before, after} {
			h, _ := m["hooks"].(map[string]any)
			if l, ok := h["pre"].([]any); h["pre"] == nil || ok && len(l) == 0 {
				delete(h, "pre")
			}
			if len(h) == 0 {
				delete(m, "hooks")
			}
		}
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%q became %q and then %q", text, with, back)
		}
	})
}
