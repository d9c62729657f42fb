package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A GitRemote speaks git's own protocol, over a pipe, HTTP or ssh.
//
// It uses the sessions of go-git and not its Push, which overwrites a branch
// that appeared between looking and pushing, ignores a lease for a commit
// that is named by hash, and answers "already up to date" when it has nothing
// to send. Here every push names the commit that it replaces.
type GitRemote struct {
	address Address
	token   Token
	dial    dialer

	prepared map[string]*memory.Storage // by commit: its objects
	heldAt   string                     // the commit whose objects the remote has, and
	held     *memory.Storage            // those objects: they are not sent again
}

// A dialer opens sessions with one repository.
type dialer interface {
	upload(context.Context) (transport.UploadPackSession, error)
	receive(context.Context) (transport.ReceivePackSession, error)
}

// OpenGit prepares to speak with the repository at an address. Nothing is
// sent yet. The token is used over HTTP only; env is the environment for git
// and for finding the ssh agent.
func OpenGit(a Address, token Token, env []string) (*GitRemote, error) {
	g := &GitRemote{address: a, token: token, prepared: map[string]*memory.Storage{}}
	switch a.Scheme {
	case "file":
		g.dial = localDialer{path: a.Path, env: gitEnv(env)}
	case "http", "https":
		if a.Scheme == "http" && token.secret != "" && !a.Loopback() {
			return nil, addressError("the token would travel unencrypted over http", "use the https address")
		}
		g.dial = newWebDialer(a, token)
	case "ssh":
		g.dial = sshDialer{address: a, env: env}
	}
	return g, nil
}

// List implements [Remote].
func (g *GitRemote) List(ctx context.Context, _ string) (map[string]string, error) {
	s, err := g.dial.upload(ctx)
	if err != nil {
		return nil, g.explain("could not be opened", err)
	}
	defer s.Close()
	adv, err := s.AdvertisedReferencesContext(ctx)
	if errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, g.explain("could not be listed", err)
	}
	refs := map[string]string{}
	for name, hash := range adv.References {
		if strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/marola/") {
			refs[name] = hash.String()
		}
	}
	return refs, nil
}

// Read implements [Remote].
func (g *GitRemote) Read(ctx context.Context, commit string) (Published, error) {
	objects, _, err := g.fetch(ctx, request{wants: []string{commit}, depth: 1})
	if large := (*tooLarge)(nil); errors.As(err, &large) {
		return Published{Bad: large, Foreign: g.lookAtLarge(ctx, commit, large)}, nil
	}
	if err != nil {
		return Published{}, err
	}
	g.heldAt, g.held = commit, objects
	c, err := object.GetCommit(objects, plumbing.NewHash(commit))
	if err != nil {
		return Published{Bad: errNoCommit, Foreign: errNoCommit}, nil
	}
	p := Published{Tree: c.TreeHash.String(), Foreign: foreign(objects, c)}
	p.Build, p.Bad = readBuild(objects, c)
	if wiring, err := readFile(objects, c, bundle.WiringName); err == nil {
		p.Wiring = wiring
	}
	return p, nil
}

func readBuild(objects *memory.Storage, c *object.Commit) (bundle.Build, error) {
	data, err := readFile(objects, c, bundle.BuildName)
	if err != nil {
		return bundle.Build{}, err
	}
	return bundle.ParseBuild(data)
}

// readFile reads a file of the top of a commit's tree.
func readFile(objects *memory.Storage, c *object.Commit, name string) ([]byte, error) {
	tree, err := object.GetTree(objects, c.TreeHash)
	if err != nil {
		return nil, errors.New("its tree cannot be read")
	}
	for _, e := range tree.Entries {
		if e.Name != name {
			continue
		}
		o, err := objects.EncodedObject(plumbing.BlobObject, e.Hash)
		if err != nil {
			return nil, fmt.Errorf("its %s is not a file", name)
		}
		return readAll(o)
	}
	return nil, fmt.Errorf("it has no %s", name)
}

// Name implements [Remote]: a bundle's commit depends on nothing else.
func (g *GitRemote) Name(ctx context.Context, s *Snapshot, _ string) (string, error) {
	return g.Prepare(ctx, s)
}

// Prepare implements [Remote]. The commit stays in memory.
func (g *GitRemote) Prepare(_ context.Context, s *Snapshot) (string, error) {
	hash, err := s.commit()
	if err != nil {
		return "", err
	}
	g.prepared[hash.String()] = s.objects
	return hash.String(), nil
}

// Move implements [Remote].
func (g *GitRemote) Move(ctx context.Context, ref, old, commit string) error {
	pack, err := g.pack(old, commit)
	if err != nil {
		return err
	}
	return g.push(ctx, ref, old, commit, pack)
}

