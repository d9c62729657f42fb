package cli

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/assemble"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

type assembleOptions struct {
	inputs
	delivery
}

func assembleVerb() command.Verb {
	return command.Verb{
		Name:     "assemble",
		Synopsis: "PART… --out DIR [--bench FILE]",
		Summary:  "joins the parts of a workspace's repositories into its bundle",
		Help: `Reads what bundle-publish build --part wrote of each repository, the umbrella
among them, in any order, and writes the same bytes as one build of the same
commits. It needs no checkout and no git.

A part is refused when it is damaged, when another version of this program built
it, or when it is of another commit than the umbrella's part records; so is a
part that is missing, that is there twice, or that no submodule has.

docs/bundle-publish.md has a workflow that spreads the parts over jobs and keeps
each until its submodule moves.`,
		Examples: []string{
			"bundle-publish assemble parts/*.part --out dist/bundle",
			"bundle-publish assemble umbrella.part lib.part app.part --out dist/bundle --bench routing-bench.yaml",
		},
		Min: 1,
		Max: -1,
		Setup: func(flags *flag.FlagSet) command.Run {
			o := &assembleOptions{}
			o.inputs.setup(flags)
			o.delivery.setup(flags)
			return func(ctx context.Context, p command.Process, args []string) error {
				if o.out == "" {
					return command.Usage("assemble: give --out DIR")
				}
				return unlessInterrupted(ctx, o.run(ctx, p, args))
			}
		},
	}
}

func (o *assembleOptions) run(ctx context.Context, p command.Process, names []string) error {
	out := p.Abs(o.out)
	if err := assemble.CheckDir(out); err != nil { // before the work, not after it
		return err
	}
	given, closeCallees, err := o.openCallees(p)
	if err != nil {
		return err
	}
	defer closeCallees()
	start := time.Now()
	boundMemory()
	var parts []*assemble.Part
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := readPart(p, name)
		if err != nil {
			return err
		}
		if private := part.Private(); len(private) > 0 && !o.includePrivate {
			return &privateError{private}
		}
		parts = append(parts, part)
	}
	progress := p.Progress()
	res, err := assemble.Join(ctx, parts, assemble.Options{Progress: progress.Step, Callees: given})
	progress.Done()
	if err != nil {
		return err
	}
	defer res.Close()
	return o.deliver(ctx, p, res, out, start)
}

func readPart(p command.Process, name string) (*assemble.Part, error) {
	f, err := os.Open(p.Abs(name))
	if err != nil {
		return nil, fmt.Errorf("the part cannot be read: %w", err)
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, &assemble.PartError{Part: name, Reason: "it is no plain file", Next: "name the files: DIR/*.part"}
	}
	return assemble.ReadPart(name, f)
}

// partFile is the file that a directory has of a repository's part: no two
// paths have one.
func partFile(path string) string {
	if path == "" {
		return "@umbrella.part"
	}
	return url.QueryEscape(path) + ".part"
}

type partReport struct {
	Out   string `json:"out"`
	Part  string `json:"part"` // path of the submodule, "" for the umbrella
	Head  string `json:"head"`
	Bytes int    `json:"bytes"`
}

// writePart builds the part of one repository and writes it in one step.
func (o *buildOptions) writePart(ctx context.Context, p command.Process, w *workspace.Workspace, ao assemble.Options, done func()) error {
	out := p.Abs(o.out)
	if st, err := os.Stat(out); err == nil && st.IsDir() || strings.HasSuffix(o.out, "/") || strings.HasSuffix(o.out, string(filepath.Separator)) {
		out = filepath.Join(out, partFile(w.Part.Path))
	} else if err == nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s is no plain file, so it is not replaced", plaintext.Line(out, 1000))
	}
	part, err := assemble.BuildPart(ctx, w, w.Part, ao)
	done()
	if err != nil {
		return err
	}
	data, err := command.Abandon(ctx, part.Encode)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := replaceFile(out, data, 0o644); err != nil {
		return fmt.Errorf("the part cannot be written: %w", err)
	}
	if o.json {
		return p.WriteJSON(partReport{out, part.Path, part.Head, len(data)})
	}
	_, err = fmt.Fprintf(p.Stdout, "built the part of %s@%.7s: %.1f MB, in %s\n", plaintext.Line(part.Name(), 1000), part.Head, float64(len(data))/1e6, plaintext.Line(out, 1000))
	return err
}
