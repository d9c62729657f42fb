package skillproposal

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/go-github/v66/github"

	"github.com/marola-dev/marola-routing/internal/ci/secret"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// What the pull request is called. Its branch belongs to it alone: what
// others push there is replaced.
const (
	Branch = "chore/skills-update"
	Label  = "skills-update"
	title  = "Update vendored skills"
)

// A Sent is what became of a proposal.
type Sent struct {
	URL    string // of the pull request
	Number int
	Commit string // "" when the branch had it all before
	Opened bool   // rather than found open
}

// A Failure is a request that the service did not grant.
type Failure struct {
	text, next string
}

func (e *Failure) Error() string { return e.text }

// Hint is the next step.
func (e *Failure) Hint() string { return e.next }

// Send puts the proposal on its branch, as one commit on top of its base, and
// opens a pull request for it, or renews the one that is open. The service
// signs the commit, for it is made over the API.
func (p Proposal) Send(ctx context.Context, c *github.Client, owner, repo string) (sent Sent, err error) {
	s := sender{ctx: ctx, c: c, owner: owner, repo: repo}
	about, response, err := c.Repositories.Get(ctx, owner, repo)
	if err != nil {
		return sent, s.failed("the repository cannot be seen", response, err)
	}
	if about.GetDefaultBranch() == Branch {
		return sent, &Failure{Branch + " is the default branch", "a proposal has a branch of its own"}
	}
	tree, err := s.tree(p)
	if err != nil {
		return sent, err
	}
	if sent.Commit, err = s.move(p.Base, tree); err != nil {
		return sent, err
	}
	return sent, s.request(&sent, about.GetDefaultBranch(), p.Report)
}

type sender struct {
	ctx         context.Context
	c           *github.Client
	owner, repo string
}

// tree stores the files and returns the tree of the base with them.
func (s sender) tree(p Proposal) (string, error) {
	base, response, err := s.c.Git.GetCommit(s.ctx, s.owner, s.repo, p.Base)
	if err != nil {
		return "", s.failed("the commit that it was made from, "+p.Base[:7]+", is not there", response, err)
	}
	stored := map[string]bool{}
	var entries []*github.TreeEntry
	for _, f := range p.Files {
		e := &github.TreeEntry{Path: &f.Path, Mode: github.String("100644"), Type: github.String("blob")} // without a hash: removed
		if f.Executable {
			e.Mode = github.String("100755")
		}
		if f.Blob != "" {
			e.SHA = &f.Blob
			if !stored[f.Blob] {
				content := base64.StdEncoding.EncodeToString(p.Contents[f.Blob])
				blob, response, err := s.c.Git.CreateBlob(s.ctx, s.owner, s.repo, &github.Blob{Content: &content, Encoding: github.String("base64")})
				if err != nil {
					return "", s.failed(f.Path+" was not stored", response, err)
				}
				if blob.GetSHA() != f.Blob {
					return "", &Failure{f.Path + " was stored as something else", "run it again; if it stays, look at the service's status"}
				}
				stored[f.Blob] = true
			}
		}
		entries = append(entries, e)
	}
	tree, response, err := s.c.Git.CreateTree(s.ctx, s.owner, s.repo, base.GetTree().GetSHA(), entries)
	if err != nil {
		return "", s.failed("the files were not put together", response, err)
	}
	return tree.GetSHA(), nil
}

