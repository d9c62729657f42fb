package rulesets

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestDescription: the description has the rules that are documented, and a
// sample of each is a request that it accepts.
func TestDescription(t *testing.T) {
	s, err := Describe()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Rules()); n != 23 {
		t.Errorf("the description has %d types of rules: %v", n, s.Rules())
	}
	for _, name := range s.Rules() {
		data, err := json.Marshal(Object{"name": "x", "enforcement": "active", "rules": []any{s.Sample(name)}})
		if err != nil {
			t.Fatal(err)
		}
		body, err := decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckRequest(false, true, body); err != nil {
			t.Errorf("%s: %v in %s", name, err, data)
		}
	}
}

func TestDescriptionRefuses(t *testing.T) {
	s, err := Describe()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no name":             `{"enforcement":"active"}`,
		"R01 null actors":     `{"name":"x","enforcement":"active","bypass_actors":null}`,
		"a wrong level":       `{"name":"x","enforcement":"on"}`,
		"R16 a wrong word":    `{"name":"x","enforcement":"active","rules":[{"type":"code_scanning","parameters":{"code_scanning_tools":[{"tool":"a","alerts_threshold":"error","security_alerts_threshold":"none"}]}}]}`,
		"no parameters":       `{"name":"x","enforcement":"active","rules":[{"type":"max_file_size","parameters":{}}]}`,
		"out of range":        `{"name":"x","enforcement":"active","rules":[{"type":"max_file_size","parameters":{"max_file_size":101}}]}`,
		"an actor of no type": `{"name":"x","enforcement":"active","bypass_actors":[{"actor_id":1}]}`,
	} {
		body, err := decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckRequest(false, true, body); err == nil {
			t.Errorf("%s: %s is accepted", name, text)
		}
	}
	future, err := decode([]byte(`{"name":"x","enforcement":"active","rules":[{"type":"zz_future","parameters":{"k":null}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CheckRequest(false, true, future); err != nil {
		t.Errorf("a rule that the description does not know is refused: %v", err)
	}
}

// TestShownIsDescribed: what the stand-in shows is what the description says
// that the service shows.
func TestShownIsDescribed(t *testing.T) {
	s, err := New(Repository{FullName: "o/r"})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string, body []byte) (int, []byte) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(method, path, bytes.NewReader(body)))
		return w.Code, w.Body.Bytes()
	}
	for _, target := range []string{"/repos/o/r", "/orgs/o"} {
		for _, name := range s.schema.Rules() {
			data, err := json.Marshal(Object{"name": name, "enforcement": "active", "rules": []any{s.schema.Sample(name)}, "bypass_actors": []any{Object{"actor_type": "OrganizationAdmin"}}})
			if err != nil {
				t.Fatal(err)
			}
			code, shown := ask(http.MethodPost, target+"/rulesets", data)
			body, err := decode(shown)
			if err == nil {
				err = s.schema.CheckResponse(body)
			}
			if code != http.StatusCreated || err != nil {
				t.Errorf("%s: %s: %d, %v: %s", target, name, code, err, shown)
			}
		}
		code, list := ask(http.MethodGet, target+"/rulesets?per_page=100", nil)
		var all []json.RawMessage
		if err := json.Unmarshal(list, &all); err != nil || code != http.StatusOK || len(all) < 23 {
			t.Fatalf("%s: %d, %v: %s", target, code, err, list)
		}
		for _, one := range all {
			body, err := decode(one)
			if err == nil {
				err = s.schema.CheckResponse(body)
			}
			if err != nil || body["rules"] != nil {
				t.Errorf("%s: a list has %s: %v", target, one, err)
			}
		}
	}
}
