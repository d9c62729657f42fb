package evidence

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// FileOf is a skill's SKILL.md.
func FileOf(k *skill.Skill) string { return filepath.Join(k.Dir, skill.FileName) }

// A Finder finds skills by name over all roots. Most are where their name
// says; all are read only when one is not.
type Finder struct {
	Roots []skill.Root

	all map[string]*skill.Skill // by lower-case name, once everything was read
}

// Find gives the skill of a name, written in any case. The part behind a colon
// is tried too: a host may write a plugin's name before it.
func (f *Finder) Find(name string) (*skill.Skill, bool) {
	if k, ok := f.near(name); ok {
		return k, true
	}
	if f.all == nil {
		f.all = map[string]*skill.Skill{}
		c := skill.Discover(f.Roots, skill.Files{})
		for i := range c.Skills {
			f.all[strings.ToLower(c.Skills[i].Name)] = &c.Skills[i]
		}
	}
	if k, ok := f.all[strings.ToLower(name)]; ok {
		return k, true
	}
	if _, after, ok := strings.Cut(name, ":"); ok {
		k, ok := f.all[strings.ToLower(after)]
		return k, ok
	}
	return nil, false
}

// near looks for one directory of the name that is a skill of the name. Two of
// them are left to the rules of collisions.
func (f *Finder) near(name string) (found *skill.Skill, ok bool) {
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return nil, false
	}
	for _, r := range f.Roots {
		if r.Deep {
			return nil, false // a folder of folders may hold another of the name
		}
		dir := filepath.Join(r.Dir, name)
		file := filepath.Join(dir, skill.FileName)
		info, err := os.Stat(file)
		if err != nil {
			continue
		}
		front, err := skill.Files{}.Read(file, info)
		if err != nil || front.Name != "" && front.Name != name || found != nil {
			return nil, false
		}
		found = &skill.Skill{Name: name, Description: front.Description, Dir: dir, Root: r, Body: front.Body, Meta: front.Meta, More: front.More, ModTime: info.ModTime()}
	}
	return found, found != nil
}
