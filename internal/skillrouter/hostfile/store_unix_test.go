//go:build unix

package hostfile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
)

// addLine is an edit that anybody may make: a line at the end.
func addLine(now, _ []byte) ([]byte, error) {
	if bytes.Contains(now, []byte("ours")) {
		return now, nil
	}
	return append(bytes.Clone(now), "ours\n"...), nil
}

func addKey(now, _ []byte) ([]byte, error) {
	e, err := jsonplace.Edit(now)
	if err != nil {
		return nil, err
	}
	e.Set([]string{"o"}, jsonplace.Pair{Name: "ours", Value: []byte("1")})
	return e.Bytes()
}

func kindOf(name string) Kind {
	if name == "x.json" {
		return JSON
	}
	return Text
}

func keep(text []byte) ([]byte, error) { return text, nil }

// world is a directory with a text, a JSON and a place for a new file.
type world struct{ dir, data string }

var worldFiles = map[string]string{"text": "one\r\ntwo", "x.json": "{ \"a\": 1, // one\n}\n"}

func newWorld(t *testing.T) world {
	w := world{t.TempDir(), ""}
	w.data = filepath.Join(w.dir, "data", "mega-tron")
	for name, text := range worldFiles {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(w.dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

var order = []string{"text", "x.json", "new/dir/file"}

func (w world) change() error {
	s, err := Open(w.data)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, name := range order {
		edit := Edit(addLine)
		if name == "x.json" {
			edit = addKey
		}
		if _, err := s.Change(filepath.Join(w.dir, name), kindOf(name), edit); err != nil {
			return err
		}
	}
	return nil
}

func (w world) restore() error {
	s, err := Open(w.data)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, name := range order {
		c, err := s.PlanRestore(filepath.Join(w.dir, name), kindOf(name), keep)
		if err == nil {
			err = s.Restore(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read is every file and directory of the world, but for the record.
func (w world) read(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(w.dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			text, err = os.ReadFile(path)
		}
		fmt.Fprintf(&b, "%s %v %q\n", strings.TrimPrefix(path, w.dir), info.Mode(), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGivesBack(t *testing.T) {
	w := newWorld(t)
	was := w.read(t)
	for range 2 {
		for range 2 {
			if err := w.change(); err != nil {
				t.Fatal(err)
			}
		}
		if now, _ := os.ReadFile(filepath.Join(w.dir, "new", "dir", "file")); string(now) != "ours\n" {
			t.Fatalf("the new file has %q", now)
		}
		if err := w.restore(); err != nil {
			t.Fatal(err)
		}
		if now := w.read(t); now != was {
			t.Fatalf("was\n%s\nis\n%s", was, now)
		}
	}
}

// TestKilled ends the process at each step of each write, and holds that every
// file is the old one or the new one, and that all can be given back after.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("HOSTFILE_KILLED"); dir != "" {
		var n int
		fmt.Sscan(os.Getenv("HOSTFILE_STEP"), &n)
		during = func(string) {
			if n--; n == 0 {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
		w := world{dir, filepath.Join(dir, "data", "mega-tron")}
		err := w.change()
		if err == nil {
			err = w.restore()
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	whole := newWorld(t)
	old := whole.read(t)
	if err := whole.change(); err != nil {
		t.Fatal(err)
	}
	fresh := map[string]string{}
	for _, name := range order {
		data, err := os.ReadFile(filepath.Join(whole.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		fresh[name] = string(data)
	}
	killed := 0
	for n := 1; ; n++ {
		w := newWorld(t)
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "HOSTFILE_KILLED="+w.dir, fmt.Sprint("HOSTFILE_STEP=", n))
		out, err := cmd.CombinedOutput()
		for _, name := range order {
			data, err := os.ReadFile(filepath.Join(w.dir, name))
			before, had := worldFiles[name]
			if had && err != nil || err == nil && string(data) != before && string(data) != fresh[name] {
				t.Fatalf("step %d: %s has %q, %v", n, name, data, err)
			}
		}
		ended := err == nil
		if cmd.ProcessState.ExitCode() == 3 {
			t.Fatalf("step %d: %s", n, out)
		}
		if err := w.restore(); err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
		if now := w.read(t); now != old {
			t.Fatalf("step %d: was\n%s\nis\n%s", n, old, now)
		}
		if ended {
			break
		}
		killed++
	}
	if killed < 40 {
		t.Errorf("the process was killed at %d steps only", killed)
	}
}

func nothing(string, string) bool { return false }

// TestRevertKinds takes lines out that hold up lines of somebody else.
func TestRevertKinds(t *testing.T) {
	for _, c := range []struct {
		kind                     Kind
		before, after, now, want string
	}{
		{TOML, "a = 1\n", "a = 1\n\n# >\n[s]\nk = 0\n\n[h.\"x\"]\ny = 1\n# <\n", "a = 1\n\n# >\n[s]\nk = 0\nmine = 1\n\n[h.\"x\"]\ny = 1\n# <\n[new]\nz = 1\n", "a = 1\n[s]\nmine = 1\n[new]\nz = 1\n"},
		{YAML, "a: 1\n", "a: 1\nh:\n  p:\n    - c: x\n", "a: 1\nh:\n  p:\n    - c: x\n    - c: mine\n", "a: 1\nh:\n  p:\n    - c: mine\n"},
		{YAML, "a: 1\n", "a: 1\nh:\n  p:\n    - c: x\n", "h:\n  p:\n    - c: x\nb: 2\n", "b: 2\n"},
		{JSON, "", "{\"a\": 1}", "{\"a\": 1, \"b\": 2}", "{\"b\": 2}"},
	} {
		got, err := c.kind.revert([]byte(c.now), []byte(c.after), []byte(c.before))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v\nwant %q", c.kind, got, err, c.want)
		}
	}
	for kind, now := range map[Kind]string{TOML: "[x\n", YAML: "a: [\n", JSON: "{"} {
		if got, err := kind.revert([]byte(now), []byte("k"), []byte("k")); err == nil {
			t.Errorf("%s: %q became %q", kind, now, got)
		}
	}
}

// TestRevertLines takes lines out of a text that somebody edited.
func TestRevertLines(t *testing.T) {
	for _, c := range []struct{ name, before, after, now, want string }{
		{"theirs behind", "a\n", "a\n\n# >\nx\n# <\n", "a\n\n# >\nx\n# <\nb\n", "a\nb\n"},
		{"theirs before", "a\n", "a\n\n# >\nx\n# <\n", "z\na\n\n# >\nx\n# <\n", "z\na\n"},
		{"theirs within", "a\n", "a\n# >\nx\ny\n# <\n", "a\n# >\nx\nmine\ny\n# <\n", "a\nmine\n"},
		{"other line ends", "a\n", "a\n# >\nx\n# <\n", "b\r\na\r\n# >\r\nx\r\n# <\r\n", "b\r\na\r\n"},
		{"no end before", "a", "a\n# >\nx\n# <\n", "b\na\n# >\nx\n# <\n", "b\na"},
		{"no end before, theirs behind", "a", "a\n# >\nx\n# <\n", "a\n# >\nx\n# <\nb\n", "a\nb\n"},
		{"replaced", "k = 1\nl = 2\n", "k = 0\nl = 2\n", "k = 0\nl = 3\n", "k = 1\nl = 3\n"},
		{"replaced, and changed since", "k = 1\n", "k = 0\n", "k = 7\n", "k = 7\n"},
		{"removed", "a\nb\nc\n", "a\nc\n", "a\nc\nd\n", "a\nb\nc\nd\n"},
		{"all is gone", "a\n", "a\nx\n", "", ""},
		{"new file", "", "x\n", "x\nb\n", "b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := revertLines(c.now, c.after, c.before, nothing); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzRevertLines: without an edit in between, the text before comes back; an
// edit at the start stays, and nothing else.
func FuzzRevertLines(f *testing.F) {
	f.Add("a\nb\n", 1, "x\ny\n")
	f.Add("a", 0, "x")
	f.Add("\n\n\r\n", 2, "\n")
	f.Fuzz(func(t *testing.T, before string, at int, added string) {
		rows := lines(before)
		if at < 0 || at > len(rows) || len(before)+len(added) > 2000 {
			return
		}
		if added != "" && !strings.HasSuffix(added, "\n") {
			added += "\n"
		}
		if at == len(rows) && !strings.HasSuffix(before, "\n") && before != "" {
			return // joins a line: no insertion of lines
		}
		after := strings.Join(rows[:at], "") + added + strings.Join(rows[at:], "")
		plain := func(s string) string { return strings.ReplaceAll(s, "\r", "") }
		if got := revertLines(after, after, before, nothing); plain(got) != plain(before) {
			t.Fatalf("%q became %q and then %q", before, after, got)
		}
		if got := revertLines("theirs, only theirs\n"+after, after, before, nothing); plain(got) != plain("theirs, only theirs\n"+before) {
			t.Fatalf("%q became %q and then, edited, %q", before, after, got)
		}
	})
}
