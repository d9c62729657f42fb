// Package skill finds the skills of a machine and reads them.
//
// A skill is a directory with a SKILL.md: YAML frontmatter with a name and a
// description, then a body that an agent reads when it needs the skill. All of
// it is foreign text. Nothing here is fatal: what cannot be read is told as a
// [Reject], and what has the same name as another as a [Collision].
package skill

import (
	"time"
)

// FileName is the file that makes a directory a skill.
const FileName = "SKILL.md"

// MaxFile is the largest SKILL.md that is read, in bytes.
const MaxFile = 1 << 20

// A Skill is one that a prompt may be routed to.
type Skill struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Dir         string `json:"skill_dir"` // absolute, as reached from its root
	Root        Root   `json:"-"`

	Body string         `json:"-"` // what follows the frontmatter
	Meta Meta           `json:"-"`
	More map[string]any `json:"-"` // frontmatter that is none of ours, as it was read

	ModTime time.Time `json:"-"`
}

// Status says what the evidence makes of a skill.
type Status string

// The states of the seed's machine; a skill without evidence is Active.
const (
	Active   Status = "active"
	Suspect  Status = "suspect"
	Archived Status = "archived"
)

// Meta is the mega_meta block of a frontmatter: the evidence of past turns.
type Meta struct {
	Helpful, Harmful   int      // counts of verdicts
	HelpfulContexts    []string // reasons, at most [MaxContexts], newest last
	HarmfulContexts    []string
	Status             Status
	ConsecutiveHarmful int
}

// MaxContexts is how many reasons of each kind a frontmatter holds.
const MaxContexts = 3

// A Reject is a directory that looked like a skill and is none.
type Reject struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// A Collision is a skill that another of the same name stands before.
type Collision struct {
	Name   string `json:"name"`
	Winner string `json:"winner"` // directory
	Loser  string `json:"loser"`
	Reason string `json:"reason"`
}

// A Catalogue is what [Discover] found: skills by root and directory, each
// name once.
type Catalogue struct {
	Skills     []Skill     `json:"skills"`
	Rejects    []Reject    `json:"rejects"`
	Collisions []Collision `json:"collisions"`
}
