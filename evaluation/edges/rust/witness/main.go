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
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/evaluation/edges/fact"
)

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
	seen := make(map[fact.Call]bool)
	for _, d := range dumps {
		r := &resolver{sources: src, own: d, libraries: libraries}
		for _, c := range d.calls {
			for _, f := range r.facts(c) {
				seen[f] = true
			}
		}
	}
	return fact.Write(out, seen)
}
