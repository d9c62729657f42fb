package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A State says what became of a question between two results.
type State string

// The states, in the order of a table. Lost always blocks; Removed blocks
// unless it is allowed; nothing else does.
const (
	Lost     State = "lost"    // was right first, is not any more
	Removed  State = "removed" // was right first, is not asked any more
	Won      State = "won"     // was not right first, is now
	Better   State = "better"  // not right first, but nearer
	Worse    State = "worse"   // was not right first, and is farther
	Added    State = "added"   // the earlier result does not know it
	Dropped  State = "dropped" // was not right first, is not asked any more
	Same     State = "same"    // neither
	notAsked       = -1        // rank of a question that one side does not know
)

var states = []State{Lost, Removed, Won, Better, Worse, Added, Dropped, Same}

// A Row is one question in a comparison.
type Row struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	State  State  `json:"state"`
	Before int    `json:"before"`          // rank in the earlier result; 0 = not found, -1 = not asked
	After  int    `json:"after"`           // rank in the later one, likewise
	Found  string `json:"found,omitempty"` // what stands first now, when After is not 1
	Blocks bool   `json:"blocks"`
}

// A Verdict is the comparison of two results.
type Verdict struct {
	Rows  []Row    `json:"rows"`  // by state, then by id
	Types []Change `json:"types"` // in the order of every summary
	Lost  []string `json:"lost"`  // ids of the questions that block, sorted
}

// A Change is how many questions of one type are right first, in the earlier
// result and in the later one.
type Change struct {
	Type   string `json:"type"`
	Before int    `json:"before"`
	Asked  int    `json:"asked_before"`
	After  int    `json:"after"`
	Now    int    `json:"asked_after"`
}

// changes sums the rows by type.
func changes(rows []Row) []Change {
	byType := map[string]*Change{}
	list := []Change{}
	for _, r := range rows {
		c := byType[r.Type]
		if c == nil {
			c = &Change{Type: r.Type}
			byType[r.Type] = c
		}
		if r.Before != notAsked {
			c.Asked++
		}
		if r.After != notAsked {
			c.Now++
		}
		c.Before += first(r.Before)
		c.After += first(r.After)
	}
	for _, c := range byType {
		list = append(list, *c)
	}
	order.By(list, func(a, b Change) int { return typeOrder(a.Type, b.Type) })
	return list
}

func first(rank int) int {
	if rank == 1 {
		return 1
	}
	return 0
}

// Passed reports whether no answer was lost.
func (v Verdict) Passed() bool { return len(v.Lost) == 0 }

// Options of a comparison.
type Options struct {
	AllowRemoved bool // an answered question may be deleted
}

// Compare holds a result to an earlier one, question by question. Questions
// are the same when their ids are, whatever else changed in them; one that
// the earlier result does not know never blocks.
func Compare(before, after *bundle.Bench, o Options) Verdict {
	v := Verdict{Rows: []Row{}, Lost: []string{}}
	old := map[string]bundle.BenchItem{}
	for _, item := range before.Results {
		old[item.ID] = item
	}
	for _, item := range after.Results {
		row := Row{ID: item.ID, Type: item.Type, Before: notAsked, After: item.Rank, Found: item.Found}
		if o, known := old[item.ID]; known {
			row.Before = o.Rank
			delete(old, item.ID)
		}
		v.Rows = append(v.Rows, row)
	}
	for _, item := range old {
		v.Rows = append(v.Rows, Row{ID: item.ID, Type: item.Type, Before: item.Rank, After: notAsked})
	}
	for i := range v.Rows {
		row := &v.Rows[i]
		row.State = state(row.Before, row.After)
		row.Blocks = row.State == Lost || row.State == Removed && !o.AllowRemoved
		if row.Blocks {
			v.Lost = append(v.Lost, row.ID)
		}
	}
	slices.Sort(v.Lost)
	v.Types = changes(v.Rows)
	order.By(v.Rows, func(a, b Row) int {
		if a.State != b.State {
			return slices.Index(states, a.State) - slices.Index(states, b.State)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return v
}

func state(before, after int) State {
	// Not found ranks behind every rank that is looked at.
	order := func(rank int) int {
		if rank == 0 {
			return Depth + 1
		}
		return rank
	}
	switch {
	case before == notAsked:
		return Added
	case after == notAsked && before == 1:
		return Removed
	case after == notAsked:
		return Dropped
	case before == 1 && after != 1:
		return Lost
	case before != 1 && after == 1:
		return Won
	case order(after) < order(before):
		return Better
	case order(after) > order(before):
		return Worse
	}
	return Same
}

// Check reports why a result that somebody else wrote cannot be compared
// with, or nil. Its texts come back safe to print.
func Check(b *bundle.Bench) error {
	if len(b.Results) > maxQuestions {
		return fmt.Errorf("it has %d results; at most %d are read", len(b.Results), maxQuestions)
	}
	seen := map[string]bool{}
	for i := range b.Results {
		item := &b.Results[i]
		switch {
		case !idPattern().Match(item.ID):
			return fmt.Errorf("%q is not the id of a question", plaintext.Line(item.ID, maxText))
		case seen[item.ID]:
			return fmt.Errorf("the question %q has two results", item.ID)
		case item.Rank < 0 || item.Rank > Depth:
			return fmt.Errorf("the question %q has the rank %d; 0 to %d are ranks", item.ID, item.Rank, Depth)
		}
		seen[item.ID] = true
		item.Type, item.Found = plaintext.Line(item.Type, maxText), plaintext.Line(item.Found, maxText)
	}
	return nil
}

// Differences names what a claimed result says otherwise than the result
// measured, one line each; none when they are equal.
func Differences(claimed, measured *bundle.Bench) []string {
	var lines []string
	said := map[string]bundle.BenchItem{}
	for _, item := range claimed.Results {
		said[item.ID] = item
	}
	for _, item := range measured.Results {
		c, ok := said[item.ID]
		delete(said, item.ID)
		switch {
		case !ok:
			lines = append(lines, fmt.Sprintf("%s: no result is claimed, it is %s", item.ID, RankText(item.Rank)))
		case c.Rank != item.Rank:
			lines = append(lines, fmt.Sprintf("%s: claimed %s, is %s", item.ID, RankText(c.Rank), RankText(item.Rank)))
		case c != item:
			lines = append(lines, fmt.Sprintf("%s: type or first result are not as claimed", item.ID))
		}
	}
	for id := range said {
		lines = append(lines, id+": claimed, but not a question of the file")
	}
	slices.Sort(lines)
	if len(lines) == 0 && !sameTotals(claimed, measured) {
		lines = append(lines, "the totals are not the sum of the results")
	}
	return lines
}

func sameTotals(a, b *bundle.Bench) bool {
	return a.Questions == b.Questions && a.First == b.First && a.InThree == b.InThree && a.InFive == b.InFive &&
		a.MRR == b.MRR && slices.Equal(a.Types, b.Types)
}

// RankText is a rank in words.
func RankText(rank int) string {
	switch rank {
	case notAsked:
		return "not asked"
	case 0:
		return "not found"
	case 1:
		return "first"
	}
	return fmt.Sprint(rank)
}
