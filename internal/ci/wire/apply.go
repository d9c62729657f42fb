package wire

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// apply makes the umbrella's own words count, once all facts are found. An
// entry that changes nothing is listed, so that it does not outlive what it
// was written for.
func (s *settings) apply(x *extraction) {
	x.facts = append(x.facts, s.add...)
	for _, q := range s.silences {
		before := len(x.facts)
		x.facts = slices.DeleteFunc(x.facts, q.matches)
		if len(x.facts) == before {
			x.add(fact{role: unresolved, kind: settingsName, name: firstNonEmpty(q.name, q.file), more: "it silences nothing", place: q.at})
		}
	}
	for _, a := range s.allows {
		if !a.apply(x) {
			x.add(fact{role: unresolved, kind: allowName, name: a.name, more: "no artifact of this name is published", place: a.at})
		}
	}
	for _, c := range s.contracts {
		c.apply(x)
	}
}

func (q silence) matches(f fact) bool {
	if f.role == allowed || q.name != "" && f.name != q.name || q.kind != "" && f.kind != q.kind {
		return false
	}
	if q.file == "" {
		return true
	}
	folder, whole := strings.CutSuffix(q.file, "/**")
	return f.place.File == path.Clean(q.file) || whole && strings.HasPrefix(f.place.File, folder+"/")
}

func (a allow) apply(x *extraction) bool {
	found := false
	for _, f := range x.facts {
		if f.role != published || f.name != a.name && f.name+" "+f.kind != a.name && path.Base(f.name) != a.name {
			continue
		}
		found = true
		x.add(fact{role: allowed, kind: f.kind, name: f.name, repo: f.repo, more: a.reason, place: a.at})
	}
	return found
}

func (c contract) apply(x *extraction) {
	name := path.Base(c.files[0])
	ids := map[string]bool{}
	var places []wiring.Place
	for _, at := range c.files {
		id, repo := x.blob(at)
		if id == "" {
			x.add(fact{role: unresolved, kind: "file", name: at, more: "a contract names it and the workspace does not have it", place: c.at})
			continue
		}
		ids[id] = true
		places = append(places, wiring.Place{Repo: repo, File: at})
	}
	// Where the bytes are the same today, the contract is in the list already.
	for _, f := range x.facts {
		if f.role == copied && slices.ContainsFunc(places, func(p wiring.Place) bool { return p.File == f.place.File }) {
			name = f.name
			break
		}
	}
	for _, p := range places {
		x.add(fact{role: copied, name: name, place: p})
	}
	more := ""
	if len(ids) > 1 {
		more = differs
	}
	x.add(fact{role: declared, name: name, more: more, place: c.at})
}

// differs is what a stated contract says whose files are not the same.
const differs = "differs"
