// Package wire finds out how the repositories of a workspace are wired
// together: who builds, publishes, pins, reads, triggers and deploys what.
//
// It works from the contents of tracked files alone. Nothing is run, nothing
// is fetched; what a file names and the workspace does not hold is listed as
// unresolved. Which registries, repositories and pins are the organisation's
// own follows from the workspace, never from a list.
//
// There are two steps. First each file goes to the reader of its kind, which
// appends facts (readers.go). Then the joins, which see all facts and all
// files, add what follows from several files together (joins.go). At the end
// [join] puts facts about one thing together as wiring.json has them.
package wire

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A Repo is one repository of the workspace.
type Repo struct {
	Name  string   // short name
	Path  string   // its folder in the workspace, slashes; "" for the umbrella
	URL   string   // https or ssh address without credentials, or ""
	Head  string   // the commit that is read, full
	Files []File   // every tracked file, sorted by path
	Links []string // every tracked symbolic link, sorted
}

// A File is one tracked file of a repository.
type File struct {
	Path string // in the repository, slashes
	Blob string // object id: the same for the same bytes
	Size int64  // bytes
	Data []byte // contents of those that [Wanted] names, else nil
}

// Options are what an extraction may look at besides the workspace.
type Options struct {
	// At reads a file of a repository, by its number, at another commit, tag
	// or branch that its clone has; false where it has not. nil means that
	// no clone can be asked.
	At func(repo int, ref, path string) ([]byte, bool)

	// Callees holds reusable workflows and actions from outside of the
	// workspace, as owner/repo/ref/path. nil means none.
	Callees fs.FS
}

// maxSize is the largest file that is read, in bytes. Lock files of large
// workspaces and generated workflows have a few MB.
const maxSize = 16 << 20

// Wanted reports whether an extraction reads the contents of the file with
// this path in its repository and this size in bytes.
func Wanted(name string, size int64) bool {
	return size <= maxSize && readerOf(name) != nil
}

// Extract finds the facts of a workspace, the umbrella first. The error is
// that of ctx, or a *[SettingsError]: a file that cannot be read is listed as
// unresolved.
func Extract(ctx context.Context, repos []Repo, o Options) (*wiring.Wiring, error) {
	return newExtraction(repos, o).run(ctx)
}

func (x *extraction) run(ctx context.Context) (*wiring.Wiring, error) {
	for i := range x.repos {
		if err := x.links(i); err != nil {
			return nil, err
		}
		for _, f := range x.repos[i].Files {
			if why := x.unread(i, f); why != "" {
				x.add(fact{role: unresolved, kind: "file", name: clip(f.Path, wiring.MaxName), more: why, place: x.placeOf(i, f.Path)})
				continue
			}
			if f.Data == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			read := x.newFile(i, f)
			x.files = append(x.files, read)
			x.byPath[place{i, f.Path}] = read
		}
	}
	own, err := readSettings(x)
	if err != nil {
		return nil, err
	}
	for _, f := range x.files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if read := readerOf(f.path); read != nil {
			read(x, f)
		}
	}
	for _, j := range joins {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		j(x)
	}
	own.apply(x)
	return join(x.facts), nil
}

// An extraction is the state of one run.
type extraction struct {
	repos  []Repo
	owners map[string]bool // owners of the workspace's repositories, folded
	slugs  []string        // owner/repo of each repository, "" without an address
	files  []*file         // those with contents, in order of repository and path
	facts  []fact
	pins   []pinFact

	workflows []*workflow
	actions   []*workflow
	scripts   []*file
	mentions  []mention
	said      map[saying]bool
	pushers   map[string]bool // branch and path of the files that publish it
	byPath    map[place]*file
	callees   map[string]callee         // by target@ref
	ran       map[*file]bool            // scripts that a workflow runs
	targets   map[*file]map[string]bool // targets of makefiles and the like that were followed
	onCallee  func(*file)               // told of each workflow or action of the workspace that another is found to use
	o         Options
	bare      bool // a panic is one: for tests
}

func newExtraction(repos []Repo, o Options) *extraction {
	x := &extraction{repos: repos, owners: map[string]bool{}, callees: map[string]callee{}, ran: map[*file]bool{}, targets: map[*file]map[string]bool{}, said: map[saying]bool{}, pushers: map[string]bool{}, byPath: map[place]*file{}, o: o}
	for _, r := range repos {
		s := slugOf(r.URL)
		x.slugs = append(x.slugs, s)
		if owner, _, ok := strings.Cut(s, "/"); ok {
			x.owners[strings.ToLower(owner)] = true
		}
	}
	return x
}

// add appends a fact.
func (x *extraction) add(f fact) { x.facts = append(x.facts, f) }

// slugOf is the last two segments of a repository's address, "" where there
// are no two.
func slugOf(url string) string {
	url = strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
	if i := strings.Index(url, "://"); i >= 0 {
		_, rest, ok := strings.Cut(url[i+3:], "/")
		if !ok {
			return ""
		}
		url = rest
	} else if host, rest, ok := strings.Cut(url, ":"); ok && !strings.Contains(host, "/") {
		url = rest
	}
	parts := strings.Split(strings.Trim(url, "/"), "/")
	if len(parts) < 2 || parts[len(parts)-1] == "" || parts[len(parts)-2] == "" {
		return ""
	}
	return strings.Join(parts[len(parts)-2:], "/")
}

// slug is how facts name repository i: owner/repo, or its short name where
// no address tells its owner.
func (x *extraction) slug(i int) string {
	if x.slugs[i] != "" {
		return x.slugs[i]
	}
	return x.repos[i].Name
}

// repoOf is the number of the workspace's repository with this owner/repo or
// address, or -1. Case does not count, as on the service. A repository whose
// address is not known is found by its name.
func (x *extraction) repoOf(slug string) int {
	if strings.Contains(slug, ":") {
		slug = slugOf(slug)
	}
	slug = strings.TrimSuffix(slug, ".git")
	for i, s := range x.slugs {
		if s != "" && strings.EqualFold(s, slug) {
			return i
		}
	}
	for i, s := range x.slugs {
		if s == "" && strings.EqualFold(x.repos[i].Name, path.Base(slug)) {
			return i
		}
	}
	return -1
}

// own reports whether an owner's name is that of one of the workspace's
// repositories.
func (x *extraction) own(owner string) bool { return x.owners[strings.ToLower(owner)] }

// fileOf is a file with contents of repository i, or nil.
func (x *extraction) fileOf(i int, name string) *file { return x.byPath[place{i, name}] }

// A place is a path in a repository.
type place struct {
	repo int
	path string
}
