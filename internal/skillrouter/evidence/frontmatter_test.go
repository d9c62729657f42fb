package evidence

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

func someRecord() Record {
	return Record{Skill: "webhook-signer", Meta: skill.Meta{Helpful: 2, Harmful: 1, Status: skill.Active, ConsecutiveHarmful: 1,
		HelpfulContexts: []string{"used: the \"helper\" # as told"}, HarmfulContexts: []string{"- compares with =="}},
		LastSession: "s-1", LastUsed: "2026-05-04T12:00:00Z", LastUpdated: "2026-05-04T12:00:01Z"}
}

const block = `mega_meta:
  helpful_count: 2
  harmful_count: 1
  helpful_contexts:
    - 'used: the "helper" # as told'
  harmful_contexts:
    - '- compares with =='
  status: active
  consecutive_harmful: 1
  last_session_id: s-1
  last_used_at: "2026-05-04T12:00:00Z"
  last_updated: "2026-05-04T12:00:01Z"
`

func TestMetaIsWrittenAndNothingElseChanges(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"at the end", "---\nname: a   # kept\ndescription: 'd'\n---\nbody\r mixed\n", "---\nname: a   # kept\ndescription: 'd'\n" + block + "---\nbody\r mixed\n"},
		{"in place, the old block gone", "---\nmega_meta:\n  helpful_count: 1\n  harmful_count: 0\n  status: active\n\n# of name\nname: a\ndescription: d\n---\n", "---\n" + block + "\n# of name\nname: a\ndescription: d\n---\n"},
		{"unknown keys stay", "---\nname: a\ndescription: d\nmega_meta:\n  version_history: [1, 2]\n  helpful_count: 1\n---\nx", "---\nname: a\ndescription: d\n" + block + "  version_history: [1, 2]\n---\nx"},
		{"flow style", "---\nname: a\ndescription: d\nmega_meta: {helpful_count: 1}\nlicence: MIT\n---\nx", "---\nname: a\ndescription: d\n" + block + "licence: MIT\n---\nx"},
		{"no last newline", "---\nname: a\ndescription: d\n---", "---\nname: a\ndescription: d\n" + block + "---"},
		{"byte order mark", "\ufeff---\nname: a\ndescription: d\n---\n", "\ufeff---\nname: a\ndescription: d\n" + block + "---\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := withMeta([]byte(c.before), someRecord())
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.after {
				t.Errorf("got\n%s\nwant\n%s", got, c.after)
			}
			again, err := withMeta(got, someRecord())
			if err != nil || string(again) != string(got) {
				t.Errorf("written again: %v\n%s", err, again)
			}
		})
	}
}

func TestMetaOfCRLFFilesHasTheirLines(t *testing.T) {
	got, err := withMeta([]byte("---\r\nname: a\r\ndescription: d\r\n---\r\nbody\r\n"), someRecord())
	want := "---\r\nname: a\r\ndescription: d\r\n" + strings.ReplaceAll(block, "\n", "\r\n") + "---\r\nbody\r\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%q\nwant\n%q", err, got, want)
	}
}

