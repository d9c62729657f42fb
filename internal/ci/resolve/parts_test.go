package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseGoMod(t *testing.T) {
	for _, c := range []struct {
		name, text, path string
		replaced         map[string]string
	}{
		{"plain", "module example.com/a\n\ngo 1.26\n", "example.com/a", nil},
		{"quoted, commented", "// the module\nmodule \"example.com/a\" // ours\n", "example.com/a", nil},
		{"block", "module (\n\texample.com/a\n)\n", "example.com/a", nil},
		{"replace by folder", "module m\nreplace x.org/y => ./y\n", "m", map[string]string{"x.org/y": "mod/y"}},
		{"replace a version", "module m\nreplace x.org/y v1.2.3 => ../y\n", "m", map[string]string{"x.org/y": "y"}},
		{"replace block", "module m\nreplace (\n a => ./a\n b => c v1.0.0\n)\n", "m", map[string]string{"a": "mod/a"}},
		{"replace leads out", "module m\nreplace a => ../../a\n", "m", nil},
		{"cut", "module m\nreplace a =>", "m", nil},
		{"none", "go 1.26\n", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parseGoMod("mod", c.text)
			if m.path != c.path || fmt.Sprint(m.replaced) != fmt.Sprint(orEmpty(c.replaced)) {
				t.Errorf("got %q %v, want %q %v", m.path, m.replaced, c.path, c.replaced)
			}
		})
	}
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

func TestPlainJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a": 1}`, `{"a": 1}`},
		{"{// x\n\"a\": 1,}", `{"a": 1}`},
		{`{/* , } */"a": [1, 2, ], }`, `{"a": [1, 2]}`},
		{`{"a": "// no /* comment */, ]"}`, `{"a": "// no /* comment */, ]"}`},
		{`{"a\"b": "\\", /*//*/ "c": 1}`, `{"a\"b": "\\",  "c": 1}`},
		{`{"a": 1 /* open`, `{"a": 1 `},
		{`"open`, `"open`},
		{`/`, `/`},
	} {
		got := string(plainJSON([]byte(c.in)))
		if strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(c.want), "") {
			t.Errorf("plainJSON(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestChain(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []step
	}{
		{"a", []step{{name: "a"}}},
		{"a.b.c", []step{{name: "a"}, {name: "b"}, {name: "c"}}},
		{"a(x, y.z).b", []step{{name: "a", call: true, args: 2}, {name: "b"}}},
		{"a[0].b()", []step{{name: "a", index: true}, {name: "b", call: true}}},
		{`a(")").b`, []step{{name: "a", call: true, args: 1}, {name: "b"}}},
		{"a?.b!.c", []step{{name: "a"}, {name: "b"}, {name: "c"}}},
		{"a .b() .c", []step{{name: "a"}, {name: "b", call: true}, {name: "c"}}},
		{"a + b", nil},
		{"a(", nil},
		{"a(…", nil},
		{"(a).b", nil},
		{"1.2", nil},
		{".a", nil},
		{"a.", nil},
		{"", nil},
		{"{a: 1}.b", nil},
		{strings.Repeat("a.", maxSteps) + "a", nil},
	} {
		got, ok := chain(c.in)
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("chain(%q) = %v, %v; want %v", c.in, got, ok, c.want)
		}
	}
}

