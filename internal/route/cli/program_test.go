package cli

import (
	"strings"
	"testing"
)

func TestProgramLine(t *testing.T) {
	a, b, commit := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40)
	for _, c := range []struct {
		p    program
		want string
	}{
		{program{}, "route 1, linux-amd64"},
		{program{Blob: a}, "route 1, linux-amd64, blob aaaaaaaaaaaa"},
		{program{Blob: a, Skill: commit}, "route 1, linux-amd64, blob aaaaaaaaaaaa, skill pinned at ccccccc"},
		{program{Blob: a, Skill: commit, Pinned: a}, "route 1, linux-amd64, blob aaaaaaaaaaaa, as skills.lock pins it at ccccccc"},
		{program{Blob: a, Skill: commit, Pinned: b}, "route 1, linux-amd64, blob aaaaaaaaaaaa, which is not the file that skills.lock pins at ccccccc"},
	} {
		c.p.Version, c.p.Platform = "1", "linux-amd64"
		if got := c.p.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
	for file, want := range map[string][2]string{
		"/x/.claude/skills/routing/bin/linux-amd64/route": {"/x/.claude/skills/routing", "bin/linux-amd64/route"},
		"/usr/bin/route":          {},
		"/x/.claude/skills/route": {"/x/.claude/skills/route", ""},
	} {
		if skill, name, ok := skillOf(file); skill != want[0] || name != want[1] || ok != (name != "") {
			t.Errorf("%s: %q, %q, %v", file, skill, name, ok)
		}
	}
}
