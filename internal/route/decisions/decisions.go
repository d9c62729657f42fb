// Package decisions is decisions.json: what the workspace's documents say was
// decided, why, and what was considered instead. Every row names the file and
// the line that says it.
package decisions

import (
	"fmt"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// Schema is the version of decisions.json that this package reads and writes.
const Schema = 1

// What one file of decisions may hold. A writer keeps to them and counts what
// it leaves out; a reader refuses more.
const (
	MaxRows  = 4_000
	MaxTitle = 160 // bytes of a title
	MaxText  = 320 // bytes of what is said
)

// Decisions is decisions.json, sorted by file and line.
type Decisions struct {
	Schema  int   `json:"schema"`
	Rows    []Row `json:"rows"`
	LeftOut int   `json:"left_out,omitempty"`
}

// Parts of a record that are rows. A reader takes one it does not know as it
// stands.
const (
	Context     = "context"     // what the decision is about
	Decision    = "decision"    // what was decided
	Alternative = "alternative" // what was considered and not taken
	Consequence = "consequence" // what follows
	Change      = "change"      // an entry of a change log that says because of what
)

// A Row is one statement of a record, in the record's own words.
type Row struct {
	File   string `json:"file"` // from the workspace's root
	Line   int    `json:"line"` // from 1
	Title  string `json:"title"`
	Part   string `json:"part"`
	Text   string `json:"text"`             // a sentence or two, on one line
	Status string `json:"status,omitempty"` // as the record says: "accepted"
	Date   string `json:"date,omitempty"`   // 2026-01-31
}

// Check reports why d cannot be used: it is of a newer schema, larger than a
// writer makes it, or names what cannot be.
func (d *Decisions) Check() error {
	switch {
	case d.Schema > Schema:
		return fmt.Errorf("schema %d is newer than %d, the newest this tool reads", d.Schema, Schema)
	case len(d.Rows) > MaxRows:
		return fmt.Errorf("it has %d rows, more than %d", len(d.Rows), MaxRows)
	}
	for _, r := range d.Rows {
		if !index.ValidPath(r.File) || r.Line < 1 || len(r.Title) > MaxTitle || len(r.Text) > MaxText {
			return fmt.Errorf("a row is of a file that no workspace has, or its text is too long")
		}
	}
	return nil
}
