package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/block"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

type wiringOptions struct {
	inputs
	root        string
	name        umbrellaName
	check, json bool
}

func wiringVerb() command.Verb {
	return command.Verb{
		Name:     "wiring",
		Synopsis: "[FILE] [--root DIR] [--check] [--json]",
		Summary:  "writes who publishes, pins, reads, sends and deploys what as tables",
		Help: `Finds the wiring of the workspace as build does, in the commits and without the
network, and prints four tables: artifacts, dispatches, files whose change starts a
workflow, deploys. With FILE it puts them between the lines
` + block.Start + ` and ` + block.End + ` of that file, and leaves
every other byte of it as it is.

--check writes nothing. It fails, with exit code 1, on a block in FILE that is not
what would be written, on a dispatch that is sent and not listened for or the
reverse, on a contract whose files differ,
and on a published artifact that nothing pins or reads, unless wiring.allow gives a
reason; each is named with file and line. --json prints what
bundles hold as wiring.json, or with --check the list of what is wrong.

docs/wiring.md tells what is found where, and how wiring.allow and wiring.yaml at
the umbrella's top add to it.`,
		Examples: []string{
			"bundle-publish wiring",
			"bundle-publish wiring docs/WIRING.md",
			"bundle-publish wiring --check docs/WIRING.md",
			"bundle-publish wiring --root ../umbrella --json",
		},
		Max: 1,
		Setup: func(f *flag.FlagSet) command.Run {
			o := &wiringOptions{}
			o.inputs.setup(f)
			o.name.setup(f)
			f.StringVar(&o.root, "root", "", "read the workspace that holds `DIR`, rather than this directory")
			f.BoolVar(&o.check, "check", false, "write nothing; fail if the block is stale or something leads nowhere")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, args []string) error {
				if err := o.name.check("wiring"); err != nil {
					return err
				}
				file := strings.Join(args, "")
				if o.json && file != "" && !o.check {
					return command.Usage("wiring: --json prints and FILE writes; give one of them")
				}
				return o.run(ctx, p, file)
			}
		},
	}
}

func (o *wiringOptions) run(ctx context.Context, p command.Process, file string) error {
	var have []byte
	if file != "" { // before the work, not after it
		var err error
		if have, err = readBlockFile(p.Abs(file), !o.check); err != nil {
			return &blockError{file, err}
		}
		if _, err = block.Replace(have, ""); err != nil {
			return &blockError{file, err}
		}
	}
	w, roots, err := o.wiring(ctx, p)
	if err != nil {
		return err
	}
	tables := block.Render(w, roots)
	var want []byte
	if file != "" {
		if want, err = block.Replace(have, tables); err != nil {
			return &blockError{file, err}
		}
	}
	switch {
	case o.check:
		return o.report(p, file, have, want, w)
	case o.json:
		data, err := bundle.Encode(w)
		if err != nil {
			return err
		}
		_, err = p.Stdout.Write(data)
		return err
	case file == "":
		_, err := io.WriteString(p.Stdout, tables)
		return err
	}
	if line, _ := block.Stale(have, want); line == 0 {
		_, err := fmt.Fprintf(p.Stdout, "%s is up to date\n", plaintext.Line(file, 300))
		return err
	}
	if err := writeBlockFile(p.Abs(file), want); err != nil {
		return fmt.Errorf("%s cannot be written: %w", plaintext.Line(file, 300), err)
	}
	_, err = fmt.Fprintf(p.Stdout, "wrote the wiring into %s\n", plaintext.Line(file, 300))
	return err
}

