package wiring

import (
	"maps"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/order"
)

// A shared repository is one whose workflows others call at a tag or commit.
type shared struct {
	files map[calledAt][]string // workflow or action and version → repositories that call it
}

type calledAt struct{ file, version string }

// tags has a row for each repository whose reusable workflows others call:
// where its tag is pinned, and who calls what of it.
func (v view) tags() (rows [][]string) {
	found := map[string]*shared{}
	add := func(owner, file string, from []Place) {
		for _, p := range from {
			if p.Version == "" {
				continue // of the same repository
			}
			s := found[owner]
			if s == nil {
				s = &shared{map[calledAt][]string{}}
				found[owner] = s
			}
			at := calledAt{file, short(p.Version)}
			if !slices.Contains(s.files[at], p.Repo) {
				s.files[at] = append(s.files[at], p.Repo)
			}
		}
	}
	for _, c := range v.w.Calls {
		repo, file, ok := cutTarget(c.Target)
		_, own := v.roots[lastOf(repo)]
		if ok && (c.Kind == CallWorkflow || own && c.Kind == CallAction && file != "") {
			add(repo, strings.TrimPrefix(file, ".github/workflows/"), c.From)
		}
	}
	for _, repo := range slices.Sorted(maps.Keys(found)) {
		home := ""
		if _, own := v.roots[lastOf(repo)]; own {
			home = text(lastOf(repo))
		}
		rows = append(rows, []string{code(repo) + " tag", home, v.tagPins(repo), found[repo].text()})
	}
	return rows
}

// cutTarget splits owner/repo/path.
func cutTarget(target string) (repo, file string, ok bool) {
	parts := strings.SplitN(target, "/", 3)
	if len(parts) < 2 {
		return "", "", false
	}
	if len(parts) == 3 {
		file = parts[2]
	}
	return parts[0] + "/" + parts[1], file, true
}

func lastOf(slug string) string { return slug[strings.LastIndexByte(slug, '/')+1:] }

// tagPins is where a repository's tag is pinned: repo `flake.lock` v1,
// marketplace v1; …
func (v view) tagPins(name string) string {
	i := slices.IndexFunc(v.w.Artifacts, func(a Artifact) bool { return a.Kind == Repository && strings.EqualFold(a.Name, name) })
	if i < 0 {
		return ""
	}
	a := v.w.Artifacts[i]
	var order []string
	byRepo := map[string][]string{}
	locked := map[string]bool{}
	add := func(p Place, as string) {
		if byRepo[p.Repo] == nil {
			order = append(order, p.Repo)
		}
		if as = strings.TrimSpace(as + " " + text(short(p.Version))); !slices.Contains(byRepo[p.Repo], as) {
			byRepo[p.Repo] = append(byRepo[p.Repo], as)
		}
	}
	for _, p := range slices.Concat(a.Pinned, a.Read) {
		bare := strings.TrimPrefix(v.file(p), text(p.Repo)+" ")
		switch {
		case strings.HasPrefix(p.Note, "submodule ") || p.Version == "":
		case strings.HasPrefix(p.Note, "marketplace"):
			add(p, "marketplace")
		case strings.HasPrefix(p.Note, "flake input") && locked[p.Repo]:
			// its lock says the same, and more
		case strings.Contains(p.File, ".github/workflows/"):
			// a call, which the last cell has
		default:
			locked[p.Repo] = locked[p.Repo] || strings.HasSuffix(p.File, "flake.lock")
			add(p, bare)
		}
	}
	slices.Sort(order)
	var out []string
	for _, repo := range order {
		slices.Sort(byRepo[repo]) // a code span comes before a word
		out = append(out, text(repo)+" "+strings.Join(byRepo[repo], ", "))
	}
	return strings.Join(out, "; ")
}

// text is `file` version (repo repo …); …
func (s *shared) text() string {
	var out []string
	keys := slices.Collect(maps.Keys(s.files))
	order.By(keys, func(a, b calledAt) int {
		return strings.Compare(a.file+"\x00"+a.version, b.file+"\x00"+b.version)
	})
	for _, k := range keys {
		repos := s.files[k]
		slices.Sort(repos)
		out = append(out, code(k.file)+" "+text(k.version)+" ("+text(strings.Join(repos, " "))+")")
	}
	return strings.Join(out, "; ")
}

// short is a version, of a commit its first seven digits.
func short(version string) string {
	const commit, digits = 40, 7
	if len(version) == commit && strings.Trim(version, "0123456789abcdef") == "" {
		return version[:digits]
	}
	return version
}
