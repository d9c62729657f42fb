package evidence

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

func TestAdmission(t *testing.T) {
	root := t.TempDir()
	for dir, name := range map[string]string{"shown": "shown", "used": "used", "claimed": "claimed", "elsewhere": "other-name"} {
		write(t, filepath.Join(root, dir, skill.FileName), "---\nname: "+name+"\ndescription: d\n---\n")
	}
	finder := Finder{Roots: []skill.Root{{Dir: root, Scope: skill.User}}}
	a := Admission{Gate: Gate{8}, Shown: []string{"Shown", "other-name", "gone"}, Find: finder.Find, Used: func(k *skill.Skill) bool { return k.Name == "used" }}
	for _, c := range []struct {
		tag  Tag
		want string // the skill, or "" for a drop
	}{
		{Tag{"shown", Helpful, reason}, "shown"},
		{Tag{"SHOWN", Harmful, reason}, "shown"},
		{Tag{"used", Helpful, reason}, "used"},
		{Tag{"other-name", Helpful, reason}, "other-name"},
		{Tag{"plugin:other-name", Helpful, reason}, "other-name"},
		{Tag{"claimed", Helpful, reason}, ""},
		{Tag{"elsewhere", Helpful, reason}, ""},
		{Tag{"gone", Helpful, reason}, ""},
		{Tag{"../shown", Helpful, reason}, ""},
		{Tag{"shown", "", reason}, ""},
		{Tag{"shown", Helpful, "ok"}, ""},
		{Tag{"shown", Neutral, ""}, "shown"},
	} {
		admitted, dropped := a.Judge([]Tag{c.tag})
		got := ""
		if len(admitted) == 1 {
			got = admitted[0].Skill.Name
		}
		if got != c.want || len(admitted)+len(dropped) != 1 {
			t.Errorf("%+v: admitted %q, want %q; dropped %+v", c.tag, got, c.want, dropped)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
