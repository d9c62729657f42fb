package pattern

import (
	"regexp"
	"slices"
	"testing"
)

// expressions are of each kind that there is, and of those that this module
// uses.
var expressions = []string{
	``, `a`, `abc`, `a|b`, `a|ab|abc`, `(a|ab)(c|bcd)(d*)`, `a*`, `a*?b`, `a+`, `a+?`, `(a|b)*?c`, `a?b`, `a??b`, `a{0,3}`, `a{2,4}`, `(ab){1,2}c`,
	`^a`, `a$`, `^$`, `\bab\b`, `[a-c]+`, `[^a-c]+`, `[]a]`, `[a\]-]+`, `[\w.-]+`, `\d+:\d+`, `\S+`, `\s*x`, `(?i:abc|Def)g`, `(?:ab)+(c)?`, `é+`, `[é-ü]`, `[\pL\pN_]+`, `.`, `.*x`,
	`^(?:([A-Za-z0-9_][A-Za-z0-9._~+-]*)@)?([A-Za-z0-9_\[][A-Za-z0-9.:_\[\]-]*):([^:].*)$`,
	`\bat (?:[\w.$-]+/)*([\w.$<>]+)\(([\w$-]+\.(?:java|kt|scala|groovy|clj))(?::(\d+))?\)`,
	`\bat (?:async )?(?:new )?(?:([\w$.<>\[\] ]+?) \()?(?:file://|webpack:///?)?([^\s()]+\.\w+):(\d+)(?::\d+)?\)?`,
	`([\w@~+./\\-]*[\w-]\.[A-Za-z]\w{0,9}):(\d+)(?::\d+)?`,
	`^\s*(?:[\w./-]+\.)?\(?\*?([A-Za-z_]\w*)\)?(?:\.([A-Za-z_]\w*))?(?:\.func\d+)*\(.*\)\s*$`,
}

var texts = []string{
	"", "a", "b", "ab", "abc", "abcd", "aab", "aaab", "xabcx", "ABCg defG", "a\nb", "é", "éü x", "12:34", "at org.x.Bar.baz(Bar.java:42)", "  at async src/a.ts:12:3",
	"at foo (file:///src/a.ts:12:3)", "git@github.com:acme/x.git", "main.(*Server).serve(0xc000, ...)", "/src/x/foo.go:123 +0x1d", "a\xffb", "a]-", " x",
}

// same compares one expression with package regexp on one text.
func same(t *testing.T, expression, text string) {
	t.Helper()
	p, err := Compile(expression)
	if err != nil {
		return
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		t.Errorf("%q is accepted here only: %v", expression, err)
		return
	}
	want := re.FindStringSubmatchIndex(text)
	if got := p.Index(text); !slices.Equal(got, want) {
		t.Errorf("%q on %q: %v, want %v", expression, text, got, want)
	}
	if got, want := p.Groups(text), re.FindStringSubmatch(text); !slices.Equal(got, want) || p.Match(text) != re.MatchString(text) {
		t.Errorf("%q on %q: groups %q, want %q", expression, text, got, want)
	}
}

func TestLikePackageRegexp(t *testing.T) {
	for _, e := range expressions {
		if _, err := Compile(e); err != nil {
			t.Errorf("%q: %v", e, err)
		}
		for _, text := range texts {
			same(t, e, text)
		}
	}
	for _, e := range []string{"(", ")", "[", "[a", "a**", "*", `\q`, "(?x)", "a{2}", "a{3,2}", "[b-a]", `\`, "a{1,2000}", `[^\S]`, "\xff", "(a*)+", "()*", "(a|b?){2,3}"} {
		if _, err := Compile(e); err == nil {
			t.Errorf("%q is accepted", e)
		}
	}
	for _, text := range append(texts, `a.b*c\d(e)[f]{g}|h^$+?`) {
		if p, err := Compile("^" + Quote(text) + "$"); err == nil && !p.Match(text) {
			t.Errorf("%q is not matched by its quotation", text)
		}
	}
}

func FuzzLikePackageRegexp(f *testing.F) {
	for i, e := range expressions {
		f.Add(e, texts[i%len(texts)])
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		if len(expression) < 60 && len(text) < 200 {
			same(t, expression, text)
		}
	})
}
