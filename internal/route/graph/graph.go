// Package graph reads node-link graphs: the graph.json of a bundle and those
// that graphify writes (field sets of its versions 0.8 and 0.9).
//
// A bundle's answers never come from here: its index knows more and costs
// less. A graph without an index, as a person's own graphify run leaves it,
// is turned into one by [Graph.Bundle].
package graph

import (
	"encoding/json"
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

// text is a string or a number, which older graphs use for ids.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, (*string)(t))
	}
	if string(data) == "null" {
		return nil
	}
	if _, err := strconv.ParseFloat(string(data), 64); err != nil {
		return fmt.Errorf("an id must be a string or a number")
	}
	*t = text(data)
	return nil
}

type document struct {
	Graph struct {
		Parts []string `json:"parts"`
	} `json:"graph"`
	Nodes []struct {
		ID        text   `json:"id"`
		Label     text   `json:"label"`
		FileType  string `json:"file_type"`
		File      string `json:"source_file"`
		Location  text   `json:"source_location"`
		Kind      string `json:"kind"`
		Lang      string `json:"lang"`
		Signature string `json:"signature"`
		Doc       string `json:"doc"`
		Repo      string `json:"repo"`
	} `json:"nodes"`
	Links []link `json:"links"`
	Edges []link `json:"edges"`
}

type link struct {
	Source     text    `json:"source"`
	Target     text    `json:"target"`
	Relation   string  `json:"relation"`
	Confidence string  `json:"confidence"`
	Score      float64 `json:"confidence_score"`
	Location   text    `json:"source_location"`
	Resolver   string  `json:"resolver"`
}

// Parse reads a graph. The error is a *strictjson.Error with line and
// column, or says what the graph lacks.
func Parse(data []byte) (*Graph, error) {
	var d document
	if err := strictjson.Decode(data, &d); err != nil {
		return nil, err
	}
	if len(d.Nodes) > maxNodes || len(d.Links)+len(d.Edges) > maxLinks {
		return nil, fmt.Errorf("it has %d nodes and %d links; at most %d and %d are read", len(d.Nodes), len(d.Links)+len(d.Edges), maxNodes, maxLinks)
	}
	if d.Nodes == nil {
		return nil, fmt.Errorf("it has no nodes; a node-link graph has nodes and links")
	}
	g := &Graph{Parts: d.Graph.Parts}
	for _, n := range d.Nodes {
		g.Nodes = append(g.Nodes, Node{ID: string(n.ID), Label: string(n.Label), FileType: n.FileType, File: n.File, Line: line(string(n.Location)),
			Kind: n.Kind, Lang: n.Lang, Signature: n.Signature, Doc: n.Doc, Repo: n.Repo})
	}
	for _, l := range append(d.Links, d.Edges...) {
		g.Links = append(g.Links, Link{Source: string(l.Source), Target: string(l.Target), Relation: l.Relation, Resolver: l.Resolver,
			Certainty: certainty(l.Score, l.Confidence), Line: line(string(l.Location))})
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
