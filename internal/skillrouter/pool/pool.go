// Package pool keeps skills of all hosts in one directory: a skill is moved
// there once, and each host has a link to it, or a copy where links cannot be
// made. No file is ever lost: what is in the way stays, and is told.
package pool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// recordName is the file that says where each skill of the pool came from.
const recordName = ".pool.json"

// Hosts are those that skills are shared among.
var Hosts = []skill.Host{skill.Codex, skill.Claude, skill.Hermes, skill.Gemini}

// A Pool is the directory, with what is known of its skills.
type Pool struct {
	Dir    string
	roots  map[skill.Host]string
	record record
	link   func(target, name string) error // os.Symlink, but for tests
}

type record struct {
	Skills  map[string]*entry `json:"skills"`
	Mirrors []skill.Host      `json:"mirrors,omitempty"` // hosts that have all of them
}

type entry struct {
	Origin string            `json:"origin"`           // where it was
	Copies map[string]string `json:"copies,omitempty"` // a place without a link, and the hash of what was copied there
}

// A Result is what became of one skill in one place.
type Result struct {
	Skill string `json:"skill"`
	Place string `json:"place"`
	Done  string `json:"done"` // promoted, unpromoted, linked, copied, removed, there, conflict
	Why   string `json:"why,omitempty"`
}

// Conflict is what Done says of a place that is left as it is.
const Conflict = "conflict"

// Open reads a pool. None is made before a skill is promoted.
func Open(c *config.Config) (*Pool, error) {
	dir := c.Env("MEGA_TRON_POOL")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.DataDir(), "pool")
	}
	if c.Home == "" {
		return nil, errors.New("no home directory is set, so the hosts' skills are not known")
	}
	home := func(variable, name string) string {
		d := c.Env(variable)
		if !filepath.IsAbs(d) {
			d = filepath.Join(c.Home, name)
		}
		return filepath.Join(d, "skills")
	}
	p := &Pool{Dir: dir, link: os.Symlink, record: record{Skills: map[string]*entry{}}, roots: map[skill.Host]string{
		skill.Codex: home("CODEX_HOME", ".codex"), skill.Claude: home("CLAUDE_CONFIG_DIR", ".claude"),
		skill.Gemini: filepath.Join(c.Home, ".gemini", "skills"), skill.Hermes: home("HERMES_HOME", ".hermes"),
	}}
	data, err := os.ReadFile(filepath.Join(dir, recordName))
	if err == nil {
		err = json.Unmarshal(data, &p.record)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not read: %w", filepath.Join(dir, recordName), err)
	}
	if p.record.Skills == nil {
		p.record.Skills = map[string]*entry{}
	}
	return p, nil
}

func (p *Pool) save() error {
	data, err := json.MarshalIndent(p.record, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.Dir, 0o700); err != nil {
		return err
	}
	temp := filepath.Join(p.Dir, recordName+".tmp")
	if err := os.WriteFile(temp, append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, filepath.Join(p.Dir, recordName))
}

// Names are the skills of the pool.
func (p *Pool) Names() (names []string) {
	for n := range p.record.Skills {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func (p *Pool) home(name string) string { return filepath.Join(p.Dir, name) }

// valid refuses a name that is no single directory.
func valid(name string) error {
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("%q is no name of a skill's directory", name)
	}
	return nil
}

// Promote moves a skill of a host into the pool and leaves a link in its
// place. One in the pool that has the same name and other content is in the
// way, unless force is set: then that one is set aside, beside it.
func (p *Pool) Promote(host skill.Host, name string, force bool) (Result, error) {
	from := filepath.Join(p.roots[host], name)
	r := Result{Skill: name, Place: from}
	if err := valid(name); err != nil {
		return r, err
	}
	if p.linked(from, name) {
		r.Done = "there"
		return r, nil
	}
	st, err := os.Lstat(from)
	if err != nil || !st.IsDir() {
		r.Done, r.Why = Conflict, "there is no directory of that name"
		if err == nil && st.Mode()&fs.ModeSymlink != 0 {
			r.Why = "it is a link to somewhere else"
		}
		return r, nil
	}
	if _, err := os.Stat(filepath.Join(from, skill.FileName)); err != nil {
		r.Done, r.Why = Conflict, "it has no "+skill.FileName
		return r, nil
	}
	if _, err := os.Lstat(p.home(name)); err == nil {
		same, err := sameTree(from, p.home(name))
		switch {
		case err != nil:
			return r, err
		case same: // the pool has it: what is here goes, and nothing with it
			return p.replace(from, name, r)
		case !force:
			r.Done, r.Why = Conflict, "the pool has another skill of that name"
			return r, nil
		}
		if err := p.setAside(p.home(name)); err != nil {
			return r, err
		}
	}
	if p.record.Skills[name] == nil {
		p.record.Skills[name] = &entry{Origin: from}
	}
	// The record first: should this process end here, sync makes the link.
	if err := p.save(); err != nil {
		return r, err
	}
	if err := move(from, p.home(name)); err != nil {
		return r, err
	}
	if _, err := p.put(from, name); err != nil {
		return r, errors.Join(err, move(p.home(name), from))
	}
	r.Done = "promoted"
	return r, p.save()
}

// replace puts a link in the place of a copy that is the same.
func (p *Pool) replace(at, name string, r Result) (Result, error) {
	aside := at + ".mega-tron-aside"
	if err := os.Rename(at, aside); err != nil {
		return r, err
	}
	if _, err := p.put(at, name); err != nil {
		return r, errors.Join(err, os.Rename(aside, at))
	}
	if p.record.Skills[name] == nil {
		p.record.Skills[name] = &entry{Origin: at}
	}
	r.Done = "promoted"
	return r, errors.Join(p.save(), os.RemoveAll(aside))
}

// setAside renames a directory to a name that is free.
func (p *Pool) setAside(dir string) error {
	for n := 1; ; n++ {
		to := filepath.Join(filepath.Dir(dir), fmt.Sprintf(".%s.%d", filepath.Base(dir), n))
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(dir, to)
		}
	}
}

// linked reports whether a place leads to a skill of the pool.
func (p *Pool) linked(at, name string) bool {
	to, err := os.Readlink(at)
	if err != nil {
		return false
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(at), to)
	}
	return filepath.Clean(to) == filepath.Clean(p.home(name))
}

// put makes a link at a free place, or a copy where that cannot be.
func (p *Pool) put(at, name string) (done string, err error) {
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return "", err
	}
	if err := p.link(p.home(name), at); err == nil {
		return "linked", nil
	} else if errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if err := copyTree(p.home(name), at); err != nil {
		return "", err
	}
	hash, err := treeHash(at)
	if err != nil {
		return "", err
	}
	e := p.record.Skills[name]
	if e == nil {
		e = &entry{Origin: at}
		p.record.Skills[name] = e
	}
	if e.Copies == nil {
		e.Copies = map[string]string{}
	}
	e.Copies[at] = hash
	return "copied", nil
}
