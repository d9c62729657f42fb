package gitstore

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// QuickConfig is [Git.Config] without starting git, where the configuration
// files alone tell: git is asked when one of them includes others, when the
// environment adds settings, or when it is not known where this system's git
// has its own file.
func (g Git) QuickConfig(ctx context.Context, p Place) (Config, error) {
	if c, ok := g.fileConfig(p); ok {
		return c, nil
	}
	return g.Config(ctx)
}

func (g Git) fileConfig(p Place) (Config, bool) {
	for _, name := range []string{"GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_SYSTEM"} {
		if lookup(g.Env, name) != "" {
			return nil, false
		}
	}
	var c Config
	if no := strings.ToLower(lookup(g.Env, "GIT_CONFIG_NOSYSTEM")); !slices.Contains([]string{"1", "true", "yes", "on"}, no) {
		if runtime.GOOS != "linux" {
			return nil, false
		}
		c = append(c, configFile("/etc/gitconfig")...)
	}
	for _, file := range g.personal() {
		c = append(c, configFile(file)...)
	}
	c = append(c, p.FileConfig()...)
	return c, !c.refersElsewhere()
}

// personal are the files of the person's own configuration, in the order in
// which git reads them.
func (g Git) personal() []string {
	if file := lookup(g.Env, "GIT_CONFIG_GLOBAL"); file != "" {
		return []string{file}
	}
	home := lookup(g.Env, "HOME")
	if home == "" {
		return nil
	}
	xdg := lookup(g.Env, "XDG_CONFIG_HOME")
	if xdg == "" {
		xdg = filepath.Join(home, ".config")
	}
	return []string{filepath.Join(xdg, "git", "config"), filepath.Join(home, ".gitconfig")}
}

// refersElsewhere reports whether the configuration names further files.
func (c Config) refersElsewhere() bool {
	return slices.ContainsFunc(c, func(s Setting) bool {
		return strings.HasPrefix(s.Key, "include.") || strings.HasPrefix(s.Key, "includeif.") || s.Key == "extensions.worktreeconfig"
	})
}

// OwnRemotes are the remotes of the repository's own configuration, which
// is where they stand unless it includes other files; known is false then.
func (p Place) OwnRemotes() (remotes []Remote, known bool) {
	c := p.FileConfig()
	return c.Remotes(), !c.refersElsewhere()
}
