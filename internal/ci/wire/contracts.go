package wire

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// minContract is the size from which the same bytes in two repositories mean
// something, in bytes.
const minContract = 200

// maxShared is how many files two repositories may have in common for each to
// be an agreement: with more, one began as a copy of the other.
const maxShared = 100

// joinContracts finds files of one name that have the same bytes in two
// repositories or more.
func joinContracts(x *extraction) {
	type shared struct{ blob, base string }
	copies := map[shared][]wiring.Place{}
	for _, r := range x.repos {
		for _, f := range r.Files {
			if f.Size < minContract || f.Blob == "" || boilerplate(f.Path) {
				continue
			}
			k := shared{f.Blob, path.Base(f.Path)}
			copies[k] = append(copies[k], wiring.Place{Repo: r.Name, File: path.Join(r.Path, f.Path)})
		}
	}
	var found []shared
	pairs := map[string]int{} // the repositories that share → files
	reposOf := func(k shared) string {
		var names []string
		for _, p := range copies[k] {
			if !slices.Contains(names, p.Repo) {
				names = append(names, p.Repo)
			}
		}
		return strings.Join(names, " ")
	}
	for k := range copies {
		if names := reposOf(k); strings.Contains(names, " ") {
			found = append(found, k)
			pairs[names]++
		}
	}
	slices.SortFunc(found, func(a, b shared) int {
		return strings.Compare(a.base+"\x00"+copies[a][0].File, b.base+"\x00"+copies[b][0].File)
	})
	names := map[string]int{}
	for _, k := range found {
		names[k.base]++
	}
	for _, k := range found {
		if pairs[reposOf(k)] > maxShared {
			continue
		}
		name := k.base
		if names[name] > 1 { // two agreements of one name are told apart by where they stand
			name = copies[k][0].File
		}
		for _, p := range copies[k] {
			x.add(fact{role: copied, name: name, place: p})
		}
	}
}

// boilerplate reports a path whose content says nothing about its
// repository: what every repository has, what a tool made, and what is kept
// for tools alone.
func boilerplate(name string) bool {
	if vendoredPath(name) {
		return true
	}
	base := strings.ToLower(path.Base(name))
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch stem {
	case "license", "licence", "copying", "notice", "authors", "contributing", "code_of_conduct", "security", "patents", "unlicense", "readme", "changelog", "gradlew", "mvnw", "py", "__init__", "favicon":
		return true
	}
	switch path.Ext(base) {
	case ".lock", ".sum", ".png", ".jpg", ".jpeg", ".gif", ".ico", ".svg", ".webp", ".woff", ".woff2", ".ttf", ".otf", ".jar", ".map", ".snap", ".golden", ".md":
		return true
	}
	return strings.Contains(base, ".min.") || strings.Contains(base, "-lock.") || strings.Contains(base, ".pb.") || strings.Contains(base, "_pb2") ||
		strings.Contains(base, "_generated") || strings.Contains(base, ".generated.")
}

// vendoredPath reports a path in a folder of others' files, or in a hidden
// one, which holds the settings of tools.
func vendoredPath(name string) bool {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		if strings.HasPrefix(part, ".") || !last && (part == "vendor" || part == "node_modules" || part == "third_party" || part == "testdata" || part == "fixtures" || part == "dist" || part == "target") {
			return true
		}
	}
	return false
}
