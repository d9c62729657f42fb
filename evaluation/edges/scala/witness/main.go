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
	seen := make(map[fact]bool)
	for _, d := range documents {
		text, err := os.ReadFile(filepath.Join(args[0], d.uri))
		if err != nil {
			return err
		}
		for _, f := range s.facts(d, strings.Split(string(text), "\n")) {
			seen[f] = true
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
