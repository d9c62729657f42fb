package document

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// plainValue is what a general reader gives for the node.
func plainValue(n *Node) any {
	switch n.Kind {
	case Integer:
		i, err := strconv.Atoi(n.Text)
		if err != nil {
			panic(err)
		}
		return i
	case List:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, plainValue(item))
		}
		return list
	case Mapping:
		m := map[string]any{}
		for _, member := range n.Members {
			m[member.Key] = plainValue(member.Value)
		}
		return m
	}
	return n.Text
}

// agree holds one accepted document to yaml.v3.
func agree(t *testing.T, data []byte, n *Node) {
	t.Helper()
	var want any
	if err := yaml.Unmarshal(data, &want); err != nil {
		t.Fatalf("accepted %q, which yaml.v3 refuses: %v", data, err)
	}
	if got := plainValue(n); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q\n   read as %#v\nyaml.v3: %#v", data, got, want)
	}
}

var accepted = []struct{ name, in string }{
	{"mapping", "a: b\nc: d\n"},
	{"no final newline", "a: b"},
	{"J01 byte order mark", "\xef\xbb\xbfa: b\n"},
	{"J04 CRLF", "a: b\r\nc:\r\n  - d\r\n"},
	{"document start", "# first\n---\na: b\n"},
	{"document start with comment", "--- # first\na: b\n"},
	{"comments", "# x\na: b # y\n\n  # z\nc: d\n#end"},
	{"number sign in a word", "a: b#c\n"},
	{"list of texts", "- a\n- b c\n"},
	{"list of mappings", "- a: b\n  c: d\n- a: e\n"},
	{"wide dash", "-   a: b\n    c: d\n"},
	{"list at the key's indent", "a:\n- b\n- c\nd: e\n"},
	{"list at the key's indent in an item", "- a:\n  - b\n  c: d\n- a: x\n"},
	{"list deeper", "a:\n    - b\n    - c: d\n      e: f\nd: e\n"},
	{"nested mappings", "a:\n b:\n  c:\n   d: e\n f: g\n"},
	{"comment between key and block", "a: # why\n  # more\n  b: c\n"},
	{"comment deeper than its block", "a:\n  - b\n      # deep\n  - c\n"},
	{"comment shallower than its block", "a:\n    b: c\n# shallow\n    d: e\n"},
	{"brackets", "a: [b, c d, 'e, f', \"g]\"]\n"},
	{"empty brackets", "a: []\nb: [ ]\n"},
	{"brackets with comment", "a: [b] # c\n"},
	{"brackets in an item", "- [a, b]\n- [c]\n"},
	{"colon inside a word in brackets", "a: [explain, file.go:Name]\n"},
	{"number sign in brackets", "a: [x#y]\n"},
	{"numbers", "a: 1\nb: 0\nc: [2, 30]\n"},
	{"number in quotes", "a: \"1\"\nb: '1.0'\nc: ['400']\n"},
	{"truth values in quotes", "a: \"yes\"\nb: 'true'\nc: \"null\"\nd: '~'\n"},
	{"single quotes", "a: 'it''s # not: a comment'\n"},
	{"empty texts", "a: ''\nb: \"\"\n"},
	{"escapes", `a: "\"\\\n\t\r\u00e9\u0041"` + "\n"},
	{"non-ASCII", "a: Straße für 日本 😀\nb: \"é\"\n"},
	{"no-break space", "a: \u00a0b\n"},
	{"odd but plain", "a: ~/x\nb: =x\nc: .gitignore\nd: <x>\ne: a-b\nf: (x)\ng: it's\nh: x\"y\ni: 10th\nj: yesterday\nk: $x\nl: /etc\n"},
	{"colon inside a word", "a: b:c\nd: e::f\n"},
	{"brackets inside a text", "a: b [c] {d}, e?\n"},
	{"trailing spaces", "a: b   \nc:   \n  - d  \n"},
	{"key words", "a_b-c1: x\n_: z\n"},
	{"a question file", "version: 1\nquestions:\n  - id: a\n    ask: [query, \"x y\"]\n    expect:\n      repo: r\n      paths: [a/b.go, c/]\n"},
}

func TestYAMLAgreesWithAGeneralReader(t *testing.T) {
	for _, tt := range accepted {
		t.Run(tt.name, func(t *testing.T) {
			n, err := ParseYAML([]byte(tt.in))
			if err != nil {
				t.Fatalf("ParseYAML(%q) = %v", tt.in, err)
			}
			agree(t, []byte(tt.in), n)
		})
	}
}

