package plaintext

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"plain", "parseManifest(data []byte)", 100, "parseManifest(data []byte)"},
		{"letters of any script", "größe 日本語 שלום", 100, "größe 日本語 שלום"},
		{"line breaks", "a\nb\r\nc\td\u0085e\u2028f\u2029g", 100, "a b  c d e f g"},
		{"terminal sequences", "a\x1b[31mred\x1b]0;title\x07\x9b\u009b1m", 100, "a[31mred]0;title1m"},
		{"direction marks", "a\u202eb\u2066c\u200fd\u061ce", 100, "abcde"},
		{"tags that hide text", "a\U000e0069\U000e0067b", 100, "ab"},
		{"variation selectors that hide bytes", "a\ufe01\U000e0121b", 100, "ab"},
		{"fillers and private characters", "a\u3164\u115f\ue000\ufeff\u00adb", 100, "ab"},
		{"not UTF-8", "a\xff\xfeb", 100, "ab"},
		{"at the limit", "abcdef", 6, "abcdef"},
		{"cut", "abcdefg", 6, "abc…"},
		{"cut between characters", "aéééé", 7, "aé…"},
		{"no room for the mark", "abc", 2, ""},
		{"cut counts what is left", strings.Repeat("\x00", 50) + "abc", 3, "abc"},
		{"empty", "", 0, ""},
	} {
		if got := Line(tt.in, tt.limit); got != tt.want {
			t.Errorf("%s: Line(%q, %d) = %q, want %q", tt.name, tt.in, tt.limit, got, tt.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"abc", "\x1b[2J", "é\u202e\xff", strings.Repeat("日", 50)} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit &= 0xfff
		got := Line(s, limit)
		if len(got) > limit || !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("Line(%q, %d) = %q", s, limit, got)
		}
		if again := Line(got, limit); again != got {
			t.Errorf("Line(%q) = %q, and again %q", s, got, again)
		}
	})
}
