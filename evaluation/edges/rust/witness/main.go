// Command witness lists the calls of a cargo workspace as rustc sees them. It
// reads what rustc prints of the bodies that it has checked
// (-Zunpretty=thir-tree), where every call names its function.
//
//	witness ROOT DUMP…
//
// ROOT is the checkout. Each DUMP is one target's output, named
// CRATE.lib.thir, or CRATE.*.thir for a target that others cannot use.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A fact is one call.
type fact struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Name       string `json:"name"`
	TargetFile string `json:"target_file"`
	TargetLine int    `json:"target_line"`
	Dynamic    bool   `json:"dynamic,omitempty"`
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "witness: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: witness ROOT DUMP…")
	}
	src, err := readSources(args[0])
	if err != nil {
		return err
	}
	libraries := make(map[string]*dump) // crate → its library
	var dumps []*dump
	for _, name := range args[1:] {
		d, err := openDump(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		parts := strings.Split(filepath.Base(name), ".")
		if d.crate = parts[0]; parts[1] == "lib" {
			libraries[d.crate] = d
		}
		dumps = append(dumps, d)
	}
	seen := make(map[fact]bool)
	for _, d := range dumps {
		r := &resolver{sources: src, own: d, libraries: libraries}
		for _, c := range d.calls {
			for _, f := range r.facts(c) {
				seen[f] = true
			}
		}
	}
	return write(out, seen)
}

func write(out io.Writer, seen map[fact]bool) error {
	list := make([]fact, 0, len(seen))
	for f := range seen {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b fact) int {
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