// refused holds documents that the subset leaves out. Where general is
// true, yaml.v3 refuses the document too; everything else is a feature or a
// trap that a question file does without.
var refused = []struct {
	name, in, want string
	general        bool
}{
	{"empty", "", "line 1, column 1: the file is empty", false},
	{"only comments", "# a\n\n", "the file is empty", false},
	{"a lone text", "hello\n", "line 1, column 1: a key and a colon", false},
	{"duplicate key", "a: b\nc: d\na: e\n", "line 3, column 1: the key \"a\" stands twice in one mapping; first on line 1", true},
	{"duplicate key in an item", "- a: b\n  a: c\n", "line 2, column 3", true},
	{"tab indentation", "a:\n\tb: c\n", "line 2, column 1: a tab", true},
	{"tab before a comment", "a: b\t# c\n", "line 1, column 5: a tab", false},
	{"anchor", "a: &x b\n", "line 1, column 4: an anchor", false},
	{"alias", "a: &x b\nc: *x\n", "an anchor", false},
	{"unknown alias", "c: *x\n", "an alias", true},
	{"tag", "a: !!str b\n", "a tag", false},
	{"merge key", "<<: {a: b}\n", "a key and a colon", false},
	{"block text", "a: |\n  b\n", "a block text", false},
	{"folded text", "a: >-\n  b\n", "a folded text", false},
	{"mapping in braces", "a: {b: c}\n", "a mapping in braces", false},
	{"list in a list", "- - a\n", "line 1, column 3: a list directly inside a list", false},
	{"list in brackets in brackets", "a: [[b]]\n", "holds texts only", false},
	{"mapping in brackets", "a: [b: c]\n", "a colon before a space", false},
	{"quoted key in brackets", "a: [\"b\":c]\n", "a comma was expected", false},
	{"brackets over two lines", "a: [b,\n  c]\n", "line 1, column 4: a list in brackets must end on its line", false},
	{"brackets without end", "a: [b\n", "must end on its line", true},
	{"brackets and more", "a: [b] c\n", "line 1, column 7: something follows", true},
	{"trailing comma", "a: [b, ]\n", "a comma before the end", false},
	{"double comma", "a: [b,,c]\n", "a comma without an item", true},
	{"question mark in brackets", "a: [b?c]\n", `'?' inside a list`, true},
	{"brace in brackets", "a: [b}]\n", `'}' inside a list`, true},
	{"comment in brackets", "a: [b #]\n", "a number sign after a space", true},
	{"dash item in brackets", "a: [-b]\n", "a dash", false},
	{"two documents", "a: b\n---\nc: d\n", "line 2, column 1: \"---\"", false},
	{"document end", "a: b\n...\n", "\"...\"", false},
	{"document start and value", "--- a\n", "\"---\"", false},
	{"directive", "%YAML 1.2\n---\na: b\n", "a YAML directive", true},
	{"complex key", "? a\n: b\n", "a key and a colon", false},
	{"quoted key", "\"a\": b\n", "a key and a colon", false},
	{"number key", "1: b\n", "a key and a colon", false},
	{"truth key", "on: b\n", "the key on is a truth value", false},
	{"null key", "null: b\n", "the key null is no value", false},
	{"no space after the colon", "a:b\n", "a key and a colon", false},
	{"no value", "a:\nb: c\n", "line 1, column 1: \"a\" has no value", false},
	{"no value at the end", "a: b\nc:\n", "line 2, column 1: \"c\" has no value", false},
	{"no value before a shallower list", "- a:\n- b\n", "line 1, column 3: \"a\" has no value", false},
	{"empty item", "-\n- a\n", "line 1, column 1: an item must start", false},
	{"item on the next line", "-\n  a: b\n", "an item must start", false},
	{"item of a comment", "- # a\n", "an item must start", false},
	{"text over two lines", "a: b\n  c\n", "line 2, column 3: indented deeper", false},
	{"item over two lines", "- a\n  b\n", "line 2, column 3: indented deeper", false},
	{"quoted text over two lines", "a: \"b\n  c\"\n", "must end on its line", false},
	{"quoted text without end", "a: 'b\n", "must end on its line", true},
	{"quoted text and more", "a: 'b' c\n", "something follows", true},
	{"comment against a quote", "a: 'b'#c\n", "something follows", false},
	{"unknown escape", `a: "\q"`, "an escape", true},
	{"slash escape", `a: "\/"`, "an escape", true},
	{"hex escape", `a: "\x41"`, "an escape", false},
	{"short escape", `a: "\u12"`, "an escape", true},
	{"escape at the end", `a: "\`, "an escape", true},
	{"surrogate escape", `a: "\ud800"`, "an escape", true},
	{"colon and space in a text", "a: b: c\n", "line 1, column 5: a colon before a space", true},
	{"colon at the end", "a: b:\n", "a colon before a space", true},
	{"deeper key", "a: b\n  c: d\n", "line 2, column 3", true},
	{"between two levels", "a:\n    b: c\n  d: e\n", "line 3, column 3: the indentation of 2 spaces", true},
	{"item among keys", "a: b\n- c\n", "a list item where a key", true},
	{"key among items", "- a\nb: c\n", "the indentation of 0 spaces", true},
	{"starts with a percent sign", "a: %b\n", "a percent sign", true},
	{"starts with an at sign", "a: @b\n", "an at sign", true},
	{"starts with a backquote", "a: `b`\n", "a backquote", true},
	{"starts with a dash", "a: -b\n", "a dash", false},
	{"starts with a comma", "a: ,b\n", "a comma", true},
	{"starts with a bracket", "a: ]b\n", "a bracket", true},
	{"true", "a: True\n", "a truth value to a YAML reader", false},
	{"yes of YAML 1.1", "a: yes\n", "a truth value", false},
	{"off of YAML 1.1", "a: [off]\n", "a truth value", false},
	{"null", "a: NULL\n", "no value", false},
	{"tilde", "a: ~\n", "no value", false},
	{"J06 fraction", "a: 1.0\n", "a number or a date", false},
	{"J06 exponent", "a: 1e3\n", "a number or a date", false},
	{"negative", "a: -1\n", "a dash", false},
	{"signed", "a: +1\n", "a number or a date", false},
	{"hexadecimal", "a: 0x1F\n", "a number or a date", false},
	{"octal", "a: 0o17\n", "a number or a date", false},
	{"leading zero", "a: 007\n", "a number or a date", false},
	{"underscores", "a: 1_000\n", "a number or a date", false},
	{"underscores behind a sign", "a: +___1\n", "a number or a date", false},
	{"digit and underscore", "a: 5_\n", "a number or a date", false},
	{"final point", "a: 5.\n", "a number or a date", false},
	{"commas", "a: 1,000\n", "a number or a date", false},
	{"base 60", "a: 1:30\n", "a number or a date", false},
	{"huge number", "a: 12345678901\n", "a number or a date", false},
	{"date", "a: 2026-11-30\n", "a number or a date", false},
	{"time", "a: 2026-11-30T10:00:00Z\n", "a number or a date", false},
	{"infinity", "a: -.inf\n", "a dash", false},
	{"not a number", "a: .NaN\n", "a number", false},
	{"J05 invalid UTF-8", "a: \xff\n", "line 1, column 4: invalid UTF-8", true},
	{"UTF-16", "\xff\xfea\x00", "UTF-16", false},
	{"control character", "a: \x01\n", "U+0001", true},
	{"lone carriage return", "a: b\rc: d\n", "U+000D", false},
	{"next line", "a: b\u0085c\n", "U+0085", true},
	{"line separator", "a: b\u2028c\n", "U+2028", true},
	{"text direction", "a: \u202eb\n", "U+202E", false},
	{"byte order mark inside", "a: \ufeffb\n", "U+FEFF", false},
	{"deep", func() string {
		s := ""
		for i := range 17 {
			s += fmt.Sprintf("%*sa:\n", i, "")
		}
		return s + strings.Repeat(" ", 17) + "a: b\n"
	}(), "line 17, column 17: nested deeper than 16", false},
	{"large", "# " + strings.Repeat("x", MaxBytes), "at most 1048576 are read", false},
}

func TestYAMLRefuses(t *testing.T) {
	for _, tt := range refused {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseYAML([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseYAML(%.80q) = %v, want %q", tt.in, err, tt.want)
			}
			var v any
			if general := yaml.Unmarshal([]byte(tt.in), &v); (general != nil) != tt.general {
				t.Errorf("yaml.v3 says %v about %.80q", general, tt.in)
			}
		})
	}
}

func TestNodesKnowTheirLine(t *testing.T) {
	yamlText := "version: 1\n# x\nq:\n  - a: b\n    c: [d,\"e\"]\n"
	jsonText := "{\"version\":1,\n\n\"q\": [\n {\"a\": \"b\",\n  \"c\": [\"d\",\"e\"]}]}"
	for _, tt := range []struct {
		text  string
		parse func([]byte) (*Node, error)
		want  []int
	}{{yamlText, ParseYAML, []int{1, 3, 4, 5}}, {jsonText, ParseJSON, []int{1, 3, 4, 5}}} {
		n, err := tt.parse([]byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		item := n.Members[1].Value.Items[0]
		got := []int{n.Members[0].Line, n.Members[1].Line, item.Members[0].Line, item.Members[1].Value.Items[1].Line}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("lines %v, want %v in %q", got, tt.want, tt.text)
		}
	}
}

// FuzzParseYAML holds the subset to its promise: what it accepts, yaml.v3
// accepts with the same value.
func FuzzParseYAML(f *testing.F) {
	for _, tt := range accepted {
		f.Add([]byte(tt.in))
	}
	for _, tt := range refused {
		if len(tt.in) < 1000 {
			f.Add([]byte(tt.in))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := ParseYAML(data); err == nil {
			agree(t, data, n)
		}
	})
}
