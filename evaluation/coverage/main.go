// Coverage counts how many of the definitions that universal-ctags finds in a
// checkout the builder finds too. It is not shipped; README.md says how to
// run it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/evaluation/checkout"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
)

const usage = "usage: coverage [-misses FILE] [-json FILE] NAME=DIR..."

// A count is what was found of one language in all the checkouts.
type count struct {
	Lang         string   `json:"lang"`
	Repositories []string `json:"repositories"`
	Files        int      `json:"files"`
	Definitions  int      `json:"definitions"` // that the builder finds
	Ctags        int      `json:"ctags"`       // that ctags finds; 0 where it does not know the language
	Found        int      `json:"found"`       // of those, by the builder too
	Calls        int      `json:"calls"`
	Resolved     int      `json:"resolved"`
}

func main() {
	if code, ok := extract.WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "coverage: %v\n", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("coverage", flag.ContinueOnError)
	misses := fs.String("misses", "", "write the definitions that only ctags finds to this file, one JSON object a line")
	summary := fs.String("json", "", "write the counts to this file")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return fmt.Errorf("no checkout is given\n%s", usage)
	}
	counts := make(map[string]*count)
	var missed []tag
	for _, arg := range fs.Args() {
		name, dir, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=DIR", arg)
		}
		m, err := measure(ctx, counts, name, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		missed = append(missed, m...)
	}
	list := make([]*count, 0, len(counts))
	for _, c := range counts {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *count) int { return strings.Compare(a.Lang, b.Lang) })
	if *misses != "" {
		if err := writeLines(*misses, missed); err != nil {
			return err
		}
	}
	if *summary != "" {
		data, err := json.MarshalIndent(list, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(*summary, append(data, '\n'), 0o644); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, table(list))
	return err
}

// measure adds what one checkout holds to counts, and returns what only ctags
// finds.
func measure(ctx context.Context, counts map[string]*count, name, dir string) ([]tag, error) {
	tree, err := checkout.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	_, stats, err := resolve.Resolve(ctx, tree.Units, tree.Manifests)
	if err != nil {
		return nil, err
	}
	byLang := make(map[string][]resolve.Unit)
	for _, u := range tree.Units {
		if u.File != nil && u.File.Lang != "" {
			byLang[u.File.Lang] = append(byLang[u.File.Lang], u)
		}
	}
	var missed []tag
	for lang, units := range byLang {
		c := counts[lang]
		if c == nil {
			c = &count{Lang: lang}
			counts[lang] = c
		}
		c.Repositories = append(c.Repositories, name)
		c.Files += len(units)
		c.Calls += stats[lang].Calls
		c.Resolved += stats[lang].Resolved
		for _, u := range units {
			c.Definitions += len(u.File.Definitions)
		}
		tags, err := readTags(ctx, tree.Dir, lang, units)
		if err != nil {
			return nil, err
		}
		ours := newFinder(units)
		for _, t := range tags {
			t.Repo, t.Lang = name, lang
			c.Ctags++
			if ours.has(t) {
				c.Found++
			} else {
				missed = append(missed, t)
			}
		}
	}
	return missed, nil
}

func writeLines(path string, tags []tag) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	for _, t := range tags {
		if err := enc.Encode(t); err != nil {
			return err
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// table is the counts in Markdown.
func table(list []*count) string {
	var b strings.Builder
	b.WriteString("| language | repositories | files | definitions | ctags | found | share | calls seen | resolved |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, c := range list {
		tags, found, share := "–", "–", "–"
		if _, known := kinds[c.Lang]; known {
			tags, found, share = fmt.Sprint(c.Ctags), fmt.Sprint(c.Found), percent(c.Found, c.Ctags)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %s | %s | %d | %d |\n", c.Lang, len(c.Repositories), c.Files, c.Definitions, tags, found, share, c.Calls, c.Resolved)
	}
	return b.String()
}

func percent(part, all int) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all))
}
