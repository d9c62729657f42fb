package answer

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/pattern"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// Narrow says which files and definitions may answer. What is empty leaves
// everything in; of several values any will do.
type Narrow struct {
	Kinds []string // kinds of definitions, as index.Header.Kinds has them: "function", "class"
	Langs []string // languages, as a record has them: "go", "python"
	Repos []string // short names of repositories
	Paths []string // folders or files from the workspace's root, or patterns with *, ** and ?
}

// An UnknownError is a value to narrow by that nothing in the bundle has.
type UnknownError struct {
	What, Value string
	Known       []string // the values that it has, sorted
}

func (u *UnknownError) Error() string {
	return fmt.Sprintf("nothing here has the %s %s", u.What, plaintext.Line(u.Value, maxWord))
}

// Hint is the next step.
func (u *UnknownError) Hint() string {
	if len(u.Known) == 0 {
		return "leave it out"
	}
	return "one of: " + strings.Join(u.Known, ", ")
}

func (n Narrow) empty() bool { return len(n.Kinds)+len(n.Langs)+len(n.Repos)+len(n.Paths) == 0 }

// check refuses kinds and repositories that the index does not know: an
// empty answer would pass for "there is none".
func (n Narrow) check(h *index.Header) error {
	for _, list := range []struct {
		what         string
		asked, known []string
	}{{"kind", n.Kinds, h.Kinds}, {"repository", n.Repos, h.Repos}} {
		for _, v := range list.asked {
			if slices.Contains(list.known, v) {
				continue
			}
			known := []string{}
			for _, k := range list.known {
				known = append(known, plaintext.Line(k, maxRepo))
			}
			slices.Sort(known)
			return &UnknownError{list.what, v, known}
		}
	}
	return nil
}

// narrow takes out of the field what n does not let in. Where a kind of
// definition is asked for, each file that stays shows its best one of it.
func (e *Engine) narrow(f *field, q lexicon.Question, n Narrow) error {
	if n.empty() {
		return nil
	}
	if err := n.check(&e.index.Header); err != nil {
		return err
	}
	paths := patterns(n.Paths)
	kept := f.list[:0]
	for _, c := range f.list {
		rec, err := e.index.File(int(c.file))
		if err != nil {
			return err
		}
		switch {
		case len(n.Langs) > 0 && !slices.Contains(n.Langs, rec.Lang),
			len(n.Repos) > 0 && !slices.Contains(n.Repos, e.repoName(rec)),
			len(paths) > 0 && !slices.ContainsFunc(paths, func(re *pattern.Pattern) bool { return re.Match(rec.Path) }):
			continue
		}
		if len(n.Kinds) > 0 {
			defs, err := rec.Defs()
			if err != nil {
				return err
			}
			def := bestOfKind(defs, n.Kinds, q, &c, rec.Cuts)
			if def < 0 {
				continue
			}
			c.only(def, slices.Contains(n.Kinds, kindAt(defs, c.exactAt)))
		}
		kept = append(kept, c)
	}
	f.list = kept
	return nil
}

// only lets the candidate show one definition; what speaks for another by
// its whole name does not count any more.
func (c *candidate) only(def int, exact bool) {
	if !exact {
		c.exact, c.exactAt, c.frameLine = 0, -1, 0
	}
	c.bestDef, c.bestDoc, c.entryAt = int32(def), -1, -1
}

func kindAt(defs []index.Def, i int32) string {
	if i < 0 || int(i) >= len(defs) {
		return ""
	}
	return defs[i].Kind
}

// bestOfKind returns the definition of one of the kinds whose name and doc
// sentence have most of the question's words, or else the one where the
// file's best passage is, or −1.
func bestOfKind(defs []index.Def, kinds []string, q lexicon.Question, c *candidate, cuts []int) int {
	best, most, here := -1, 0, -1
	line := 0
	if c.bestPassage >= 0 && int(c.bestPassage) < len(cuts) {
		line = cuts[c.bestPassage]
	}
	for i, d := range defs {
		if !slices.Contains(kinds, d.Kind) {
			continue
		}
		if int32(i) == c.exactAt {
			return i
		}
		if line > 0 && d.Line <= line && line <= d.End || line > 0 && here < 0 && d.Line >= line {
			here = i
		}
		words := 0
		for _, w := range lexicon.NameWords(d.Name) {
			if slices.Contains(q.Terms, w) {
				words += 2
			}
		}
		lexicon.Words(d.Doc, func(w string) {
			if slices.Contains(q.Terms, w) {
				words++
			}
		})
		if words > most {
			best, most = i, words
		}
	}
	if best < 0 {
		return here
	}
	return best
}

// patterns compiles folders, files and patterns into expressions over whole
// paths. A folder means all below it; * and ? stay within one folder.
func patterns(globs []string) []*pattern.Pattern {
	var list []*pattern.Pattern
	for _, g := range globs {
		g = strings.TrimSuffix(strings.TrimPrefix(g, "./"), "/")
		var b strings.Builder
		b.WriteString("^")
		if strings.ContainsAny(g, "*?") && !strings.Contains(g, "/") {
			b.WriteString("(?:.*/)?") // a pattern of a base name fits in any folder
		}
		for i := 0; i < len(g); i++ {
			switch {
			case strings.HasPrefix(g[i:], "**/"):
				b.WriteString("(?:.*/)?")
				i += 2
			case strings.HasPrefix(g[i:], "**"):
				b.WriteString(".*")
				i++
			case g[i] == '*':
				b.WriteString("[^/]*")
			case g[i] == '?':
				b.WriteString("[^/]")
			default:
				b.WriteString(pattern.Quote(g[i : i+1]))
			}
		}
		if re, err := pattern.Compile(b.String() + "(?:/.*)?$"); err == nil && g != "" && g != "." {
			list = append(list, re)
		} else {
			list = append(list, everything())
		}
	}
	return list
}

var everything = sync.OnceValue(func() *pattern.Pattern { return pattern.Must("") })
