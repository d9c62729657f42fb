package skillslock

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const plain = `{
  "version": 1,
  "skills": {
    "a-skill": {
      "upstream": "o/r",
      "path": "",
      "commit": "0123456789012345678901234567890123456789",
      "files": {
        "SKILL.md": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      },
      "license": "MIT",
      "local_edits": null,
      "hold": null
    },
    "b": {
      "upstream": "o/r",
      "path": "skills/b",
      "commit": null,
      "files": {},
      "license": null,
      "local_edits": "patches/b.patch",
      "hold": "waits for <review> & more",
      "paths": {
        "LICENSE": "LICENSE"
      },
      "upstream_files": {}
    }
  }
}
`

func parse(t testing.TB, text string) *Lock {
	t.Helper()
	l, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestUnchangedIsTheSame: whatever a lock looks like, one that nobody changed
// has the same bytes, and a row that nobody changed has them, too.
func TestUnchangedIsTheSame(t *testing.T) {
	odd := strings.Replace(strings.Replace(plain, "\n", "\r\n", -1), `"hold": null`, `"hold" :null , "later":  {"x":[1.0]}`, 1)
	for name, text := range map[string]string{"plain": plain, "a byte order mark": "\ufeff" + plain, "other line ends, keys and blanks": odd, "one line": `{"skills":{},"version":1,"more":{"a":1}}`} {
		l := parse(t, text)
		for _, skill := range l.Names() {
			row, _ := l.Row(skill)
			if err := l.Set(skill, row); err != nil {
				t.Fatal(err)
			}
		}
		if got := string(l.Bytes()); got != text {
			t.Errorf("%s: it is\n%s\nwas\n%s", name, got, text)
		}
	}
	l := parse(t, odd)
	row, _ := l.Row("b")
	row.Commit = strings.Repeat("b", 40)
	if err := l.Set("b", row); err != nil {
		t.Fatal(err)
	}
	got := string(l.Bytes())
	at := strings.Index(odd, `"b": {`)
	if got[:at] != odd[:at] || !strings.Contains(got, `"commit": "`+row.Commit+`"`) || strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\n") {
		t.Errorf("a change of one row gave\n%s", got)
	}
}

