package pool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Unpromote moves a skill back to where it came from, and takes the other
// hosts' links away.
func (p *Pool) Unpromote(name string) ([]Result, error) {
	e := p.record.Skills[name]
	if e == nil {
		return []Result{{Skill: name, Place: p.home(name), Done: Conflict, Why: "it is not in the pool"}}, nil
	}
	var all []Result
	for _, h := range Hosts {
		at := filepath.Join(p.roots[h], name)
		if at == e.Origin {
			continue
		}
		if r, err := p.take(at, name); err != nil {
			return all, err
		} else if r.Done != "" {
			all = append(all, r)
		}
	}
	r, err := p.take(e.Origin, name)
	if err != nil {
		return all, err
	}
	if r.Done == Conflict {
		return append(all, r), p.save()
	}
	if _, err := os.Lstat(e.Origin); err == nil {
		return append(all, Result{name, e.Origin, Conflict, "something else is there; the skill stays in the pool"}), p.save()
	}
	if err := os.MkdirAll(filepath.Dir(e.Origin), 0o755); err != nil {
		return all, err
	}
	if err := move(p.home(name), e.Origin); err != nil {
		return all, err
	}
	delete(p.record.Skills, name)
	all = append(all, Result{Skill: name, Place: e.Origin, Done: "unpromoted"})
	if len(p.record.Skills) > 0 {
		return all, p.save()
	}
	if err := os.Remove(filepath.Join(p.Dir, recordName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return all, err
	}
	os.Remove(p.Dir) // if it is empty
	return all, nil
}

// take removes a link to a skill of the pool, or a copy that nobody changed.
// Done is "" where there is nothing of the pool.
func (p *Pool) take(at, name string) (Result, error) {
	r := Result{Skill: name, Place: at}
	e := p.record.Skills[name]
	if p.linked(at, name) {
		r.Done = "removed"
		return r, os.Remove(at)
	}
	was, copied := e.Copies[at]
	if !copied {
		return r, nil
	}
	now, err := treeHash(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return r, err
	case now != was:
		r.Done, r.Why = Conflict, "the copy was changed"
		return r, nil
	default:
		if err := os.RemoveAll(at); err != nil {
			return r, err
		}
	}
	delete(e.Copies, at)
	r.Done = "removed"
	return r, nil
}

// Mirror gives hosts links to skills of the pool; without names, to all of
// them, now and at each sync.
func (p *Pool) Mirror(hosts []skill.Host, names []string) ([]Result, error) {
	for _, h := range hosts {
		if len(names) == 0 && !slices.Contains(p.record.Mirrors, h) {
			p.record.Mirrors = append(p.record.Mirrors, h)
		}
	}
	all, err := p.each(hosts, names, p.place)
	if err != nil || len(p.record.Skills) == 0 {
		return all, err
	}
	return all, p.save()
}

// Unmirror takes the links of hosts away; the place that a skill came from
// keeps its own.
func (p *Pool) Unmirror(hosts []skill.Host, names []string) ([]Result, error) {
	if len(names) == 0 {
		p.record.Mirrors = slices.DeleteFunc(p.record.Mirrors, func(h skill.Host) bool { return slices.Contains(hosts, h) })
	}
	all, err := p.each(hosts, names, func(at, name string) (Result, error) {
		if at == p.record.Skills[name].Origin {
			return Result{}, nil
		}
		return p.take(at, name)
	})
	if err != nil || len(p.record.Skills) == 0 {
		return all, err
	}
	return all, p.save()
}

func (p *Pool) each(hosts []skill.Host, names []string, do func(at, name string) (Result, error)) (all []Result, err error) {
	if len(names) == 0 {
		names = p.Names()
	}
	for _, name := range names {
		if p.record.Skills[name] == nil {
			all = append(all, Result{name, p.home(name), Conflict, "it is not in the pool"})
			continue
		}
		for _, h := range hosts {
			r, err := do(filepath.Join(p.roots[h], name), name)
			if err != nil {
				return all, err
			}
			if r.Done != "" {
				all = append(all, r)
			}
		}
	}
	return all, nil
}

// place makes a link where nothing is.
func (p *Pool) place(at, name string) (Result, error) {
	r := Result{Skill: name, Place: at}
	if p.linked(at, name) {
		r.Done = "there"
		return r, nil
	}
	was, copied := p.record.Skills[name].Copies[at]
	switch now, err := treeHash(at); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return r, err
	case !copied:
		r.Done, r.Why = Conflict, "something else is there"
		return r, nil
	case now != was:
		r.Done, r.Why = Conflict, "the copy was changed"
		return r, nil
	default:
		pool, err := treeHash(p.home(name))
		if err != nil || pool == was {
			r.Done = "there"
			return r, err
		}
		if err := os.RemoveAll(at); err != nil { // it is the pool's, of before
			return r, err
		}
	}
	var err error
	r.Done, err = p.put(at, name)
	return r, err
}

// Sync brings links and copies in line with the pool: those of hosts that
// mirror it, and where skills came from. Links of skills that are gone from
// the pool go.
func (p *Pool) Sync() ([]Result, error) {
	var all []Result
	for _, name := range p.Names() {
		e := p.record.Skills[name]
		if _, err := os.Stat(p.home(name)); errors.Is(err, fs.ErrNotExist) {
			if _, err := os.Stat(e.Origin); err == nil { // it was not moved
				delete(p.record.Skills, name)
				continue
			}
			for _, h := range Hosts {
				r, err := p.take(filepath.Join(p.roots[h], name), name)
				if err != nil {
					return all, err
				}
				if r.Done != "" {
					r.Why = "the pool has it no more"
					all = append(all, r)
				}
			}
			delete(p.record.Skills, name)
			continue
		}
		places := []string{e.Origin}
		for _, h := range p.record.Mirrors {
			if at := filepath.Join(p.roots[h], name); !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
		for at := range e.Copies {
			if !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
		slices.Sort(places[1:])
		for _, at := range places {
			r, err := p.place(at, name)
			if err != nil {
				return all, err
			}
			all = append(all, r)
		}
	}
	if _, err := os.Stat(p.Dir); errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	return all, p.save()
}
