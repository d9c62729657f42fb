// Package doccode is doc_code.json: which passage of which document names
// which code. A passage is what stands under one heading; every link names
// the document's line that states it.
package doccode

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// Schema is the version of doc_code.json that this package reads and writes.
const Schema = 1

// What one file of links may hold. A writer keeps to them and counts what it
// leaves out; a reader refuses more.
const (
	MaxDocs    = 20_000
	MaxLinks   = 40_000 // links together
	MaxNodes   = 40_000
	MaxTo      = 20  // nodes that one name may mean
	MaxText    = 120 // bytes of what a document says
	MaxName    = 400 // bytes of a definition's qualified name
	MaxHeading = 200 // bytes of one heading
	MaxDepth   = 8   // headings of one passage
)

// DocCode is doc_code.json. Lists are sorted, so that the same workspace
// gives the same bytes.
type DocCode struct {
	Schema  int    `json:"schema"`
	Nodes   []Node `json:"nodes"` // what is named, by file and line
	Docs    []Doc  `json:"docs"`  // those that name something, by file
	LeftOut int    `json:"left_out,omitempty"`
}

// A Node is a file or a definition that documents name.
type Node struct {
	File string `json:"file"`           // from the workspace's root; with a final slash it is a directory
	Name string `json:"name,omitempty"` // qualified; "" for the file itself
	Kind string `json:"kind,omitempty"` // of the definition
	Line int    `json:"line,omitempty"` // of the definition, from 1
}

// A Doc is a document.
type Doc struct {
	File     string    `json:"file"`
	Passages []Passage `json:"passages"` // in order of line
}

// A Passage is what stands under one heading.
type Passage struct {
	Heading []string `json:"heading,omitempty"` // the headings above it and its own, outermost first
	Line    int      `json:"line"`              // of the heading, from 1
	Links   []Link   `json:"links"`             // in order of line
}

// How a document names code.
const (
	Name  = "name"  // a name between backticks
	Path  = "path"  // a path between backticks
	Ref   = "link"  // where a link leads
	Block = "block" // a name or a path in a block of code
	Prose = "prose" // a name among words
)

// A Link is a place where a document names code.
type Link struct {
	Text string `json:"text"` // as the document has it
	Line int    `json:"line"` // in the document, from 1
	How  string `json:"how"`
	To   []int  `json:"to"` // numbers of nodes: one, or all that an ambiguous name may mean
}

// Ambiguous reports whether the document does not tell which of several
// nodes is meant.
func (l Link) Ambiguous() bool { return len(l.To) > 1 }

// String is the node as a person writes it.
func (n Node) String() string {
	if n.Name == "" {
		return n.File
	}
	return n.File + "#" + n.Name
}

// Check reports why d cannot be used: it is of a newer schema, larger than a
// writer makes it, or names what cannot be.
func (d *DocCode) Check() error {
	switch {
	case d.Schema > Schema:
		return fmt.Errorf("schema %d is newer than %d, the newest this tool reads", d.Schema, Schema)
	case len(d.Nodes) > MaxNodes:
		return fmt.Errorf("it has %d nodes, more than %d", len(d.Nodes), MaxNodes)
	case len(d.Docs) > MaxDocs:
		return fmt.Errorf("it has %d documents, more than %d", len(d.Docs), MaxDocs)
	}
	for _, n := range d.Nodes {
		if !index.ValidPath(strings.TrimSuffix(n.File, "/")) || len(n.Name) > MaxName || n.Line < 0 {
			return fmt.Errorf("a node is of a file that no workspace has, or its name is too long")
		}
	}
	links := 0
	for _, doc := range d.Docs {
		if !index.ValidPath(doc.File) {
			return fmt.Errorf("a document has a path that no workspace has")
		}
		for _, p := range doc.Passages {
			if links += len(p.Links); links > MaxLinks || len(p.Heading) > MaxDepth {
				return fmt.Errorf("it has more than %d links, or a passage below more than %d headings", MaxLinks, MaxDepth)
			}
			for _, l := range p.Links {
				if err := l.check(len(d.Nodes)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (l Link) check(nodes int) error {
	if len(l.To) == 0 || len(l.To) > MaxTo || l.Line < 1 {
		return fmt.Errorf("a link leads to %d nodes, or stands nowhere", len(l.To))
	}
	for _, n := range l.To {
		if n < 0 || n >= nodes {
			return fmt.Errorf("a link leads to node %d of %d", n, nodes)
		}
	}
	return nil
}
