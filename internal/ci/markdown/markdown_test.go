package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const sample = `---
title: settings
---
Words before.

# The Store {#store}

A [` + "`Store`" + `](../store/store.go "title") keeps *all* files
of <b>one</b> https://example.com/a_b. It is ` + "``a`b``" + `.

<!-- a comment
# not a heading
-->

Reading
-------

- one ` + "`Open`" + `
  goes on
- [ ] two
1. three

| a | ` + "`b`" + ` |
| - | - |

` + "```go title=x" + `
s := Open()
# no heading
` + "```" + `

    indented code

> quoted
> words

#hashtag
`

func TestParse(t *testing.T) {
	doc := Parse([]byte(strings.ReplaceAll(sample, "\n", "\r\n")))
	var got []string
	for _, s := range doc.Sections {
		got = append(got, fmt.Sprintf("section %d %s", s.Line, strings.Join(s.Heading, " > ")))
	}
	for _, b := range doc.Blocks {
		got = append(got, fmt.Sprintf("%d %d:%d %q %s", b.Kind, b.Section, b.Line, b.Text, b.Lang))
	}
	want := []string{
		"section 1 ",
		"section 6 The Store",
		"section 15 The Store > Reading",
		`0 0:4 "Words before." `,
		"0 1:8 \"A [`Store`](../store/store.go \\\"title\\\") keeps *all* files\\nof <b>one</b> https://example.com/a_b. It is ``a`b``.\" ",
		"1 2:18 \"one `Open`\\ngoes on\" ",
		`1 2:20 "two" `,
		`1 2:21 "three" `,
		"0 2:23 \"| a | `b` |\" ",
		`0 2:24 "| - | - |" `,
		`2 2:27 "s := Open()\n# no heading" go`,
		`0 2:33 "quoted\nwords" `,
		`0 2:36 "#hashtag" `,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestInline(t *testing.T) {
	doc := Parse([]byte(sample))
	var got []string
	for _, p := range Inline(doc.Blocks[1].Text, doc.Blocks[1].Line) {
		got = append(got, fmt.Sprintf("%d %d %q", p.Kind, p.Line, p.Text))
	}
	want := []string{`0 8 "A ["`, `1 8 "Store"`, `2 8 "../store/store.go"`, `0 8 " keeps *all* files\nof "`, `0 9 "one"`, `0 9 " "`,
		`3 9 "https://example.com/a_b"`, `0 9 ". It is "`, "1 9 \"a`b\"", `0 9 "."`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"**Decided 2026-01-02:** use `git`", "Decided 2026-01-02: use git"},
		{"see [the page](x.md) and snake_case, _so_", "see the page and snake_case, so"},
		{`a \* b`, "a * b"},
		{"![logo](x.png) text", "logo text"},
	} {
		if got := Plain(tt.text); got != tt.want {
			t.Errorf("Plain(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestParseIsLinear gives what a careless reader takes quadratic time for.
func TestParseIsLinear(t *testing.T) {
	for _, s := range []string{"`a ``b ", "[a](", "](((", "<", "https://", "# x\n", "- `\n", "```\n", "\\"} {
		start := time.Now()
		doc := Parse([]byte(strings.Repeat(s, 1<<18/len(s))))
		for _, b := range doc.Blocks {
			Inline(b.Text, b.Line)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("256 kB of %q takes %v", s, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("```\nnever closed")
	f.Add("a `b [c](d <e")
	f.Fuzz(func(t *testing.T, text string) {
		doc := Parse([]byte(text))
		lines := strings.Count(text, "\n") + 1
		for _, b := range doc.Blocks {
			if b.Section < 0 || b.Section >= len(doc.Sections) || b.Line < 1 || b.Line > lines {
				t.Fatalf("block %+v of %d lines", b, lines)
			}
			for _, p := range Inline(b.Text, b.Line) {
				if p.Line < b.Line || p.Line > lines {
					t.Fatalf("piece %+v of %d lines", p, lines)
				}
			}
		}
	})
}
