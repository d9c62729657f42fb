package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/committed"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/decisions"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

type docsOptions struct {
	bundle, docCode, decisions string
	check, allowShrink         bool
}

func docsVerb() command.Verb {
	return command.Verb{
		Name:     "docs",
		Synopsis: "--bundle DIR [--doc-code FILE] [--decisions FILE] [--check] [--allow-shrink]",
		Summary:  "writes which document names which code, and what was decided, as files to commit",
		Help: `Reads a bundle that build wrote, and writes what it holds as doc_code.json and
decisions.json as Markdown: --doc-code names the file for the one (DOC-CODE.md),
--decisions for the other (DECISIONS.md). The files name documents, headings and
definitions, but no lines, so that an edit elsewhere does not make them stale.

A file that would lose more than half of its rows is not written, for that mostly
means that a part of the workspace was missing; --allow-shrink says that it is meant.
Nor is one replaced that was made by hand. --check writes nothing, and fails on a
file that is not what would be written.`,
		Examples: []string{
			"bundle-publish docs --bundle dist/bundle --doc-code DOC-CODE.md",
			"bundle-publish docs --bundle dist/bundle --doc-code DOC-CODE.md --decisions DECISIONS.md --check",
		},
		Max: 0,
		Setup: func(f *flag.FlagSet) command.Run {
			o := &docsOptions{}
			f.StringVar(&o.bundle, "bundle", "", "the bundle to read, a directory (`DIR`)")
			f.StringVar(&o.docCode, "doc-code", "", "write which document names which code into `FILE`")
			f.StringVar(&o.decisions, "decisions", "", "write what was decided into `FILE`")
			f.BoolVar(&o.check, "check", false, "write nothing; fail if a file is stale")
			f.BoolVar(&o.allowShrink, "allow-shrink", false, "that a file loses more than half of its rows is meant")
			return func(ctx context.Context, p command.Process, _ []string) error {
				if o.bundle == "" || o.docCode == "" && o.decisions == "" {
					return command.Usage("docs: give --bundle DIR, and --doc-code FILE or --decisions FILE")
				}
				return o.run(ctx, p)
			}
		},
	}
}

func (o *docsOptions) run(ctx context.Context, p command.Process) error {
	b, err := bundle.Open(bundle.Dir(p.Abs(o.bundle)))
	if errors.Is(err, fs.ErrNotExist) {
		return &bundle.Refused{File: bundle.ManifestName, Reason: "it is missing, so this is no bundle", Next: bundle.BuildAgain}
	}
	if err != nil {
		return bundle.Advise(err, bundle.BuildAgain)
	}
	links, decided := &doccode.DocCode{}, &decisions.Decisions{}
	var stale []string
	for _, f := range []struct {
		name, from string
		v          interface{ Check() error }
		text       func() []byte
	}{
		{o.docCode, bundle.DocCodeName, links, func() []byte { return committed.DocCode(links) }},
		{o.decisions, bundle.WhyName, decided, func() []byte { return committed.Decisions(decided) }},
	} {
		if f.name == "" || ctx.Err() != nil {
			continue
		}
		err := b.Decode(f.from, f.v)
		if err == nil {
			if bad := f.v.Check(); bad != nil {
				err = &bundle.Refused{File: f.from, Reason: bad.Error()}
			}
		}
		if err != nil {
			return bundle.Advise(err, bundle.BuildAgain)
		}
		fresh, err := o.put(p, f.name, f.text())
		if err != nil {
			return err
		}
		if !fresh {
			stale = append(stale, plaintext.Line(f.name, 300))
		}
	}
	if len(stale) > 0 {
		return &staleFiles{stale}
	}
	return ctx.Err()
}

// put writes one file, or with --check says whether it is what would be
// written.
func (o *docsOptions) put(p command.Process, name string, want []byte) (fresh bool, err error) {
	have, err := readBlockFile(p.Abs(name), !o.check)
	missing := errors.Is(err, errNoFile)
	switch {
	case missing:
		have, err = nil, nil
	case err != nil:
		return false, fmt.Errorf("%s cannot be read: %w", plaintext.Line(name, 300), err)
	}
	shown := plaintext.Line(name, 300)
	same := !missing && strings.ReplaceAll(string(have), "\r\n", "\n") == string(want)
	if o.check || same {
		if same {
			_, err = fmt.Fprintf(p.Stdout, "%s is up to date\n", shown)
		}
		return same, err
	}
	if err := committed.Check(shown, have, want, o.allowShrink); err != nil {
		return false, err
	}
	if missing {
		err = replaceFile(p.Abs(name), want, 0o644)
	} else {
		err = writeBlockFile(p.Abs(name), want)
	}
	if err != nil {
		return false, fmt.Errorf("%s cannot be written: %w", shown, err)
	}
	_, err = fmt.Fprintf(p.Stdout, "wrote %d rows into %s\n", committed.Rows(want), shown)
	return true, err
}

// staleFiles is the check's no.
type staleFiles struct{ files []string }

func (e *staleFiles) Error() string {
	return "not what would be written: " + strings.Join(e.files, ", ")
}

func (e *staleFiles) Hint() string { return "run the command without --check and commit the files" }
