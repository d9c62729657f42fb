package decisions

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/decisions"
)

func rows(file, text string) []string {
	f := &Finder{}
	f.Add(file, []byte(text))
	var out []string
	for _, r := range f.Find().Rows {
		about := r.Part
		for _, s := range []string{r.Status, r.Date} {
			if s != "" {
				about += " " + s
			}
		}
		out = append(out, fmt.Sprintf("%d %s | %s | %s", r.Line, about, r.Title, r.Text))
	}
	return out
}

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             []string
	}{
		{"decisions_first_sentence", "mips/mip-0007-one-queue.md", "# MIP-0007: One queue\n\n- **Status:** Accepted\n- **Date:** 2026-02-03\n\n## 1. Problem\n\nTwo queues lose jobs. One is slow. Nobody looks.\n\n## 2. Design\n\nNot told.\n",
			[]string{"8 context accepted 2026-02-03 | MIP-0007: One queue | Two queues lose jobs. One is slow."}},
		{"decisions_alternatives", "docs/adr/0003-queue.md", "# Queue\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use `nats`.\n\n## Alternatives considered\n\nThese were looked at:\n\n- **Kafka.** Too heavy. Too old. No.\n- **Redis:** loses jobs\n\n### SQS\n\nOne vendor. Far.\n\nMore of it.\n",
			[]string{"9 decision accepted | Queue | We use nats.", "15 alternative accepted | Queue | Kafka. Too heavy.", "16 alternative accepted | Queue | Redis: loses jobs", "20 alternative accepted | Queue | SQS: One vendor. Far."}},
		{"decisions_decided_line", "docs/plan.md", "# Plan\n\n## Storage\n\nText.\n\n**Decided 2026-03-04:** files stay in git, not in a bucket.\n",
			[]string{"7 decision 2026-03-04 | Plan: Storage | files stay in git, not in a bucket."}},
		{"decisions_changelog_because", "CHANGELOG.md", "# Changelog\n\n## 1.2.0\n\n- Drop Python 3.8, because its support ended.\n- Add a flag.\n",
			[]string{"5 change | Changelog: 1.2.0 | Drop Python 3.8, because its support ended."}},

		{"MADR", "docs/decisions/0001-use-go.md", "---\nstatus: accepted\ndate: 2026-01-02\n---\n# Use Go\n\n## Context and Problem Statement\n\nWhich language?\n\n## Considered Options\n\n* Go\n* Rust, with cargo\n\n## Decision Outcome\n\nChosen option: \"Go\", because it builds fast.\n\n### Consequences\n\n* Good, because it is small\n",
			[]string{"9 context accepted 2026-01-02 | Use Go | Which language?", "14 alternative accepted 2026-01-02 | Use Go | Rust, with cargo", "18 decision accepted 2026-01-02 | Use Go | Chosen option: \"Go\", because it builds fast.", "22 consequence accepted 2026-01-02 | Use Go | Good, because it is small"}},
		{"RFC", "rfcs/text/0123-modules.md", "# Summary\n\nModules have names. They are unique.\n\n# Rationale and alternatives\n\nNumbers were considered, and turned down.\n",
			[]string{"3 context | Summary | Modules have names. They are unique.", "7 alternative | Summary | Numbers were considered, and turned down."}},
		{"a proposal of no known shape", "proposals/new-cli.md", "# New CLI\n\nThe command line becomes one program with verbs.\n\n## Details\n\nx\n",
			[]string{"3 context | New CLI | The command line becomes one program with verbs."}},
		{"a guide with a section on alternatives", "docs/guide.md", "# Guide\n\n## Alternatives\n\nOther tools do this as well, such as make.\n", nil},
		{"a dated post", "blog/2020-01-02-news.md", "# News\n\nA release of many new things is here today.\n", nil},
		{"an overview of records", "docs/adr/README.md", "# Records\n\nThis folder holds the records of decisions.\n", nil},
		{"a record by its headings alone", "notes/queue.md", "# Queue\n\n## Context\n\nJobs are lost.\n\n## Decision\n\nOne queue for all.\n",
			[]string{"5 context | Queue | Jobs are lost.", "9 decision | Queue | One queue for all."}},
		{"code is no statement", "docs/adr/1-x.md", "# X\n\n## Decision\n\n```\nbecause of code that is long enough\n```\n", nil},
		{"a secret", "docs/adr/0001-x.md", "# X\n\n## Decision\n\nThe key is ghp_0123456789abcdefghijABCDEFGHIJ012345 now.\n", []string{"5 decision | X | The key is *** now."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := rows(tt.file, tt.text)
			if tt.name == "a secret" {
				if len(got) != 1 || strings.Contains(got[0], "0123456789abcdefghij") {
					t.Errorf("got %q", got)
				}
				return
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestBounds(t *testing.T) {
	f := &Finder{}
	text := "# R\n\n" + strings.Repeat("**Decided 2026-03-04:** "+strings.Repeat("long words ", 60)+"\n\n", 300)
	for i := range 30 {
		f.Add(fmt.Sprintf("docs/%02d.md", i), []byte(text))
	}
	d := f.Find()
	if err := d.Check(); err != nil || len(d.Rows) != decisions.MaxRows || d.LeftOut != 30*300-decisions.MaxRows {
		t.Errorf("%d rows, %d left out, %v", len(d.Rows), d.LeftOut, err)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("docs/adr/0001-x.md", "# X\nStatus: a\n## Decision\n- b. C\n**Decided 2026-01-01:** d")
	f.Add("CHANGELOG.md", "- because\x00 of\u202e it")
	f.Fuzz(func(t *testing.T, file, text string) {
		d := &Finder{}
		d.Add(file, []byte(text))
		if err := d.Find().Check(); err != nil {
			t.Fatal(err)
		}
	})
}
