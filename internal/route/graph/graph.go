// Package graph reads node-link graphs: the graph.json of a bundle and those
// that graphify writes (field sets of its versions 0.8 and 0.9).
//
// A bundle's answers never come from here: its index knows more and costs
// less. A graph without an index, as a person's own graphify run leaves it,
// is turned into one by [Graph.Bundle].
package graph

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A Graph is a node-link graph.
type Graph struct {
	Nodes []Node
	Links []Link
	Parts []string // further files that hold the graph, when it was cut
}

// A Node is a file or a definition.
type Node struct {
	ID        string
	Label     string // base name of a file, "name()" of a function, ".name()" of a method
	FileType  string // "code", or something else that no answer names
	File      string // path from the root; "" for a name that led nowhere
	Line      int    // from 1; 0 when unknown
	Kind      string // ours alone
	Lang      string
	Signature string
	Doc       string
	Repo      string
}

// A Link is a relation in its true direction.
type Link struct {
	Source, Target string // node ids
	Relation       string
	Resolver       string
	Certainty      int // 1 to 100
	Line           int // 0 when unknown
}

// Bounds on what a foreign graph may hold.
const (
	maxNodes = 1_000_000
	maxLinks = 5_000_000
)

// Parse reads a graph. The error is a *strictjson.Error with line and
// column, or says what the graph lacks.
func Parse(data []byte) (*Graph, error) {
	if err := strictjson.Check(data); err != nil {
		return nil, err
	}
	c, err := strictjson.NewCursor(data)
	if err != nil {
		return nil, err
	}
	g := &Graph{}
	if err := (reader{c}).graph(g); err != nil {
		return nil, err
	}
	if g.Nodes == nil {
		return nil, fmt.Errorf("it has no nodes; a node-link graph has nodes and links")
	}
	return g, nil
}

// line reads "L12".
func line(location string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(location, "L"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// certainty reads graphify's score, or its word where there is none.
func certainty(score float64, word string) int {
	switch {
	case score > 0 && score <= 1:
		return max(1, int(score*100+0.5))
	case word == "INFERRED":
		return 50
	case word == "AMBIGUOUS":
		return 20
	}
	return 100
}
