package tomlplace

import (
	"reflect"
	"testing"
)

func TestSet(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing there", "", "[t]\nk = 0\n"},
		{"behind", "a = 1\n", "a = 1\n\n[t]\nk = 0\n"},
		{"no end", "a = 1", "a = 1\n\n[t]\nk = 0\n"},
		{"line ends", "a = 1\r\n", "a = 1\r\n\r\n[t]\r\nk = 0\r\n"},
		{"into the table", "[t] # mine\nx = 1\n[u]\n", "[t] # mine\nk = 0\nx = 1\n[u]\n"},
		{"header without end", "[t]", "[t]\nk = 0\n"},
		{"another value", "[t]\nk  =  true # why\n", "[t]\nk  =  0 # why\n"},
		{"a long value", "[t]\nk = [ 1, # ]\n \"]\", '''\n]''' ]\nx=1\n", "[t]\nk = 0\nx=1\n"},
		{"a long string", "[t]\nk = \"\"\"\na\\\"\"\"\"\"\nx=1\n", "[t]\nk = 0\nx=1\n"},
		{"key by key", "t.x = 1\n[u]\n", "t.k = 0\nt.x = 1\n[u]\n"},
		{"key by key, there", "t.k = 1 # one\n", "t.k = 0 # one\n"},
		{"table below", "[t.u]\nk = 1\n", "[t.u]\nk = 1\n\n[t]\nk = 0\n"},
		{"array of that name in another", "[[x.t]]\nk = 1\n", "[[x.t]]\nk = 1\n\n[t]\nk = 0\n"},
		{"byte order mark", "\xef\xbb\xbfa = 1\n", "\xef\xbb\xbfa = 1\n\n[t]\nk = 0\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Set([]byte(c.text), []string{"t"}, "k", "0")
			if err != nil || string(got) != c.want {
				t.Fatalf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
	for _, text := range []string{"t = {x = 1}\n", "[[t]]\n", "t = 1\n", "a = \n", "[t\n", "x.t = 1\nx = 2\n"} {
		if got, err := Set([]byte(text), []string{"t"}, "k", "0"); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// FuzzSet: what is set is there, and all else means what it did.
func FuzzSet(f *testing.F) {
	for _, s := range []string{"", "[t]\nk=1", "t.k = '''\n''' # x", "[a]\nb = {c=1}\n[t.\"x y\"]\n", "[[s]]\nk=[1,\n2]\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := decode([]byte(text))
		if err != nil {
			return
		}
		out, err := Set([]byte(text), []string{"t"}, "k", `"new"`)
		if err != nil {
			return
		}
		after, err := decode(out)
		if v, ok := Get(out, "t", "k"); err != nil || !ok || v != "new" {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		for _, m := range []map[string]any{before, after} {
			if table, ok := m["t"].(map[string]any); ok {
				if delete(table, "k"); len(table) == 0 {
					delete(m, "t")
				}
			}
		}
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%q became %q", text, out)
		}
	})
}

func TestWrite(t *testing.T) {
	path := "a \"b\\c\x01é"
	out, err := Set(nil, []string{"x", path}, path, Strings([]string{path, ""}))
	if v, ok := Get(out, "x", path, path); err != nil || !ok || !reflect.DeepEqual(v, []any{path, ""}) {
		t.Errorf("%q gives %v: %v", out, v, err)
	}
}
