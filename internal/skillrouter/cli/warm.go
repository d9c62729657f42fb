package cli

import (
	"context"
	"errors"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/daemon"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// warmTimeout is how long a search waits for the daemon before it ranks by
// itself.
const warmTimeout = 5 * time.Second

// warm asks the daemon to rank. On any miss it starts one, where there is a
// model to keep warm, and the error says that the caller is to rank itself.
// With all, the ranking ends with the names of all other skills.
func warm(ctx context.Context, p command.Process, c *config.Config, roots []skill.Root, task string, o rank.Options, all bool) (rank.Ranking, int, error) {
	path, err := models.Find(c)
	if c.Off("MEGA_DAEMON") || err != nil {
		return rank.Ranking{}, 0, errNoDaemon
	}
	dir, err := daemon.Place(c)
	if err != nil {
		return rank.Ranking{}, 0, errNoDaemon
	}
	wait := warmTimeout
	if end, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(end)/2) // a daemon that hangs leaves time to do without
	}
	asked, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if roots == nil {
		roots = []skill.Root{}
	}
	a, err := daemon.Ask(asked, dir, daemon.Request{Op: "rank", Build: daemon.Build(), Prompt: task, Roots: roots, Options: &o, Model: daemon.ModelStamp(path), Emit: "catalog_only", All: all})
	if err != nil {
		startDaemon(p)
		return rank.Ranking{}, 0, errors.Join(errNoDaemon, err)
	}
	r := rank.Ranking{Show: min(a.Show, len(a.Picks)), Reason: a.Reason}
	for _, k := range a.Picks {
		r.Picks = append(r.Picks, rank.Pick{Skill: &skill.Skill{Name: k.Name, Dir: k.SkillDir, Description: k.Description}, Score: k.Score})
	}
	for _, name := range a.Names {
		r.Picks = append(r.Picks, rank.Pick{Skill: &skill.Skill{Name: name}})
	}
	return r, a.Total, nil
}
