package bench

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// Table is the comparison for people: what blocks first, then what changed,
// then the rest, and a last line that says how it ends.
func (v Verdict) Table() string {
	rows := [][]string{{"", "question", "type", "before", "after", "now first"}}
	counts := map[State]int{}
	for _, r := range v.Rows {
		counts[r.State]++
		rows = append(rows, []string{string(r.State), r.ID, r.Type, RankText(r.Before), RankText(r.After), r.Found})
	}
	var b strings.Builder
	writeColumns(&b, rows)
	b.WriteByte('\n')
	kinds := [][]string{{"type", "right first before", "now"}}
	for _, c := range v.Types {
		kinds = append(kinds, []string{c.Type, fmt.Sprintf("%d of %d", c.Before, c.Asked), fmt.Sprintf("%d of %d", c.After, c.Now)})
	}
	writeColumns(&b, kinds)
	b.WriteByte('\n')
	var parts []string
	for _, s := range states {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	fmt.Fprintf(&b, "%s\n", strings.Join(parts, ", "))
	return b.String()
}

// WriteResults prints one line a question, in the order of the file: its
// rank, and for one that is not right first what it asked, what stands
// first and what was expected; then the counts.
func WriteResults(w io.Writer, f *File, b *bundle.Bench) error {
	results := map[string]bundle.BenchItem{}
	for _, item := range b.Results {
		results[item.ID] = item
	}
	var out strings.Builder
	rows := [][]string{}
	for _, q := range f.Questions {
		item := results[q.ID]
		rows = append(rows, []string{RankText(item.Rank), q.Type, q.ID, missed(q, item)})
	}
	writeColumns(&out, rows)
	out.WriteByte('\n')
	writeCounts(&out, b)
	_, err := io.WriteString(w, out.String())
	return err
}

func missed(q Question, item bundle.BenchItem) string {
	if item.Rank == 1 {
		return ""
	}
	first := "nothing found"
	if item.Found != "" {
		first = "first is " + item.Found
	}
	expected := strings.Join(q.Expect.Paths, " or ")
	if q.Expect.Repo != "" {
		expected = q.Expect.Repo + ": " + expected
	}
	return plaintext.Line(fmt.Sprintf("%s; expected %s; %s", first, expected, q.Ask()), maxText)
}

func writeCounts(out *strings.Builder, b *bundle.Bench) {
	rows := [][]string{}
	for _, t := range b.Types {
		rows = append(rows, []string{t.Type, rightFirst(t.First, t.Questions)})
	}
	all := fmt.Sprintf("%s, %d in three, %d in five, MRR %.4f", rightFirst(b.First, b.Questions), b.InThree, b.InFive, b.MRR)
	writeColumns(out, append(rows, []string{"all", all}))
}

func rightFirst(first, questions int) string {
	return fmt.Sprintf("%d of %d right first (%.1f %%)", first, questions, Percent(first, questions))
}

// Percent is the share of part in whole, 0 to 100; of nothing it is 0.
func Percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// writeColumns aligns the cells of rows; the last column runs free.
func writeColumns(b *strings.Builder, rows [][]string) {
	wide := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", wide[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
}
