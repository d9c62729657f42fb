package gitstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadEnvironment(t *testing.T) {
	env := readEnvironment([]string{"PATH=/bin", "GIT_DIR=/x", "GIT_GRAFT_FILE=/x", "git_work_tree=/x", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b",
		"GIT_CONFIG_VALUE_0=c", "GIT_CONFIG_PARAMETERS='a.b=c'", "LC_ALL=de_DE", "GIT_ASKPASS=/ask", "GIT_ALLOW_PROTOCOL=ext"})
	for _, want := range []string{"PATH=/bin", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c", "GIT_CONFIG_PARAMETERS='a.b=c'",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=never", "LC_ALL=C", "GIT_ASKPASS=false", "GIT_ALLOW_PROTOCOL=", "GIT_GRAFT_FILE=/dev/null/none"} {
		if !slices.Contains(env, want) {
			t.Errorf("G09 G11 %s is missing in %q", want, env)
		}
	}
	seen := map[string]bool{}
	for _, kv := range env {
		if k := key(kv); seen[k] || dropped[k] && !slices.Contains([]string{"GIT_NO_REPLACE_OBJECTS", "GIT_GRAFT_FILE"}, k) {
			t.Errorf("%s must not stand there, or twice", kv)
		} else {
			seen[k] = true
		}
	}
}

func TestUnattendedSSH(t *testing.T) {
	const quiet = " -oBatchMode=yes -oConnectTimeout=5"
	for _, c := range []struct {
		name, env, configured, want string
	}{
		{"nothing chosen", "", "", "ssh" + quiet},
		{"core.sshCommand", "", "ssh -i key", "ssh -i key" + quiet},
		{"the environment before it", "GIT_SSH_COMMAND=myssh -v", "ssh -i key", "myssh -v" + quiet},
		{"GIT_SSH is a program", "GIT_SSH=/opt/my ssh's/ssh", "", `'/opt/my ssh'\''s/ssh'` + quiet},
		{"plink", `GIT_SSH=C:\Putty\plink.exe`, "", `'C:\Putty\plink.exe' -batch`},
		{"a simple one takes no options", "GIT_SSH_VARIANT=simple", "wrap", "wrap"},
	} {
		t.Run("G10 "+c.name, func(t *testing.T) {
			if got := unattendedSSH([]string{c.env}, c.configured); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestValidRef(t *testing.T) {
	for _, good := range []string{"refs/marola/routing-bundle", "main", "a/b.c", "é", "refs/remotes/my-remote/x", "a@b"} {
		if !ValidRef(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", "-x", "@", "a..b", "a@{1}", "a b", "a~1", "a^", "a:b", "a?", "a*", "a[", `a\b`, "a\n", "a\x7f", "/a", "a/", "a//b",
		".a", "a/.b", "a.lock", "a.lock/b", "a.", strings.Repeat("a", 256)} {
		if ValidRef(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestValidBranch holds it to git's own word.
func TestValidBranch(t *testing.T) {
	for _, name := range []string{"main", "a/b.c", "HEAD/x", "x/HEAD", "head", "a@b", "feature/@", "HEAD", "-", "-x", "--upload-pack=x", "@{-1}", "a@{1}", "a..b", "a b", "a~1", "a^", "a:b", "a.lock", "/a", "a/", "a//b", ".a", "a."} {
		cmd := exec.Command("git", "check-ref-format", "--branch", name)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(cmd.Dir)}
		if git := cmd.Run() == nil; ValidBranch(name) != git {
			t.Errorf("%q: %v, and git says %v", name, !git, git)
		}
	}
	for _, name := range []string{"refs/heads/x", "@"} { // git reads these as something else
		if ValidBranch(name) {
			t.Errorf("%q is taken", name)
		}
	}
}

func TestParseConfig(t *testing.T) {
	got := ParseConfig([]byte("[core]\n\tbare = false ; no\n[Remote \"o\\\"r\"]\n url=\"a b\"# c\n\tFetch = +x\\\n:y\nflag\n[marola] umbrella = x\\ty  \n" +
		"[old.Style]\n a = b\n[broken \"x]\n c = d\n[remote \"b\"]\r\n\turl = c:\\\\d\r\n"))
	want := Config{{"core.bare", "false"}, {`remote.o"r.url`, "a b"}, {`remote.o"r.fetch`, "+x:y"}, {`remote.o"r.flag`, "true"},
		{"marola.umbrella", "x\ty"}, {"old.style.a", "b"}, {"remote.b.url", `c:\d`}}
	got = slices.DeleteFunc(got, func(s Setting) bool { return strings.HasSuffix(s.Key, ".c") })
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if r := got.Remotes(); len(r) != 2 || r[0] != (Remote{`o"r`, "a b"}) || r[1].Name != "b" {
		t.Errorf("Remotes = %q", r)
	}
}

func TestHeadFromFiles(t *testing.T) {
	hash := strings.Repeat("ab", 20)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"detached", map[string]string{"HEAD": hash + "\n"}, hash},
		{"loose", map[string]string{"HEAD": "ref: refs/heads/a/b\n", "refs/heads/a/b": hash + "\n"}, hash},
		{"packed", map[string]string{"HEAD": "ref: refs/heads/a\n", "packed-refs": "# pack-refs\n" + hash + " refs/heads/a\n^" + hash + "\n"}, hash},
		{"unborn", map[string]string{"HEAD": "ref: refs/heads/a\n"}, ""},
		{"reftable", map[string]string{"HEAD": "ref: refs/heads/.invalid\n"}, ""},
		{"out of the directory", map[string]string{"HEAD": "ref: refs/../../x\n"}, ""},
		{"a circle", map[string]string{"HEAD": "ref: refs/heads/a\n", "refs/heads/a": "ref: refs/heads/a\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			got, ok := Place{GitDir: dir, CommonDir: dir}.Head()
			if got != c.want && ok || ok != (c.want != "") {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 graph.json\x00"+strings.Repeat("a", 20)), 20)
	f.Add([]byte("40000 words\x00"+strings.Repeat("b", 32)), 32)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if n != 20 && n != 32 {
			n = 20
		}
		entries, err := parseTree(data, n)
		if err == nil && len(entries)*(n+2) > len(data) {
			t.Errorf("%d entries out of %d bytes", len(entries), len(data))
		}
		for _, e := range entries {
			if len(e.hash) != 2*n {
				t.Errorf("hash %q", e.hash)
			}
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("[remote \"a\"]\n\turl = x # y\n"))
	f.Add([]byte("[a]b=\"c\\"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range ParseConfig(data) {
			if !strings.Contains(s.Key, ".") {
				t.Errorf("key %q", s.Key)
			}
		}
	})
}