// move makes the branch a commit of the tree on top of the base, unless it is
// that already; then commit is "".
func (s sender) move(base, tree string) (commit string, err error) {
	ref, response, err := s.c.Git.GetRef(s.ctx, s.owner, s.repo, "refs/heads/"+Branch)
	there := err == nil
	if err != nil && (response == nil || response.StatusCode != http.StatusNotFound) {
		return "", s.failed("the branch "+Branch+" cannot be seen", response, err)
	}
	if there {
		head, response, err := s.c.Git.GetCommit(s.ctx, s.owner, s.repo, ref.GetObject().GetSHA())
		if err != nil {
			return "", s.failed("the branch "+Branch+" cannot be read", response, err)
		}
		if head.GetTree().GetSHA() == tree && len(head.Parents) == 1 && head.Parents[0].GetSHA() == base {
			return "", nil
		}
	}
	made, response, err := s.c.Git.CreateCommit(s.ctx, s.owner, s.repo, &github.Commit{
		Message: github.String(title), Tree: &github.Tree{SHA: &tree}, Parents: []*github.Commit{{SHA: &base}},
	}, nil)
	if err != nil {
		return "", s.failed("the commit was not made", response, err)
	}
	to := &github.Reference{Ref: github.String("refs/heads/" + Branch), Object: &github.GitObject{SHA: made.SHA}}
	if there {
		_, response, err = s.c.Git.UpdateRef(s.ctx, s.owner, s.repo, to, true)
	} else {
		_, response, err = s.c.Git.CreateRef(s.ctx, s.owner, s.repo, to)
	}
	if err != nil {
		return "", s.failed("the branch "+Branch+" was not moved", response, err)
	}
	return made.GetSHA(), nil
}

// request opens the pull request or renews it.
func (s sender) request(sent *Sent, base, report string) error {
	open, response, err := s.c.PullRequests.List(s.ctx, s.owner, s.repo, &github.PullRequestListOptions{State: "open", Head: s.owner + ":" + Branch, Base: base})
	if err != nil {
		return s.failed("the pull requests cannot be seen", response, err)
	}
	// A service that does not know the filter gives all of them.
	open = slices.DeleteFunc(open, func(r *github.PullRequest) bool { return r.GetHead().GetRef() != Branch })
	var request *github.PullRequest
	if len(open) > 0 {
		request, response, err = s.c.PullRequests.Edit(s.ctx, s.owner, s.repo, open[0].GetNumber(), &github.PullRequest{Body: &report})
	} else {
		sent.Opened = true
		request, response, err = s.c.PullRequests.Create(s.ctx, s.owner, s.repo, &github.NewPullRequest{Title: github.String(title), Head: github.String(Branch), Base: &base, Body: &report})
	}
	if err != nil {
		return s.failed("the branch "+Branch+" is there, and its pull request was not opened", response, err)
	}
	sent.URL, sent.Number = plaintext.Line(request.GetHTMLURL(), 300), request.GetNumber()
	if _, response, err := s.c.Issues.AddLabelsToIssue(s.ctx, s.owner, s.repo, sent.Number, []string{Label}); err != nil {
		return s.failed("the pull request is open, and was not labelled", response, err)
	}
	return nil
}

// failed says what a refusal means, in the service's own words and without
// what could be secret.
func (s sender) failed(what string, response *github.Response, err error) error {
	if response == nil || response.Response == nil {
		cause := err
		for errors.Unwrap(cause) != nil {
			cause = errors.Unwrap(cause) // the innermost names no address
		}
		return &Failure{what + ": the service was not reached: " + plaintext.Line(secret.Mask(cause.Error()), 300), "look at the network, and run it again"}
	}
	said := ""
	if e := (*github.ErrorResponse)(nil); errors.As(err, &e) {
		said = e.Message
		for _, detail := range e.Errors {
			said += "; " + detail.Message
		}
	}
	f := &Failure{text: fmt.Sprintf("%s: the service answered %d: %s", what, response.StatusCode, plaintext.Line(secret.Mask(said), 300))}
	switch {
	case response.StatusCode >= 500:
		f.next = "run it again; if it stays, look at the service's status"
	case response.StatusCode == http.StatusForbidden, response.StatusCode == http.StatusNotFound:
		f.next = "the App needs Contents and Pull requests: Read and write, and must be installed on " + s.owner + "/" + s.repo
	case response.StatusCode == http.StatusUnprocessableEntity:
		f.next = "look whether a ruleset closes the branch " + Branch + ", and how old the proposal is"
	}
	return f
}
