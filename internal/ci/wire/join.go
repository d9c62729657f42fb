package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// join puts facts about the same thing together, in the order and within the
// limits of wiring.json.
func join(facts []fact) *wiring.Wiring {
	j := joiner{w: &wiring.Wiring{Schema: wiring.Schema, Artifacts: []wiring.Artifact{}, Dispatches: []wiring.Dispatch{}, Bumps: []wiring.Bump{}, Deploys: []wiring.Deploy{},
		Calls: []wiring.Call{}, Triggers: []wiring.Trigger{}, Contracts: []wiring.Contract{}, Unresolved: []wiring.Unresolved{}}, at: map[key]int{}}
	used := map[key]bool{} // names that something publishes, or has to do with by itself
	for _, f := range facts {
		if !f.own {
			used[f.key()] = true
		}
	}
	for _, f := range facts {
		if !f.own || used[f.key()] {
			j.add(f)
		}
	}
	j.finish()
	return j.w
}

// A key is what two facts about the same thing have in common.
type key struct{ list, kind, name, repo, more string }

func (f fact) key() key {
	k := key{kind: f.kind, name: f.name, repo: f.repo}
	switch f.role {
	case published, pinned, read, allowed:
		k.list = "artifacts"
	case sent, heard:
		k.list = "dispatches"
	case bumped, moved:
		k.list = "bumps"
	case deployed:
		k.list = "deploys"
	case called:
		k.list = "calls"
	case triggered:
		k.list, k.more = "triggers", f.more
	case copied, declared:
		k.list = "contracts"
	case unresolved:
		k.list, k.more = "unresolved", f.more+"\x00"+f.place.Version
	}
	return k
}

type joiner struct {
	w  *wiring.Wiring
	at map[key]int
}

// slot is where in a list the thing that k names stands; it is made by fresh
// where it is new.
func slot[T any](j *joiner, k key, list *[]T, fresh func() T) *T {
	i, ok := j.at[k]
	if !ok {
		i = len(*list)
		j.at[k] = i
		*list = append(*list, fresh())
	}
	return &(*list)[i]
}

func (j *joiner) add(f fact) {
	k := f.key()
	f.name, f.kind, f.repo = clip(f.name, wiring.MaxName), clip(f.kind, wiring.MaxName), clip(f.repo, wiring.MaxName)
	f.more = clip(f.more, wiring.MaxText)
	p := f.place
	p.Via, p.Version, p.When, p.Note = clip(p.Via, wiring.MaxName), clip(p.Version, wiring.MaxName), clip(p.When, wiring.MaxText), clip(p.Note, wiring.MaxText)
	if p.Certainty >= 100 {
		p.Certainty = 0
	}
	switch f.role {
	case published, pinned, read, allowed:
		a := slot(j, k, &j.w.Artifacts, func() wiring.Artifact { return wiring.Artifact{Name: f.name, Kind: f.kind, Repo: f.repo} })
		for _, name := range f.files {
			if name = clip(name, wiring.MaxName); !slices.Contains(a.Files, name) {
				a.Files = append(a.Files, name)
			}
		}
		switch f.role {
		case published:
			a.Published = append(a.Published, p)
		case pinned:
			a.Pinned = append(a.Pinned, p)
		case read:
			a.Read = append(a.Read, p)
		case allowed:
			a.Allowed = f.more
		}
	case sent, heard:
		d := slot(j, k, &j.w.Dispatches, func() wiring.Dispatch { return wiring.Dispatch{Type: f.name} })
		if f.role == sent {
			d.Sent = append(d.Sent, p)
		} else {
			d.Heard = append(d.Heard, p)
		}
	case bumped, moved:
		b := slot(j, k, &j.w.Bumps, func() wiring.Bump { return wiring.Bump{Repo: f.repo, File: f.name} })
		if f.role == moved {
			b.Moved = append(b.Moved, p)
		} else {
			b.Starts = append(b.Starts, p)
		}
	case deployed:
		d := slot(j, k, &j.w.Deploys, func() wiring.Deploy { return wiring.Deploy{Site: f.name, Kind: f.kind, Repo: f.repo} })
		d.By = append(d.By, p)
	case called:
		c := slot(j, k, &j.w.Calls, func() wiring.Call { return wiring.Call{Target: f.name, Kind: f.kind} })
		c.From = append(c.From, p)
	case triggered:
		t := slot(j, k, &j.w.Triggers, func() wiring.Trigger { return wiring.Trigger{Event: f.name, Filter: f.more} })
		t.Starts = append(t.Starts, p)
	case copied, declared:
		c := slot(j, k, &j.w.Contracts, func() wiring.Contract { return wiring.Contract{Name: f.name} })
		if f.role == copied {
			c.Copies = append(c.Copies, p)
		} else {
			c.Declared, c.Stated, c.Differs = append(c.Declared, p), true, c.Differs || f.more == differs
		}
	case unresolved:
		u := slot(j, k, &j.w.Unresolved, func() wiring.Unresolved {
			return wiring.Unresolved{Kind: f.kind, Name: f.name, Version: p.Version, Why: f.more}
		})
		p.Version = ""
		u.At = append(u.At, p)
	}
}

