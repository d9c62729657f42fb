package wire

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A mention is a text that may be the name of a branch: a variable that is
// given it, or a fetch from a repository that is not told.
type mention struct {
	name string
	fact fact
}

// branchMentions makes readers of the scripts that name a branch which
// something publishes. What publishes a branch is no reader of it.
func branchMentions(x *extraction) {
	branches := map[string][]fact{}
	for _, f := range x.facts {
		if f.role == published && f.kind == wiring.Branch {
			branches[f.name] = append(branches[f.name], f)
		}
	}
	for _, m := range x.mentions {
		if x.pushers[m.name+"\x00"+m.fact.place.File] {
			continue
		}
		done := map[string]bool{}
		for _, b := range branches[m.name] {
			if !done[b.repo] {
				done[b.repo] = true
				f := m.fact
				f.repo = b.repo
				x.add(f)
			}
		}
	}
}

// mayMatch are the kinds of artifacts whose names may have parts that only a
// run tells.
var mayMatch = map[string]bool{wiring.ReleaseAsset: true, wiring.RunArtifact: true, wiring.Image: true, wiring.Chart: true}

// matchNames gives what is read the name under which it is published, where
// the two differ in parts that are not told.
func matchNames(x *extraction) {
	byKind := map[string][]fact{}
	have := map[key]bool{}
	for _, f := range x.facts {
		if f.role == published && mayMatch[f.kind] && !have[f.key()] {
			have[f.key()] = true
			byKind[f.kind] = append(byKind[f.kind], f)
		}
	}
	const most = 50 // artifacts that one pattern stands for
	var out []fact
	for _, f := range x.facts {
		if f.role != read && f.role != pinned || !mayMatch[f.kind] || have[f.key()] {
			out = append(out, f)
			continue
		}
		found := matching(f, byKind[f.kind])
		if len(found) == 0 || len(found) > 1 && f.kind != wiring.RunArtifact && !strings.HasPrefix(f.repo, "<") {
			out = append(out, f)
			continue
		}
		for _, p := range found[:min(len(found), most)] {
			r := f
			r.name, r.repo = p.name, p.repo
			out = append(out, r)
		}
	}
	x.facts = out
}

// matching are the published artifacts that a name may mean.
func matching(f fact, all []fact) (found []fact) {
	want := pattern(f.name)
	for _, p := range all {
		if p.repo != f.repo && !strings.HasPrefix(f.repo, "<") {
			continue
		}
		if want == "<>" { // everything: of the same run
			if p.place.File == f.place.File {
				found = append(found, p)
			}
			continue
		}
		have := pattern(p.name)
		if have == want {
			return []fact{p}
		}
		if companion(p.name) != companion(f.name) {
			continue
		}
		if have != "<>" && (strings.Contains(have, "<>") && fits(have, f.name) || strings.Contains(want, "<>") && fits(want, p.name)) {
			found = append(found, p)
		}
	}
	return found
}

// companions are how names of files end that stand beside others: what signs
// or describes an artifact is not the artifact.
var companions = []string{".sbom.json", ".spdx.json", ".cyclonedx.json", ".sig", ".pem", ".asc", ".sha256", ".sha256sum", ".sha512", ".md5", ".sigstore.json", ".sigstore", ".intoto.jsonl", ".bundle", ".prov"}

// companion is the end that makes a name that of a companion, "" for none.
func companion(name string) string {
	for _, end := range companions {
		if strings.HasSuffix(name, end) {
			return end
		}
	}
	return ""
}