// Return implements [Remote]. It sends no objects.
func (g *GitRemote) Return(ctx context.Context, ref, from, to string) error {
	pack, err := encodePack(memory.NewStorage(), nil)
	if err != nil {
		return err
	}
	return g.push(ctx, ref, from, to, pack)
}

// push sends one command. The old commit goes into the request, so the
// server's own lock decides, also for a ref that must not exist yet.
func (g *GitRemote) push(ctx context.Context, name, old, commit string, pack io.ReadCloser) error {
	s, err := g.dial.receive(ctx)
	if err != nil {
		return g.explain("could not be opened for writing", err)
	}
	defer s.Close()
	adv, err := s.AdvertisedReferencesContext(ctx)
	if err != nil {
		return g.explain("could not be opened for writing", err)
	}
	if now, ok := adv.References[name]; (ok && now.String() != old) || (!ok && old != "") {
		return &Moved{}
	}
	said := &talk{}
	req := packp.NewReferenceUpdateRequestFromCapabilities(adv.Capabilities)
	setSideband(req.Capabilities, adv.Capabilities)
	req.Progress = said // without it the reasons of a refusal are lost
	req.Commands = []*packp.Command{{Name: plumbing.ReferenceName(name), Old: plumbing.NewHash(old), New: plumbing.NewHash(commit)}}
	req.Packfile = pack
	report, err := s.ReceivePack(ctx, req)
	lines := serverLines(said.String(), g.token)
	if report != nil {
		for _, c := range report.CommandStatuses {
			if c.Error() != nil {
				return byStatus(c.Status, lines)
			}
		}
		if report.UnpackStatus != "ok" {
			return &Refused{Reason: "it could not take the objects (" + strings.Join(serverLines(report.UnpackStatus, g.token), " ") + ")", Server: lines, Next: "the remote's administrator can tell what its words mean"}
		}
	}
	if err != nil {
		return g.explain("did not take the push", err, lines...)
	}
	return nil
}

// A request is what to fetch.
type request struct {
	wants  []string
	depth  int
	filter packp.Filter
}

// fetch reads objects into memory. shallow are the commits whose parents were
// left out.
func (g *GitRemote) fetch(ctx context.Context, r request) (objects *memory.Storage, shallow []plumbing.Hash, err error) {
	s, err := g.dial.upload(ctx)
	if err != nil {
		return nil, nil, g.explain("could not be opened", err)
	}
	defer s.Close()
	adv, err := s.AdvertisedReferencesContext(ctx)
	if err != nil {
		return nil, nil, g.explain("could not be read", err)
	}
	req := packp.NewUploadPackRequest()
	for _, c := range []capability.Capability{capability.Sideband64k, capability.OFSDelta, capability.NoProgress, capability.Shallow, capability.Filter} {
		if adv.Capabilities.Supports(c) && (c != capability.Filter || r.filter != "") {
			if err := req.Capabilities.Set(c); err != nil {
				return nil, nil, err
			}
		}
	}
	if r.filter != "" && !adv.Capabilities.Supports(capability.Filter) {
		return nil, nil, errors.New("the remote cannot leave out files")
	}
	for _, want := range r.wants {
		if !offers(adv, want) {
			return nil, nil, &Moved{}
		}
		req.Wants = append(req.Wants, plumbing.NewHash(want))
	}
	if adv.Capabilities.Supports(capability.Shallow) {
		req.Depth = packp.DepthCommits(r.depth)
	}
	req.Filter = r.filter
	res, err := s.UploadPack(ctx, req)
	if err != nil {
		return nil, nil, g.explain("could not be read", err)
	}
	defer res.Close()
	if adv.Capabilities.Supports(capability.Sideband64k) {
		objects, err = unpack(sideband.NewDemuxer(sideband.Sideband64k, res), packLimits)
	} else {
		objects, err = unpack(res, packLimits)
	}
	if large := (*tooLarge)(nil); errors.As(err, &large) {
		return nil, nil, large
	}
	if err != nil {
		return nil, nil, g.explain("could not be read", err)
	}
	return objects, res.Shallows, nil
}

// offers reports whether a commit may be asked for.
func offers(adv *packp.AdvRefs, commit string) bool {
	for _, c := range []capability.Capability{capability.AllowTipSHA1InWant, capability.AllowReachableSHA1InWant} {
		if adv.Capabilities.Supports(c) {
			return true
		}
	}
	for _, hash := range adv.References {
		if hash.String() == commit {
			return true
		}
	}
	return false
}

func setSideband(mine, theirs *capability.List) {
	for _, c := range []capability.Capability{capability.Sideband64k, capability.Sideband} {
		if theirs.Supports(c) {
			_ = mine.Set(c) // fails for capabilities with a value only
			return
		}
	}
}

// talk keeps the beginning of what a server says.
type talk struct{ strings.Builder }

func (t *talk) Write(b []byte) (int, error) {
	if room := 16<<10 - t.Len(); room > 0 {
		t.Builder.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}
