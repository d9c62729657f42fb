package daemon

import (
	"context"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/wisdom"
)

// ignite gives a prompt to the curator, and answers before that is asked. The
// settings are read anew: one that was taken away a moment ago is not asked.
// The end of the daemon, which ctx is, ends what runs.
func (s *Server) ignite(ctx context.Context, r Request) Response {
	if strings.TrimSpace(r.Prompt) == "" {
		return Response{Error: "the prompt is empty"}
	}
	c, err := config.Load(s.Config.Env)
	if err != nil {
		return failed(err)
	}
	if !c.Ignites(r.Target) {
		return Response{OK: true, Status: string(wisdom.Skipped)}
	}
	curator := wisdom.Curator{Command: c.Curator(), Dir: c.WisdomDir()}
	task := wisdom.Task{Prompt: r.Prompt, Host: r.Target, Dir: cleanDir(r.Dir)}
	return Response{OK: true, Status: string(s.wisdom.Ignite(ctx, curator, task, c.WisdomAgain()))}
}

// curated is told of each run of the curator.
func (s *Server) curated(added []string, err error) {
	if err != nil {
		s.log("%v", err)
	}
	if err := wisdom.Note(s.Config.CacheDir(), added, err); err != nil {
		s.log("what the curator came to is not kept: %v", err)
	}
}
