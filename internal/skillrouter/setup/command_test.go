package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
)

// TestHookCommand shows the commands on Windows, which a test here cannot run.
func TestHookCommand(t *testing.T) {
	for _, c := range []struct {
		target        block.Target
		program, want string
	}{
		{block.Codex, `C:\bin\mega-tron.exe`, `if exist C:\bin\mega-tron.exe C:\bin\mega-tron.exe hook`},
		{block.Codex, `C:\My Programs\mega-tron.exe`, `if exist "C:\My Programs\mega-tron.exe" "C:\My Programs\mega-tron.exe" hook`},
		{block.Claude, `C:\bin\mega-tron.exe`, `[ ! -x C:/bin/mega-tron.exe ] || C:/bin/mega-tron.exe claude-hook`},
		{block.Claude, `C:\My Programs\mega-tron.exe`, `[ ! -x 'C:/My Programs/mega-tron.exe' ] || 'C:/My Programs/mega-tron.exe' claude-hook`},
		{block.Gemini, `C:\O'Brien\mega-tron.exe`, `if (Test-Path -LiteralPath 'C:\O''Brien\mega-tron.exe') { & 'C:\O''Brien\mega-tron.exe' gemini-hook }`},
		{block.Hermes, `C:\My Programs\mega-tron.exe`, `"C:\My Programs\mega-tron.exe" hermes-hook`},
	} {
		got := Options{Program: c.program, Windows: true}.hookCommand(c.target, promptVerb[c.target])
		if got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
		if !ourCommand.MatchString(got) {
			t.Errorf("%s is not known again", got)
		}
	}
}

// TestHookRuns runs the commands: with the program, and when it is gone.
func TestHookRuns(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), `o'dd $dir "x"`)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "mega-tron")
	for _, target := range Targets {
		for _, there := range []bool{true, false} {
			command := Options{Program: program}.hookCommand(target, stopVerb[target])
			if !ourCommand.MatchString(command) {
				t.Errorf("%s is not known again", command)
			}
			want := ""
			os.Remove(program)
			if there {
				want = stopVerb[target] + "\n"
				if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			out, err := exec.Command(sh, "-c", command).CombinedOutput()
			if err != nil || string(out) != want {
				t.Errorf("%s: %q, %v", command, out, err)
			}
		}
	}
}
