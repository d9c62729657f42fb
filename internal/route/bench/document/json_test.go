package document

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// agreeJSON holds one accepted document to encoding/json.
func agreeJSON(t *testing.T, data []byte, n *Node) {
	t.Helper()
	var want any
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &want); err != nil {
		t.Fatalf("accepted %q, which encoding/json refuses: %v", data, err)
	}
	if got := asFloats(plainValue(n)); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q\n      read as %#v\nencoding/json: %#v", data, got, want)
	}
}

// asFloats turns whole numbers into what encoding/json makes of them.
func asFloats(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case []any:
		for i := range v {
			v[i] = asFloats(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = asFloats(v[k])
		}
	}
	return v
}

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"object", `{"version": 1, "questions": [{"id": "a", "ask": ["query", "x"]}]}`, ""},
		{"J01 byte order mark", "\xef\xbb\xbf{\"a\":\"b\"}", ""},
		{"empty containers", `{"a":{},"b":[]}`, ""},
		{"null", "{\n \"a\": null}", "line 2, column 7: a text, a whole number"},
		{"truth value", `{"a": true}`, "a text, a whole number"},
		{"J06 fraction", `{"a": 1.0}`, "a whole number was expected"},
		{"negative", `{"a": -1}`, "a text, a whole number"},
		{"huge number", `{"a": 99999999999999999999}`, "out of range"},
		{"equal keys", `{"a":"b","A":"c"}`, "stands twice"},
		{"J05 invalid UTF-8", "{\"a\":\"\xff\"}", "invalid UTF-8"},
		{"two documents", `{} {}`, "something follows"},
		{"empty", ``, "the file ends"},
		{"large", `"` + strings.Repeat("x", MaxBytes) + `"`, "at most 1048576 are read"},
		{"deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), "deeper than 64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := ParseJSON([]byte(tt.in))
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				agreeJSON(t, []byte(tt.in), n)
			} else if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("ParseJSON(%.60q) = %v, want %q", tt.in, err, tt.want)
			}
		})
	}
}

// FuzzParseJSON holds what is accepted to encoding/json.
func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{`{"version":1,"questions":[{"id":"a"}]}`, `["\u00e9", 12, {}]`, `{"a":1,"A":2}`, `"\ud83d\ude00"`, "[", `[01]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := ParseJSON(data); err == nil {
			agreeJSON(t, data, n)
		}
	})
}
