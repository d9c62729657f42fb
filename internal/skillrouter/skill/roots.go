package skill

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Scope says who put a root there. Of two skills with one name and the same
// evidence, that of the earlier scope stands.
type Scope string

// The scopes, first to last.
const (
	Given   Scope = "given"   // named for this run
	Project Scope = "project" // of the repository that the work is in
	User    Scope = "user"
	Plugin  Scope = "plugin"
	Extra   Scope = "extra" // added by configuration or environment
	Admin   Scope = "admin"
	System  Scope = "system"
)

// Host is the agent that a root belongs to, "" for all.
type Host string

// The hosts, by the names that a store of evidence knows them.
const (
	Claude Host = "claude_code"
	Codex  Host = "codex"
	Gemini Host = "gemini_cli"
	Hermes Host = "hermes"
)

// A Root is a directory whose children are skills.
type Root struct {
	Dir   string `json:"dir"`
	Host  Host   `json:"host,omitempty"`
	Scope Scope  `json:"scope"`
	Deep  bool   `json:"deep,omitempty"` // skills may stand in folders of folders
}

// Places is where roots are looked for.
type Places struct {
	Home     string   // the person's home directory
	Dir      string   // where the work is: project roots are those of this directory and its parents, up to the repository's top
	Given    []string // when there are any, these alone are the roots
	Extra    []string // added to the others
	Getenv   func(string) string
	AdminDir string // "" is the platform's, as /etc/codex/skills
}

// Roots lists the roots that exist, by scope, each directory once.
func (p Places) Roots() []Root {
	var roots []Root
	add := func(host Host, scope Scope, deep bool, dirs ...string) {
		for _, d := range dirs {
			if d != "" {
				roots = append(roots, Root{Dir: d, Host: host, Scope: scope, Deep: deep})
			}
		}
	}
	if len(p.Given) > 0 {
		add("", Given, true, p.Given...)
		return existing(roots)
	}
	for _, dir := range p.projectDirs() {
		add(Claude, Project, false, filepath.Join(dir, ".claude", "skills"))
		add(Codex, Project, false, filepath.Join(dir, ".agents", "skills"), filepath.Join(dir, ".codex", "skills"))
		add(Gemini, Project, false, filepath.Join(dir, ".gemini", "skills"))
		add(Hermes, Project, true, filepath.Join(dir, ".hermes", "skills"))
	}
	claude, codex := p.dirOf("CLAUDE_CONFIG_DIR", ".claude"), p.dirOf("CODEX_HOME", ".codex")
	hermes := p.dirOf("HERMES_HOME", ".hermes")
	add(Claude, User, false, under(claude, "skills"), under(p.Home, ".claude", "skills"))
	add(Codex, User, false, under(codex, "skills"), under(p.Home, ".codex", "skills"))
	add(Gemini, User, false, under(p.Home, ".gemini", "skills"))
	add(Hermes, User, true, under(hermes, "skills"), under(p.Home, ".hermes", "skills"))
	add(Hermes, User, true, hermesDirs(hermes, p.Home)...)
	add("", User, false, under(p.Home, ".agents", "skills"))
	for _, pattern := range [][]string{{"plugins", "marketplaces", "*", "plugins", "*", "skills"}, {"plugins", "marketplaces", "*", "external_plugins", "*", "skills"}} {
		add(Claude, Plugin, false, glob(claude, pattern...)...)
	}
	add(Codex, Plugin, false, newestOf(glob(codex, "plugins", "cache", "*", "*", "*", "skills"))...)
	add(Gemini, Plugin, false, glob(p.Home, ".gemini", "extensions", "*", "skills")...)
	add("", Extra, true, p.Extra...)
	admin := p.AdminDir
	if admin == "" {
		admin = "/etc/codex/skills"
	}
	add(Codex, Admin, false, admin)
	add(Codex, System, false, under(codex, "skills", ".system"), under(p.Home, ".codex", "skills", ".system"))
	return existing(roots)
}

// dirOf is the directory that a variable names, or the one under the home.
func (p Places) dirOf(variable, name string) string {
	if p.Getenv != nil {
		if d := p.Getenv(variable); filepath.IsAbs(d) {
			return d
		}
	}
	return under(p.Home, name)
}

func under(dir string, names ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, names...)...)
}

// maxParents bounds the way up from a directory that is in no repository.
const maxParents = 40

// projectDirs are the directory of the work and its parents, as far as the
// top of the repository. Outside of one it is that directory alone, and the
// home is no project: its skills are the person's.
func (p Places) projectDirs() []string {
	if p.Dir == "" {
		return nil
	}
	var dirs []string
	for d, n := filepath.Clean(p.Dir), 0; n < maxParents; n++ {
		if d == p.Home {
			break
		}
		dirs = append(dirs, d)
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return dirs
		}
		parent := filepath.Dir(d)
		if parent == d {
			break
		}
		d = parent
	}
	return dirs[:min(1, len(dirs))]
}

func glob(dir string, pattern ...string) []string {
	if dir == "" {
		return nil
	}
	// Only the pattern's own stars are stars: a home may be called "a[b]".
	dirs := []string{dir}
	for _, name := range pattern {
		var next []string
		for _, d := range dirs {
			if name != "*" {
				next = append(next, filepath.Join(d, name))
				continue
			}
			entries, err := os.ReadDir(d)
			if err != nil {
				continue
			}
			for _, e := range entries {
				next = append(next, filepath.Join(d, e.Name()))
			}
		}
		dirs = next
	}
	return slices.DeleteFunc(dirs, func(d string) bool { return !isDir(d) })
}

// newestOf keeps, of directories PLUGIN/VERSION/skills, the newest version of
// each plugin.
func newestOf(dirs []string) []string {
	newest := map[string]string{}
	var order []string
	for _, d := range dirs {
		version := filepath.Dir(d)
		plugin := filepath.Dir(version)
		have, ok := newest[plugin]
		if !ok {
			order = append(order, plugin)
		}
		if !ok || modified(version).After(modified(filepath.Dir(have))) {
			newest[plugin] = d
		}
	}
	var out []string
	for _, plugin := range order {
		out = append(out, newest[plugin])
	}
	return out
}

func existing(roots []Root) []Root {
	seen := map[string]bool{}
	var out []Root
	for _, r := range roots {
		real, err := filepath.EvalSymlinks(r.Dir)
		if err != nil || seen[real] || !isDir(real) {
			continue
		}
		seen[real] = true
		out = append(out, r)
	}
	return out
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// SplitList cuts a list of directories as the environment has them, at the
// platform's separator, with ~ for the home.
func SplitList(list, home string) []string {
	var dirs []string
	for _, d := range filepath.SplitList(list) {
		if d = ExpandHome(strings.TrimSpace(d), home); d != "" {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// ExpandHome writes a leading ~ out.
func ExpandHome(dir, home string) string {
	if dir == "~" {
		return home
	}
	if rest, ok := strings.CutPrefix(filepath.ToSlash(dir), "~/"); ok && home != "" {
		return filepath.Join(home, filepath.FromSlash(rest))
	}
	return dir
}
