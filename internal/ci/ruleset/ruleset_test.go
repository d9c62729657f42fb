package ruleset

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func parse(t testing.TB, text string) Value {
	t.Helper()
	v, err := ParseObject([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"R50 keys that differ by case", "{\"enforcement\":\"active\",\n\"ENFORCEMENT\":\"disabled\"}", "line 2, column 1: the key \"ENFORCEMENT\" stands twice"},
		{"R50 a key twice", `{"rules":[],"rules":[{"type":"deletion"}]}`, "line 1, column 13: the key \"rules\" stands twice"},
		{"R50 deep inside", `{"rules":[{"type":"update","parameters":{"a":1,"A":2}}]}`, "stands twice"},
		{"J05 invalid UTF-8", "{\"name\":\"\xff\"}", "line 1, column 10: invalid UTF-8"},
		{"J01 UTF-16", "\xff\xfe{\x00}\x00", "UTF-16"},
		{"something after it", "{}\n{}", "line 2, column 1: something follows"},
		{"no object", "[]", "must be an object"},
		{"nothing", "", "the file ends"},
		{"too large", `{"name":"` + strings.Repeat("x", MaxSize) + `"}`, "larger than"},
		{"too deep", strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), "deeper than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseObject([]byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestParseKeepsEverything(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"J01 byte order mark", "\xef\xbb\xbf{\"a\":1}", `{"a":1}`},
		{"J04 CRLF, no final newline", "{\r\n\"a\": [1, 2]\r\n}", `{"a":[1,2]}`},
		{"J06 spelling of numbers", `{"a":1e3,"b":1.0,"c":-0}`, `{"a":1e3,"b":1.0,"c":-0}`},
		{"R51 ids above 2^53", `{"actor_id":9007199254740993}`, `{"actor_id":9007199254740993}`},
		{"R28 what nobody knows", `{"rules":[{"type":"zz_future","parameters":{"k":[1,{"x":null}]}}]}`, `{"rules":[{"type":"zz_future","parameters":{"k":[1,{"x":null}]}}]}`},
		{"R31 a pattern rule without parameters", `{"rules":[{"type":"tag_name_pattern"},{"type":"code_scanning"}]}`, `{"rules":[{"type":"tag_name_pattern"},{"type":"code_scanning"}]}`},
		{"order of members", `{"z":1,"a":2}`, `{"z":1,"a":2}`},
		{"signs of HTML", `{"a":"<&>\u0041\n"}`, `{"a":"<&>A\n"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, tt.in)
			if got := string(v.JSON()); got != tt.want {
				t.Errorf("it is written as %s, want %s", got, tt.want)
			}
			if back := parse(t, string(v.Indented())); !bytes.Equal(back.JSON(), v.JSON()) {
				t.Errorf("indented, it reads as %s", back.JSON())
			}
		})
	}
}

func TestLines(t *testing.T) {
	v := parse(t, "{\n \"name\": \"x\",\n \"rules\": [\n  {\"type\": \"update\"}\n ]\n}")
	if got := v.Member("rules").Items()[0].Line; got != 4 {
		t.Errorf("the rule is said to be on line %d, want 4", got)
	}
}

func TestBody(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"R01 no list of actors", `{"name":"x","rules":[]}`, `{"name":"x","rules":[],"bypass_actors":[]}`},
		{"R01 null for a list", `{"name":"x","bypass_actors":null}`, `{"name":"x","bypass_actors":[]}`},
		{"R32 read-only members", `{"id":1,"node_id":"a","name":"x","source":"o/r","source_type":"Repository","_links":{},"created_at":"","updated_at":"","current_user_can_bypass":"never","bypass_actors":[]}`, `{"name":"x","bypass_actors":[]}`},
		{"R18 nothing is filled in", `{"bypass_actors":[],"rules":[{"type":"required_status_checks","parameters":{"required_status_checks":[],"strict_required_status_checks_policy":false}}]}`, `{"bypass_actors":[],"rules":[{"type":"required_status_checks","parameters":{"required_status_checks":[],"strict_required_status_checks_policy":false}}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(parse(t, tt.in).Body().JSON()); got != tt.want {
				t.Errorf("sent is %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCanonicalNumber(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.00e7": "0", "1": "1", "1.0": "1", "1e3": "1000", "1E+3": "1000", "10e-1": "1", "1200": "1200", "0.5": "5e-1", "5e-1": "5e-1",
		"-12.50": "-125e-1", "9007199254740993": "9007199254740993", "1e999999999999999999999": "1e999999999999999999999", "10e999999999999999999998": "1e999999999999999999999",
	} {
		if got := canonicalNumber(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestClosesBranch(t *testing.T) {
	for text, want := range map[string]bool{
		`{"rules":[{"type":"update"}],"bypass_actors":[{"actor_id":1,"actor_type":"Integration"}]}`:                                              true,
		`{"rules":[{"type":"update"}],"bypass_actors":[{"actor_id":"${app:x}","actor_type":"Integration"}]}`:                                     true,
		`{"rules":[{"type":"deletion"}],"bypass_actors":[{"actor_id":1,"actor_type":"Integration"}]}`:                                            false,
		`{"rules":[{"type":"update"}],"bypass_actors":[{"actor_id":1,"actor_type":"Integration"},{"actor_id":5,"actor_type":"RepositoryRole"}]}`: false,
		`{"rules":[{"type":"update"}],"bypass_actors":[{"actor_id":5,"actor_type":"RepositoryRole"}]}`:                                           false,
	} {
		if got := parse(t, text).ClosesBranch(); got != want {
			t.Errorf("%s closes a branch: %v", text, got)
		}
	}
}

func TestApps(t *testing.T) {
	v := parse(t, `{"bypass_actors":[{"actor_id":"${app:bundle-bot}"}],"rules":[{"parameters":{"integration_id":"${app:ci}"}}],"name":"${app:Wrong}","x":"${app:ci}"}`)
	if got := strings.Join(v.Apps(), " "); got != "bundle-bot ci" {
		t.Errorf("the Apps are %q", got)
	}
	got := string(v.WithApps(map[string]string{"bundle-bot": "9007199254740993"}).JSON())
	if want := `{"bypass_actors":[{"actor_id":9007199254740993}],"rules":[{"parameters":{"integration_id":"${app:ci}"}}],"name":"${app:Wrong}","x":"${app:ci}"}`; got != want {
		t.Errorf("resolved, it is %s, want %s", got, want)
	}
}

// FuzzParse: what is read is written with the same meaning, its canonical
// form is a fixed point, and it never differs from itself.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"name":"x","target":"branch","enforcement":"active","bypass_actors":[{"actor_id":9007199254740993,"actor_type":"Integration","bypass_mode":"always"}],"rules":[{"type":"zz_future","parameters":{"k":[1,{"x":null}]}}]}`,
		`{"rules":[{"type":"tag_name_pattern"},{"type":"code_scanning"},{"type":1},7,null]}`,
		`{"bypass_actors":[{},[],null,{"actor_type":"OrganizationAdmin","actor_id":1e0}],"conditions":{"ref_name":{"include":null}}}`,
		"\xef\xbb\xbf{\"a\":1e999999999}\r\n", `{"bypass_actors":[{"ACTOR_ID":0}]}`, `{"enforcement":1,"ENFORCEMENT":2}`, `{"conditions":[],"rules":{},"bypass_actors":{},"target":null}`,
		`{"rules":[{"type":"pull_request","parameters":{"required_reviewers":[[{}]],"dismissal_restriction":{"allowed_actors":{"a":[]}}}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := ParseObject(data)
		if err != nil {
			return
		}
		written := v.JSON()
		if !json.Valid(written) {
			t.Fatalf("%q is written as %q, which is no JSON", data, written)
		}
		for _, form := range []func(Value) Value{Canonical, Export} {
			once := form(v)
			if twice := form(once); !bytes.Equal(once.JSON(), twice.JSON()) {
				t.Errorf("%s\nis not a fixed point:\n%s", once.JSON(), twice.JSON())
			}
		}
		if !bytes.Equal(Canonical(v).JSON(), Canonical(Export(v)).JSON()) {
			t.Errorf("export changes the meaning of %s", written)
		}
		if got := Compare(v, v.Body(), Names{}); len(got.Changes) > 0 || got.Hidden {
			t.Errorf("%s differs from itself: %+v", written, got)
		}
	})
}
