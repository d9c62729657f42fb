package skillsvendor

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/ci/skillupstream"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

type initOptions struct {
	lock, upstream, path, sha string
	paths                     []string
}

func initVerb() command.Verb {
	return command.Verb{
		Name:     "init",
		Synopsis: "NAME --upstream OWNER/REPO --path DIR [--sha COMMIT] [--paths FILE=UPSTREAM]… [--lock FILE]",
		Summary:  "makes a row of the lock from a skill that is here already",
		Help: `The files below the skill's directory are compared with upstream. Without --sha the
newest of the last 200 commits that changed the upstream's directory and has the
same files is pinned; where there is none, the row's commit is null, and a notice
says so. An upstream is owner/repo on GitHub, or an https, ssh or file address.`,
		Examples: []string{
			"skills-vendor init humanizer --upstream blader/humanizer --path .",
			"skills-vendor init citation-cff --upstream zircote/github-social --path skills/citation-cff --paths LICENSE=LICENSE",
		},
		Min: 1, Max: 1,
		Setup: func(fs *flag.FlagSet) command.Run {
			var o initOptions
			lock := lockFlag(fs)
			fs.StringVar(&o.upstream, "upstream", "", "where the skill comes from, `OWNER/REPO` or an address")
			fs.StringVar(&o.path, "path", "", "its `DIR` upstream; . is the root")
			fs.StringVar(&o.sha, "sha", "", "pin this `COMMIT`")
			fs.Func("paths", "a file that stands elsewhere upstream, `FILE=UPSTREAM`; may be repeated", func(s string) error {
				o.paths = append(o.paths, s)
				return nil
			})
			return func(ctx context.Context, p command.Process, args []string) error {
				o.lock = *lock
				row, err := o.row(args[0])
				if err != nil {
					return err
				}
				return initialize(ctx, p, o, args[0], row)
			}
		},
	}
}

func (o initOptions) row(name string) (skillslock.Row, error) {
	row := skillslock.Row{Upstream: o.upstream, Path: strings.Trim(o.path, "/"), Files: map[string]string{}}
	if row.Path == "." {
		row.Path = ""
	}
	switch _, err := skillslock.Address(o.upstream); {
	case !skillslock.ValidName(name):
		return row, command.Usage("init: %q is not a skill's name", plaintext.Line(name, 100))
	case o.upstream == "" || o.path == "":
		return row, command.Usage("init: --upstream and --path are needed")
	case err != nil:
		return row, command.Usage("init: --%v", err)
	case row.Path != "" && !skillslock.ValidPath(row.Path):
		return row, command.Usage("init: --path %q is not a directory of a repository", plaintext.Line(o.path, 100))
	case o.sha != "" && !gitstore.IsHash(o.sha):
		return row, command.Usage("init: --sha takes the 40 hex digits of a commit")
	}
	for _, pair := range o.paths {
		file, up, ok := strings.Cut(pair, "=")
		if !ok || !skillslock.ValidPath(file) || !skillslock.ValidPath(up) {
			return row, command.Usage("init: --paths %q is not FILE=UPSTREAM", plaintext.Line(pair, 100))
		}
		if row.Paths == nil {
			row.Paths = map[string]string{}
		}
		row.Paths[file] = up
	}
	return row, nil
}

func initialize(ctx context.Context, p command.Process, o initOptions, name string, row skillslock.Row) error {
	s, err := openShelf(p, o.lock)
	if err != nil {
		return err
	}
	defer s.close()
	if _, there := s.lock.Row(name); there {
		return stopf("skills-vendor update "+name+" takes what is new", "%s is in the lock already", name)
	}
	found, err := s.scan(name, row)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return stopf("copy the skill there first", "there are no files in %s beside the lock", name)
	}
	executable := map[string]string{}
	texts := map[string][]byte{}
	for file, f := range found {
		if f.Refused != "" {
			return stopf("replace it by a plain file", "%s/%s %s", name, plaintext.Line(file, 200), f.Refused)
		}
		row.Files[file] = f.Blob
		if f.Executable {
			executable[file] = skillslock.Executable
		}
		if file == "SKILL.md" || strings.HasPrefix(file, "LICENSE") {
			if texts[file], err = s.root.ReadFile(name + "/" + file); err != nil {
				return err
			}
		}
	}
	if err := skillslock.CheckPaths(slices.Sorted(maps.Keys(row.Files))); err != nil {
		return stopf("rename the file", "%s: %v", name, err)
	}
	row.License = licenceOf(texts)
	u := &upstreams{env: p.Env}
	defer u.close()
	repo, err := u.get(ctx, row.Upstream)
	if err != nil {
		return err
	}
	candidates := []skillupstream.Commit{}
	if o.sha != "" {
		c, err := repo.Pin(ctx, o.sha)
		if err != nil {
			return err
		}
		candidates = append(candidates, c)
	} else if candidates, err = repo.History(ctx, row.Path, 200); err != nil {
		return err
	}
	for _, c := range candidates {
		files, same := matching(ctx, repo, c.Hash, row)
		if same || o.sha != "" {
			row.Commit = c.Hash
			if m := modes(files, false); same && m != nil {
				row.Modes = m
			}
			break
		}
	}
	if row.Commit == "" {
		fmt.Fprintf(p.Stderr, "notice: none of the last 200 commits of %s has just these files; the commit stays open\n", row.Upstream)
	}
	if row.Modes == nil && len(executable) > 0 && row.Commit == "" {
		row.Modes = executable
	}
	if err := s.lock.Set(name, row); err != nil {
		return err
	}
	if err := s.save(); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s: %s at %s\n", name, count(len(row.Files), "file"), short(row.Commit))
	return nil
}

// matching reports whether a commit has all files of the row, as they are.
func matching(ctx context.Context, repo *skillupstream.Repo, commit string, row skillslock.Row) (map[string]skillupstream.File, bool) {
	upstream, err := repo.Files(ctx, commit, row.Path)
	if err != nil {
		return nil, false
	}
	if addPaths(ctx, repo, commit, row, upstream, false) != nil {
		return nil, false
	}
	files := map[string]skillupstream.File{}
	for file, blob := range row.Files {
		f, ok := upstream[file]
		if !ok || f.Blob != blob {
			return nil, false
		}
		files[file] = f
	}
	return files, true
}
