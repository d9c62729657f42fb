package source

import (
	"context"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// ownPlaces is how many kinds of places a checkout has: the local graph, the
// fetched bundle, the umbrella's branch.
const ownPlaces = 3

// look goes through the places in the order in which [Open] does: those of
// this checkout, then those of the umbrella around it.
func (st *Status) look(ctx context.Context, o Options, place gitstore.Place, s *Source) {
	st.lookIn(ctx, o, place, s, 0)
	if outer, ok := place.Superproject(); ok {
		o.Dir = outer.Top
		st.lookIn(ctx, o, outer, s, ownPlaces)
	}
}

// lookIn goes through the places of one repository, which are numbered from
// the one after base.
func (st *Status) lookIn(ctx context.Context, o Options, place gitstore.Place, s *Source, base int) {
	answers := func(kind Kind, where string) bool {
		return s != nil && s.around == (base > 0) && s.Kind == kind && (s.Ref == where || s.Dir == where)
	}
	if graphs := localGraphs(ctx, o, place); len(graphs) > 0 {
		g := graphs[0]
		for _, other := range graphs[1:] {
			if answers(LocalGraph, other.dir) || !g.there && other.there {
				g = other
			}
		}
		local := Candidate{base + 1, LocalGraph, g.dir, answers(LocalGraph, g.dir), g.mismatch}
		if g.mismatch == "" {
			local.Note = "it matches this checkout"
			if base > 0 {
				local.Note = "it matches the umbrella around this checkout"
			}
			if _, err := openDirectory(g.dir, LocalGraph, place); err != nil {
				local.Note += ", but cannot be read; bundle-publish build --local makes it anew"
			}
		} else if g.newer(s) {
			local.Note += "; newer than what answers"
		}
		st.Places = append(st.Places, local)
	}
	refs := []string{PrivateRef}
	if more, err := branches(ctx, o, place); err == nil {
		refs = append(refs, more...)
	}
	store := gitstore.Open(ctx, o.git())
	defer store.Close()
	for i, ref := range refs {
		c := Candidate{base + 2, Bundled, ref, answers(Bundled, ref), "there is none"}
		if i > 0 {
			c.Number, c.Kind, c.Answers = base+3, RemoteBranch, answers(RemoteBranch, ref)
		}
		if found, err := store.Commits(ref); err != nil {
			c.Note = plaintext.Line(err.Error(), 300)
		} else if found[0].Exists() {
			other, err := openCommit(c.Kind, ref, found[0], store, place, "")
			if err != nil {
				c.Note = plaintext.Line(err.Error(), 300)
			} else {
				c.Note = fmt.Sprintf("%s, %s", other.Built(), Age(other.Time, Now(o.Env)))
				if !c.Answers {
					c.Note += other.newer(s)
				}
			}
		}
		st.Places = append(st.Places, c)
	}
}

// newer reports whether the local graph is of a later commit of what answers.
func (g localGraph) newer(s *Source) bool {
	if g.rec.full == nil || s == nil || g.rec.full.Repo != s.Build.Repo {
		return false
	}
	t, err := g.rec.full.Time()
	return err == nil && t.After(s.Time)
}

// newer says of another bundle that it is of a later commit than what
// answers; "" when it is not. A local graph that answers is of just this
// checkout, and nothing is better.
func (s *Source) newer(answers *Source) string {
	switch {
	case answers == nil || answers.Kind == LocalGraph || !s.Time.After(answers.Time):
		return ""
	case s.Kind == RemoteBranch:
		return "; newer than what answers; route fetch takes it"
	}
	return "; newer than what answers"
}

// findUmbrella says where a fetch would go.
func (st *Status) findUmbrella(ctx context.Context, o Options, place gitstore.Place) {
	config, err := o.git().Config(ctx)
	if err != nil {
		return
	}
	if u, err := findUmbrella(ctx, o, place, config, true); err == nil && u.URL != "" {
		st.Umbrella = &UmbrellaStatus{PublicURL(u.URL), u.From, plaintext.Line(u.Branch, 100)}
	}
}
