package lexicon

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseShape(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Shape
	}{
		{"parseManifest", Identifier},
		{"  parse_manifest\n", Identifier},
		{"manifest.go", Identifier},
		{"internal/route/bundle.go", Identifier},
		{"Server.Serve", Identifier},
		{"order-guard", Identifier},
		{"日本語", Identifier},
		{"order guard", Phrase},
		{"strict json duplicate key", Phrase},
		{"where is the order guard of publishing", Sentence},
		{"what reads tokens?", Sentence},
		{`the "budget" of answers`, Sentence},
		{"fix the budget of answers", Change},
		{"Add a budget to every answer", Change},
		{"parser: keep comments", Change},
		{"fix(parser): keep comments", Change},
		{"lexer,parser: keep comments", Change},
		{"Don't keep comments without a budget", Change},
		{"Do not keep comments without a budget", Change},
		{"Skip comments that have no budget", Change},
		{"Added a budget to every answer", Change},
		{"skips comments that have no budget", Sentence},
		{"ignored comments are counted against it", Sentence},
		{"feat(api)!: drop the old form", Change},
		{"", Phrase},
		{"?", Phrase},
		{"? !", Phrase},
		{"-- ,;:", Phrase},
	} {
		if got := Parse(tt.text).Shape; got != tt.want {
			t.Errorf("Parse(%q) is taken as %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, text, terms, names string }{
		{"query_splits_identifiers", "branchNamesEqual", "branch name equal branchnamesequal", "branchNamesEqual"},
		{"query_splits_identifiers with underscores", "branch_names_equal", "branch name equal branchnamesequal", "branch_names_equal"},
		{"query_splits_identifiers among words", "who calls branchNamesEqual from here", "call branch name equal branchnamesequal here", "branchNamesEqual"},
		{"stop_words_dropped", "where is the budget of an answer", "budget answ", ""},
		{"a phrase keeps its grammar words, for names have them", "is the same", "is the same", ""},
		{"only stop words", "what is it and where was that", "what is it and wher was that", ""},
		{"a change's verb says nothing of its place", "fix the parser for empty input", "pars empty input", ""},
		{"a scope does", "lexer: fix the empty input", "lexer empty input", ""},
		{"a verb further on is a word", "the reader must support updates of lists", "read support updat list", ""},
		{"a compound of hyphens", "skip-ssh-key", "skip ssh key skipsshkey", "skip-ssh-key skip ssh key"},
		{"a compound in a sentence", "where does --skip-ssh-key get its value?", "skip ssh key get valu skipsshkey", ""},
		{"a hyphen that joins nothing", "a - b --", "", ""},
		{"a file", "docs/route.md", "doc rout md", "route.md docs route md"},
		{"a qualified name", "Server.Serve", "serv", "Server.Serve Server Serve"},
		{"a plain word in a sentence is no name", "how does the server serve", "serv", ""},
		{"each term once", "parse parser parsing", "pars", ""},
		{"a number among letters is no name", "utf8 and sha256 hashes of files", "utf8 sha256 hash file", ""},
		{"nothing to look for", "? !", "", ""},
		{"not UTF-8", "par\xffse \xfe\xfd", "pars", "parse"},
		{"a control character parts words", "par\x00se", "par se", "par\x00se par se"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := Parse(tt.text)
			if got := strings.Join(q.Terms, " "); got != tt.terms {
				t.Errorf("terms are %q, want %q", got, tt.terms)
			}
			if got := strings.Join(q.Names, " "); got != tt.names {
				t.Errorf("names are %q, want %q", got, tt.names)
			}
		})
	}
}

func TestParseWants(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Wants
	}{
		{"parse numbers", Wants{}},
		{"tests of the parser", Wants{Test: true}},
		{"the README says how", Wants{Doc: true}},
		{"release workflow", Wants{Data: true}},
		{"where does main begin", Wants{Entry: true}},
		{"documented in a test fixture of the yaml config", Wants{Test: true, Doc: true, Data: true}},
		{"latest contest", Wants{}},
	} {
		if got := Parse(tt.text).Wants; got != tt.want {
			t.Errorf("Parse(%q) wants %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

func TestParseIsBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("lorem ipsum dolorSit amet_consectetur ", 100<<10/38),
		strings.Repeat("x", 100<<10),
		strings.Repeat("aB", 50<<10),
		strings.Repeat("日", 100<<10/3),
		strings.Repeat("a-", 50<<10),
	} {
		checkBounds(t, text, Parse(text))
	}
}

// checkBounds holds what every question must keep to, whatever was typed.
func checkBounds(t *testing.T, text string, q Question) {
	t.Helper()
	if len(text) > 100 {
		text = text[:100] + "…"
	}
	if len(q.Terms) > maxTerms || len(q.Names) > maxNames {
		t.Errorf("Parse(%q) gives %d terms and %d names", text, len(q.Terms), len(q.Names))
	}
	for _, term := range q.Terms {
		if term == "" || len(term) > 4*maxTerm || !utf8.ValidString(term) {
			t.Errorf("Parse(%q) gives the term %q", text, term)
		}
	}
	for _, name := range q.Names {
		if name == "" || len(name) > maxName || !utf8.ValidString(name) {
			t.Errorf("Parse(%q) gives the name %q", text, name)
		}
	}
	for i := range q.Terms {
		if slices.Contains(q.Terms[:i], q.Terms[i]) {
			t.Errorf("Parse(%q) gives the term %q twice", text, q.Terms[i])
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"where is branchNamesEqual?", "fix(parser): keep it", "a-b_c", "? !", "\xff\xfe", "_-_ x", "İstanbul-ǅ", "x/y/z.go"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkBounds(t, s, Parse(s)) })
}