// finish sorts everything and cuts what is too much.
func (j *joiner) finish() {
	w := j.w
	slices.SortStableFunc(w.Artifacts, func(a, b wiring.Artifact) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Repo, b.Repo))
	})
	slices.SortStableFunc(w.Dispatches, func(a, b wiring.Dispatch) int { return strings.Compare(a.Type, b.Type) })
	slices.SortStableFunc(w.Bumps, func(a, b wiring.Bump) int { return strings.Compare(a.File, b.File) })
	slices.SortStableFunc(w.Deploys, func(a, b wiring.Deploy) int {
		return cmp.Or(strings.Compare(a.Site, b.Site), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Repo, b.Repo))
	})
	slices.SortStableFunc(w.Calls, func(a, b wiring.Call) int {
		return cmp.Or(strings.Compare(a.Target, b.Target), strings.Compare(a.Kind, b.Kind))
	})
	slices.SortStableFunc(w.Triggers, func(a, b wiring.Trigger) int {
		return cmp.Or(strings.Compare(a.Event, b.Event), strings.Compare(a.Filter, b.Filter))
	})
	slices.SortStableFunc(w.Contracts, func(a, b wiring.Contract) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(w.Unresolved, func(a, b wiring.Unresolved) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version), strings.Compare(a.Why, b.Why))
	})
	w.Artifacts, w.Dispatches, w.Bumps = w.Artifacts[:min(len(w.Artifacts), wiring.MaxRows)], w.Dispatches[:min(len(w.Dispatches), wiring.MaxRows)], w.Bumps[:min(len(w.Bumps), wiring.MaxRows)]
	w.Deploys, w.Calls, w.Triggers = w.Deploys[:min(len(w.Deploys), wiring.MaxRows)], w.Calls[:min(len(w.Calls), wiring.MaxRows)], w.Triggers[:min(len(w.Triggers), wiring.MaxRows)]
	w.Contracts, w.Unresolved = w.Contracts[:min(len(w.Contracts), wiring.MaxRows)], w.Unresolved[:min(len(w.Unresolved), wiring.MaxRows)]
	roles := rolesOf(w)
	for _, r := range roles {
		*r = distinct(*r)
	}
	for limit := wiring.MaxPlaces; ; limit = limit/2 + 1 {
		all := 0
		for _, r := range roles {
			if len(*r) > limit {
				w.LeftOut += len(*r) - limit
				*r = (*r)[:limit:limit]
			}
			all += len(*r)
		}
		if all <= wiring.MaxAll || limit == 1 {
			return
		}
	}
}

// rolesOf are all lists of places of w.
func rolesOf(w *wiring.Wiring) (all []*[]wiring.Place) {
	for i := range w.Artifacts {
		all = append(all, &w.Artifacts[i].Published, &w.Artifacts[i].Pinned, &w.Artifacts[i].Read)
	}
	for i := range w.Dispatches {
		all = append(all, &w.Dispatches[i].Sent, &w.Dispatches[i].Heard)
	}
	for i := range w.Bumps {
		all = append(all, &w.Bumps[i].Starts, &w.Bumps[i].Moved)
	}
	for i := range w.Deploys {
		all = append(all, &w.Deploys[i].By)
	}
	for i := range w.Calls {
		all = append(all, &w.Calls[i].From)
	}
	for i := range w.Triggers {
		all = append(all, &w.Triggers[i].Starts)
	}
	for i := range w.Contracts {
		all = append(all, &w.Contracts[i].Copies, &w.Contracts[i].Declared)
	}
	for i := range w.Unresolved {
		all = append(all, &w.Unresolved[i].At)
	}
	return all
}

// distinct sorts places by where they are, and keeps one of each line, way
// and version: the surest. nil stays nil.
func distinct(list []wiring.Place) []wiring.Place {
	slices.SortStableFunc(list, func(a, b wiring.Place) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Via, b.Via), strings.Compare(a.Version, b.Version),
			cmp.Compare(b.Sure(), a.Sure()), strings.Compare(a.Note, b.Note), strings.Compare(a.When, b.When))
	})
	same := func(a, b wiring.Place) bool { return a.File == b.File && a.Line == b.Line && a.Via == b.Via }
	list = slices.CompactFunc(list, func(a, b wiring.Place) bool { return same(a, b) && a.Version == b.Version })
	var out []wiring.Place // without a version comes first, and says less than with one
	for i, p := range list {
		if p.Version != "" || i+1 == len(list) || !same(p, list[i+1]) {
			out = append(out, p)
		}
	}
	return out
}
