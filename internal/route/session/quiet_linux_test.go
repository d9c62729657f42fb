package session

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNoNetworkAndNoWrite looks at every system call of the hook and of the
// git that it starts, in a plain clone, in a partial one and in one with
// submodules; and at what has changed on the disk afterwards.
func TestNoNetworkAndNoWrite(t *testing.T) {
	program := build(t)
	f := newFixture(t)
	f.Write(f.dir, map[string][]byte{".gitmodules": []byte("[submodule \"app\"]\n\tpath = app\n\turl = ../app\n")})
	f.Git(f.dir, "update-index", "--add", "--cacheinfo", "160000,"+f.build.Head+",app")
	f.CommitTree(f.dir, "refs/heads/main", f.Git(f.dir, "write-tree"), f.build.Head)
	f.Git(f.dir, "update-index", "--split-index") // so that git is asked, too
	later := f.Git(f.dir, "commit-tree", "-m", "later", "HEAD^{tree}")
	f.Git(f.dir, "update-ref", "refs/remotes/origin/main", later)
	partial := filepath.Join(f.Home, "partial")
	f.Git(f.dir, "config", "uploadpack.allowFilter", "true")
	f.Git(f.Home, "clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+f.dir, partial)
	f.Git(partial, "fetch", "-q", "origin", "+refs/marola/routing-bundle:refs/marola/routing-bundle")
	if err := os.Rename(f.dir, f.dir+" is gone"); err != nil {
		t.Fatal(err)
	}
	f.dir += " is gone"
	for dir, want := range map[string]string{
		f.dir:   fmt.Sprintf("▸ routing: bundle main@%.7s (2 h old), stale; route fetch refreshes it\n▸ opt-in: this ", f.build.Head),
		partial: "▸ routing: bundle not local; route fetch\n",
	} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			before := listing(t, f.Home)
			if got := run(t, program, dir, f.Env, strings.NewReader(startup)); !strings.HasPrefix(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if after := listing(t, f.Home); after != before {
				t.Errorf("the disk has changed: %q", changed(before, after))
			}
			isolated(t, program, dir, f.Env, want)
			traced(t, program, dir, f.Env)
		})
	}
}

// isolated runs the hook where there is no network at all.
func isolated(t *testing.T, program, dir string, env []string, want string) {
	unshare, err := exec.LookPath("unshare")
	if err != nil || exec.Command(unshare, "-rn", "true").Run() != nil {
		t.Log("no network namespaces here; the trace of system calls has to do")
		return
	}
	if got := run(t, unshare, dir, env, strings.NewReader(startup), "-rn", program); !strings.HasPrefix(got, want) {
		t.Errorf("without a network: got %q, want %q", got, want)
	}
}

var (
	opened  = regexp.MustCompile(`^\d+ +(?:openat\(\w+, |open\(|creat\()"((?:[^"\\]|\\.)*)"(?:\.\.\.)?, ([A-Z_|0-9a-z]+)`)
	harmful = regexp.MustCompile(`^\d+ +(\w+)\(`)
)

// traced fails when the hook, or what it starts, makes a system call that
// opens a connection or changes a file. A machine of CI must have strace.
func traced(t *testing.T, program, dir string, env []string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("MAROLA_CI") != "" {
			t.Fatal("strace is missing: .ci/run installs it")
		}
		t.Log("no strace here: only the disk was compared")
		return
	}
	if out, err := exec.Command(strace, "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Logf("processes cannot be traced here: %v, %s", err, out)
		return
	}
	log := filepath.Join(t.TempDir(), "trace")
	const calls = "trace=%network,openat,?open,?creat,?mkdir,mkdirat,?unlink,unlinkat,?rename,?renameat,?renameat2,?link,linkat,?symlink,symlinkat," +
		"?chmod,fchmod,fchmodat,?chown,fchown,fchownat,truncate,ftruncate,?mknod,mknodat,utimensat,?utimes,setxattr,fallocate,execve"
	cmd := exec.Command(strace, "-f", "-qq", "-s", "4096", "-e", calls, "-e", "signal=none", "-o", log, program)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(startup)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(data)) {
		if m := opened.FindStringSubmatch(line); m != nil {
			seen["open"]++
			if strings.ContainsAny(m[2], "|W") && regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND`).MatchString(m[2]) && m[1] != os.DevNull {
				t.Errorf("it opens a file to write: %s", line)
			}
			continue
		}
		m := harmful.FindStringSubmatch(line)
		switch {
		case m == nil: // the end of a call that was interrupted
		case m[1] == "execve":
			seen["execve"]++
		case strings.HasPrefix(m[1], "open"):
		default:
			t.Errorf("it calls: %s", line)
		}
	}
	if seen["execve"] < 2 || seen["open"] < 20 {
		t.Errorf("the trace holds %v: the test does not see the calls", seen)
	}
}

// changed are the lines of two listings that are in one of them only.
func changed(before, after string) (lines []string) {
	had := map[string]bool{}
	for line := range strings.Lines(before) {
		had[line] = true
	}
	for line := range strings.Lines(after) {
		if !had[line] {
			lines = append(lines, "+"+line)
		}
		delete(had, line)
	}
	for line := range had {
		lines = append(lines, "-"+line)
	}
	return lines
}

// listing is every file below dir with its size, mode, time and contents.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		var data []byte
		if st.Mode().IsRegular() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		fmt.Fprintf(&b, "%s %v %d %v %x\n", path, st.Mode(), st.Size(), st.ModTime().UnixNano(), data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
