package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A stage is a home directory and a repository for the checks to play in.
type stage struct {
	dir, home, repo string
	program         string // this one
	env             []string
	err             error // of setting up a check; the first
}

const stageURL = "https://github.com/acme/umbrella"

const submoduleFile = "[submodule \"apps/app\"]\n\tpath = apps/app\n\turl = ../app\n"

// newStage makes the stage. What it returns beside an error is to be cleaned,
// too.
func newStage(p command.Process) (*stage, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "session-check")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	s := &stage{dir: dir, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "a clone"), program: program}
	s.env = []string{"HOME=" + s.home, "GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1"}
	for _, name := range []string{"PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot", "GORACE"} {
		if value := p.Getenv(name); value != "" {
			s.env = append(s.env, name+"="+value)
		}
	}
	s.write(dir, "gitconfig", "[core]\n\tfsync = none\n")
	s.write(s.repo, ".claude/routing.json", `{"plugin":"devkit","marketplace":"acme"}`)
	s.client("created", "")
	s.git("init", "-q", ".")
	s.git("config", "remote.origin.url", stageURL+".git")
	s.history()
	return s, s.err
}

// history makes a commit that the bundle is of, a later one with a
// submodule, and the bundle, in one go.
func (s *stage) history() {
	const who = "committer x <x@example.org> 1792483200 +0000\ndata 0\n"
	out := s.input("commit refs/heads/main\n"+who+"\ncommit refs/heads/later\n"+who+
		"from refs/heads/main\nM 160000 "+strings.Repeat("ab", 20)+" apps/app\n\n", "fast-import", "--quiet", "--date-format=raw")
	head := strings.TrimSpace(s.git("rev-parse", "refs/heads/main"))
	if s.err != nil {
		s.err = fmt.Errorf("%w %s", s.err, out)
		return
	}
	build, err := bundle.Encode(bundle.Build{Schema: bundle.Schema, Repo: "umbrella", URL: stageURL, Branch: "main", Head: head, CommitTime: "2026-10-20T08:00:00Z"})
	s.fail(err)
	s.input(fmt.Sprintf("commit refs/marola/routing-bundle\n%sM 100644 inline %s\ndata %d\n%s\n", who, bundle.BuildName, len(build), build), "fast-import", "--quiet")
	s.git("update-ref", "refs/remotes/origin/main", head)
}

func (s *stage) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *stage) clean() { _ = os.RemoveAll(s.dir) }

func (s *stage) write(dir, name, text string) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	s.fail(os.MkdirAll(filepath.Dir(file), 0o777))
	s.fail(os.WriteFile(file, []byte(text), 0o666))
}

// client writes a file of the client's; forget removes it.
func (s *stage) client(name, text string) { s.write(filepath.Join(s.home, ".claude"), name, text) }
func (s *stage) forget(name string) {
	s.fail(os.Remove(filepath.Join(s.home, ".claude", filepath.FromSlash(name))))
}

func (s *stage) git(args ...string) string { return s.input("", args...) }

func (s *stage) input(text string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.repo, s.env, strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.fail(fmt.Errorf("git %s: %w: %s", args[0], err, plaintext.Line(string(out), 200)))
	}
	return string(out)
}

// start is the hook at the start of a session.
func (s *stage) start(set ...string) []string { return s.hook(`{"source":"startup"}`, set...) }

// hook runs this program as the client does, and returns its lines.
func (s *stage) hook(message string, set ...string) []string {
	return s.run(message, set, s.program)
}

// run runs the hook behind a command that starts it.
func (s *stage) run(message string, set []string, command ...string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0])
	cmd.Args = append(slices.Clone(command), "--in", s.repo)
	if len(command) == 1 {
		cmd.Args[0] = "session-check" // the name under which route is the hook
	}
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, append(slices.Clone(s.env), set...), strings.NewReader(message)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	gitstore.EndTogether(cmd)
	if err := cmd.Run(); err != nil {
		s.fail(fmt.Errorf("the hook: %w", err))
	}
	if errs.Len() > 0 {
		s.fail(fmt.Errorf("the hook wrote to standard error: %s", plaintext.Line(errs.String(), 200)))
	}
	if out.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// offline is the check no_network_calls: in a partial clone that lacks the
// bundle's file, which git would download, the hook says that it is not here;
// every git that it starts is told to use no transport; and in a network
// namespace without any network it says the same.
func (s *stage) offline() string {
	s.git("config", "core.repositoryFormatVersion", "1")
	s.git("config", "extensions.partialClone", "origin")
	s.git("config", "remote.origin.promisor", "true")
	blob := strings.TrimSpace(s.git("rev-parse", "refs/marola/routing-bundle:"+bundle.BuildName))
	if len(blob) > 2 {
		s.fail(os.Remove(filepath.Join(s.repo, ".git", "objects", blob[:2], blob[2:])))
	}
	const want = "▸ routing: bundle not local; route fetch"
	never := "MAROLA_PLUGIN_OPTOUT=1"
	if wrong := s.want(s.start(never), want); wrong != "" {
		return wrong
	}
	if runtime.GOOS == "windows" {
		return ""
	}
	if wrong := s.want(s.start(never, s.recordedPath()), want); wrong != "" {
		return wrong
	}
	record, err := os.ReadFile(filepath.Join(s.dir, "record"))
	if err != nil || len(record) == 0 {
		return "git was not started, so nothing is shown"
	}
	for line := range strings.Lines(string(record)) {
		if line != "1 none\n" {
			return fmt.Sprintf("a git was started that may use the network: %q", line)
		}
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil || exec.Command(unshare, "-rn", "true").Run() != nil {
		return "" // not this system, or not allowed here
	}
	return s.want(s.run(`{"source":"startup"}`, []string{never}, unshare, "-rn", "sh", "-c", `p=$1; shift; exec "$p" "$@"`, "sh", s.alias()), want)
}

// recordedPath is a PATH with a git in front that records what it is told
// about the network.
func (s *stage) recordedPath() string {
	real, err := exec.LookPath("git")
	s.fail(err)
	file := filepath.Join(s.dir, "bin", "git")
	s.write(s.dir, "bin/git", "#!/bin/sh\necho \"$GIT_NO_LAZY_FETCH ${GIT_ALLOW_PROTOCOL-any}none\" >>'"+filepath.Join(s.dir, "record")+"'\nexec '"+real+"' \"$@\"\n")
	s.fail(os.Chmod(file, 0o777))
	return "PATH=" + filepath.Dir(file) + string(os.PathListSeparator) + os.Getenv("PATH")
}

// alias is this program under the name of the hook.
func (s *stage) alias() string {
	link := filepath.Join(s.dir, "session-check")
	if err := os.Symlink(s.program, link); err != nil && !errors.Is(err, os.ErrExist) {
		s.fail(err)
	}
	return link
}
