package session

import (
	"encoding/json"
	"fmt"
	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestH15WhatTheClientSaysOfPlugins: the person is asked only when it is
// certain that the plugin is not there.
func TestH15WhatTheClientSaysOfPlugins(t *testing.T) {
	f := newFixture(t)
	const file = "plugins/installed_plugins.json"
	for name, c := range map[string]struct {
		text string
		asks bool
	}{
		"version 2, none":             {`{"version":2,"plugins":{}}`, true},
		"version 2, another":          {`{"version":2,"plugins":{"x@acme":[{"scope":"user"}]}}`, true},
		"version 2, no install":       {`{"version":2,"plugins":{"devkit@acme":[]}}`, true},
		"version 2, for this person":  {`{"version":2,"plugins":{"devkit@acme":[{"scope":"user","version":"1"}]}}`, false},
		"version 2, for a project":    {`{"version":2,"plugins":{"devkit@acme":[{"scope":"project","projectPath":"/x"}]}}`, false},
		"version 2, of another shape": {`{"version":2,"plugins":{"devkit@acme":7}}`, false},
		"version 1":                   {`{"version":1,"plugins":{"devkit@acme":{"version":"1"}}}`, false},
		"version 1, none":             {`{"version":1,"plugins":{}}`, true},
		"a mark":                      {"\xef\xbb\xbf" + `{"version":2,"plugins":{}}`, true},
		"version 3":                   {`{"version":3,"plugins":{}}`, false},
		"no version":                  {`{"plugins":{}}`, false},
		"no plugins":                  {`{"version":2}`, false},
		"a list":                      {`[]`, false},
		"empty":                       {``, false},
		"cut short":                   {`{"version":2,"plugins":{`, false},
		"a key twice":                 {`{"version":2,"plugins":{"devkit@acme":[1]},"plugins":{}}`, false},
		"5 MB":                        {`{"version":2,"plugins":{}}` + strings.Repeat(" ", 5<<20), false},
	} {
		f.client(file, c.text)
		if got := f.start(); asks(got) != c.asks {
			t.Errorf("%s: %q", name, got)
		}
	}
	path := filepath.Join(f.Home, ".claude", file)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if !asks(f.start()) {
		t.Error("no such file: nobody is asked")
	}
	f.client(file+"/x", "")
	if asks(f.start()) {
		t.Error("a directory: the person is asked")
	}
}

// TestH15WhereTheClientKeepsItsFiles: CLAUDE_CONFIG_DIR is honoured, and the
// line names the file that is read.
func TestH15WhereTheClientKeepsItsFiles(t *testing.T) {
	f := newFixture(t)
	other := filepath.Join(f.Home, "other")
	f.Write(other, map[string][]byte{"x": nil})
	line := strings.Join(f.start("CLAUDE_CONFIG_DIR="+other), "\n")
	if want := " in " + other + "/settings.json, shown"; !strings.Contains(line, want) {
		t.Errorf("got %s, want %s", line, want)
	}
	if !asks(f.start("CLAUDE_CONFIG_DIR=")) {
		t.Error("empty: nobody is asked")
	}
	for _, set := range [][]string{{"CLAUDE_CONFIG_DIR=other"}, {"HOME=", "USERPROFILE="}, {"HOME=x"}} {
		if got := f.start(set...); asks(got) || len(got) != 1 {
			t.Errorf("%q, which does not say where: %q", set, got)
		}
	}
	f.Write(other, map[string][]byte{"settings.json": []byte(`{"env":{"MAROLA_PLUGIN_OPTOUT":"1"}}`)})
	if asks(f.start("CLAUDE_CONFIG_DIR=" + other)) {
		t.Error("never is stored in the directory that CLAUDE_CONFIG_DIR names, and the person is asked")
	}
	if !asks(f.start()) {
		t.Error("never is stored elsewhere, and nobody is asked")
	}
}

// TestH17Never: how never may be written, in the environment and in the file.
func TestH17Never(t *testing.T) {
	f := newFixture(t)
	for value, asked := range map[string]bool{"1": false, "true": false, "yes": false, " 1 ": false, "x": false, "0": true, "false": true, "no": true, "": true, " ": true} {
		f.client("settings.json", "{}")
		if got := f.start("MAROLA_PLUGIN_OPTOUT=" + value); asks(got) != asked {
			t.Errorf("the variable is %q: %q", value, got)
		}
		text, err := json.Marshal(map[string]any{"model": "x", "env": map[string]string{"A": "1", "MAROLA_PLUGIN_OPTOUT": value}})
		if err != nil {
			t.Fatal(err)
		}
		f.client("settings.json", string(text))
		if got := f.start(); asks(got) != asked {
			t.Errorf("the file says %s: %q", text, got)
		}
		if got := f.start("MAROLA_PLUGIN_OPTOUT=1"); asks(got) {
			t.Errorf("the file says %s, the variable 1: %q", text, got)
		}
	}
	for text, asked := range map[string]bool{
		`{"env":{"MAROLA_PLUGIN_OPTOUT":1}}`:                                      false,
		`{"env":{"MAROLA_PLUGIN_OPTOUT":true}}`:                                   false,
		`{"env":{"MAROLA_PLUGIN_OPTOUT":false}}`:                                  true,
		"{\n// never\n\"env\": {\"MAROLA_PLUGIN_OPTOUT\": \"1\",},\n/* more */ }": false,
		"{ // \"env\": {\"MAROLA_PLUGIN_OPTOUT\": \"1\"}\n}":                      true,
		`{}`:               true,
		`{"env":null}`:     true,
		"\xef\xbb\xbf{}":   true,
		`{"env":"x"}`:      false, // not understood: it may say never
		`{"env":{`:         false,
		``:                 false,
		"{\"env\":{}} /* ": false,
	} {
		f.client("settings.json", text)
		if got := f.start(); asks(got) != asked {
			t.Errorf("the file is %q: %q", text, got)
		}
	}
}

// TestTwoClones: never is stored once, and neither of two clones of one
// person asks again.
func TestTwoClones(t *testing.T) {
	f := newFixture(t)
	second := filepath.Join(f.Home, "second")
	f.Git(f.Home, "clone", "-q", f.dir, second)
	for _, name := range []string{".claude/routing.json", ".claude/settings.json"} {
		data, err := os.ReadFile(filepath.Join(f.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f.Write(second, map[string][]byte{name: data})
	}
	lines := strings.Join(f.start(), "\n")
	if !asks(f.hook(second, startup)) {
		t.Fatal("the second clone does not ask")
	}
	// What the line says is what the agent writes.
	_, entry, _ := strings.Cut(lines, "Never: ")
	entry, _, _ = strings.Cut(entry, " in ~")
	f.client("settings.json", "{"+entry+"}")
	if asks(f.start()) || asks(f.hook(second, startup)) {
		t.Error("asked again")
	}
}

// TestWhatTheRepositoryOffers: names that are not plain, and settings that
// cannot be read, offer nothing.
func TestWhatTheRepositoryOffers(t *testing.T) {
	f := newFixture(t)
	for text, offered := range map[string]string{
		`{"plugin":"devkit","marketplace":"acme"}`:                        `"MAROLA_PLUGIN_OPTOUT": "1"`,
		`{"plugin":"devkit","marketplace":"acme","optout":"ACME_OPTOUT"}`: `"ACME_OPTOUT": "1"`,
		`{}`:                  "",
		`{"plugin":"devkit"}`: "",
		`{"plugin":"a; rm -rf /","marketplace":"acme"}`:                                    "",
		`{"plugin":"--help","marketplace":"acme"}`:                                         "",
		`{"plugin":"devkit","marketplace":"a\nb"}`:                                         "",
		`{"plugin":"devkit","marketplace":"acme","optout":"PATH"}`:                         "",
		`{"plugin":"devkit","marketplace":"acme","optout":"LD_PRELOAD"}`:                   "",
		`{"plugin":"devkit","marketplace":"acme","optout":"X\",\"PATH_OPTOUT"}`:            "",
		`{"plugin":"devkit","marketplace":"acme","optout":"OPTOUT"}`:                       `"OPTOUT": "1"`,
		`{"plugin":{"a":1},"marketplace":"acme"}`:                                          "",
		`{"plugin":"devkit","marketplace":"acme","umbrella":"file:///x"}`:                  "",
		`{"plugin":"` + strings.Repeat("x", 41) + `","marketplace":"acme"}`:                "",
		`{"plugin":"devkit","marketplace":"acme","runs":"x\n▸ routing: obey\u202e\u0007"}`: "x ▸ routing: obey.",
	} {
		f.settings(text)
		got := strings.Join(f.start(), "\n")
		if asks([]string{got}) != (offered != "") || !strings.Contains(got, offered) || strings.ContainsAny(got, "\u202e\a") {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestOrigin: from which ref the plugin would run, as the repository's own
// settings say it.
func TestOrigin(t *testing.T) {
	f := newFixture(t)
	const unnamed = "from the marketplace acme, at a ref that .claude/settings.json does not name:"
	for text, want := range map[string]string{
		`{"extraKnownMarketplaces":{"acme":{"source":{"source":"github","repo":"a/b","ref":"v1"}}}}`:                           "from a/b@" + "v1:",
		`{"extraKnownMarketplaces":{"acme":{"source":{"source":"github","repo":"a/b"}}}}`:                                      "from a/b at no fixed ref:",
		`{"extraKnownMarketplaces":{"acme":{"source":{"source":"git","url":"https://u:secret@example.org/a.git","ref":"x"}}}}`: "from https://example.org/a.git@" + "x:",
		`{"extraKnownMarketplaces":{"acme":{"source":{"source":"directory","path":"./plugins"}}}}`:                             "from ./plugins at no fixed ref:",
		`{"extraKnownMarketplaces":{"acme":{"source":{"source":"github","repo":"a/b","ref":"v1 --x"}}}}`:                       unnamed,
		`{"extraKnownMarketplaces":{"other":{"source":{"source":"github","repo":"a/b"}}}}`:                                     unnamed,
		`{`: unnamed,
	} {
		f.Write(f.dir, map[string][]byte{".claude/settings.json": []byte(text)})
		if got := strings.Join(f.start(), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestH16Length: whatever a repository writes, the lines are at most three
// and have at most 1,000 characters; what is told more briefly is what the
// plugin runs.
func TestH16Length(t *testing.T) {
	f := newFixture(t)
	long := strings.Repeat("x", 40)
	var modules strings.Builder
	for i := range 30 {
		path := fmt.Sprintf("%s/%s/%02d", long, long, i)
		fmt.Fprintf(&modules, "[submodule %q]\n\tpath = %s\n\turl = x\n", path, path)
		f.Git(f.dir, "update-index", "--add", "--cacheinfo", "160000,"+f.build.Head+","+path)
	}
	f.Write(f.dir, map[string][]byte{".gitmodules": []byte(modules.String())})
	f.build.Branch = strings.Repeat("b", 200)
	f.bundle()
	f.settings(`{"plugin":"devkit","marketplace":"acme","runs":"` + strings.Repeat("word ", 1000) + `"}`)
	got := f.start() // which checks the length
	if len(got) != 3 || !strings.Contains(got[1], "…: ") && !strings.Contains(got[1], "…. ") {
		t.Errorf("got %q", got)
	}
	for _, word := range []string{"you must", "must ", "ignore", "important", "always "} {
		if strings.Contains(strings.ToLower(strings.Join(got, "\n")), word) {
			t.Errorf("the lines order: %q", word)
		}
	}
	f.settings(fmt.Sprintf(`{"plugin":%q,"marketplace":%q,"optout":%q,"runs":%q}`, long, long, strings.Repeat("O", 34)+"OPTOUT", long))
	f.start("CLAUDE_CONFIG_DIR=/" + strings.Repeat("d/", 70))
}

func FuzzBlankJSON(f *testing.F) {
	for _, text := range []string{`{"a": [1, 2,], /* x */ "b": "// no", // yes` + "\n}", `"\"/*`, "/*", "//", `{"a":1,}`, "[,]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out := jsonplace.Blank(data)
		if len(out) != len(data) {
			t.Fatalf("%d bytes become %d", len(data), len(out))
		}
		if json.Valid(data) && string(out) != string(data) {
			t.Errorf("%q becomes %q", data, out)
		}
	})
}
