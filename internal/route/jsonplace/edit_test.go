package jsonplace

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestEdit shows what an edit leaves: comments, order, blanks, line ends.
func TestEdit(t *testing.T) {
	set := func(path []string, name, value string) func(*Editor) {
		return func(e *Editor) { e.Set(path, Pair{name, json.RawMessage(value)}) }
	}
	add := func(value string, path ...string) func(*Editor) {
		return func(e *Editor) { e.Append(path, json.RawMessage(value)) }
	}
	for _, c := range []struct {
		name, text string
		edit       func(*Editor)
		want       string
	}{
		{"nothing there", "", set(nil, "a", "1"), "{\n  \"a\": 1\n}\n"},
		{"empty object", "{}\n", set(nil, "a", `{"b":[1]}`), "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}\n"},
		{"behind the last", "{\n\t\"a\": 1\n}\n", set(nil, "b", "[2]"), "{\n\t\"a\": 1,\n\t\"b\": [\n\t\t2\n\t]\n}\n"},
		{"comment behind the last", "{\n  \"a\": 1 // one\n}\n", set(nil, "b", "2"), "{\n  \"a\": 1, // one\n  \"b\": 2\n}\n"},
		{"comma behind the last", "{\n  \"a\": 1, // one\n}\n", set(nil, "b", "2"), "{\n  \"a\": 1, // one\n  \"b\": 2,\n}\n"},
		{"line ends", "{\r\n    \"a\": 1\r\n}\r\n", set(nil, "b", "[2]"), "{\r\n    \"a\": 1,\r\n    \"b\": [\r\n        2\r\n    ]\r\n}\r\n"},
		{"one line", `{"a":1}`, set(nil, "b", "[2]"), `{"a":1, "b": [2]}`},
		{"byte order mark", "\xef\xbb\xbf{}", set(nil, "a", "1"), "\xef\xbb\xbf{\n  \"a\": 1\n}"},
		{"another value", "{\n  /* x */ \"a\" : 1 /* y */\n}", set(nil, "a", `"z"`), "{\n  /* x */ \"a\" : \"z\" /* y */\n}"},
		{"the same value", "{ \"a\" : [ 1,2 ] }", set(nil, "a", "[1,2]"), "{ \"a\" : [ 1,2 ] }"},
		{"new objects", "{\n  \"x\": 0\n}\n", set([]string{"a", "b"}, "c", "1"), "{\n  \"x\": 0,\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n    }\n  }\n}\n"},
		{"list", "{\n  \"l\": [\n    1\n  ]\n}", add("2", "l"), "{\n  \"l\": [\n    1,\n    2\n  ]\n}"},
		{"list in a line", "{\n  \"l\": [1, 3]\n}", add("2", "l"), "{\n  \"l\": [1, 3, 2]\n}"},
		{"new list", "{\n  \"x\": 0\n}", add("2", "l"), "{\n  \"x\": 0,\n  \"l\": [\n    2\n  ]\n}"},
		{"empty list with a comment", "{\n  \"l\": [\n    // none\n  ]\n}", add("2", "l"), "{\n  \"l\": [\n    2\n    // none\n  ]\n}"},
		{"cut the last", "{\n  \"a\": 1, // one\n  \"b\": 2\n}", func(e *Editor) { e.Delete("b") }, "{\n  \"a\": 1 // one\n}"},
		{"cut the last, comma behind", "{\n  \"a\": 1, // one\n  \"b\": 2,\n}", func(e *Editor) { e.Delete("b") }, "{\n  \"a\": 1, // one\n}"},
		{"cut the first", "{\n  \"a\": 1,\n  \"b\": 2\n}", func(e *Editor) { e.Delete("a") }, "{\n  \"b\": 2\n}"},
		{"cut the only one", "{\n  \"a\": {\n    \"b\": 2\n  }\n}", func(e *Editor) { e.Delete("a", "b") }, "{\n  \"a\": {}\n}"},
		{"cut in a line", `{"a":1, "b":2, "c":3}`, func(e *Editor) { e.Delete("b"); e.Delete("c") }, `{"a":1}`},
		{"cut twins", `{"a":1,"b":2,"a":3}`, func(e *Editor) { e.Delete("a") }, `{"b":2}`},
		{"cut an element", "[1,\n 2]", func(e *Editor) { e.DeleteElement(nil, 0) }, "[\n 2]"},
		{"other element", "[1, 2]", func(e *Editor) { e.SetElement(nil, 1, json.RawMessage("5")) }, "[1, 5]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := Edit([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			c.edit(e)
			if got, err := e.Bytes(); err != nil || string(got) != c.want {
				t.Errorf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestEditRefuses(t *testing.T) {
	for _, text := range []string{"{", "[1", "{\"a\": 1 \"b\": 2}", "\xff\xfe{}", "/* open {}", "{} {}"} {
		if _, err := Edit([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	for _, edit := range []func(*Editor){
		func(e *Editor) { e.Set([]string{"l"}, Pair{"a", json.RawMessage("1")}) },
		func(e *Editor) { e.Append([]string{"o"}, json.RawMessage("1")) },
		func(e *Editor) { e.Set([]string{"s", "t"}, Pair{"a", json.RawMessage("1")}) },
	} {
		e, err := Edit([]byte(`{"l":[],"o":{},"s":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		edit(e)
		if _, err := e.Bytes(); err == nil {
			t.Error("a value of another kind was replaced")
		}
	}
	if _, err := Edit([]byte("{\n  \"a\": ?\n}")); err == nil || !strings.HasPrefix(err.Error(), "line 2, column 8: ") {
		t.Errorf("the place is not told: %v", err)
	}
}

// TestRevert takes a change out of a text that somebody edited since.
func TestRevert(t *testing.T) {
	for _, c := range []struct{ name, before, after, now, want string }{
		{"added", `{"x":1}`, `{"x":1,"a":{"b":[1]}}`, "{\n  \"y\": 2,\n  \"x\": 1,\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}", "{\n  \"y\": 2,\n  \"x\": 1\n}"},
		{"added into, and theirs stays", `{}`, `{"a":{"b":[1]}}`, `{"a":{"b":[1,2],"c":3}}`, `{"a":{"b":[2],"c":3}}`},
		{"what we made and is empty goes", `{}`, `{"a":{"b":[1]}}`, `{"a":{"b":[1]},"c":3}`, `{"c":3}`},
		{"members in another order are the same", `{}`, `{"l":[{"a":1,"b":2}]}`, `{"l":[{"b":2,"a":1},7]}`, `{"l":[7]}`},
		{"replaced", `{"a":"old"}`, `{"a":"new"}`, `{"a":"new","x":1}`, `{"a":"old","x":1}`},
		{"replaced, and replaced again", `{"a":"old"}`, `{"a":"new"}`, `{"a":"theirs"}`, `{"a":"theirs"}`},
		{"removed comes back", `{"a":{"k":1,"j":2},"b":2}`, `{"b":2}`, `{"b":3}`, `{"b":3, "a": {"k":1,"j":2}}`},
		{"removed by them, too", `{"a":1}`, `{"a":2}`, `{"b":1}`, `{"b":1}`},
		{"element gone comes back", `{"l":["p","q"]}`, `{"l":["q","z"]}`, `{"l":["q","z","u"]}`, `{"l":["q","u", "p"]}`},
		{"twins", `{"l":["p"]}`, `{"l":["p","p"]}`, `{"l":["p","p","u"]}`, `{"l":["p","u"]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Revert([]byte(c.now), []byte(c.after), []byte(c.before))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

// FuzzEdit holds what is edited to be read again, and what is added to go
// again without a trace in the values.
func FuzzEdit(f *testing.F) {
	for _, s := range []string{"{}", "{\"a\": [1, 2,], // x\n \"b\": {\"c\": null,}}", "\xef\xbb\xbf{\r\n\t\"a\" : 1 /* , */ ,\r\n}", "{\"a\":1,\"a\":{}}", "{\"hooks\":{\"Stop\":[]}}", "[{}]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Edit([]byte(text))
		if err != nil {
			return
		}
		before, _ := e.Bytes()
		e.Append([]string{"hooks", "Stop"}, json.RawMessage(`{"k":[1]}`))
		e.Set([]string{"s"}, Pair{"n/1", json.RawMessage(`"v"`)}, Pair{"n2", json.RawMessage(`"v"`)})
		after, err := e.Bytes()
		if err != nil {
			return // it has another kind of value there
		}
		if raw, ok := e.Get("s", "n2"); !ok || string(raw) != `"v"` {
			t.Fatalf("not set: %q", after)
		}
		back, err := Revert(append(after, '\n'), after, before)
		if err != nil {
			t.Fatalf("%v: %q", err, after)
		}
		a, err := decode(back)
		b, err2 := decode(before)
		if err != nil || err2 != nil || !equal(a, b) {
			t.Fatalf("%q became %q and then %q", before, after, back)
		}
	})
}
