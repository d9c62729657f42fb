// Package resolve joins what single files say into relations between them:
// who calls whom, who extends what, which file needs which. Start with
// [Resolve].
//
// Its first rule is precision. A name gets an edge when the language's own
// rules lead from the name to a definition of the workspace: through an
// import, a package, a receiver's type, a scope. A name that leads out of the
// workspace, or nowhere, gets none. A name that leads to several definitions
// gets an edge to each of them, marked AMBIGUOUS, when the language allows
// such twins (build tags, platform files), and none otherwise.
//
// It reads no file and knows no clock: the same units and manifests give the
// same edges, in whatever order the units come.
package resolve

import (
	"context"
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A Unit is one file of the workspace.
type Unit struct {
	Repo string        // short name of its repository
	Path string        // from the workspace's root, with slashes
	Root string        // the repository's folder in the workspace, "" for the umbrella
	File *extract.File // what it holds; nil is a file without definitions or references

	// References gives all references of the file, where File has only those
	// that say what a definition inherits, implements or embeds. It is nil
	// where File has all. Resolve calls it once, and ends with its error.
	References func() ([]extract.Reference, error)
}

// references are those of a unit.
func (u *Unit) references() ([]extract.Reference, error) {
	if u.References == nil {
		return u.File.References, nil
	}
	return u.References()
}

// A Ref names a definition.
type Ref struct {
	Unit int // index into the units that Resolve was given
	Def  int // index into the unit's Definitions, -1 for the file itself
}

// An Edge is one relation between two definitions or files.
type Edge struct {
	From, To   Ref
	Relation   string  // one of the constants of package extract: Calls, Contains, ImportsRel, …
	Resolver   string  // the rule that proved it: "go-import", "receiver-type", "same-file", …
	Confidence string  // Extracted, Inferred or Ambiguous
	Score      float64 // 0 < Score ≤ 1; below 1 when a step of the proof is a guess
	Line       int     // where the relation is written, in From's file, from 1
}

// How sure an edge is, in the words that graph.json uses.
const (
	Extracted = "EXTRACTED" // the sources say so
	Inferred  = "INFERRED"  // they leave little else to believe
	Ambiguous = "AMBIGUOUS" // one of several
)

// Manifests are the build files of the workspace that say how names map to
// folders, by path from the workspace's root: go.mod, package.json,
// tsconfig.json and jsconfig.json with the .json files that they extend,
// pyproject.toml, setup.cfg and setup.py (of which only the place counts), and
// Cargo.toml.
// Other files are ignored. One that cannot be read as what its name says, or
// is larger than 1 MiB, counts as absent.
type Manifests map[string][]byte

// Stats count the calls of one language.
type Stats struct {
	Calls    int // calls that the sources write
	Resolved int // calls among them that lead to a definition of the workspace
}

// Resolve finds the relations between units, at most one for each From, To
// and Relation, with its first line, in the order of From, To and Relation;
// and, for each language, how many calls it could resolve. A definition has
// no relation to itself. Resolve changes none of its arguments and may run
// several times at once. The error is that of ctx, which ends it early.
func Resolve(ctx context.Context, units []Unit, manifests Manifests) ([]Edge, map[string]Stats, error) {
	return Trace(ctx, units, manifests, nil)
}

// A Call is one call that a source writes and what it was found to mean.
type Call struct {
	From       Ref                // the innermost definition around it
	Reference  *extract.Reference // as its file tells it; not to be changed
	To         []Ref              // the definitions it leads to; none when it is not resolved
	Resolver   string             // as in [Edge]; "" when it is not resolved
	Confidence string
	Score      float64
}

// Trace is [Resolve], and shows every call on the way, in the order of the
// units' paths and of the lines: also those without an edge of their own,
// because the same definition calls the same target above. show may be nil.
func Trace(ctx context.Context, units []Unit, manifests Manifests, show func(Call)) ([]Edge, map[string]Stats, error) {
	edges, stats, err := Join(ctx, units, manifests, show)
	if err != nil {
		return nil, nil, err
	}
	return slices.AppendSeq(make([]Edge, 0, edges.Len()), edges.All()), stats, nil
}

// Join is [Trace], and gives the edges packed: a large workspace has millions.
func Join(ctx context.Context, units []Unit, manifests Manifests, show func(Call)) (*Edges, map[string]Stats, error) {
	w, original := newWorkspace(units, manifests)
	e := newEmitter(w, original)
	families := []family{
		newGoFamily(w),
		newPythonFamily(w),
		newScriptFamily(w),
		newScalaFamily(w),
		newJavaFamily(w),
		newRustFamily(w),
		newShellFamily(w),
	}
	families = append(families, newTier2Families(w)...)
	unique := newUniqueNames(w, families)
	stats := make(map[string]Stats)
	for u := range w.units {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		f := w.file(u)
		e.begin(u)
		e.contains(u)
		k := slices.IndexFunc(families, func(fam family) bool { return fam.speaks(f.Lang) })
		if k < 0 {
			continue
		}
		fam := families[k]
		imported := map[int]bool{u: true}
		for _, l := range fam.imports(u) {
			e.add(l.from, found{refs: []Ref{l.to}, proof: l.proof}, l.relation, l.line)
			imported[l.to.Unit] = true
		}
		s := stats[f.Lang]
		references, err := w.units[u].references()
		if err != nil {
			return nil, nil, err
		}
		for i := range references {
			r := &references[i]
			if r.From < -1 || r.From >= len(f.Definitions) || r.Name == "" {
				continue
			}
			got := fam.resolve(u, r)
			if len(got.refs) == 0 && !got.settled {
				got = unique.guess(k, imported, r)
			}
			if r.Relation == extract.Calls {
				s.Calls++
				if len(got.refs) > 0 {
					s.Resolved++
				}
				if show != nil {
					show(traced(Ref{u, r.From}, r, got, original))
				}
			}
			e.add(Ref{u, r.From}, got, r.Relation, r.Line)
		}
		if len(references) > 0 {
			stats[f.Lang] = s
		}
	}
	return e.done(), stats, nil
}

// traced is a call with the unit numbers of the caller of Trace.
func traced(from Ref, r *extract.Reference, got found, original []int) Call {
	c := Call{From: from, Reference: r, To: slices.Clone(got.refs)}
	c.From.Unit = original[from.Unit]
	for i := range c.To {
		c.To[i].Unit = original[c.To[i].Unit]
	}
	if len(c.To) > 0 {
		c.Resolver, c.Confidence, c.Score = got.resolver, got.confidence, got.score
	}
	return c
}

// A family resolves the languages that share one set of names.
type family interface {
	speaks(lang string) bool
	// imports lists the relations that hold whether or not a reference
	// stands in the text: imported files, members of a container elsewhere.
	// They start in the unit.
	imports(unit int) []link
	// resolve finds what one reference of a unit means.
	resolve(unit int, r *extract.Reference) found
}

// A link is a relation of a file, or of one of its definitions.
type link struct {
	from     Ref
	to       Ref
	relation string
	line     int
	proof
}

// A proof says which rule led to a definition and how sure it is.
type proof struct {
	resolver   string
	confidence string
	score      float64
}

func certain(resolver string) proof { return proof{resolver, Extracted, 1} }

func likely(resolver string, score float64) proof { return proof{resolver, Inferred, score} }

// found is what a name means: one definition, or twins.
type found struct {
	refs []Ref
	proof
	settled bool // without refs: it is known that the name leads elsewhere
}

func one(r Ref, p proof) found { return found{refs: []Ref{r}, proof: p} }

// maxTwins bounds how many definitions of one name an ambiguous reference
// points to; past it the edges say nothing any more.
const maxTwins = 8

// among is what a name with these candidates means in a unit: the only one,
// else the only one of the same file, else each of them as a twin.
func among(unit int, candidates []Ref, p proof) found {
	switch {
	case len(candidates) == 0:
		return found{}
	case len(candidates) == 1:
		return found{refs: candidates, proof: p}
	}
	var here []Ref
	for _, c := range candidates {
		if c.Unit == unit {
			here = append(here, c)
		}
	}
	switch {
	case len(here) == 1:
		return found{refs: here, proof: p}
	case len(candidates) > maxTwins:
		return found{}
	}
	p.confidence = Ambiguous
	p.score /= float64(len(candidates))
	return found{refs: candidates, proof: p}
}

// contains says what stands in what inside one file.
func (e *emitter) contains(u int) {
	for i, d := range e.w.file(u).Definitions {
		from := e.w.parent(Ref{u, i})
		if e.w.distant[Ref{u, i}] {
			continue
		}
		e.add(Ref{u, from}, one(Ref{u, i}, certain("same-file")), extract.Contains, d.Line)
	}
}
