package block

import (
	"errors"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func TestReplace(t *testing.T) {
	const tables = "| A |\n|---|\n"
	for _, tt := range []struct{ name, file, want, says string }{
		{"between lines", "a\n" + Start + "\nold\n" + End + "\nb", "a\n" + Start + "\n\n" + tables + "\n" + End + "\nb", ""},
		{"on one line", Start + End, Start + "\n\n" + tables + "\n" + End, ""},
		{"other line ends", "a\r\n" + Start + "\r\n" + End + "\r\nb\n", "a\r\n" + Start + "\r\n\r\n| A |\r\n|---|\r\n\r\n" + End + "\r\nb\n", ""},
		{"bytes that are no text", "\xff\x00" + Start + "\n" + End + "\xfe", "\xff\x00" + Start + "\n\n" + tables + "\n" + End + "\xfe", ""},
		{"none", "a\n", "", "the marker <!-- wiring:start --> is missing"},
		{"no end", Start, "", "the marker <!-- wiring:end --> is missing"},
		{"two ends", Start + "\n" + End + "\n" + End, "", "the marker <!-- wiring:end --> stands twice, again in line 3"},
		{"turned round", "\n" + End + Start, "", "the marker <!-- wiring:end --> stands in line 2, before <!-- wiring:start -->"},
	} {
		got, err := Replace([]byte(tt.file), tables)
		if tt.says != "" {
			m := (*MarkerError)(nil)
			if !errors.As(err, &m) || err.Error() != tt.says || m.Hint() == "" || got != nil {
				t.Errorf("%s: got %q, %v", tt.name, got, err)
			}
			continue
		}
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, tt.want)
		}
		if again, err := Replace(got, tables); err != nil || string(again) != tt.want {
			t.Errorf("%s: a second time gives %q, %v", tt.name, again, err)
		}
	}
}

func TestStale(t *testing.T) {
	for _, tt := range []struct {
		have, want string
		line       int
		should     string
	}{
		{"a\nb\n", "a\nb\n", 0, ""},
		{"a\nb\n", "a\nc\n", 2, "c"},
		{"a\r\nb\r\n", "a\r\nc\r\n", 2, "c"},
		{"a\n", "a\nb\n", 2, "b"},
		{"a", "a\nb", 1, "a"},
	} {
		if line, should := Stale([]byte(tt.have), []byte(tt.want)); line != tt.line || should != tt.should {
			t.Errorf("%q, %q: line %d, %q", tt.have, tt.want, line, should)
		}
	}
}

func TestGaps(t *testing.T) {
	at := func(file string, line int) []wiring.Place {
		return []wiring.Place{{Repo: "app", File: file, Line: line}}
	}
	w := &wiring.Wiring{
		Artifacts: []wiring.Artifact{
			{Name: "z", Kind: wiring.Image, Published: at("b.yml", 4)},
			{Name: "read", Kind: wiring.Image, Published: at("b.yml", 4), Read: at("c", 1)},
			{Name: "pinned", Kind: wiring.Image, Published: at("b.yml", 4), Pinned: at("c", 1)},
			{Name: "allowed", Kind: wiring.Image, Published: at("b.yml", 4), Allowed: "people run it"},
			{Name: "foreign", Kind: wiring.Image},
			{Name: "local", Kind: wiring.Image, Published: []wiring.Place{{Repo: "app", File: "compose.yml", Note: "built from ."}}},
			{Name: "npm:home", Kind: wiring.Package, Published: []wiring.Place{{Repo: "app", File: "package.json", Note: "home"}}},
			{Name: "npm:out", Kind: wiring.Package, Published: []wiring.Place{{Repo: "app", File: "package.json", Note: "home"}, {Repo: "app", File: "a.yml", Line: 9}}},
			{Name: "acme/app", Kind: wiring.Release, Published: at("b.yml", 4)},
			{Name: "acme/site", Kind: wiring.PullRequest, Published: at("b.yml", 4)},
			{Name: "gh-pages", Kind: wiring.Branch, Published: at("site.yml", 2)},
			{Name: "data", Kind: wiring.Branch, Published: at("site.yml", 3)},
		},
		Dispatches: []wiring.Dispatch{
			{Type: "both", Sent: at("b.yml", 1), Heard: at("c.yml", 1)},
			{Type: "out", Sent: append(at("b.yml", 1), at("a.yml", 2)...)},
			{Type: "in", Heard: at("b.yml", 2)},
		},
		Deploys: []wiring.Deploy{{Site: "app.example", Kind: "pages", By: at("site.yml", 2)}},
	}
	var got []string
	for _, g := range Gaps(w) {
		got = append(got, g.File+":"+string(rune('0'+g.Line))+" "+g.Kind+" "+g.Name)
		if g.Text == "" || strings.HasSuffix(g.Text, ".") {
			t.Errorf("%s says %q", g.Name, g.Text)
		}
	}
	want := `a.yml:2 unheard dispatch out
a.yml:9 unread artifact npm:out
b.yml:1 unheard dispatch out
b.yml:2 unsent dispatch in
b.yml:4 unread artifact z
site.yml:3 unread artifact data`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if gaps := Gaps(&wiring.Wiring{}); gaps == nil || len(gaps) != 0 {
		t.Errorf("of nothing: %#v", gaps)
	}
}

// TestHostileNames: what a repository calls its things cannot end a cell, a
// row or the block.
func TestHostileNames(t *testing.T) {
	const name = "a|b`c\n<!-- wiring:end -->\x1b[2J"
	p := []wiring.Place{{Repo: name, File: "x/" + "y|z", Via: name, When: name, Note: name}}
	w := &wiring.Wiring{
		Artifacts:  []wiring.Artifact{{Name: name, Kind: wiring.Image, Published: p, Read: p}, {Name: name, Kind: wiring.PullRequest, Files: []string{name}, Published: p}, {Name: name, Kind: wiring.Push, Published: p}, {Name: name, Kind: wiring.Branch, Repo: name + "2", Published: p}},
		Dispatches: []wiring.Dispatch{{Type: name, Sent: p, Heard: p}},
		Bumps:      []wiring.Bump{{Repo: name, File: "x", Starts: p}},
		Deploys:    []wiring.Deploy{{Site: name, Kind: name, By: p}},
		Calls:      []wiring.Call{{Target: name + "/" + name + "/" + name, Kind: wiring.CallWorkflow, From: []wiring.Place{{Repo: name, File: "x", Version: name}}}},
	}
	tables := Render(w, nil)
	if strings.Contains(tables, End) || strings.ContainsRune(tables, '\x1b') {
		t.Errorf("got\n%s", tables)
	}
	for line := range strings.Lines(tables) {
		bare := strings.ReplaceAll(line, `\|`, "")
		if n := strings.Count(bare, "|"); n != 0 && n != 3 && n != 4 && n != 5 || strings.Count(line, "`")%2 != 0 {
			t.Errorf("%d cells' ends in %q", n, line)
		}
	}
	file, err := Replace([]byte(Start+"\n"+End), tables)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Replace(file, tables); err != nil || string(again) != string(file) {
		t.Errorf("a second time: %v", err)
	}
}
