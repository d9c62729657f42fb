// Edges measures the call edges of package resolve against what an
// independent source says of the same checkout: a compiler, a language
// server, another analyser. It is not shipped; README.md says how to run it.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

const usage = `usage: edges list  -root DIR [-lang L] [-n N -seed S]   the resolved call edges, or N of them
       edges calls -root DIR [-lang L]                  every call, resolved or not
       edges judge -lang L -out DIR [-n N -seed S] [-details DIR] NAME=DIR=LIST...
`

func main() {
	if code, ok := extract.WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "edges: %v\n", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("no verb is given\n%s", usage)
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	var (
		root    = fs.String("root", ".", "the checkout to read")
		lang    = fs.String("lang", "", "only what is written in this language; typescript means javascript too")
		n       = fs.Int("n", 0, "draw so many edges; 0 means all")
		seed    = fs.Uint64("seed", 1, "draw them by this seed")
		dir     = fs.String("out", "", "write sample.jsonl and summary.json to this folder")
		details = fs.String("details", "", "write the verdicts on all edges, and the calls that were missed, to this folder")
	)
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "list", "calls":
		t, err := readTree(ctx, *root)
		if err != nil {
			return err
		}
		if args[0] == "calls" {
			return writeLines(out, t.callRecords(*lang))
		}
		return writeLines(out, records(draw(t.edges(*lang), *n, *seed)))
	case "judge":
		j := judging{lang: *lang, n: cmp.Or(*n, 200), seed: *seed, out: *dir, details: *details}
		return j.run(ctx, fs.Args(), out)
	}
	return fmt.Errorf("%q is no verb\n%s", args[0], usage)
}

// writeLines writes one JSON value a line.
func writeLines[T any](out io.Writer, values []T) error {
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return w.Flush()
}
