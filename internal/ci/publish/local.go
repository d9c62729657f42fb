package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// localDialer serves a repository on this machine by git's own server
// programs, so that its hooks and settings count. go-git's file transport
// does it too, but hands on the variables of an outer git hook, which would
// lead the objects into another repository, and loses what git says.
type localDialer struct {
	path string
	env  []string
}

func (d localDialer) upload(ctx context.Context) (transport.UploadPackSession, error) {
	return d.start(ctx, "upload-pack")
}

func (d localDialer) receive(ctx context.Context) (transport.ReceivePackSession, error) {
	return d.start(ctx, "receive-pack")
}

func (d localDialer) start(ctx context.Context, service string) (*localSession, error) {
	s := &localSession{cmd: exec.CommandContext(ctx, "git", service, d.path)}
	s.cmd.Env = append(d.env[:len(d.env):len(d.env)], "LC_ALL=C")
	s.cmd.Stderr = &s.said
	s.cmd.WaitDelay = 2 * time.Second // a program that a hook left behind may hold the pipe
	gitstore.EndTogether(s.cmd)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if s.out, err = s.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, &localError{text: "git cannot be started: " + err.Error(), next: "install git: it serves repositories that are given as a path"}
	}
	return s, nil
}

// A localError is git's refusal to serve a repository.
type localError struct{ text, next string }

func (e *localError) Error() string { return e.text }

// A localSession is one run of a server program.
type localSession struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	said   talk
	adv    *packp.AdvRefs
	sent   bool
	closed bool
}

// AdvertisedReferences implements [transport.Session].
func (s *localSession) AdvertisedReferences() (*packp.AdvRefs, error) {
	return s.AdvertisedReferencesContext(context.Background())
}

// AdvertisedReferencesContext implements [transport.Session].
func (s *localSession) AdvertisedReferencesContext(ctx context.Context) (*packp.AdvRefs, error) {
	adv := packp.NewAdvRefs()
	err := adv.Decode(s.out)
	switch {
	case errors.Is(err, packp.ErrEmptyAdvRefs):
		return nil, transport.ErrEmptyRemoteRepository
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		_ = s.Close() // so that everything it said has arrived
		if lines := serverLines(s.said.String(), Token{}); len(lines) > 0 {
			return nil, &localError{text: strings.Join(lines, "; "), next: "look whether the path is a git repository that you may read and write"}
		}
		return nil, err
	}
	transport.FilterUnsupportedCapabilities(adv.Capabilities)
	s.adv = adv
	return adv, nil
}

// UploadPack implements [transport.UploadPackSession].
func (s *localSession) UploadPack(ctx context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	s.sent = true
	if err := req.UploadRequest.Encode(s.in); err != nil {
		return nil, s.failure(ctx, err)
	}
	if err := pktline.NewEncoder(s.in).EncodeString("done\n"); err != nil {
		return nil, s.failure(ctx, err)
	}
	if err := s.in.Close(); err != nil {
		return nil, s.failure(ctx, err)
	}
	res := packp.NewUploadPackResponse(req)
	if err := res.Decode(io.NopCloser(s.out)); err != nil {
		return nil, s.failure(ctx, err)
	}
	return res, nil
}

// ReceivePack implements [transport.ReceivePackSession].
func (s *localSession) ReceivePack(ctx context.Context, req *packp.ReferenceUpdateRequest) (*packp.ReportStatus, error) {
	s.sent = true
	// A server that refuses early closes its end; its report says why, so
	// the failure to write is told only when there is no report.
	writeErr := req.Encode(s.in)
	if err := s.in.Close(); writeErr == nil {
		writeErr = err
	}
	r := s.out
	if req.Capabilities.Supports(capability.Sideband64k) {
		d := sideband.NewDemuxer(sideband.Sideband64k, r)
		d.Progress = req.Progress
		r = d
	}
	report := packp.NewReportStatus()
	if err := report.Decode(r); err != nil {
		return nil, s.failure(ctx, errors.Join(writeErr, err))
	}
	return report, report.Error()
}

func (s *localSession) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_ = s.Close()
	if lines := serverLines(s.said.String(), Token{}); len(lines) > 0 {
		return fmt.Errorf("%s (%w)", strings.Join(lines, "; "), err)
	}
	return err
}

// Close implements [transport.Session]. It says goodbye to a server that was
// only asked for its list, and waits for its end.
func (s *localSession) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	if !s.sent && s.adv != nil {
		_, _ = s.in.Write(pktline.FlushPkt)
	}
	_ = s.in.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(s.out, packLimits.packed))
	return s.cmd.Wait()
}

// gitEnv is an environment for git without what binds it to some other
// repository: inside a hook these variables are set.
func gitEnv(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
			"GIT_QUARANTINE_PATH", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_CONFIG", "GIT_IMPLICIT_WORK_TREE",
			"GIT_PROTOCOL": // newer versions of the protocol are not spoken here
			continue
		}
		kept = append(kept, kv)
	}
	return kept
}
