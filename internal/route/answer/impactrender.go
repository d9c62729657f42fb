package answer

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// LowerBound ends every impact: what the index does not see may be reached,
// too.
const LowerBound = "a lower bound: calls through values, reflection, configuration and what no resolver knows are not in it; git grep finds more"

// wiringShare is the part of a budget that the wiring may take from what is
// reached in code: one in so many.
const wiringShare = 3

// Render writes an impact within a budget in tokens: what changes, what is
// reached by repository and file, what the wiring adds, and that it is a lower
// bound.
func (x *Impact) Render(first string, budget int) string {
	room := Room(budget)
	l := listing{first: first, noun: "use", tail: x.wiringText(room/wiringShare) + LowerBound + "\n"}
	for i, n := range x.Changed {
		if i == maxShownChanged {
			l.first += fmt.Sprintf("\nand %s more", count(len(x.Changed)-i+x.More, "changed definition"))
			break
		}
		l.first += "\n" + strings.TrimSuffix(n.line(), "\n")
	}
	for _, line := range append([]string{x.summary()}, x.Notes...) {
		l.first += "\n" + line
	}
	repos := map[string]bool{}
	for _, r := range x.Reached {
		repos[r.Repo] = true
	}
	repo, file := "", ""
	for i, r := range x.Reached {
		item := ""
		if len(repos) > 1 && (i == 0 || r.Repo != repo) {
			item += "repo " + r.Repo + "\n"
		}
		if i == 0 || r.Repo != repo || r.Path != file {
			item += plaintext.Line(r.Path, maxPath) + "\n"
		}
		repo, file = r.Repo, r.Path
		l.items = append(l.items, item+r.line())
	}
	return l.render(budget)
}

// maxShownChanged is how many changed definitions a text names.
const maxShownChanged = 5

// line is a reached definition below the path of its file.
func (r Reached) line() string {
	s := fmt.Sprintf("  %s :%d  %s %s", r.Label, r.Line, strings.ReplaceAll(r.Relation, "_", " "), r.Of)
	if r.At > 0 && r.At != r.Line {
		s += fmt.Sprintf(" at :%d", r.At)
	}
	if r.Steps > 1 {
		s += fmt.Sprintf(", %d steps", r.Steps)
	}
	if r.Certainty < 100 {
		s += fmt.Sprintf(", %d %%", r.Certainty)
	}
	return s + "\n"
}

// summary counts what is reached.
func (x *Impact) summary() string {
	files, repos, tests := map[string]bool{}, map[string]bool{}, 0
	for _, r := range x.Reached {
		files[r.Repo+"\x00"+r.Path], repos[r.Repo] = true, true
		tests += btoi(r.Test)
	}
	within := count(x.Depth, "step")
	if len(x.Reached) == 0 {
		return "nothing in the index uses it within " + within
	}
	s := fmt.Sprintf("reaches %s in %s", count(len(x.Reached), "definition"), count(len(files), "file"))
	if len(repos) > 1 {
		s += fmt.Sprintf(" of %d repositories", len(repos))
	}
	s += " within " + within
	if tests > 0 {
		s += fmt.Sprintf(", %d of them in tests", tests)
	}
	if x.Bounded {
		s += fmt.Sprintf("; the search ended at %d", maxReached)
	}
	return s
}

// wiringText is as much of the wiring as fits in so many bytes.
func (x *Impact) wiringText(room int) string {
	const lead = "WIRING "
	if len(x.Wiring) == 0 {
		return ""
	}
	for _, most := range placesShown {
		text := ""
		for i, r := range x.Wiring {
			item := lead + rowText(r, most)
			if more := fmt.Sprintf("and %s more of the wiring\n", count(len(x.Wiring)-i, "row")); len(text)+len(item)+len(more) > room {
				if most == placesShown[len(placesShown)-1] {
					return text + more
				}
				break
			}
			text += item
			if i == len(x.Wiring)-1 {
				return text
			}
		}
	}
	return ""
}
