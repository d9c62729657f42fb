package session

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/order"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// A row is what build.json records about one repository.
type row struct {
	url, head string
	branch    string // that it was built from; "" when that is not recorded
	umbrella  bool
}

func rows(f *found) []row {
	b := f.build
	all := []row{{b.URL, b.Head, b.Branch, true}}
	for _, m := range b.Submodules {
		all = append(all, row{m.URL, m.Head, "", false})
	}
	return all
}

// row finds this repository in build.json by the address of a remote: origin
// first, then the others as they stand. It returns the remote's name, too.
func (s *check) row(f *found) (*row, string) {
	all := rows(f)
	for _, remote := range s.ownRemotes() {
		for i := range all {
			if source.SameURL(all[i].url, remote.URL) {
				return &all[i], remote.Name
			}
		}
	}
	return nil, ""
}

// ownRemotes are the remotes of the session's repository, origin first.
func (s *check) ownRemotes() []gitstore.Remote {
	if s.remotes == nil {
		remotes, known := s.place.OwnRemotes()
		if !known {
			config, err := gitstore.Git{Dir: dirOf(s.place), Env: s.env}.Config(s.limit())
			if err == nil {
				remotes = config.Remotes()
			}
		}
		order.Stable(remotes, func(a, b gitstore.Remote) int {
			switch {
			case a.Name == b.Name:
				return 0
			case a.Name == "origin":
				return -1
			case b.Name == "origin":
				return 1
			}
			return 0
		})
		s.remotes = append([]gitstore.Remote{}, remotes...)
	}
	return s.remotes
}

// defaultBranch is the commit of the remote's default branch as this clone
// last saw it: what the remote's HEAD names, else the branch that the bundle
// was built from, else main or master; "" when there is none.
func (s *check) defaultBranch(f *found, remote, built string) string {
	names := []string{"HEAD", built, "main", "master"}
	var unknown []string
	for _, name := range names {
		ref := "refs/remotes/" + remote + "/" + name
		if name == "" || !gitstore.ValidRef(ref) {
			continue
		}
		hash, known := s.place.Ref(ref)
		if hash != "" {
			return hash
		}
		if !known {
			unknown = append(unknown, ref)
		}
	}
	if len(unknown) == 0 || !f.inner {
		return ""
	}
	commits, err := f.store.Commits(unknown...)
	if err != nil {
		return ""
	}
	for _, c := range commits {
		if c.Exists() {
			return c.Hash
		}
	}
	return ""
}

// isUmbrella reports whether the session's repository is the umbrella: by
// what the bundle records, else by what names the umbrella.
func (s *check) isUmbrella(f *found) bool {
	if f != nil {
		if row, _ := s.row(f); row != nil {
			return row.umbrella
		}
		paths := s.place.Modules()
		for _, m := range f.build.Submodules {
			if slices.Contains(paths, m.Path) {
				return true
			}
		}
	}
	named := s.getenv("MAROLA_UMBRELLA")
	if named == "" {
		named = s.place.FileConfig().Get("marola.umbrella")
	}
	if named == "" {
		named = s.settings.Umbrella
	}
	if named == "" {
		return true // nothing says that it is elsewhere
	}
	return slices.ContainsFunc(s.ownRemotes(), func(r gitstore.Remote) bool {
		// A fork of the umbrella has its name.
		return source.SameURL(r.URL, named) || lastName(r.URL) == lastName(named)
	})
}

func lastName(url string) string {
	url = strings.TrimRight(strings.ReplaceAll(url, `\`, "/"), "/")
	return strings.TrimSuffix(path.Base(url[strings.LastIndexByte(url, ':')+1:]), ".git")
}
