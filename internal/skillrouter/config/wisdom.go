package config

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Curator is the command that is asked for new skills, nil when none is set.
// MEGA_WITH_WISDOM=0 switches it off; MEGA_WITH_WISDOM=1 with the path of a
// program in MEGA_WISDOM_CURATOR_PATH sets one.
func (c *Config) Curator() []string {
	if c.Off("MEGA_WITH_WISDOM") {
		return nil
	}
	if len(c.curator) > 0 && c.curator[0] != "" {
		return c.curator
	}
	if path := c.Env("MEGA_WISDOM_CURATOR_PATH"); c.on("MEGA_WITH_WISDOM") && filepath.IsAbs(path) {
		return []string{path}
	}
	return nil
}

func (c *Config) on(variable string) bool {
	return strings.TrimSpace(c.Env(variable)) != "" && !c.Off(variable)
}

// Ignites reports whether a target's prompts are given to the curator: Codex's
// alone, unless [wisdom] hosts names others.
func (c *Config) Ignites(target string) bool {
	if c.Curator() == nil {
		return false
	}
	if len(c.wisdomHosts) == 0 {
		return target == "codex"
	}
	return slices.Contains(c.wisdomHosts, target)
}

// WisdomDir is where the curator's skills are put, one of the directories
// that are looked in while a curator is set.
func (c *Config) WisdomDir() string { return filepath.Join(c.DataDir(), "wisdom") }

// WisdomAgain is how long the same prompt is not given to the curator again:
// MEGA_WISDOM_TTL_S seconds, between a minute and an hour.
func (c *Config) WisdomAgain() time.Duration {
	return time.Duration(min(max(c.Int("MEGA_WISDOM_TTL_S", 600), 60), 3600)) * time.Second
}
