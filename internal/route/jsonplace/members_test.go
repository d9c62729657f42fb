package jsonplace

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestMembers(t *testing.T) {
	const text = "  {\r\n\t\"a\" : 1 ,\"b\\u0062\":\"x\\\"}\" , \"c\":{\"a\":[1, {}]},\"d\":[],\"e\": null}, {\"f\":1}"
	got, err := Members([]byte(text), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ key, name, value string }{
		{`"a"`, "a", "1"}, {`"b\u0062"`, "bb", `"x\"}"`}, {`"c"`, "c", `{"a":[1, {}]}`}, {`"d"`, "d", "[]"}, {`"e"`, "e", "null"},
	}
	if len(got) != len(want) {
		t.Fatalf("members are %v", got)
	}
	for i, w := range want {
		m := got[i]
		if m.Name != w.name || text[m.From:m.To] != w.value || !strings.HasPrefix(text[m.Key:], w.key) {
			t.Errorf("member %d is %+v: %q at %q, want %+v", i, m, text[m.From:m.To], text[m.Key:], w)
		}
	}
	inner, err := Members([]byte(text), got[2].From)
	if err != nil || len(inner) != 1 {
		t.Fatalf("%v, %v", inner, err)
	}
	elements, err := Elements([]byte(text), inner[0].From)
	if err != nil || len(elements) != 2 || text[elements[0].From:elements[0].To] != "1" || text[elements[1].From:elements[1].To] != "{}" || elements[1].Key != elements[1].From {
		t.Errorf("elements are %v, %v", elements, err)
	}
	if none, err := Elements([]byte(text), got[3].From); err != nil || len(none) != 0 {
		t.Errorf("of an empty list: %v, %v", none, err)
	}
}

// TestNotThere: what is no object or list, or breaks off before the last
// value, is an error and no place.
func TestNotThere(t *testing.T) {
	for _, text := range []string{"", " ", "[1]", "x", `"{"`, `{"a"`, `{"a":`, `{"a":}`, `{1:2}`, `{"a":1 "b":2}`} {
		if got, err := Members([]byte(text), 0); err == nil {
			t.Errorf("members of %q are %v", text, got)
		}
	}
	for _, text := range []string{"", "{}", "[1 2]", "[x"} {
		if got, err := Elements([]byte(text), 0); err == nil {
			t.Errorf("elements of %q are %v", text, got)
		}
	}
}

// FuzzMembers: of any valid object, each value can be replaced where it is
// said to stand, and nothing else changes.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "{ \"a\" :\n-1.5e3 , \"\\\"\":\"\\u005c\" }", `{"a":{"a":[{}]},"b":true}`, "{}", `{"é":"\""}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) || data[0] != '{' {
			return
		}
		all, err := Members(data, 0)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		for _, m := range all {
			var key string
			d := json.NewDecoder(strings.NewReader(string(data[m.Key:])))
			if err := d.Decode(&key); err != nil || key != m.Name {
				t.Fatalf("%q: the key of %+v is %q, %v", data, m, key, err)
			}
			if !json.Valid(data[m.From:m.To]) {
				t.Fatalf("%q: %+v is no value", data, m)
			}
			if changed := string(data[:m.From]) + `["put here"]` + string(data[m.To:]); !json.Valid([]byte(changed)) {
				t.Fatalf("%q became %q", data, changed)
			}
		}
	})
}
