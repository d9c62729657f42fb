package skillsvendor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/skillbuild"
	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/ci/skillupstream"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// programsOf are the platforms whose programs are among a skill's files.
func programsOf(files map[string]string) (all []skillbuild.Platform) {
	for _, p := range skillbuild.Platforms {
		if files[p.Program()] != "" {
			all = append(all, p)
		}
	}
	return all
}

// toolchain is the Go version that the programs of a row were built with, as
// its commit says; "" where it has no programs, or does not say.
func toolchain(ctx context.Context, repo *skillupstream.Repo, row skillslock.Row) (string, error) {
	if len(programsOf(row.Files)) == 0 {
		return "", nil
	}
	f, ok, err := repo.One(ctx, row.Commit, "go.mod")
	if err != nil || !ok {
		return "", err
	}
	contents, err := repo.Contents(ctx, row.Commit, []string{f.Blob})
	if err != nil {
		return "", err
	}
	named, err := skillbuild.Toolchain(contents[f.Blob])
	if err != nil || !skillslock.ValidToolchain(named) {
		return "", nil
	}
	return named, nil
}

// rebuild compares a skill that has programs with the commit that its row
// pins: each file with the commit's, and each program with what its source
// gives. A skill without programs is left alone.
func rebuild(ctx context.Context, p command.Process, s *shelf, u *upstreams, name string, row skillslock.Row) (built, problems []string, err error) {
	programs := programsOf(row.Files)
	if len(programs) == 0 {
		return nil, nil, nil
	}
	report := func(file, format string, args ...any) {
		problems = append(problems, path.Join(name, file)+": "+fmt.Sprintf(format, args...))
	}
	if row.Commit == "" {
		report("", "its commit is not known, so its programs cannot be built again")
		return nil, problems, nil
	}
	repo, err := u.get(ctx, row.Upstream)
	if err != nil {
		return nil, nil, err
	}
	if _, err := repo.Pin(ctx, row.Commit); err != nil {
		return nil, nil, err
	}
	upstream, err := repo.Files(ctx, row.Commit, row.Path)
	if err != nil {
		return nil, nil, err
	}
	if err := addPaths(ctx, repo, row.Commit, row, upstream, false); err != nil {
		return nil, nil, err
	}
	pristine := row.Pristine()
	for _, file := range slices.Sorted(maps.Keys(pristine)) {
		switch f, there := upstream[file]; {
		case !there:
			report(file, "is not in %s", short(row.Commit))
		case f.Blob != pristine[file]:
			report(file, "is another one in %s (%.7s != %.7s)", short(row.Commit), pristine[file], f.Blob)
		}
	}
	named, err := toolchain(ctx, repo, row)
	switch {
	case err != nil:
		return nil, nil, err
	case named == "":
		report("", "%s names no Go toolchain in a go.mod, so its programs cannot be built again", short(row.Commit))
		return nil, problems, nil
	case row.Toolchain != "" && row.Toolchain != named:
		report("", "the lock says that %s built its programs, and %s names %s", row.Toolchain, short(row.Commit), named)
	}
	dir, err := os.MkdirTemp("", "skills-vendor")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	if err := repo.Export(ctx, row.Commit, dir, skillbuild.Sources...); err != nil {
		return nil, nil, err
	}
	for _, platform := range programs {
		out := filepath.Join(dir, "program")
		if err := skillbuild.BuildProgram(ctx, dir, out, platform, p.Env); err != nil {
			if errors.Is(err, exec.ErrNotFound) {
				return nil, nil, stopf("install Go, of any version that fetches toolchains", "go is not on the PATH, so no program can be built again")
			}
			return nil, nil, stopf("if the network is there, use the skills-vendor of the release that is pinned", "%s at %s: %s", name, short(row.Commit), plaintext.Line(err.Error(), 600))
		}
		want, err := os.ReadFile(out)
		if err != nil {
			return nil, nil, err
		}
		file := path.Join(name, platform.Program())
		have, err := s.root.ReadFile(file)
		if err != nil || !bytes.Equal(have, want) {
			report(platform.Program(), "is not what %s builds from %s", named, short(row.Commit))
		}
		built = append(built, file)
	}
	return built, problems, nil
}
