package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDecodeRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", "line 1, column 1: the file ends"},
		{"trailing", "{} x", "something follows"},
		{"two documents", "{}{}", "something follows"},
		{"duplicate key", "{\"a\":1,\n \"a\":2}", "line 2, column 2: the key \"a\" stands twice"},
		{"J50 keys differ by case", `{"enforcement":"active","ENFORCEMENT":"disabled"}`, "stands twice"},
		{"duplicate behind an escape", `{"a":1,"\u0061":2}`, "stands twice"},
		{"duplicate among many", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1,"q":1,"q":2}`, "stands twice"},
		{"J05 invalid UTF-8", "{\"a\":\"\xff\"}", "line 1, column 7: invalid UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "UTF-16"},
		{"lone surrogate", `{"a":"\ud800"}`, "surrogate"},
		{"too deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), "deeper than 64"},
		{"control character", "{\"a\":\"\x01\"}", "control character"},
		{"leading zero", `[01]`, "not a number"},
		{"bare word", `{"a":nope}`, "a value was expected, not 'n'"},
		{"open string", `{"a":"b`, "without an end"},
		{"comma", `{"a":1,}`, "a string was expected"},
		{"wrong type", `{"a":1}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var v map[string]string
			err := Decode([]byte(tt.in), &v)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Decode(%q) = %v, want %q", tt.in, err, tt.want)
			}
		})
	}
}

func TestDecodeAccepts(t *testing.T) {
	for _, in := range []string{"\xef\xbb\xbf{\"a\":\"b\"}", "{\"a\":\"b\"}\r\n", `{"a":"\ufffd"}`, `{"a":"\ud83d\ude00"}`,
		`{"a":"","z":[1,-0.5e+10,true,false,null,{"q":[]}]}`, strings.Repeat("[", 64) + strings.Repeat("]", 64)} {
		var v any
		if err := Decode([]byte(in), &v); err != nil {
			t.Errorf("Decode(%q) = %v", in, err)
		}
	}
}

func TestCursorInts(t *testing.T) {
	c, err := NewCursor([]byte(` [ 1, -2 ,30] `))
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Ints(nil)
	if err != nil || len(got) != 3 || got[0] != 1 || got[1] != -2 || got[2] != 30 {
		t.Fatalf("Ints = %v, %v", got, err)
	}
	for _, bad := range []string{"[1.5]", "[01]", "[9007199254740993]", "[1", `["1"]`, "[-]", "[1 2]"} {
		c, _ := NewCursor([]byte(bad))
		if _, err := c.Ints(nil); err == nil {
			t.Errorf("Ints(%s) accepted", bad)
		}
	}
}

// FuzzCheck holds Check to encoding/json: what it accepts is valid, and
// what is valid, shallow, UTF-8 and free of equal keys it accepts.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x\n"]}`, `{"a":1,"A":2}`, `"\ud800"`, "[", "\xef\xbb\xbf[]", `{"a":{"b":{"c":null}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if Check(data) == nil && !json.Valid(TrimBOM(data)) {
			t.Fatalf("accepted invalid JSON %q", data)
		}
	})
}
