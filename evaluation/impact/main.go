// Impact holds what `route impact` says of the direct users of exported Go
// functions to what go/types says of them.
//
//	impact [-n N] [-seed N] [-out FILE] NAME=BUNDLE=USERS...
//
// BUNDLE is the folder of a bundle, USERS what the witness beside this program
// printed of the same commit.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A function is what the witness says of an exported function or method.
type function struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Users []user `json:"users"`
}

// A user is a declaration that names the function.
type user struct {
	File string `json:"file"`
	Line int    `json:"line"`
	End  int    `json:"end"`
	Func bool   `json:"func"`
	Call bool   `json:"call"`
}

func (u user) String() string { return fmt.Sprintf("%s:%d", u.File, u.Line) }

// is reports whether a node of an answer is this user: it stands in the
// declaration, or is the file of one that is no function.
func (u user) is(r answer.Reached) bool {
	return r.Path == u.File && (r.Line >= u.Line && r.Line <= u.End || r.Kind == "file" && !u.Func)
}

// A verdict is one function of the sample.
type verdict struct {
	Repository string   `json:"repository"`
	Function   string   `json:"function"`
	Callers    int      `json:"callers"`         // that go/types sees
	Found      int      `json:"found"`           // of them, that the answer names
	Named      int      `json:"named"`           // users that the answer names
	Wrong      []string `json:"wrong,omitempty"` // of them, that go/types does not see
	Missed     []string `json:"missed,omitempty"`
	Reason     string   `json:"reason,omitempty"` // why there is no answer
}

// A sum counts verdicts. Recall is found / callers, Precision what is not
// wrong of what is named.
type sum struct {
	Repository string  `json:"repository,omitempty"`
	Functions  int     `json:"functions"`
	Exported   int     `json:"exported"` // functions that the sample was drawn from
	Unanswered int     `json:"unanswered"`
	Callers    int     `json:"callers"`
	Found      int     `json:"found"`
	Recall     float64 `json:"recall"`
	Named      int     `json:"named"`
	Wrong      int     `json:"wrong"`
	Precision  float64 `json:"precision"`
}

func (s *sum) add(v verdict) {
	s.Functions++
	s.Callers, s.Found, s.Named, s.Wrong = s.Callers+v.Callers, s.Found+v.Found, s.Named+v.Named, s.Wrong+len(v.Wrong)
	if v.Reason != "" {
		s.Unanswered++
	}
	s.Recall, s.Precision = share(s.Found, s.Callers), share(s.Named-s.Wrong, s.Named)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return math.Round(float64(part)/float64(whole)*1e4) / 1e4
}

func main() {
	n := flag.Int("n", 100, "draw so many functions of each repository; 0 means all")
	seed := flag.Uint64("seed", 1, "seed of the draw")
	out := flag.String("out", "", "write the verdicts to `FILE`.jsonl and the sums to FILE.json")
	flag.Parse()
	if err := run(*n, *seed, *out, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "impact: %v\n", err)
		os.Exit(1)
	}
}

func run(n int, seed uint64, out string, args []string) error {
	var all []verdict
	var sums []sum
	for _, arg := range args {
		part := strings.Split(arg, "=")
		if len(part) != 3 {
			return fmt.Errorf("%q is not NAME=BUNDLE=USERS", arg)
		}
		functions, err := read(part[2])
		if err != nil {
			return err
		}
		b, err := bundle.Open(bundle.Dir(part[1]))
		if err != nil {
			return err
		}
		e, err := answer.Open(b)
		if err != nil {
			return err
		}
		s := sum{Repository: part[0], Exported: len(functions)}
		for _, f := range draw(functions, n, seed) {
			v, err := judge(e, f)
			if err != nil {
				return err
			}
			v.Repository = part[0]
			s.add(v)
			all = append(all, v)
		}
		sums = append(sums, s)
		fmt.Printf("%s: %d of %d functions, recall %.4f (%d of %d callers), precision %.4f (%d wrong of %d), %d unanswered\n",
			s.Repository, s.Functions, s.Exported, s.Recall, s.Found, s.Callers, s.Precision, s.Wrong, s.Named, s.Unanswered)
	}
	if out == "" {
		return nil
	}
	return write(out, seed, all, sums)
}

func read(name string) (list []function, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var fn function
		if err := json.Unmarshal(in.Bytes(), &fn); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, fn)
	}
	return list, in.Err()
}

// draw takes n functions, in the order of their places.
func draw(list []function, n int, seed uint64) []function {
	if n == 0 || n >= len(list) {
		return list
	}
	r := rand.New(rand.NewPCG(seed, 0))
	picked := r.Perm(len(list))[:n]
	slices.Sort(picked)
	var out []function
	for _, i := range picked {
		out = append(out, list[i])
	}
	return out
}

// judge asks for the direct users of one function, by its place.
func judge(e *answer.Engine, f function) (verdict, error) {
	at := fmt.Sprintf("%s:%d", f.File, f.Line)
	v := verdict{Function: at + " " + f.Name}
	callers := slices.DeleteFunc(slices.Clone(f.Users), func(u user) bool { return !u.Call })
	v.Callers = len(callers)
	l, err := e.Lookup(at)
	if err != nil {
		return v, err
	}
	if len(l.Found) != 1 || !strings.HasSuffix(l.Found[0].Label, f.Name) {
		v.Reason = "the index has no such definition"
		for _, u := range callers {
			v.Missed = append(v.Missed, u.String())
		}
		return v, nil
	}
	x, err := e.Impact([]*answer.Lookup{l}, answer.Reach{Depth: 1})
	if err != nil {
		return v, err
	}
	for _, u := range callers {
		if slices.ContainsFunc(x.Reached, u.is) {
			v.Found++
		} else {
			v.Missed = append(v.Missed, u.String())
		}
	}
	for _, r := range x.Reached {
		if path.Ext(r.Path) != ".go" {
			continue
		}
		v.Named++
		if !slices.ContainsFunc(f.Users, func(u user) bool { return u.is(r) }) {
			v.Wrong = append(v.Wrong, fmt.Sprintf("%s:%d %s %s", r.Path, r.Line, r.Relation, r.Of))
		}
	}
	return v, nil
}

func write(out string, seed uint64, all []verdict, sums []sum) error {
	var lines strings.Builder
	for _, v := range all {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		lines.Write(append(data, '\n'))
	}
	slices.SortFunc(sums, func(a, b sum) int { return cmp.Compare(a.Repository, b.Repository) })
	data, err := json.MarshalIndent(struct {
		Seed uint64 `json:"seed"`
		Sums []sum  `json:"repositories"`
	}{seed, sums}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(out+".json", append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(out+".jsonl", []byte(lines.String()), 0o644)
}
