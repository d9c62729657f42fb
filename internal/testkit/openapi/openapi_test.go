package openapi

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

const described = `{"paths":{
 "/things/{name}":{"get":{"id":"one","response":{"200":{"$ref":"#/components/schemas/thing"}}}},
 "/things/all":{"get":{"id":"all","response":{}}},
 "/things/{name}/parts":{"post":{"id":"parts","request":{"$ref":"#/components/schemas/thing"},"response":{}}}},
 "components":{"schemas":{
  "thing":{"type":"object","required":["id","kind"],"properties":{"id":{"type":"integer","minimum":1},"kind":{"type":"string","enum":["a","b"]},
   "hash":{"type":"string","minLength":3,"maxLength":3},"none":{"type":"string","nullable":true},"list":{"type":"array","items":{"$ref":"#/components/schemas/item"}},
   "either":{"oneOf":[{"type":"string"},{"type":"boolean"}]}}},
  "item":{"type":"object","allOf":[{"type":"object","required":["x"],"properties":{"x":{"type":"boolean"}}}]}}}}`

func document(t *testing.T) *Document {
	t.Helper()
	d, err := Read([]byte(described))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFind(t *testing.T) {
	d := document(t)
	for _, tt := range []struct{ method, path, id, name string }{
		{"GET", "/things/one", "one", "one"}, {"GET", "/things/a/b", "one", "a/b"}, {"GET", "/things/all", "all", ""},
		{"POST", "/things/x/parts", "parts", "x"}, {"POST", "/things/x", "", ""}, {"GET", "/things/", "", ""}, {"GET", "/other", "", ""},
	} {
		op, values, ok := d.Find(tt.method, tt.path)
		if op.ID != tt.id || ok != (tt.id != "") || values["name"] != tt.name {
			t.Errorf("%s %s: %q %v", tt.method, tt.path, op.ID, values)
		}
	}
}

func TestCheck(t *testing.T) {
	d := document(t)
	for text, want := range map[string]string{
		`{"id":1,"kind":"a","hash":"abc","none":null,"list":[{"x":true}],"either":false}`: "",
		`{"id":1}`:                                  "kind wasn't supplied",
		`{"id":0,"kind":"a"}`:                       "/id: 0 is no integer",
		`{"id":1,"kind":"c"}`:                       "not one of",
		`{"id":1,"kind":"a","hash":"abcd"}`:         "/hash",
		`{"id":1,"kind":"a","hash":null}`:           "/hash: data cannot be null",
		`{"id":1,"kind":"a","list":[{}]}`:           "/list/0: x wasn't supplied",
		`{"id":1,"kind":"a","list":{}}`:             "no array",
		`{"id":1,"kind":"a","list":[{"x":"true"}]}`: "no boolean",
		`{"id":1,"kind":"a","either":3}`:            "no possible input",
		`[]`:                                        "no object",
	} {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		err := d.Check("", Schema{"$ref": "#/components/schemas/thing"}, v)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	d.Instead["item"] = func(string, any) error { return nil }
	if err := d.Check("", Schema{"$ref": "#/components/schemas/item"}, "anything"); err != nil {
		t.Errorf("a schema with a check in its place: %v", err)
	}
}

func TestStrangersAndSamples(t *testing.T) {
	d := document(t)
	thing := Schema{"$ref": "#/components/schemas/thing"}
	v := map[string]any{"id": 1, "kin": "a", "list": []any{map[string]any{"x": true}}}
	if got := d.Strangers("", thing, v); !slices.Equal(got, []string{"/kin"}) {
		t.Errorf("strangers: %v", got)
	}
	for _, all := range []bool{true, false} {
		data, err := json.Marshal(d.Sample(thing, all))
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(strings.NewReader(string(data)))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		members := len(v.(map[string]any))
		if all && members != 6 || !all && members != 2 {
			t.Errorf("the sample has %d members: %s", members, data)
		}
		delete(v.(map[string]any), "hash") // its length is not sampled
		if err := d.Check("", thing, v); err != nil {
			t.Errorf("%s: %v", data, err)
		}
	}
}
