// Skill is what make skill and make skill-commit run.
//
//	go run ./internal/ci/skillbuild/skill build DIR [PLATFORM…]
//	go run ./internal/ci/skillbuild/skill release-commit
//
// build writes the vendored skill to DIR, which it removes first if it holds
// a skill, and fails when the programs of all platforms pass their budget.
// release-commit prints the commit that holds the programs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/ci/skillbuild"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "skill:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "build":
		return build(args[1], args[2:])
	case len(args) == 1 && args[0] == "release-commit":
		commit, size, err := skillbuild.ReleaseCommit(context.Background(), ".", os.Environ())
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s\nhint: git tag -s vX.Y.Z %s && git push origin vX.Y.Z\n", line("all", size), commit)
		fmt.Println(commit)
		return nil
	}
	return errors.New("build DIR [PLATFORM…] or release-commit")
}

func build(dir string, names []string) error {
	platforms := skillbuild.Platforms
	if len(names) > 0 {
		platforms = nil
		for _, name := range names {
			platforms = append(platforms, skillbuild.Platform(name))
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "SKILL.md")); err == nil {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := skillbuild.Build(context.Background(), ".", dir, platforms, os.Environ()); err != nil {
		return err
	}
	each, total, err := skillbuild.Measure(context.Background(), dir, platforms, os.Environ())
	if err != nil {
		return err
	}
	for _, p := range platforms {
		fmt.Println(line(string(p), each[p]))
	}
	fmt.Println(line("all", total))
	if over := total.Over(); over != "" {
		return errors.New(over)
	}
	return nil
}

func line(name string, s skillbuild.Size) string {
	return fmt.Sprintf("%-14s %5.2f MB, packed %5.2f MB", name, float64(s.Raw)/1e6, float64(s.Packed)/1e6)
}
