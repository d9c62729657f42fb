package skill

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       Front
	}{
		{"plain", "---\nname: webhook-signer\ndescription: Signs webhooks.\n---\nBody\n",
			Front{Name: "webhook-signer", Description: "Signs webhooks.", Body: "Body\n"}},
		{"a byte order mark and CRLF", "\xef\xbb\xbf---\r\nname: a\r\ndescription: Does a.\r\n---\r\nB\r\n",
			Front{Name: "a", Description: "Does a.", Body: "B\n"}},
		{"a description over lines", "---\nname: a\ndescription: >\n  Does a\n  and b.\n---\n", Front{Name: "a", Description: "Does a and b."}},
		{"a list for a description", "---\ndescription:\n  - Does a.\n  - Does b.\n---\n", Front{Description: "Does a. Does b."}},
		{"colons that are no YAML", "---\nname: a\ndescription: Use when: the user says \"a: b\".\n---\n",
			Front{Name: "a", Description: "Use when: the user says \"a: b\"."}},
		{"a continuation under it", "---\nname: a\ndescription: Use when: asked\n  for more: always\n---\n", Front{Name: "a", Description: "Use when: asked for more: always"}},
		{"a number for a name", "---\nname: 42\ndescription: d\n---\n", Front{Name: "42", Description: "d"}},
		{"dots end it", "---\nname: a\ndescription: d\n...\nB", Front{Name: "a", Description: "d", Body: "B"}},
		{"no body, no line end", "---\nname: a\ndescription: d\n---", Front{Name: "a", Description: "d"}},
		{"not UTF-8", "---\nname: a\ndescription: caf\xe9 au lait\n---\n", Front{Name: "a", Description: "caf\uFFFD au lait"}},
		{"hidden characters", "---\nname: a\ndescription: \"left\\u202eright\\u0007 x\"\n---\n", Front{Name: "a", Description: "leftright x"}},
		{"three dashes in the body", "---\nname: a\ndescription: d\n---\nB\n---\nC\n", Front{Name: "a", Description: "d", Body: "B\n---\nC\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Meta.Status, tt.want.More = Active, map[string]any{}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestParseMeta(t *testing.T) {
	f, err := Parse([]byte(`---
name: a
description: d
license: MIT
mega_meta:
  helpful_count: 4
  harmful_count: -2
  helpful_contexts: [first, second, third, fourth]
  harmful_contexts: none
  status: SUSPECT
  consecutive_harmful: 1
  something_else: 7
---
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Meta{Helpful: 4, HelpfulContexts: []string{"second", "third", "fourth"}, Status: Suspect, ConsecutiveHarmful: 1}
	if !reflect.DeepEqual(f.Meta, want) {
		t.Errorf("got %+v, want %+v", f.Meta, want)
	}
	if f.More["license"] != "MIT" {
		t.Errorf("more: %v", f.More)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "no frontmatter"},
		{"no frontmatter", "# A skill\n", "no frontmatter"},
		{"not at the start", "\n---\nname: a\n---\n", "no frontmatter"},
		{"open", "---\nname: a\ndescription: d\n", "no closing line"},
		{"nothing in it", "---\n---\n", "empty"},
		{"a list", "---\n- a\n---\n", "no mapping"},
		{"no description", "---\nname: a\n---\n", "no description"},
		{"an empty description", "---\nname: a\ndescription: \"  \"\n---\n", "no description"},
		{"a mapping for a description", "---\nname: a\ndescription: {a: b}\n---\n", "no description"},
		{"not YAML", "---\nname: [a\n---\n", "not YAML"},
		{"an alias", "---\na: &x [1,2]\nb: *x\nname: a\ndescription: d\n---\n", "alias"},
		{"a name without end", "---\nname: " + strings.Repeat("x", 300) + "\ndescription: d\n---\n", "its name has 300 bytes"},
		{"a frontmatter without end", "---\nname: a\ndescription: " + strings.Repeat("x", maxFrontmatter) + "\n---\n", "at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("---\nname: a\ndescription: d\nmega_meta: {helpful_count: 3, helpful_contexts: [x]}\n---\nbody"))
	f.Add([]byte("\xef\xbb\xbf---\r\nname: 'a\r\ndescription: x: y\r\n---"))
	f.Add([]byte("---\na: &a [*a]\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		front, err := Parse(data)
		if err != nil {
			return
		}
		if front.Description == "" || strings.ContainsAny(front.Name+front.Description, "\n\r\x1b\x00") {
			t.Errorf("%+v", front)
		}
		if m := front.Meta; m.Helpful < 0 || m.Harmful < 0 || len(m.HelpfulContexts) > MaxContexts || m.Status == "" {
			t.Errorf("%+v", m)
		}
	})
}
