// Package bench measures how well a bundle answers: questions with known
// answers, asked the way an agent asks them.
//
// [Parse] reads the question file, [Run] asks every question and counts the
// ranks, [Compare] holds the ranks to an earlier result, question by
// question. docs/bench.md describes the file, the counts and the gate for
// people.
package bench

import (
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/pattern"
)

// Depth is how many results of an answer are looked at; what stands below
// counts as not found.
const Depth = 10

// Types are the types of questions, in the order of every summary.
var Types = []string{"symbol", "wiring", "docs", "impact", "decision", "meaning"}

// A verb is an answering command of route and how many words it takes.
type verb struct {
	name     string
	min, max int
}

var verbs = []verb{
	{"query", 1, maxWords},
	{"explain", 1, 1},
	{"path", 2, 2},
	{"wiring", 1, maxWords},
	{"docs", 1, 1},
	{"code", 1, maxWords},
	{"why", 1, maxWords},
	{"impact", 1, 1},
	{"where-used", 1, 1},
	{"tests", 1, 1},
	{"outline", 1, 1},
}

func verbNames() string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

// A File is a question file.
type File struct {
	Name      string     // as given, for messages and build.json
	Questions []Question // in the order of the file, at least one
}

// A Question is a call of route and what it must find.
type Question struct {
	ID       string // a short name, unique in the file; the gate goes by it
	Type     string // one of Types
	Question string // what a person would ask, or ""
	Verb     string // an answering command of route: query, explain, path, wiring, docs, code or why
	Args     []string
	Expect   Expect
	Note     string // why it is asked, or ""
	Line     int    // in the file, from 1
}

// Expect is the answer of a question.
type Expect struct {
	Repo  string   // a repository of the workspace: the name or path of a submodule; "" or the umbrella's name means the umbrella
	Paths []string // from the repository's top; one with a final slash is a directory and stands for all files below it; any of them counts
}

// plainWord is an argument that no shell reads otherwise than as it stands.
var plainWord = sync.OnceValue(func() *pattern.Pattern { return pattern.Must(`^[\pL\pN_./:@%+=,-]+$`) })

// Ask is the call as it would be typed.
func (q Question) Ask() string {
	words := []string{"route", q.Verb}
	for _, arg := range q.Args {
		if !plainWord().Match(arg) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// typeOrder sorts types: the known ones as in Types, others behind by name.
func typeOrder(a, b string) int {
	place := func(t string) int {
		if i := slices.Index(Types, t); i >= 0 {
			return i
		}
		return len(Types)
	}
	if pa, pb := place(a), place(b); pa != pb {
		return pa - pb
	}
	return strings.Compare(a, b)
}
