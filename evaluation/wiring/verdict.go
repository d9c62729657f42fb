package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// A verdict is what a person read in one line. It is about a fact, and then
// has a Verdict; or about a line that looks like wiring, and then has Found.
type verdict struct {
	Repo    string `json:"repo"`
	Commit  string `json:"commit"`
	Seed    uint64 `json:"seed"`           // of the draw
	Fact    string `json:"fact,omitempty"` // kind, name: what it says
	File    string `json:"file"`
	Line    int    `json:"line"`
	Verdict string `json:"verdict,omitempty"` // right, wrong
	Found   *bool  `json:"found,omitempty"`   // the wiring has what the line says
	Wiring  *bool  `json:"wiring,omitempty"`  // false: the line looks like wiring and is none, and is not counted
	Reason  string `json:"reason,omitempty"`  // of wrong, of found false, of wiring false
}

// check reports why a verdict cannot be counted.
func (v *verdict) check() error {
	switch {
	case v.Repo == "" || len(v.Commit) != 40 || v.File == "" || v.Line < 0:
		return fmt.Errorf("it lacks a repository, a full commit or a place")
	case v.Seed == 0:
		return fmt.Errorf("it does not tell the seed that drew it")
	case (v.Verdict == "") == (v.Found == nil && v.Wiring == nil):
		return fmt.Errorf("it is to have a verdict, or found")
	case v.Verdict != "" && v.Verdict != "right" && v.Verdict != "wrong":
		return fmt.Errorf("the verdict %q is neither right nor wrong", v.Verdict)
	case v.Verdict != "" && v.Fact == "":
		return fmt.Errorf("a verdict is about a fact")
	case v.Reason == "" && (v.Verdict == "wrong" || v.Found != nil && !*v.Found || v.Wiring != nil && !*v.Wiring):
		return fmt.Errorf("it gives no reason")
	}
	return nil
}

// A tally is what the verdicts of one file come to.
type tally struct{ right, wrong, found, missing, none int }

func (t *tally) add(v verdict) {
	switch {
	case v.Verdict == "right":
		t.right++
	case v.Verdict == "wrong":
		t.wrong++
	case v.Wiring != nil && !*v.Wiring:
		t.none++
	case *v.Found:
		t.found++
	default:
		t.missing++
	}
}

// counts prints precision and recall by file.
func counts(names []string, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "verdicts\tfacts\tright\tprecision\tlines\tfound\trecall\tno wiring")
	var all tally
	for _, name := range names {
		list, err := verdicts(name)
		if err != nil {
			return err
		}
		var t tally
		for _, v := range list {
			t.add(v)
			all.add(v)
		}
		t.row(w, filepath.Base(name))
	}
	all.row(w, "all")
	return w.Flush()
}

func (t tally) row(w io.Writer, name string) {
	facts, lines := t.right+t.wrong, t.found+t.missing
	fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t%s\t%d\n", name, facts, t.right, share(t.right, facts), lines, t.found, share(t.found, lines), t.none)
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}

// verdicts reads one file of them.
func verdicts(name string) ([]verdict, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var list []verdict
	for d.More() {
		var v verdict
		err := d.Decode(&v)
		if err == nil {
			err = v.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: verdict %d: %w", name, len(list)+1, err)
		}
		list = append(list, v)
	}
	return list, nil
}
