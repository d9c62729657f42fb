//go:build unix

package evidence

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// TestMain makes the test binary a process that writes verdicts until it is
// killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("EVIDENCE_WRITER"); dir != "" {
		writeForever(dir)
	}
	os.Exit(m.Run())
}

func writeForever(dir string) {
	s, err := Open(context.Background(), filepath.Join(dir, StoreFile))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	k := &skill.Skill{Name: "webhook-signer", Dir: filepath.Join(dir, "webhook-signer")}
	fmt.Println("ready")
	for i := 0; ; i++ {
		u := Turn{Session: fmt.Sprint(os.Getpid()), Host: skill.Codex, ID: fmt.Sprint(i), At: time.Now()}
		if _, err := s.Write(context.Background(), u, []Admitted{{k, FileOf(k), Helpful, reason}}, []Drop{{Tag{"x", Helpful, "y"}, "z"}}, nil); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// TestKilledWriters kills a writer at another moment each time. What is left
// is the old or the new, and the next writer brings store and file together.
func TestKilledWriters(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "webhook-signer", skill.FileName)
	write(t, file, plainSkill)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 25 {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "EVIDENCE_WRITER="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 5)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 1300 * time.Microsecond)
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := skill.Parse(data); err != nil || !strings.HasSuffix(string(data), "---\n# Body\n") {
			t.Fatalf("SKILL.md is neither old nor new: %v\n%s", err, data)
		}
	}
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(dir, StoreFile))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	check := ""
	if err := s.db.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		t.Fatalf("integrity: %s, %v", check, err)
	}
	k := &skill.Skill{Name: "webhook-signer", Dir: filepath.Dir(file)}
	if _, err := s.Write(ctx, turn("last", "1"), []Admitted{{k, file, Helpful, reason}}, nil, nil); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := s.db.QueryRow(`SELECT count(*) FROM verdicts`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	front, err := skill.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.mustRecord(t, k.Name); n < 2 || r.Helpful != n || front.Meta.Helpful != n {
		t.Errorf("%d verdicts; the record counts %d, the file %d", n, r.Helpful, front.Meta.Helpful)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".mega-tron-*")); len(left) > 0 {
		t.Errorf("%d files left", len(left))
	}
}
