package publish

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// An APIRemote speaks the REST and GraphQL API of GitHub, and no git.
//
// Its commits are made by the service: they name whoever the token is, carry
// the time at which they were made, and are signed, for author and committer
// are left out. So the same bundle is not the same commit here, and trees are
// compared.
type APIRemote struct {
	api     apiClient
	repo    string // path of the repository's resources: repos/owner/name
	wait    func(context.Context, time.Duration) error
	node    string                 // the repository's id for GraphQL, once it is known
	held    map[plumbing.Hash]bool // blobs of the published commit
	sent    map[plumbing.Hash]bool // blobs that were sent
	commits map[string]string      // those that were made, by tree
}

// OpenAPI prepares to publish to the repository at an address through the API at base, as in "https://api.github.com/". Nothing is sent
// yet.
func OpenAPI(a Address, base string, token Token) (*APIRemote, error) {
	owner, name, ok := strings.Cut(strings.Trim(strings.TrimSuffix(a.Path, ".git"), "/"), "/")
	u, err := url.Parse(base)
	switch {
	case a.Scheme != "http" && a.Scheme != "https":
		return nil, addressError("the API publishes to an https remote, not to "+a.String(), "give the https address, or publish with --transport git")
	case !ok || owner == "" || name == "" || strings.Contains(name, "/"):
		return nil, addressError("the remote "+a.String()+" is no https://host/owner/name", "give the repository's own address")
	case err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https":
		return nil, addressError("the address of the API is no https URL", "leave --api-url out for github.com")
	case u.Scheme == "http" && !(Address{Host: u.Hostname()}).Loopback():
		return nil, addressError("the token would travel unencrypted over http", "use the https address of the API")
	case token.secret == "":
		return nil, &TokenError{"the API writes for nobody without a token", "give one with --token-env NAME, or an App with --app-id"}
	}
	return &APIRemote{
		api: newAPIClient(base, token), repo: "repos/" + owner + "/" + name, wait: sleep,
		sent: map[plumbing.Hash]bool{}, commits: map[string]string{},
	}, nil
}

// A gitRef is a reference in the words of the API.
type gitRef struct {
	Ref    string
	Object struct{ Type, SHA string }
}

// List implements [Remote]. It asks for the names that matter to one branch,
// since a repository may have thousands of others.
func (r *APIRemote) List(ctx context.Context, branch string) (map[string]string, error) {
	refs := map[string]string{}
	for _, ours := range []string{refName(branch), bundle.LargeRef(branch)} {
		var found []gitRef
		if err := r.call(ctx, "could not be listed", http.MethodGet, "git/matching-refs/"+path(ours), nil, &found); err != nil {
			if isStatus(err, http.StatusConflict) {
				return refs, nil // a repository without a commit
			}
			return nil, err
		}
		for _, f := range found {
			if f.Ref == ours || strings.HasPrefix(f.Ref, ours+"/") {
				refs[f.Ref] = f.Object.SHA
			}
		}
		// A branch "a" leaves no room for "a/b".
		for name := parent(ours); name != ""; name = parent(name) {
			switch at, err := r.at(ctx, name); {
			case err != nil:
				return nil, err
			case at != "":
				refs[name] = at
			}
		}
	}
	return refs, nil
}

// parent is the name of a ref one level up, or "" when that can be no ref of
// the same kind.
func parent(ref string) string {
	i := strings.LastIndexByte(ref, '/')
	if strings.Count(ref[:i], "/") < 2 {
		return ""
	}
	return ref[:i]
}

// at is where a ref stands, or "".
func (r *APIRemote) at(ctx context.Context, ref string) (string, error) {
	var found gitRef
	err := r.call(ctx, "could not be listed", http.MethodGet, "git/ref/"+path(ref), nil, &found)
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusConflict) {
		return "", nil
	}
	return found.Object.SHA, err
}

// A gitCommit is a commit in the words of the API.
type gitCommit struct {
	SHA     string
	Tree    struct{ SHA string }
	Parents []struct{ SHA string }
}

