package publish

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Name implements [Remote]: a commit that was made, or one of the same tree.
func (r *APIRemote) Name(ctx context.Context, s *Snapshot, at string) (string, error) {
	if made := r.commits[s.Tree]; made != "" || at == "" {
		return made, nil
	}
	var c gitCommit
	err := r.call(ctx, "could not be read", http.MethodGet, "git/commits/"+at, nil, &c)
	if isStatus(err, http.StatusNotFound) || err == nil && (c.Tree.SHA != s.Tree || len(c.Parents) > 0) {
		return "", nil
	}
	return c.SHA, err
}

// Prepare implements [Remote]. It sends each file that the published commit
// lacks, by itself: a tree that is sent with its files is too much for the
// service from a few megabytes on. No ref leads to any of it yet.
func (r *APIRemote) Prepare(ctx context.Context, s *Snapshot) (string, error) {
	if made := r.commits[s.Tree]; made != "" {
		return made, nil
	}
	files, err := s.files()
	if err != nil {
		return "", err
	}
	err = r.sendTree(ctx, s, files)
	if isStatus(err, http.StatusUnprocessableEntity) && r.held != nil {
		r.held = nil // the branch moved on, and its files went with it
		err = r.sendTree(ctx, s, files)
	}
	if err != nil {
		return "", err
	}
	commit := asJSON(struct {
		Message string   `json:"message"`
		Tree    string   `json:"tree"`
		Parents []string `json:"parents"`
	}{s.Message + "\n", s.Tree, []string{}})
	var made gitCommit
	err = r.patiently(ctx, func() error {
		return r.call(ctx, "did not take the commit", http.MethodPost, "git/commits", &commit, &made)
	})
	if err != nil {
		return "", err
	}
	if made.Tree.SHA != s.Tree || len(made.Parents) > 0 || len(made.SHA) != len(s.Tree) {
		return "", &Refused{Reason: "it made another commit than was asked for", Next: "publish with --transport git, and tell who runs the service"}
	}
	r.commits[s.Tree] = made.SHA
	return made.SHA, nil
}

// A treeFile is a file of a tree in the words of the API.
type treeFile struct {
	Path string `json:"path"`
	Mode string `json:"mode"`
	Type string `json:"type"`
	SHA  string `json:"sha"`
}

func (r *APIRemote) sendTree(ctx context.Context, s *Snapshot, files []treeFile) error {
	for _, f := range files {
		hash := plumbing.NewHash(f.SHA)
		if r.held[hash] || r.sent[hash] {
			continue
		}
		if err := r.sendBlob(ctx, s, hash); err != nil {
			return err
		}
		r.sent[hash] = true
	}
	body := asJSON(map[string]any{"tree": files})
	var made struct{ SHA string }
	err := r.patiently(ctx, func() error {
		return r.call(ctx, "did not take the tree", http.MethodPost, "git/trees", &body, &made)
	})
	if err == nil && made.SHA != s.Tree {
		return &Refused{Reason: "it made another tree than was asked for", Next: "publish with --transport git, and tell who runs the service"}
	}
	return err
}

// sendBlob sends a file, encoded on the way rather than in memory.
func (r *APIRemote) sendBlob(ctx context.Context, s *Snapshot, hash plumbing.Hash) error {
	o, err := s.objects.EncodedObject(plumbing.BlobObject, hash)
	if err != nil {
		return err
	}
	data, err := readAll(o)
	if err != nil {
		return err
	}
	const before, after = `{"encoding":"base64","content":"`, `"}`
	body := payload{size: int64(len(before) + base64.StdEncoding.EncodedLen(len(data)) + len(after)), open: func() io.Reader {
		return io.MultiReader(strings.NewReader(before), newEncoder(data), strings.NewReader(after))
	}}
	var made struct{ SHA string }
	err = r.patiently(ctx, func() error {
		return r.call(ctx, "did not take a file", http.MethodPost, "git/blobs", &body, &made)
	})
	if err == nil && made.SHA != hash.String() {
		return &Transient{Err: errors.New("the remote kept another file than was sent")}
	}
	return err
}

// An encoder gives bytes as base64, a part at a time.
type encoder struct {
	left []byte
	part bytes.Buffer
}

func newEncoder(data []byte) *encoder { return &encoder{left: data} }

func (e *encoder) Read(b []byte) (int, error) {
	if e.part.Len() == 0 {
		const part = 48 << 10 // a multiple of three, so that nothing is padded within
		n := min(part, len(e.left))
		if n == 0 {
			return 0, io.EOF
		}
		e.part.Reset()
		e.part.Write(base64.StdEncoding.AppendEncode(e.part.AvailableBuffer(), e.left[:n]))
		e.left = e.left[n:]
	}
	return e.part.Read(b)
}

