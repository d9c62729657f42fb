//go:build unix

package skillbuild

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stage is a repository's skill with a fake program for each platform, which
// says its path and arguments, and a uname that says what it is told.
func stage(t *testing.T, root string) (env []string) {
	t.Helper()
	skill := filepath.Join(root, ".claude", "skills", "routing")
	for _, name := range []string{"route", "session-check.sh"} {
		data, err := os.ReadFile(filepath.Join(module(t), filepath.FromSlash(Dir), "scripts", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(skill, "scripts", name), string(data), 0o644) // a checkout that lost the bits
	}
	for _, p := range Platforms {
		write(t, filepath.Join(skill, filepath.FromSlash(p.Program())), "#!/bin/sh\necho "+string(p)+` "$@"; echo trouble >&2; exit 7`+"\n", 0o755)
	}
	tools := t.TempDir()
	write(t, filepath.Join(tools, "uname"), "#!/bin/sh\necho \"$UNAME\"\n", 0o755)
	for _, stub := range []string{"python3", "python", "go", "nix"} { // H11
		write(t, filepath.Join(tools, stub), "#!/bin/sh\necho stub ran >&2\nexit 9009\n", 0o755)
	}
	return []string{"PATH=" + tools + ":/usr/bin:/bin"}
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// shell runs a script and returns both streams and the exit code.
func shell(dir string, env []string, script string, args ...string) (out, errs string, code int) {
	cmd := exec.Command("sh", append([]string{"-c", script}, args...)...)
	var o, e bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.Stdin = dir, env, &o, &e, strings.NewReader(`{"source":"startup"}`)
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		code = -1
	}
	return o.String(), e.String(), code
}

func TestLaunchersChooseThePlatform(t *testing.T) {
	root := t.TempDir()
	env := stage(t, root)
	for uname, want := range map[string]string{
		"Linux x86_64": "linux-amd64", "Linux aarch64": "linux-arm64", "Linux arm64": "linux-arm64", "Darwin x86_64": "darwin-amd64", "Darwin arm64": "darwin-arm64",
		"MINGW64_NT-10.0-22631 x86_64": "windows-amd64", "MSYS_NT-10.0 x86_64": "windows-amd64", "CYGWIN_NT-10.0 x86_64": "windows-amd64",
		"MINGW64_NT-10.0-ARM64 aarch64": "windows-amd64",
		"FreeBSD amd64":                 "", "Linux riscv64": "", "Linux armv7l": "", "": "",
	} {
		env := append(env, "UNAME="+uname)
		out, _, code := shell(root, env, "sh .claude/skills/routing/scripts/route query 'a b' /x")
		switch {
		case want == "" && (out != "no route binary for this platform; use git grep\n" || code != 0):
			t.Errorf("%q: %q, exit %d", uname, out, code)
		case want != "" && (out != want+" query a b /x\n" || code != 7):
			t.Errorf("%q: %q, exit %d", uname, out, code)
		}
		out, errs, code := shell(root, env, hookCommand)
		if wantOut := want + " session-check\n"; want == "" && out != "" || want != "" && out != wantOut || errs != "" || code != 0 {
			t.Errorf("%q: the hook says %q and %q, exit %d", uname, out, errs, code)
		}
	}
}

// TestLaunchersWithoutAProgram: nothing that is missing or not executable is
// a failure, and the hook says nothing about it.
func TestLaunchersWithoutAProgram(t *testing.T) {
	root := t.TempDir()
	env := append(stage(t, root), "UNAME=Linux x86_64")
	program := filepath.Join(root, ".claude/skills/routing/bin/linux-amd64/route")
	if err := os.Chmod(program, 0o644); err != nil {
		t.Fatal(err)
	}
	out, errs, code := shell(root, env, "sh .claude/skills/routing/scripts/route status")
	if want := "route has lost its executable bit: chmod +x .claude/skills/routing/scripts/../bin/linux-amd64/route; until then use git grep\n"; out != want || errs != "" || code != 0 {
		t.Errorf("%q, %q, exit %d; want %q", out, errs, code, want)
	}
	if out, errs, code = shell(root, env, hookCommand); out != "" || errs != "" || code != 0 {
		t.Errorf("the hook: %q, %q, exit %d", out, errs, code)
	}
	write(t, program, "not a program", 0o755)
	if out, errs, code = shell(root, env, hookCommand); out != "" || errs != "" || code != 0 {
		t.Errorf("a file that is no program: the hook: %q, %q, exit %d", out, errs, code)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	if out, errs, code = shell(root, env, "sh .claude/skills/routing/scripts/route status"); out != "no route binary for this platform; use git grep\n" || errs != "" || code != 0 {
		t.Errorf("%q, %q, exit %d", out, errs, code)
	}
	if out, errs, code = shell(root, env, hookCommand); out != "" || errs != "" || code != 0 {
		t.Errorf("the hook: %q, %q, exit %d", out, errs, code)
	}
	if out, errs, code = shell(root, env, "sh .claude/skills/routing/scripts/session-check.sh --self-test"); out != "" || errs == "" || code != 1 {
		t.Errorf("the checks without a program: %q, %q, exit %d", out, errs, code)
	}
}

// TestH04H05H07Places: spaces and other characters in paths, paths of
// Windows, and working directories that are not the root.
func TestH04H05H07Places(t *testing.T) {
	root := filepath.Join(t.TempDir(), "My Drive", `é @x$HOME"'`)
	env := append(stage(t, root), "UNAME=Linux x86_64")
	deeper := filepath.Join(root, "a", "b")
	write(t, filepath.Join(deeper, "x"), "", 0o644)
	for name, c := range map[string]struct{ dir, script, want string }{
		"H04 the settings' entry":   {t.TempDir(), "CLAUDE_PROJECT_DIR='" + strings.ReplaceAll(root, "'", `'\''`) + "'; " + hookCommand, "session-check\n"},
		"H07 in the root, unset":    {root, hookCommand, "session-check\n"},
		"H07 elsewhere, unset":      {t.TempDir(), hookCommand + " 2>/dev/null; true", ""},
		"deeper":                    {deeper, "sh ../../.claude/skills/routing/scripts/route status 2>/dev/null", "status\n"},
		"in the launchers' own":     {filepath.Join(root, ".claude/skills/routing/scripts"), "sh route status 2>/dev/null", "status\n"},
		"the hook in its directory": {filepath.Join(root, ".claude/skills/routing/scripts"), "sh session-check.sh", "session-check\n"},
	} {
		want := c.want
		if want != "" {
			want = "linux-amd64 " + want
		}
		if out, errs, code := shell(c.dir, env, c.script); out != want || errs != "" || code != 0 && !strings.Contains(want, "status") {
			t.Errorf("%s: %q, %q, exit %d; want %q", name, out, errs, code, want)
		}
	}
	// H05: on Windows the path may come with backslashes, which dirname does
	// not know. Here a file of just such a name stands for it.
	windows := t.TempDir()
	env = append(stage(t, filepath.Join(windows, "t", "n")), "UNAME=MINGW64_NT-10.0 x86_64")
	for _, name := range []string{"route", "session-check.sh"} {
		data, err := os.ReadFile(filepath.Join(windows, "t", "n", ".claude/skills/routing/scripts", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(windows, `t\n\.claude\skills\routing\scripts\`+name), string(data), 0o644)
		out, errs, _ := shell(windows, env, `sh 't\n\.claude\skills\routing\scripts\`+name+`'`)
		if !strings.HasPrefix(out, "windows-amd64") || strings.TrimSpace(errs) != "trouble" && name == "route" {
			t.Errorf("H05 %s: %q, %q", name, out, errs)
		}
	}
}
