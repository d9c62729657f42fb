// Package fact is the list of calls that an independent source, a witness,
// gives of a checkout. evaluation/edges/README.md describes its fields.
package fact

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
)

// A Call is one call as a witness sees it. Paths start at the workspace's
// root, lines count from 1.
type Call struct {
	File       string `json:"file"`
	Line       int    `json:"line"` // of the called name
	Name       string `json:"name"`
	TargetFile string `json:"target_file"` // "" when the target is outside the workspace
	TargetLine int    `json:"target_line"` // of the target's name

	// Dynamic is a call of a value: of a field or variable that holds a
	// function. What runs is not known before it runs, so that such a call
	// is no call that must be resolved; an edge to the variable is right.
	Dynamic bool `json:"dynamic,omitempty"`
}

// Write writes each call once, one JSON object a line, in order of file, line,
// name and target.
func Write(out io.Writer, calls map[Call]bool) error {
	list := slices.SortedFunc(maps.Keys(calls), func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.TargetFile, b.TargetFile), cmp.Compare(a.TargetLine, b.TargetLine))
	})
	buffered := bufio.NewWriter(out)
	enc := json.NewEncoder(buffered)
	for _, f := range list {
		if err := enc.Encode(f); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
