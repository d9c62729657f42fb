package cli

import (
	"os"
	"os/exec"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
)

// warmUp embeds the skills that are there in a process that nobody waits for,
// where there is a model to do it.
func warmUp(p command.Process, c *config.Config) {
	if _, err := models.Find(c); err != nil || c.Off("MEGA_TRON_WARMUP_BACKGROUND") {
		return
	}
	exe, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(exe, "build-cache")
	cmd.Dir, cmd.Env = p.Dir, append(p.Env, "MEGA_TRON_WARMUP_BACKGROUND=0")
	detach(cmd)
	if cmd.Start() == nil {
		_ = cmd.Process.Release()
	}
}