func TestFrontmatterWithoutASafePlaceIsLeft(t *testing.T) {
	for _, text := range []string{
		"no frontmatter",
		"---\nname: a\ndescription: d\n",
		"---\nname: a\ndescription: d\nmega_meta:\n  helpful_count: 1\nmega_meta:\n  helpful_count: 2\n---\n",
		"---\n{name: a, description: d}\n---\n",
		"---\n  name: a\n  description: d\n---\n",
		"---\nname: a\ndescription: |\n  text\n  mega_meta:\nmega_meta: {\nhelpful_count: 1}\n---\n",
	} {
		if got, err := withMeta([]byte(text), someRecord()); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzWithMeta(f *testing.F) {
	for _, s := range []string{plainSkill, "---\nname: a\ndescription: d\nmega_meta: {a: 1}\n---\nb", "---\r\nname: a\r\ndescription: d\r\n...\r\nb", "---\ndescription: d: e: f\n---\n", "---\nname: a\ndescription: d\nmega_meta:\n- x\n---"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := withMeta([]byte(text), someRecord())
		if err != nil {
			return
		}
		was, err := skill.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		is, err := skill.Parse(got)
		if err != nil || is.Body != was.Body || is.Description != was.Description || is.Meta.Helpful != 2 {
			t.Errorf("%q became %q: %v", text, got, err)
		}
	})
}

func TestWriteFollowsLinksAndKeepsModes(t *testing.T) {
	k, file := newSkill(t, plainSkill)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(k.Dir, link); err != nil {
		t.Fatal(err)
	}
	if err := writeFront(filepath.Join(link, skill.FileName), someRecord()); err != nil {
		t.Fatal(err)
	}
	st, err := os.Lstat(file)
	if err != nil || st.Mode() != 0o640 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if l, err := os.Lstat(link); err != nil || l.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", l.Mode(), err)
	}
	if data, _ := os.ReadFile(file); !strings.Contains(string(data), "helpful_count: 2") {
		t.Errorf("written: %s", data)
	}
}

func TestSwapLeavesAFileThatSomebodyElseChanged(t *testing.T) {
	_, file := newSkill(t, plainSkill)
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	theirs := plainSkill + "more\n"
	write(t, file, theirs)
	if err := swap(file, []byte("ours"), before); err != errMoved {
		t.Errorf("error %v", err)
	}
	if data, _ := os.ReadFile(file); string(data) != theirs {
		t.Errorf("theirs is gone: %s", data)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".mega-tron-*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestProtectedFilesKeepTheirBytesAndTheStoreTheCounts(t *testing.T) {
	ctx := context.Background()
	for name, at := range map[string]string{
		"a git work tree":       "repository/.agents/skills/webhook-signer",
		"a bundled Hermes":      "hermes/skills/devops/webhook-signer",
		"a plugin's cache":      "codex/plugins/cache/m/p/1/skills/webhook-signer",
		"a system skill":        "codex/skills/.system/webhook-signer",
		"an administrator's":    "etc/skills/webhook-signer",
		"a link into a git one": "linked/webhook-signer",
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			gitInit(t, filepath.Join(home, "repository"))
			write(t, filepath.Join(home, "hermes/skills/.bundled_manifest"), "webhook-signer:0123456789abcdef\nother:00\n")
			dir := filepath.Join(home, filepath.FromSlash(at))
			file := filepath.Join(dir, skill.FileName)
			if strings.HasPrefix(at, "linked") {
				real := filepath.Join(home, "repository", "webhook-signer")
				write(t, filepath.Join(real, skill.FileName), plainSkill)
				if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(real, dir); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, file, plainSkill)
			}
			s := newStore(t)
			roots := []skill.Root{{Dir: filepath.Join(home, "etc/skills"), Scope: skill.Admin}}
			k := &skill.Skill{Name: "webhook-signer", Dir: dir}
			entries, err := s.Write(ctx, turn("s", "1"), []Admitted{{k, file, Helpful, reason}}, nil, roots)
			if err != nil {
				t.Fatal(err)
			}
			if data, _ := os.ReadFile(file); string(data) != plainSkill {
				t.Errorf("it was written: %s", data)
			}
			if r := s.mustRecord(t, k.Name); r.Helpful != 1 || !strings.HasPrefix(entries[0].Why, "SKILL.md not written: it") {
				t.Errorf("%d helpful; logged %+v", r.Helpful, entries)
			}
		})
	}
}

func gitInit(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("git", "init", "-q", dir)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]bool{"a:1\nsigner:2": true, "web-signer:1": false, `{"signer":1}`: true, "signers": false, "": false, "xsigner signer": true} {
		if names([]byte(text), "signer") != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