// wiring finds the facts of the workspace.
func (o *wiringOptions) wiring(ctx context.Context, p command.Process) (*wiring.Wiring, wiring.Roots, error) {
	given, closeCallees, err := o.openCallees(p)
	if err != nil {
		return nil, nil, err
	}
	defer closeCallees()
	space, err := workspace.Open(ctx, workspace.Options{Dir: p.Abs(o.root), Env: p.Env, Name: string(o.name)})
	if err != nil {
		return nil, nil, err
	}
	if _, _, err := privateSubmodules(ctx, space, o.includePrivate); err != nil {
		return nil, nil, err
	}
	if len(space.Dirty) > 0 {
		note(ctx, p, "edits that are not committed are not in the wiring: there are some in %s", strings.Join(space.Dirty, ", "))
	}
	roots := wiring.Roots{}
	for _, r := range space.Repos {
		roots[r.Name] = r.Path
	}
	w, err := assemble.Wiring(ctx, space, given)
	return w, roots, err
}

// maxBlockFile is the largest file that a block may stand in, in bytes.
const maxBlockFile = 16 << 20

// errNoFile is a file that is not there.
var errNoFile = errors.New("it does not exist")

func readBlockFile(name string, write bool) ([]byte, error) {
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errNoFile
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("it is no plain file")
	case write && st.Mode().Perm()&0o200 == 0: // replacing it would need no right to write it
		return nil, errors.New("its rights do not let it be written")
	case st.Size() > maxBlockFile:
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", st.Size(), maxBlockFile)
	}
	return os.ReadFile(name)
}

// writeBlockFile puts data in the place of a file in one step, with the
// file's rights. What a link names is written, not the link.
func writeBlockFile(name string, data []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	return replaceFile(name, data, st.Mode().Perm())
}

// A blockError is a FILE that cannot hold a block.
type blockError struct {
	file string
	err  error
}

func (e *blockError) Error() string {
	return fmt.Sprintf("%s cannot take the wiring: %v", plaintext.Line(e.file, 300), e.err)
}

// Hint is the next step.
func (e *blockError) Hint() string {
	if m := (*block.MarkerError)(nil); errors.As(e.err, &m) {
		return m.Hint()
	}
	return "name a file that has the markers; without a file the tables are printed"
}

// stale is the kind of a block that is not what would be written.
const stale = "stale block"

// A wiringReport is what `wiring --check --json` prints.
type wiringReport struct {
	Passed bool        `json:"passed"`
	Wrong  []block.Gap `json:"wrong"` // what leads nowhere, and the block where it is stale
}

// A wiringFault is a check that found something.
type wiringFault struct {
	count int
	stale string // the file whose block is stale, or ""
}

func (e *wiringFault) Error() string {
	if e.count == 1 {
		return "the wiring is not in order: 1 thing is wrong"
	}
	return fmt.Sprintf("the wiring is not in order: %d things are wrong", e.count)
}

func (e *wiringFault) Hint() string {
	if e.stale != "" {
		return "bundle-publish wiring " + e.stale + " renews the block; wiring.allow and wiring.yaml excuse and complete the rest"
	}
	return "mend it; or give a reason: for an artifact in wiring.allow (NAME: reason), for the other end of a dispatch in wiring.yaml, both committed at the umbrella's top"
}

func (o *wiringOptions) report(p command.Process, file string, have, want []byte, w *wiring.Wiring) error {
	wrong := block.Gaps(w)
	fault := &wiringFault{}
	if line, should := block.Stale(have, want); line > 0 {
		fault.stale = plaintext.Line(file, 300)
		s := "the block is stale"
		if should != "" {
			s += "; the line should be: " + plaintext.Line(should, 200)
		}
		wrong = append([]block.Gap{{Kind: stale, Name: fault.stale, File: filepath.ToSlash(fault.stale), Line: line, Text: s}}, wrong...)
	}
	fault.count = len(wrong)
	if o.json {
		if err := p.WriteJSON(wiringReport{len(wrong) == 0, wrong}); err != nil {
			return err
		}
	} else {
		var b strings.Builder
		for _, g := range wrong {
			fmt.Fprintf(&b, "%s:%d: %s\n", plaintext.Line(g.File, 4096), g.Line, plaintext.Line(g.Text, 1000))
		}
		if len(wrong) == 0 {
			b.WriteString("passed: every dispatch and artifact has both its ends\n")
		}
		if _, err := io.WriteString(p.Stdout, b.String()); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		return fault
	}
	return nil
}