// TestForm: a row that is written anew has this format's own form.
func TestForm(t *testing.T) {
	l := parse(t, plain)
	made := New()
	for _, name := range []string{"b", "a-skill"} {
		row, ok := l.Row(name)
		if !ok {
			t.Fatal(name)
		}
		if err := made.Set(name, row); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(made.Bytes()); got != plain {
		t.Errorf("it is\n%s\nwant\n%s", got, plain)
	}
	row, _ := l.Row("a-skill")
	row.Modes, row.Platforms, row.Follow, row.Toolchain = map[string]string{"SKILL.md": Executable}, []string{"linux-amd64", "windows-amd64"}, "releases", "go1.26.8"
	if err := l.Set("a-skill", row); err != nil {
		t.Fatal(err)
	}
	want := "\n      \"hold\": null,\n      \"modes\": {\n        \"SKILL.md\": \"100755\"\n      },\n      \"platforms\": [\"linux-amd64\", \"windows-amd64\"],\n      \"follow\": \"releases\",\n      \"toolchain\": \"go1.26.8\"\n    }"
	if got := string(l.Bytes()); !strings.Contains(got, want) {
		t.Errorf("it is\n%s\nwithout\n%s", got, want)
	}
	again, _ := parse(t, string(l.Bytes())).Row("a-skill")
	if !again.equal(row) {
		t.Errorf("read again it is %+v", again)
	}
}

// TestAddAndRemove: a row that is put in and taken out leaves every byte, and
// so does one that is taken out beside others.
func TestAddAndRemove(t *testing.T) {
	row := Row{Upstream: "o/r", Files: map[string]string{}}
	for _, text := range []string{plain, strings.ReplaceAll(plain, "    ", "\t"), string(New().Bytes())} {
		for _, name := range []string{"0", "a-z", "z"} {
			l := parse(t, text)
			if err := l.Set(name, row); err != nil {
				t.Fatal(err)
			}
			l = parse(t, string(l.Bytes()))
			if !slices.IsSorted(l.Names()) || !slices.Contains(l.Names(), name) {
				t.Errorf("its rows are %q", l.Names())
			}
			l.Remove(name)
			if got := string(l.Bytes()); got != text {
				t.Errorf("%s: it is\n%s\nwas\n%s", name, got, text)
			}
		}
	}
	l := parse(t, plain)
	l.Remove("a-skill")
	l.Remove("b")
	if got := string(l.Bytes()); got != string(New().Bytes()) || len(l.Names()) > 0 {
		t.Errorf("without rows it is\n%s", got)
	}
}

func TestUnknownKeysOfARowStay(t *testing.T) {
	l := parse(t, strings.Replace(plain, `"hold": null`, `"hold": null, "later": {"x": [1.0]}`, 1))
	row, _ := l.Row("a-skill")
	row.Hold = "no"
	if err := l.Set("a-skill", row); err != nil {
		t.Fatal(err)
	}
	if got := string(l.Bytes()); !strings.Contains(got, `"later": {"x": [1.0]}`) {
		t.Errorf("it is\n%s", got)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, from, to string }{
		{"another version", `"version": 1`, `"version": 2`},
		{"no skills", `"skills"`, `"skill"`},
		{"R50 a key twice", `"path": "",`, `"path": "", "PATH": "x",`},
		{"J05 invalid UTF-8", `"MIT"`, "\"\xff\""},
		{"not JSON", `"MIT"`, `MIT`},
		{"a skill that leaves its directory", `"a-skill"`, `"../a"`},
		{"a skill in a directory of git", `"a-skill"`, `".git"`},
		{"a file that leaves it", `"SKILL.md"`, `"../SKILL.md"`},
		{"a file of git", `"SKILL.md"`, `"x/.GIT/config"`},
		{"an absolute file", `"SKILL.md"`, `"/etc/passwd"`},
		{"a Windows path", `"SKILL.md"`, `"C:x"`},
		{"a device", `"SKILL.md"`, `"aux.md"`},
		{"a hash that is none", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaa"},
		{"a commit that is none", "0123456789012345678901234567890123456789", "--upload-pack=x"},
		{"a patch from elsewhere", "patches/b.patch", "../b.patch"},
		{"an option", `"o/r"`, `"--upload-pack=touch x"`},
		{"a program to run", `"o/r"`, `"ext::sh -c x"`},
		{"a password", `"o/r"`, `"https://a:b@example.org/x"`},
		{"another scheme", `"o/r"`, `"http://example.org/x"`},
		{"a directory above", `"path": ""`, `"path": "../x"`},
		{"control characters", `"MIT"`, `"M\u001bIT"`},
		{"files that are null", `"files": {}`, `"files": null`},
		{"no files", `"files": {},`, ``},
		{"files in a list", `"files": {}`, `"files": []`},
		{"a mode of no file", `"hold": null`, `"hold": null, "modes": {"x": "100755"}`},
		{"another mode", `"hold": null`, `"hold": null, "modes": {"SKILL.md": "104755"}`},
		{"a platform that is none", `"hold": null`, `"hold": null, "platforms": ["../x-y"]`},
		{"another thing to follow", `"hold": null`, `"hold": null, "follow": "main"`},
		{"a toolchain that is none", `"hold": null`, `"hold": null, "toolchain": "local"`},
	} {
		text := strings.Replace(plain, c.from, c.to, 1)
		if text == plain {
			t.Fatalf("%s changes nothing", c.name)
		}
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s is accepted", c.name)
		} else if !strings.HasPrefix(err.Error(), "skills.lock: ") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Parse(bytes.Repeat([]byte(" "), MaxSize+1)); err == nil {
		t.Error("a lock of any size is read")
	}
}

func TestAddress(t *testing.T) {
	for upstream, want := range map[string]string{
		"o/r": "https://github.com/o/r.git", "https://example.org/a/b.git": "https://example.org/a/b.git", "ssh://git@example.org:22/a": "ssh://git@example.org:22/a",
		"git@example.org:a/b": "git@example.org:a/b", "file:///srv/a": "file:///srv/a",
	} {
		if got, err := Address(upstream); err != nil || got != want {
			t.Errorf("%s: %q, %v", upstream, got, err)
		}
	}
	for _, bad := range []string{"", "-o/r", "o", "/srv/a", "../a", "fd::17", "git@-oProxyCommand=x:a", "git@h:-x", "ssh://-oProxyCommand=x/a", "https:///a", "https://h/", "o/r\n", "a b:c"} {
		if got, err := Address(bad); err == nil {
			t.Errorf("%q is accepted as %q", bad, got)
		}
	}
}

func TestCheckPaths(t *testing.T) {
	for _, bad := range [][]string{{"a", "A"}, {"a", "a/b"}, {"A/b", "a"}, {"a/../b"}, {"a//b"}, {"a\\b"}, {"a."}, {"git~1"}, {strings.Repeat("x", 241)}, {""}, {"."}} {
		if CheckPaths(bad) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if err := CheckPaths([]string{"a/b", "a/c", "a.md", ".github/x", "ü"}); err != nil {
		t.Error(err)
	}
}

// TestBlob: hashes that git itself has given.
func TestBlob(t *testing.T) {
	for text, want := range map[string]string{"": "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "hello\n": "ce013625030ba8dba906f756967f9e9ca394464a"} {
		if got := Blob([]byte(text)); got != want {
			t.Errorf("%q has %s, want %s", text, got, want)
		}
	}
}

// TestLineEnds: a checkout that has other line ends is no difference, on a
// system where git makes them.
func TestLineEnds(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "s"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "s", "x"), []byte("hello\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	row := Row{Files: map[string]string{"x": "ce013625030ba8dba906f756967f9e9ca394464a"}}
	for fold, want := range map[bool]int{true: 0, false: 1} {
		found, err := Scan(root, "s", row.Files, fold)
		if err != nil {
			t.Fatal(err)
		}
		if got := Problems("s", row, found, false); len(got) != want {
			t.Errorf("fold %v: %q", fold, got)
		}
	}
}

// FuzzParse: no text makes it fail in another way than by an error; what is
// accepted comes back byte for byte, and what is written is accepted.
func FuzzParse(f *testing.F) {
	f.Add([]byte(plain))
	f.Add([]byte("\xef\xbb\xbf" + strings.ReplaceAll(plain, "\n", "\r\n")))
	f.Add([]byte(`{"skills":{"x":{"upstream":"o/r","path":"","commit":null,"files":{},"z":1}},"version":1}`))
	f.Add([]byte(`{"version":1,"skills":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Parse(data)
		if err != nil {
			return
		}
		if got := l.Bytes(); !bytes.Equal(got, data) {
			t.Fatalf("it comes back as %q", got)
		}
		names := l.Names()
		for _, name := range names {
			row, _ := l.Row(name)
			row.Hold += "x"
			if len(row.Hold) > maxText {
				return
			}
			if err := l.Set(name, row); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if err := l.Set("added", Row{Upstream: "o/r", Files: map[string]string{}}); err != nil {
			return
		}
		again, err := Parse(l.Bytes())
		if err != nil {
			t.Fatalf("%v in %q", err, l.Bytes())
		}
		for _, name := range names {
			a, _ := l.Row(name)
			b, _ := again.Row(name)
			if !a.equal(b) || !maps.Equal(a.Files, b.Files) || !slices.Contains(again.Names(), "added") {
				t.Fatalf("%s is %+v, was %+v", name, b, a)
			}
		}
	})
}
