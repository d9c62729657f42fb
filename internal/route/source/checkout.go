package source

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// A Relation is how a source stands to the checkout.
type Relation string

// The relations.
const (
	Same    Relation = "same"     // built from the commit that is checked out
	MovedOn Relation = "moved on" // built from another commit of this repository
	Unknown Relation = "unknown"  // the source does not know this repository, or there is no commit
)

// A Checkout is the repository in which the question was asked, as far as
// the source knows it.
type Checkout struct {
	Relation Relation `json:"relation"`
	Repo     string   `json:"repo,omitempty"`     // the name the source has for it
	Recorded string   `json:"recorded,omitempty"` // the commit of it that the source was built from
	Head     string   `json:"head,omitempty"`     // the commit that is checked out

	// Prefix is what the paths of an answer begin with for the files of this
	// checkout, with a slash at its end, where that is a submodule without the
	// workspace around it; "" elsewhere.
	Prefix string `json:"prefix,omitempty"`

	submodule bool
	folder    string
}

// Folder is where the files of this checkout stand in the workspace, with a
// slash at its end; "" at the workspace's root.
func (c Checkout) Folder() string { return c.folder }

// maxAsked is in how many repositories of a workspace this one is looked for
// by commit.
const maxAsked = 200

// relate finds this checkout among the repositories that the source was
// built from: by its commit, by a commit that it has, by the address of a
// remote, by its name. The store is that of this repository, or nil.
func (s *Source) relate(place gitstore.Place, head string, store *gitstore.Store) {
	s.Checkout = Checkout{Relation: Unknown, Head: head}
	if s.Build.Head == "" {
		return
	}
	type repo struct {
		name, url, head string
		path            string // in the workspace; "" for the umbrella
	}
	repos := []repo{{s.Build.Repo, s.Build.URL, s.Build.Head, ""}}
	for _, m := range s.Build.Submodules {
		name := m.Name
		if name == "" {
			name = path.Base(m.Path)
		}
		repos = append(repos, repo{name, m.URL, m.Head, m.Path})
	}
	is := func(match func(repo) bool) bool {
		for _, r := range repos {
			if match(r) {
				relation := Unknown
				switch {
				case head != "" && r.head == head:
					relation = Same
				case head != "" && gitstore.IsHash(r.head):
					relation = MovedOn
				}
				s.Checkout = Checkout{Relation: relation, Repo: r.name, Recorded: r.head, Head: head, submodule: r.path != ""}
				if r.path != "" {
					s.Checkout.folder = strings.TrimRight(r.path, "/") + "/"
				}
				if !inside(place) {
					s.Checkout.Prefix = s.Checkout.folder
				}
				return true
			}
		}
		return false
	}
	if is(func(r repo) bool { return head != "" && r.head == head }) || place.GitDir == "" {
		return
	}
	if store != nil && len(repos) <= maxAsked {
		var recorded []string
		for _, r := range repos {
			if gitstore.IsHash(r.head) {
				recorded = append(recorded, r.head)
			}
		}
		// A damaged answer leaves the other signs.
		if has, err := store.Commits(recorded...); err == nil && is(func(r repo) bool {
			return slices.ContainsFunc(has, func(c gitstore.Commit) bool { return c.Hash != "" && c.Hash == r.head })
		}) {
			return
		}
	}
	remotes := place.FileConfig().Remotes()
	for _, remote := range remotes {
		if is(func(r repo) bool { return SameURL(r.url, remote.URL) }) {
			return
		}
	}
	for _, remote := range remotes {
		if is(func(r repo) bool { return r.name != "" && r.name == lastSegment(remote.URL) }) {
			return
		}
	}
	is(func(r repo) bool { return r.name != "" && r.name == place.Name() })
}

// inside reports whether the checkout is a submodule that lies in the tree
// of the repository around it.
func inside(place gitstore.Place) bool {
	if _, ok := place.Superproject(); ok {
		return true
	}
	if place.Top == "" {
		return false
	}
	// A submodule's git directory may lie in its own tree.
	outer, ok := gitstore.Locate(filepath.Dir(place.Top))
	if !ok || outer.Top == "" {
		return false
	}
	rel, err := filepath.Rel(outer.Top, place.Top)
	return err == nil && slices.Contains(outer.Modules(), filepath.ToSlash(rel))
}
