package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"

	"github.com/marola-dev/marola-routing/internal/ci/page"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

type pageOptions struct {
	bundle, out, before, history string
	json                         bool
}

func pageVerb() command.Verb {
	return command.Verb{
		Name:     "page",
		Synopsis: "--bundle DIR-OR-REF --out DIR [--before DIR-OR-REF] [--history FILE]",
		Summary:  "writes a bundle as a static site for people",
		Help: `The site has a search that answers as route query does, a map of repositories and
modules, the wiring as a diagram, the bench, what was read of each language, and what
changed since an earlier bundle. It works when its index.html is opened from disk, and
from any static host; it asks nobody for anything, and what a person types stays in
the browser.

The directory of --out is replaced in one step if it is empty, not there, or holds an
older page; anything else in it is refused. --before compares with another bundle.
--history names a file of scores, one a line: the page shows them, and the score of
this bundle is added to the file.`,
		Examples: []string{
			"bundle-publish page --bundle dist/bundle --out dist/page",
			"bundle-publish page --bundle dist/bundle --before origin/routing-bundle --out dist/page",
			"bundle-publish page --bundle dist/bundle --history bench-history.jsonl --out dist/page --json",
		},
		Setup: func(f *flag.FlagSet) command.Run {
			o := &pageOptions{}
			f.StringVar(&o.bundle, "bundle", "", "show the bundle in `DIR-OR-REF`")
			f.StringVar(&o.out, "out", "", "write the site to `DIR`")
			f.StringVar(&o.before, "before", "", "compare with the bundle in `DIR-OR-REF`")
			f.StringVar(&o.history, "history", "", "show the scores in `FILE`, and add this bundle's to it")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return o.run
		},
	}
}

func (o *pageOptions) run(ctx context.Context, p command.Process, _ []string) error {
	for _, need := range []struct{ flag, value string }{{"bundle", o.bundle}, {"out", o.out}} {
		if need.value == "" {
			return command.Usage("page: --%s DIR is missing", need.flag)
		}
	}
	opts := page.Options{}
	for _, b := range []struct {
		name  string
		files *bundle.Files
	}{{o.bundle, &opts.Bundle}, {o.before, &opts.Before}} {
		if b.name == "" {
			continue
		}
		files, _, closeFiles, err := verifyOptions{}.open(ctx, p, b.name)
		if err != nil {
			return err
		}
		defer closeFiles()
		if _, err := bundle.Verify(files); err != nil {
			return err
		}
		*b.files = files
	}
	if o.history != "" {
		var err error
		if opts.History, err = readHistory(p.Abs(o.history)); err != nil {
			return &historyError{o.history, err}
		}
	}
	site, err := page.Build(ctx, opts)
	if err != nil {
		return err
	}
	if err := site.WriteDir(ctx, p.Abs(o.out)); err != nil {
		return err
	}
	r := site.Report
	if o.history != "" && site.Scored {
		data, err := page.FormatHistory(r.Scores)
		if err != nil {
			return err
		}
		if err := replaceFile(p.Abs(o.history), data, 0o644); err != nil {
			return &historyError{o.history, err}
		}
	}
	if o.history != "" && !site.Scored {
		fmt.Fprintf(p.Stderr, "bundle-publish: the bundle was asked no questions, so that %s stays as it is; build --bench FILE asks some\n", plaintext.Line(o.history, 300))
	}
	if o.json {
		return p.WriteJSON(r)
	}
	_, err = fmt.Fprintf(p.Stdout, "wrote %s: %d files, %.1f MB, %d modules, %d edges\nopen %s\n", plaintext.Line(o.out, 300), r.Files, float64(r.Bytes)/1e6, r.Modules, r.Edges,
		plaintext.Line(p.Abs(o.out), 300)+string(os.PathSeparator)+"index.html")
	return err
}

func readHistory(name string) ([]page.Score, error) {
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("it is no plain file")
	case st.Size() > page.MaxHistory:
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", st.Size(), page.MaxHistory)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return page.ParseHistory(data)
}

// A historyError is a file of scores that cannot be read or written.
type historyError struct {
	file string
	err  error
}

func (e *historyError) Error() string {
	return fmt.Sprintf("%s is no history of scores: %v", plaintext.Line(e.file, 300), e.err)
}

// Hint is the next step.
func (e *historyError) Hint() string {
	return "name a file that an earlier page wrote, or one that is not there yet"
}

func (e *historyError) Unwrap() error { return e.err }
