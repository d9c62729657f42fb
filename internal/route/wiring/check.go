package wiring

import (
	"errors"
	"fmt"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// Schema is the version of wiring.json that this package reads and writes.
const Schema = 1

// What one file of wiring may hold. A writer keeps to them and counts what it
// leaves out; a reader refuses more.
const (
	MaxRows     = 20_000 // facts of one list
	MaxPlaces   = 1_000  // places of one role of one fact
	MaxAll      = 40_000 // places together: with their texts, less than a file of a bundle may have
	MaxName     = 300    // bytes of a name, a version, a site, a target
	MaxText     = 240    // bytes of any other text
	maxPathSize = 4096   // bytes of a path
)

// Check reports why w cannot be used: it is of a newer schema, larger than a
// writer makes it, or names a file that no workspace has.
func (w *Wiring) Check() error {
	if w.Schema > Schema {
		return fmt.Errorf("schema %d is newer than %d, the newest this tool reads", w.Schema, Schema)
	}
	c := checker{}
	for name, n := range map[string]int{"artifacts": len(w.Artifacts), "dispatches": len(w.Dispatches), "bumps": len(w.Bumps), "deploys": len(w.Deploys),
		"calls": len(w.Calls), "triggers": len(w.Triggers), "contracts": len(w.Contracts), "unresolved": len(w.Unresolved)} {
		if n > MaxRows {
			return fmt.Errorf("%s has %d entries, more than %d", name, n, MaxRows)
		}
	}
	for _, a := range w.Artifacts {
		c.names(a.Name, a.Kind, a.Repo)
		c.names(a.Files...)
		c.texts(a.Allowed)
		c.places(a.Published, a.Pinned, a.Read)
	}
	for _, d := range w.Dispatches {
		c.names(d.Type)
		c.places(d.Sent, d.Heard)
	}
	for _, b := range w.Bumps {
		c.names(b.Repo)
		c.file(b.File)
		c.places(b.Starts)
		c.places(b.Moved)
	}
	for _, d := range w.Deploys {
		c.names(d.Site, d.Kind, d.Repo)
		c.places(d.By)
	}
	for _, d := range w.Calls {
		c.names(d.Target, d.Kind)
		c.places(d.From)
	}
	for _, t := range w.Triggers {
		c.names(t.Event)
		c.texts(t.Filter)
		c.places(t.Starts)
	}
	for _, t := range w.Contracts {
		c.names(t.Name)
		c.places(t.Copies, t.Declared)
	}
	for _, u := range w.Unresolved {
		c.names(u.Kind, u.Name, u.Version)
		c.texts(u.Why)
		c.places(u.At)
	}
	if c.all > MaxAll {
		return fmt.Errorf("it has %d places, more than %d", c.all, MaxAll)
	}
	return c.err
}

// A checker keeps the first thing that is wrong.
type checker struct {
	all int
	err error
}

func (c *checker) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *checker) names(list ...string) {
	for _, s := range list {
		if len(s) > MaxName {
			c.fail(fmt.Errorf("the name %.40q… has %d bytes, more than %d", s, len(s), MaxName))
		}
	}
}

func (c *checker) texts(list ...string) {
	for _, s := range list {
		if len(s) > MaxText {
			c.fail(fmt.Errorf("the text %.40q… has %d bytes, more than %d", s, len(s), MaxText))
		}
	}
}

func (c *checker) file(p string) {
	if len(p) > maxPathSize || !index.ValidPath(p) {
		c.fail(fmt.Errorf("%.80q is no file of a workspace", p))
	}
}

var errLine = errors.New("a line or a certainty is out of range")

func (c *checker) places(roles ...[]Place) {
	for _, list := range roles {
		c.all += len(list)
		if len(list) > MaxPlaces {
			c.fail(fmt.Errorf("one fact has %d places, more than %d", len(list), MaxPlaces))
		}
		for _, p := range list {
			c.file(p.File)
			c.names(p.Repo, p.Version, p.Via)
			c.texts(p.When, p.Note, p.Evidence)
			if p.Line < 0 || p.Certainty < 0 || p.Certainty > 100 {
				c.fail(errLine)
			}
		}
	}
}