// files are the files of a snapshot's tree.
func (s *Snapshot) files() (files []treeFile, err error) {
	var walk func(tree plumbing.Hash, folder string) error
	walk = func(tree plumbing.Hash, folder string) error {
		t, err := object.GetTree(s.objects, tree)
		if err != nil {
			return err
		}
		for _, e := range t.Entries {
			if e.Mode == filemode.Dir {
				err = walk(e.Hash, folder+e.Name+"/")
			} else {
				files = append(files, treeFile{folder + e.Name, "100644", "blob", e.Hash.String()})
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	err = walk(s.tree, "")
	slices.SortFunc(files, func(a, b treeFile) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}

// patiently repeats a request that makes an object when that may help: the
// same object may be made twice. A bundle is hundreds of such requests, and
// one of them in trouble is no reason to begin again.
func (r *APIRemote) patiently(ctx context.Context, f func() error) error {
	for try := 1; ; try++ {
		err := f()
		var t *Transient
		if !errors.As(err, &t) {
			return err
		}
		if try == Tries {
			return &Unreached{Tries: try, Last: err}
		}
		d := cmp.Or(t.After, time.Duration(try)*time.Second)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d {
			return &Transient{Err: t.Err, After: d}
		}
		if err := r.wait(ctx, d); err != nil {
			return err
		}
	}
}

// Move implements [Remote].
func (r *APIRemote) Move(ctx context.Context, ref, old, commit string) error {
	if old != "" {
		return r.update(ctx, ref, old, commit)
	}
	body := asJSON(map[string]string{"ref": ref, "sha": commit})
	err := r.call(ctx, "did not create "+ref, http.MethodPost, "git/refs", &body, nil)
	return r.judge(ctx, ref, old, err)
}

// Return implements [Remote].
func (r *APIRemote) Return(ctx context.Context, ref, from, to string) error {
	return r.update(ctx, ref, from, to)
}

// updateRefs moves refs only from where they are said to be, which the REST
// API cannot.
const updateRefs = `mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`

// update moves a ref by compare-and-swap.
func (r *APIRemote) update(ctx context.Context, ref, old, commit string) error {
	node, err := r.nodeID(ctx)
	if err != nil {
		return err
	}
	type refUpdate struct {
		Name   string `json:"name"`
		Before string `json:"beforeOid"`
		After  string `json:"afterOid"`
		Force  bool   `json:"force"`
	}
	body := asJSON(map[string]any{"query": updateRefs, "variables": map[string]any{"input": map[string]any{
		"repositoryId": node, "refUpdates": []refUpdate{{ref, old, commit, true}},
	}}})
	a, err := r.api.ask(ctx, http.MethodPost, r.api.graphql, &body)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return r.judge(ctx, ref, old, r.api.failure("did not move "+ref, a))
	}
	var answer struct {
		Data   struct{ UpdateRefs *struct{} }
		Errors []struct{ Type, Message string }
	}
	if err := json.Unmarshal(a.body, &answer); err != nil {
		return &Transient{Err: fmt.Errorf("the remote did not move %s: what the API answered is no JSON", ref)}
	}
	if len(answer.Errors) == 0 {
		if answer.Data.UpdateRefs == nil {
			return &Transient{Err: fmt.Errorf("the remote did not move %s, and gave no reason", ref)}
		}
		return nil
	}
	text, kinds := "", ""
	for _, e := range answer.Errors {
		text += e.Message + "\n"
		kinds += e.Type + " "
	}
	return r.judge(ctx, ref, old, r.graphqlError(ref, kinds, serverLines(text, r.api.token), a))
}

// graphqlError judges the errors of an answer whose status is 200.
func (r *APIRemote) graphqlError(ref, kinds string, lines []string, a apiAnswer) error {
	text := strings.Join(lines, "; ")
	switch {
	case contains(kinds, []string{"RATE_LIMITED"}), contains(text, []string{"rate limit"}):
		after := cmp.Or(retryAfter(a.header.Get("Retry-After"), r.api.now()), slowDown)
		return &Transient{Err: fmt.Errorf("the remote did not move %s: %s", ref, text), After: after}
	case contains(text, []string{"something went wrong", "timeout"}):
		return &Transient{Err: fmt.Errorf("the remote did not move %s: %s", ref, text)}
	case contains(text, lost):
		return &Moved{Server: lines}
	}
	refused := &apiRefusal{Refused{Reason: "it did not move " + ref, Server: lines, Next: "the service's documentation tells what its words mean"}, http.StatusUnprocessableEntity}
	switch {
	case contains(text, ruled):
		refused.Reason, refused.Next = refused.Reason+" (refused by rules)", passRules
	case contains(kinds, []string{"FORBIDDEN", "INSUFFICIENT_SCOPES", "NOT_FOUND"}):
		refused.status = http.StatusForbidden
		refused.Next = "the token needs the right to write contents of this very repository; a permission that was added to an App counts once an owner has accepted it"
	}
	return refused
}

// judge looks where a ref is after a refusal that may only mean that somebody
// was quicker: the service has many words for that. A ref that is where it was
// makes the refusal final.
func (r *APIRemote) judge(ctx context.Context, ref, old string, err error) error {
	if !isStatus(err, http.StatusUnprocessableEntity) && !isStatus(err, http.StatusConflict) {
		return err
	}
	now, lookErr := r.at(ctx, ref)
	if lookErr != nil || now == old {
		return err
	}
	return &Moved{Text: ref + " is at " + orNothing(now) + " now"}
}