// Read implements [Remote].
func (r *APIRemote) Read(ctx context.Context, commit string) (Published, error) {
	var c gitCommit
	err := r.call(ctx, "could not be read", http.MethodGet, "git/commits/"+commit, nil, &c)
	if isStatus(err, http.StatusNotFound) {
		return Published{Bad: errNoCommit, Foreign: errNoCommit}, nil
	}
	if err != nil {
		return Published{}, err
	}
	var tree struct {
		Tree []struct {
			Path, Mode, Type, SHA string
			Size                  int64
		}
		Truncated bool
	}
	if err := r.call(ctx, "could not be read", http.MethodGet, "git/trees/"+c.Tree.SHA+"?recursive=1", nil, &tree); err != nil {
		return Published{}, err
	}
	p := Published{Tree: c.Tree.SHA, Bad: errors.New("it has no " + bundle.BuildName)}
	switch {
	case len(c.Parents) > 0:
		p.Foreign = errHistory
	case tree.Truncated:
		p.Foreign = errors.New("it has more files than any bundle")
	}
	held := map[plumbing.Hash]bool{}
	for _, e := range tree.Tree {
		if e.Type == "tree" {
			continue // its files tell
		}
		mode, err := filemode.New(e.Mode)
		if err != nil {
			mode = filemode.Empty
		}
		if err := foreignFile(e.Path, mode); err != nil && p.Foreign == nil {
			p.Foreign = err
		}
		held[plumbing.NewHash(e.SHA)] = true
		if e.Type != "blob" || e.Path != bundle.BuildName && e.Path != bundle.WiringName {
			continue
		}
		data, bad, err := r.blob(ctx, e.SHA, e.Size)
		switch {
		case err != nil:
			return Published{}, err
		case e.Path == bundle.BuildName && bad != nil:
			p.Bad = bad
		case e.Path == bundle.BuildName:
			p.Build, p.Bad = bundle.ParseBuild(data)
		case bad == nil:
			p.Wiring = data
		}
	}
	r.held = held
	return p, nil
}

// blob reads a file. bad says why its bytes cannot be used.
func (r *APIRemote) blob(ctx context.Context, name string, size int64) (data []byte, bad, err error) {
	if size > bundle.MaxFile {
		return nil, fmt.Errorf("it holds a file of %d bytes; at most %d are read", size, bundle.MaxFile), nil
	}
	var b struct{ Content, Encoding string }
	if err := r.call(ctx, "could not be read", http.MethodGet, "git/blobs/"+name, nil, &b); err != nil {
		return nil, nil, err
	}
	data, err = base64.StdEncoding.DecodeString(b.Content)
	if err != nil || b.Encoding != "base64" || plumbing.ComputeHash(plumbing.BlobObject, data).String() != name {
		return nil, errors.New("the API gave other bytes than those of the file"), nil
	}
	return data, nil, nil
}

// Relation implements [Historian]: the service compares, which costs one
// request.
func (r *APIRemote) Relation(ctx context.Context, mine, theirs string) Relation {
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	var c struct{ Status string }
	if r.call(ctx, "could not be compared", http.MethodGet, "compare/"+url.PathEscape(theirs)+"..."+url.PathEscape(mine)+"?per_page=1", nil, &c) != nil {
		return Unknown
	}
	return map[string]Relation{"ahead": Ahead, "behind": Behind, "diverged": Diverged}[c.Status]
}

// call asks about the repository.
func (r *APIRemote) call(ctx context.Context, what, method, rest string, body *payload, v any) error {
	return r.api.call(ctx, what, method, strings.TrimRight(r.repo+"/"+rest, "/"), body, v)
}

// path is a ref as it stands in the path of a request.
func path(ref string) string {
	parts := strings.Split(strings.TrimPrefix(ref, "refs/"), "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

func isStatus(err error, status int) bool {
	var refused *apiRefusal
	return errors.As(err, &refused) && refused.status == status
}

// nodeID is the repository's id for GraphQL.
func (r *APIRemote) nodeID(ctx context.Context) (string, error) {
	if r.node != "" {
		return r.node, nil
	}
	var repo struct {
		Node string `json:"node_id"`
	}
	err := r.call(ctx, "could not be read", http.MethodGet, "", nil, &repo)
	r.node = cmp.Or(r.node, repo.Node)
	return r.node, err
}
