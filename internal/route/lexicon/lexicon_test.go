package lexicon

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"branchNamesEqual", "branch name equal branchnamesequal"},
		{"HTTPServer", "http serv httpserver"},
		{"parse_HTTP2_frame", "pars http2 fram parsehttp2frame"},
		{"utf8 sha256", "utf8 sha256"},
		{"a.b_c, x", "bc"},
		{"__init__", "init"},
		{"Größe/naïveTest", "größe naïve test naïvetest"},
		{"foo-bar --skip-ssh-key a - b", "foo bar foobar skip ssh key skipsshkey"},
		{strings.Repeat("x", 60), ""},
	} {
		var got []string
		Words(tt.in, func(w string) { got = append(got, w) })
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("Words(%q) = %q, want %q", tt.in, g, tt.want)
		}
	}
}

func TestStemJoinsFamilies(t *testing.T) {
	for _, family := range []string{
		"parse parses parsing parsed parser parsers",
		"format formats formatting formatted formatter",
		"complete completes completion",
		"query queries",
		"match matches matching matcher",
		"class classes",
		"index indexes indexing indexer",
		"call calls calling called caller",
	} {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			if Stem(w) != Stem(words[0]) {
				t.Errorf("Stem(%q) = %q, but Stem(%q) = %q", w, Stem(w), words[0], Stem(words[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"status", "state"}, {"process", "proceed"}, {"string", "str"}, {"user", "use"}, {"this", "thing"}} {
		if Stem(pair[0]) == Stem(pair[1]) {
			t.Errorf("%q and %q must not meet", pair[0], pair[1])
		}
	}
}

func TestFoldJoinsSpellings(t *testing.T) {
	for _, s := range []string{"branchNamesEqual", "branch_names_equal", "BranchNamesEqual", "BRANCH_NAMES_EQUAL", "branch-names-equal"} {
		if got := Fold(s); got != "branchnamesequal" {
			t.Errorf("Fold(%q) = %q", s, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"branchNamesEqual", "ÀÉx_Y", "\xff\xfeA", "$__", "ǅabc"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		Words(s, func(w string) {
			if w == "" || len(w) > 4*maxTerm {
				t.Fatalf("Words(%q) gave %q", s, w)
			}
			if utf8.ValidString(s) && !utf8.ValidString(w) {
				t.Fatalf("Words(%q) gave invalid UTF-8 %q", s, w)
			}
		})
	})
}

func BenchmarkWords(b *testing.B) {
	text := strings.Repeat("func (s *Server) branchNamesEqual(ctx context.Context, a, b string) bool { return s.parse_name(a) == b }\n", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Words(text, func(string) {})
	}
}
