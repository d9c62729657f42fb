package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// A verdict is what a person read of one link.
type verdict struct {
	Repo    string   `json:"repo"`
	Commit  string   `json:"commit"`
	Seed    uint64   `json:"seed"` // of the draw
	Doc     string   `json:"doc"`
	Line    int      `json:"line"`
	Text    string   `json:"text"` // as the document names the code
	How     string   `json:"how"`
	To      []string `json:"to"`                // file#name:line
	Verdict string   `json:"verdict,omitempty"` // right, wrong
	Reason  string   `json:"reason,omitempty"`  // of wrong
}

// check reports why a verdict cannot be counted.
func (v *verdict) check() error {
	switch {
	case v.Repo == "" || len(v.Commit) != 40 || v.Doc == "" || v.Line < 1 || len(v.To) == 0:
		return fmt.Errorf("it lacks a repository, a full commit, a place or what it leads to")
	case v.Seed == 0:
		return fmt.Errorf("it does not tell the seed that drew it")
	case v.Verdict != "right" && v.Verdict != "wrong":
		return fmt.Errorf("the verdict %q is neither right nor wrong", v.Verdict)
	case v.Verdict == "wrong" && v.Reason == "":
		return fmt.Errorf("it gives no reason")
	}
	return nil
}

// counts prints how many verdicts of each file are right.
func counts(files []string, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "links\tright\tof\tshare")
	for _, name := range files {
		right, all, err := tally(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.0f %%\n", strings.TrimSuffix(filepath.Base(name), ".jsonl"), right, all, 100*float64(right)/float64(max(1, all)))
	}
	return w.Flush()
}

func tally(name string) (right, all int, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, 0, err
	}
	seen := map[string]bool{}
	for i, row := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var v verdict
		err := json.Unmarshal(row, &v)
		if err == nil {
			err = v.check()
		}
		key := fmt.Sprint(v.Doc, v.Line, v.Text, v.To)
		if err == nil && seen[key] {
			err = fmt.Errorf("the link is there twice")
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		seen[key] = true
		all++
		if v.Verdict == "right" {
			right++
		}
	}
	return right, all, nil
}
