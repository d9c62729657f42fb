package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// A question is one line of questions.jsonl.
type question struct {
	Module string   `json:"module"` // "PATH@VERSION" of a Go module, "npm:NAME@VERSION" of a package
	Kind   string   `json:"kind"`   // one of kinds
	Text   string   `json:"question"`
	Right  []string `json:"right"` // paths in the module, any of which is right
}

// kinds of questions: a name as it stands in code, the words of a name, prose
// that does not repeat the name, the description of a change, what a program
// said when it failed, and a line of a stack trace.
var kinds = []string{"exact", "split", "sentence", "change", "error", "trace"}

func readQuestions(name string) ([]question, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []question
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte{'\n'}) {
		var q question
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		if q.Module == "" || q.Text == "" || len(q.Right) == 0 || !slices.Contains(kinds, q.Kind) {
			return nil, fmt.Errorf("%s:%d: a question has a module, a kind (%v), a text and a right path", name, i+1, kinds)
		}
		list = append(list, q)
	}
	return list, nil
}

// modules lists the modules of the questions, each once, in their order.
func modules(questions []question) []string {
	var list []string
	for _, q := range questions {
		if !slices.Contains(list, q.Module) {
			list = append(list, q.Module)
		}
	}
	return list
}