func TestAnnotation(t *testing.T) {
	for _, c := range []struct {
		signature, name, typ string
		ok                   bool
	}{
		{"def f(a, b: Foo = None) -> Bar:", "b", "Foo", true},
		{"def f(a, b: Foo = None)", "a", "", true},
		{"def f(a, b: Foo = None)", "f", "", false},
		{"def f(a: Foo)", "Foo", "", false},
		{"def f(*args, **kw)", "args", "", true},
		{"def f(items: dict[str, Foo], n: int)", "items", "dict[str, Foo]", true},
		{"function f(a?: Foo | null, b = 1)", "a", "Foo | null", true},
		{"constructor(private readonly store: Store)", "store", "Store", true},
		{"f({ a, b }: Props)", "a", "", true},
		{"const f = (cb: (x: A) => void, n: B) =>", "n", "B", true},
		{"class Cart(val store: Store[F], name: String) extends Base", "store", "Store[F]", true},
		{"def run(cart: Cart)(implicit log: Logger[F]): Unit", "log", "Logger[F]", true},
		{"def f(xab: Foo)", "a", "", false},
		{"def f(a", "a", "", true},
		{"x = 1", "x", "", false},
	} {
		typ, ok := annotation(c.signature, c.name)
		if typ != c.typ || ok != c.ok {
			t.Errorf("annotation(%q, %q) = %q, %v; want %q, %v", c.signature, c.name, typ, ok, c.typ, c.ok)
		}
	}
}

func TestAfterExpansion(t *testing.T) {
	for _, c := range []struct {
		in, rest string
		computed bool
	}{
		{"lib/log.sh", "lib/log.sh", false},
		{"$dir/log.sh", "/log.sh", true},
		{"${dir}/log.sh", "/log.sh", true},
		{"${BASH_SOURCE%/*}/log.sh", "/log.sh", true},
		{`$(dirname "$0")/log.sh`, "/log.sh", true},
		{`$(cd "$(dirname "$0")" && pwd)/log.sh`, "/log.sh", true},
		{"`dirname $0`/log.sh", "/log.sh", true},
		{`$dir"/log.sh`, "/log.sh", true},
		{"$(open", "", true},
		{"$", "", true},
		{"`", "", true},
	} {
		rest, computed := afterExpansion(c.in)
		if rest != c.rest || computed != c.computed {
			t.Errorf("afterExpansion(%q) = %q, %v; want %q, %v", c.in, rest, computed, c.rest, c.computed)
		}
	}
}

func TestGuessPackageNames(t *testing.T) {
	for in, want := range map[string]string{
		"fmt":                        "fmt",
		"gopkg.in/yaml.v3":           "yaml",
		"github.com/a/b/v2":          "b",
		"github.com/cli/go-gh":       "gh",
		"github.com/mattn/isatty-go": "isatty",
		"github.com/a/x-y":           "y",
	} {
		if got := guessPackageNames(in); !slices.Contains(got, want) {
			t.Errorf("guessPackageNames(%q) = %q, lacks %q", in, got, want)
		}
	}
}

// Whatever the two type readers make of an annotation, it is one class or
// none.
func TestTypeNames(t *testing.T) {
	for in, want := range map[string]string{
		"Foo": "Foo", `"Foo"`: "Foo", "Optional[Foo]": "Foo", "Foo | None": "Foo", "None | a.Foo": "a.Foo",
		"list[Foo]": "list", "Foo | Bar": "", "": "", "typing.Optional['Foo']": "Foo",
	} {
		if got := pyTypeName(in); got != want {
			t.Errorf("pyTypeName(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"Foo": "Foo", "Foo | null": "Foo", "undefined | a.Foo<T>": "a.Foo", "Promise<Foo>": "Foo",
		"readonly Foo": "Foo", "A | B": "", "": "",
	} {
		if got := jsTypeName(in); got != want {
			t.Errorf("jsTypeName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name, star string
		ok                  bool
	}{
		{"@app/*", "@app/a/b", "a/b", true},
		{"@app/*", "@apple", "", false},
		{"*", "x", "x", true},
		{"a*b", "ab", "", true},
		{"a*ba", "aba", "", true},
		{"ab*ba", "aba", "", false},
		{"exact", "exact", "", true},
		{"exact", "exactly", "", false},
	} {
		star, ok := jsPattern{pattern: c.pattern}.match(c.name)
		if star != c.star || ok != c.ok {
			t.Errorf("%q matches %q: %q, %v; want %q, %v", c.pattern, c.name, star, ok, c.star, c.ok)
		}
	}
}
