// Command witness lists the calls of a Scala checkout as the compiler sees
// them. It reads the SemanticDB files that scalac writes with -Xsemanticdb,
// where every name of a source file has its symbol.
//
//	witness ROOT SEMANTICDB…
//
// ROOT is the checkout, which the compiler was told with -sourceroot, and
// each SEMANTICDB a folder of files.
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
		return fmt.Errorf("usage: witness ROOT SEMANTICDB…")
	}
	var documents []document
	for _, dir := range args[1:] {
		err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".semanticdb") {
				return err
			}
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			list, err := readDocuments(b)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			documents = append(documents, list...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	s := newSymbols(documents)
	seen := make(map[fact.Call]bool)
	for _, d := range documents {
		text, err := os.ReadFile(filepath.Join(args[0], d.uri))
		if err != nil {
			return err
		}
		for _, f := range s.facts(d, strings.Split(string(text), "\n")) {
			seen[f] = true
		}
	}
	return fact.Write(out, seen)
}
